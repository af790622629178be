import subprocess
from pathlib import Path

import pytest
from benchmarks.__main__ import main

TEXTS = (
    "def one():\n    return 1\n",
    "def one():\n    return 2\n",
    "def two():\n    return one()\n",
)


def test_a_graph_follows_the_commits_of_a_clone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    root = tmp_path / "shop"
    root.mkdir()
    for arguments in (["init", "--quiet"], ["config", "user.email", "a@b.c"]):
        subprocess.run(["git", "-C", str(root), *arguments], check=True)
    for place, text in enumerate(TEXTS):
        (root / "shop.py").write_text(text)
        subprocess.run(["git", "-C", str(root), "add", "."], check=True)
        named = ["-c", "user.name=a", "commit", "--quiet", "--message", str(place)]
        subprocess.run(["git", "-C", str(root), *named], check=True)

    with pytest.raises(SystemExit) as ended:
        main(["history", str(root), "--check", "--commits", "2"])

    assert ended.value.code == 0
    (row,) = [line for line in capsys.readouterr().out.splitlines() if line.startswith("| shop")]
    name, files, commits, updated, *_, different = (cell.strip() for cell in row.split("|")[1:-1])
    assert (name, files, commits, updated, different) == ("shop", "1", "2", "2", "0")
