"""The history of a node and its blame, on real commits that rename, move and merge."""

from collections.abc import Mapping
from pathlib import Path

import pytest

import mu
from fakes.git_history import Files, History
from mu.errors import MuError
from mu.model.kinds import Verdict
from mu.operations.queries.query import query
from mu.operations.revisions.history import blame, history
from mu.operations.workspace import Workspace

OTHER = "def other():\n    return None\n"
PAY = """\
def pay(cart, rate):
    total = sum(item.price for item in cart)
    if rate > 1:
        raise ValueError(rate)
    return round(total * rate, 2)
"""
CHANGED = PAY.replace("rate > 1", "rate > 2")
RENAMED = CHANGED.replace("def pay", "def settle")
TOP = "LIMIT = 3\n\n\n"


class Shop:
    """A repository that is made commit by commit, and then built and asked."""

    def __init__(self, folder: Path) -> None:
        self.history = History(folder)
        self.names: dict[str, str] = {}

    def commit(self, said: str, files: Files, **more: list[str]) -> None:
        self.names[self.history.commit(said, {".gitignore": ".mubase\n", **files}, **more)] = said

    def open(self, edits: Mapping[str, str] | None = None) -> Workspace:
        self.history.check_out()
        for path, text in (edits or {}).items():
            (self.history.folder / path).write_text(text)
        mu.build(self.history.folder)
        return Workspace(self.history.folder)


@pytest.fixture
def shop(tmp_path: Path) -> Shop:
    return Shop(tmp_path / "shop")


def changes(workspace: Workspace, node: str, *, limit: int = 100) -> list[tuple[object, ...]]:
    """What the commits say, what they did, and the name and path before where those changed."""
    with workspace:
        found = history(workspace, node, limit=limit).records()
    return [
        (row["summary"], row["change"], *([row["before"]] * bool(row["before"]))) for row in found
    ]


def lines(workspace: Workspace, node: str) -> list[tuple[object, ...]]:
    with workspace:
        found = blame(workspace, node).records()
    return [(row["line"], row["end_line"], row["summary"]) for row in found]


def test_only_commits_that_touch_the_definition_count(shop: Shop) -> None:
    shop.commit("Begin", {"a.py": PAY})
    shop.commit("Above", {"a.py": OTHER + "\n\n" + PAY})
    shop.commit("Change", {"a.py": OTHER + "\n\n" + CHANGED})
    shop.commit("Below", {"a.py": OTHER + "\n\n" + CHANGED + "\n\n" + OTHER.replace("o", "a")})

    assert changes(shop.open(), "pay") == [("Change", "changed"), ("Begin", "added")]


def test_it_is_followed_through_every_sort_of_rename_and_move(shop: Shop) -> None:
    shop.commit("Begin", {"old.py": PAY, "b.py": OTHER})
    shop.commit("Rename the file", {"lib/new.py": PAY, "b.py": OTHER})
    shop.commit("Change", {"lib/new.py": CHANGED, "b.py": OTHER})
    shop.commit("Rename it", {"lib/new.py": RENAMED, "b.py": OTHER})
    shop.commit("Move it", {"lib/new.py": "", "b.py": OTHER + "\n\n" + RENAMED})
    shop.commit("Indent it", {"lib/new.py": "", "b.py": OTHER + "\n\n" + _method(RENAMED)})

    assert changes(shop.open(), "settle") == [
        ("Indent it", "renamed", "b.py:settle"),
        ("Move it", "moved", "lib/new.py:settle"),
        ("Rename it", "renamed", "lib/new.py:pay"),
        ("Change", "changed"),
        ("Rename the file", "moved", "old.py:pay"),
        ("Begin", "added"),
    ]


def _method(text: str) -> str:
    return "class Till:\n" + "".join(f"    {line}\n" for line in text.splitlines())


def test_decorators_and_the_last_line_belong_to_it(shop: Shop) -> None:
    shop.commit("Begin", {"a.py": TOP + PAY})
    shop.commit("Decorate", {"a.py": TOP + "@cache\n" + PAY})
    shop.commit("Lengthen", {"a.py": TOP + "@cache\n" + PAY + "    print(total)\n"})
    shop.commit("Shorten", {"a.py": TOP + "@cache\n" + PAY})

    found = changes(shop.open(), "pay")

    assert [said for said, _ in found] == ["Shorten", "Lengthen", "Decorate", "Begin"]


@pytest.mark.parametrize(
    ("node", "expected"),
    [
        ("LIMIT", [("Raise", "changed"), ("Begin", "added")]),
        ("a.py", [("Raise", "changed"), ("Again", "changed"), ("Begin", "added")]),
        ("Till", [("Again", "changed"), ("Begin", "added")]),
        ("sec:readme.md#use", [("Again", "changed"), ("Begin", "added")]),
    ],
)
def test_any_node_with_lines_has_a_history(
    shop: Shop, node: str, expected: list[tuple[str, str]]
) -> None:
    page = "# Shop\n\nWords.\n\n## Use\n\nCall `pay`.\n"
    shop.commit("Begin", {"a.py": TOP + _method(PAY), "readme.md": page})
    again = {"a.py": TOP + _method(CHANGED), "readme.md": page.replace("Call", "Do call")}
    shop.commit("Again", again)
    shop.commit("Raise", {**again, "a.py": again["a.py"].replace("= 3", "= 4")})

    assert changes(shop.open(), node) == expected


