"""Finding the folder with the graph."""

from pathlib import Path

import pytest

from fakes.graphs import SHOP, make_graph, write
from mu.errors import ExitCode, MuError
from mu.operations.workspace import Workspace


def test_the_nearest_folder_upwards_with_a_graph_is_the_workspace(tmp_path: Path) -> None:
    inner = tmp_path / "one" / "two"
    inner.mkdir(parents=True)
    write(make_graph(SHOP), tmp_path)
    write(make_graph(SHOP), tmp_path / "one")
    with Workspace.find(inner) as workspace:
        assert workspace.root == tmp_path / "one"
        assert "schema" in workspace.graph.meta()


def test_without_a_graph_the_error_names_the_build(tmp_path: Path) -> None:
    with pytest.raises(MuError, match="no graph here") as caught:
        Workspace.find(tmp_path)
    assert caught.value.code is ExitCode.NO_GRAPH
    assert "mu kernel build" in caught.value.hint


def test_a_folder_called_like_a_graph_is_none(tmp_path: Path) -> None:
    (tmp_path / ".mubase").mkdir()
    with pytest.raises(MuError, match="no graph here"):
        Workspace.find(tmp_path)


@pytest.mark.parametrize(("name", "what"), [("file", "is not a folder"), ("no", "does not exist")])
def test_a_start_that_is_no_folder_is_a_usage_error(tmp_path: Path, name: str, what: str) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(MuError, match=what) as caught:
        Workspace.find(tmp_path / name)
    assert caught.value.code is ExitCode.USAGE
