"""Ranking reads the files as they lie there, and the history of the branch."""

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from fakes.built import built_tree
from mu.context import Ranking, rank
from mu.operations.packing.ranking_inputs import repository_of
from mu.operations.source_lines import SourceLines
from mu.operations.workspace import Workspace

TREE = {
    "zoo/brush.py": (
        "def paint(wall):\n    return wall\n\n\ndef paint_twice(wall):\n    return wall\n"
    ),
    "zoo/animals.py": (
        "def cover(hide):\n    return paint(hide, 'zebra', 'zebra')\n\n\n"
        "def feed(animal):\n    return animal\n"
    ),
    "zoo/gate.py": "def close(bolt):\n    return bolt\n\n\ndef paint_gate():\n    return 1\n",
    "zoo/tickets.py": "def sell(price):\n    return price\n",
}
REPORT = "paint the zebra again"


def git(folder: Path, *arguments: str) -> None:
    who = ("-c", "user.name=n", "-c", "user.email=n@n")
    subprocess.run(["git", "-C", str(folder), *who, *arguments], check=True, capture_output=True)


@pytest.fixture
def zoo(tmp_path: Path) -> Iterator[Workspace]:
    with built_tree(tmp_path / "zoo", TREE) as workspace:
        yield workspace


def ranked(workspace: Workspace, question: str) -> Ranking:
    repository = repository_of(workspace, SourceLines(workspace))
    return rank(workspace.graph, question, repository=repository)


def test_what_only_the_text_of_a_file_says_leads_there(zoo: Workspace) -> None:
    assert rank(zoo.graph, REPORT).files[0].path == "zoo/brush.py"
    assert ranked(zoo, REPORT).files[0].path == "zoo/animals.py"


def test_the_definition_whose_text_says_it_is_ranked_above_the_others_there(
    zoo: Workspace,
) -> None:
    titles = [node.title for node in ranked(zoo, REPORT).nodes if node.path == "zoo/animals.py"]
    assert titles[0] == "cover"


def test_of_a_file_changed_since_the_build_the_index_counts(zoo: Workspace) -> None:
    (zoo.root / "zoo/animals.py").write_text("zebra = 'zebra'\n" * 9)
    assert ranked(zoo, REPORT).files[0].path == "zoo/brush.py"


def test_files_that_were_changed_under_like_words_come_higher(zoo: Workspace) -> None:
    report = "paint comes off in the rain"
    gate = zoo.root / "zoo/gate.py"
    before = {file.path: file.score for file in ranked(zoo, report).files}
    git(zoo.root, "init", "-q")
    for message, text in (("Begin", ""), ("Keep what rain washes off", TREE["zoo/gate.py"])):
        gate.write_text(text)
        git(zoo.root, "add", "zoo")
        git(zoo.root, "commit", "-qm", message)
    with Workspace(zoo.root) as opened:
        after = {file.path: file.score for file in ranked(opened, report).files}
    assert after["zoo/gate.py"] > before["zoo/gate.py"]
    assert after["zoo/animals.py"] <= before["zoo/animals.py"]