def test_a_merge_counts_for_what_no_parent_has(shop: Shop) -> None:
    shop.commit("Begin", {"a.py": PAY})
    left = PAY.replace("rate > 1", "rate > 2")
    right = PAY.replace("total * rate, 2", "total * rate, 3")
    both = left.replace("total * rate, 2", "total * rate, 3")
    shop.commit("Left", {"a.py": left})
    shop.commit("Right", {"a.py": right}, after=["Begin"])
    shop.commit("Merge", {"a.py": both}, after=["Left", "Right"])
    sides = [("Right", "changed"), ("Left", "changed"), ("Begin", "added")]
    written = [(1, 2, "Begin"), (3, 3, "Left"), (4, 4, "Begin"), (5, 5, "Right")]

    assert changes(shop.open(), "pay") == sides
    assert lines(shop.open(), "pay") == written

    shop.commit("Own", {"a.py": both.replace("ValueError", "TypeError")}, after=["Left", "Right"])

    assert changes(shop.open(), "pay") == [("Own", "changed"), *sides]
    assert lines(shop.open(), "pay") == [
        (*row[:2], "Own" if row[0] == 4 else row[2]) for row in written
    ]


def test_blame_follows_lines_through_renames_of_the_file(shop: Shop) -> None:
    shop.commit("Begin", {"old.py": PAY})
    shop.commit("Change", {"old.py": OTHER + "\n\n" + CHANGED})
    shop.commit("Rename the file", {"new.py": OTHER + "\n\n" + CHANGED})

    assert lines(shop.open(), "pay") == [(5, 6, "Begin"), (7, 7, "Change"), (8, 9, "Begin")]


def test_what_is_not_committed_comes_first(shop: Shop) -> None:
    shop.commit("Begin", {"a.py": PAY})
    edits = {"a.py": "\n" + CHANGED, "b.py": OTHER}

    assert changes(shop.open(edits), "pay") == [
        ("not committed yet", "changed"),
        ("Begin", "added"),
    ]
    assert changes(shop.open(edits), "other") == [("not committed yet", "added")]
    assert lines(shop.open(edits), "pay") == [
        (2, 3, "Begin"),
        (4, 4, "not committed yet"),
        (5, 6, "Begin"),
    ]


def test_a_limit_says_that_there_may_be_more(shop: Shop) -> None:
    for number in range(4):
        shop.commit(f"Number {number}", {"a.py": PAY.replace("rate > 1", f"rate > {number}")})

    with shop.open() as workspace:
        answer = history(workspace, "pay", limit=2).answer
        stated = query(workspace, "HISTORY OF pay LIMIT 2").answer
    assert [row[-1] for row in answer.rows] == ["Number 3", "Number 2"]
    assert stated.rows == answer.rows
    assert (answer.verdict, answer.notes) == (Verdict.AT_LEAST, ("there may be more than 2",))


def test_a_shallow_clone_says_where_its_history_ends(shop: Shop) -> None:
    shop.commit("Begin", {"a.py": PAY})
    shop.commit("Middle", {"a.py": PAY + "\n"})
    shop.commit("Change", {"a.py": CHANGED + "\n"})
    middle = shop.history.commits["Middle"]
    (shop.history.folder / ".git/shallow").write_text(f"{middle}\n")

    with shop.open() as workspace:
        found, blamed = history(workspace, "pay"), blame(workspace, "pay")
    assert [row["summary"] for row in found.records()] == ["Change"]
    assert found.answer.notes == (f"the history before {str(middle)[:10]} is not in this clone",)
    assert found.answer.verdict is blamed.answer.verdict is Verdict.AT_LEAST
    assert [row["summary"] for row in blamed.records()] == ["Middle", "Change", "Middle"]


def test_both_statements_answer_as_the_operations_do(shop: Shop) -> None:
    shop.commit("Begin", {"a.py": PAY})
    shop.commit("Change", {"a.py": CHANGED})

    with shop.open() as workspace:
        for text, operation in (("HISTORY OF pay", history), ("BLAME pay", blame)):
            stated, answer = query(workspace, text).answer, operation(workspace, "pay").answer
            assert (stated.columns, stated.rows) == (answer.columns, answer.rows)
            assert answer.total == len(answer.rows) > 1


def test_what_has_no_history_is_an_error(shop: Shop, tmp_path: Path) -> None:
    shop.commit("Begin", {"a.py": "import json\n\n\n" + PAY})
    with shop.open() as workspace:
        with pytest.raises(MuError, match="ext:json has no history here"):
            history(workspace, "ext:json")
        (workspace.root / "a.py").write_text(CHANGED)
        with pytest.raises(MuError, match="are not there as they were when the graph was built"):
            blame(workspace, "pay")

    alone = tmp_path / "alone"
    alone.mkdir()
    (alone / "a.py").write_text(PAY)
    mu.build(alone)
    with Workspace(alone) as workspace:
        with pytest.raises(MuError, match="no git repository here"):
            history(workspace, "pay")
        with pytest.raises(MuError, match="no git repository here\n  line 1, column 7"):
            query(workspace, "BLAME pay")
