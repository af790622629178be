"""A graph is held against a build from scratch, by digest."""

from pathlib import Path

import duckdb
import pytest

from mu import api
from mu.errors import MuError


def test_a_graph_is_the_one_that_a_build_makes_until_it_is_changed(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("def f():\n    return g()\n\n\ndef g():\n    return 1\n")
    api.build(tmp_path)
    (tmp_path / "a.py").write_text("# f\ndef f():\n    return g()\n\n\ndef g():\n    return 1\n")
    with api.open_workspace(tmp_path) as workspace, pytest.raises(MuError, match="files changed"):
        workspace.verify()
    api.build(tmp_path)
    with api.open_workspace(tmp_path) as workspace:
        verified = workspace.verify()
    assert verified.is_same
    assert verified.digest == verified.rebuilt

    with duckdb.connect(str(tmp_path / ".mubase")) as engine:
        engine.execute("UPDATE meta SET value = '00' WHERE name = 'digest'")
    with api.open_workspace(tmp_path) as workspace:
        changed = workspace.verify()
    assert not changed.is_same
    assert changed.rebuilt == verified.digest
    assert sorted(path.name for path in tmp_path.iterdir()) == [".mubase", "a.py"]
