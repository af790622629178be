"""Members, bases, subclasses, overrides, tests and references of a node, from real code."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from fakes.built import built_tree
from mu.analysis.node_search.listing_scope import Scope
from mu.errors import ExitCode, MuError
from mu.model.kinds import Verdict
from mu.operations.navigation.members import (
    bases,
    find_tests,
    members,
    overrides,
    references,
    subclasses,
)
from mu.operations.queries.query import query
from mu.operations.results import NodeRows, Rows
from mu.operations.workspace import Workspace

SOURCE = {
    "app/__init__.py": "",
    "app/store.py": (
        "class Store:\n    limit = 9\n\n    def save(self, row):\n        return row\n\n\n"
        "class Disk(Store):\n    limit = 10\n\n    def save(self, row):\n"
        "        return super().save(row)\n\n\n"
        "class Fast(Disk):\n    def find(self):\n        def key():\n            return 1\n\n"
        "        return key()\n"
    ),
    "app/use.py": (
        "from app.store import Disk\n\n\ndef place(row):\n    return Disk().save(row)\n\n\n"
        "def restore(source, row):\n    return source.save(row)\n"
    ),
    "tests/test_use.py": (
        "from app.store import Disk\nfrom app.use import place\n\n\n"
        "class Slow(Disk):\n    pass\n\n\n"
        "def test_place():\n    assert place(1) == 1\n\n\n"
        "def test_disk():\n    assert Disk().save(2) == 2\n"
    ),
    "README.md": "# Store\n\nCall `Disk.save`.\n",
}


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workspace]:
    with built_tree(tmp_path_factory.mktemp("tree"), SOURCE) as workspace:
        yield workspace


def names(result: Rows | NodeRows) -> list[str]:
    """The qualified name of each row, inside its file."""
    place = result.answer.columns.index("id")
    return [str(row[place]).rpartition(":")[2] for row in result.answer.rows]


def columns(result: Rows, *wanted: str) -> list[tuple[object, ...]]:
    places = [result.answer.columns.index(name) for name in wanted]
    return [tuple(row[place] for place in places) for row in result.answer.rows]


def test_members_are_those_of_a_class_in_the_order_of_the_source(workspace: Workspace) -> None:
    assert names(members(workspace, "Disk")) == ["Disk.limit", "Disk.save"]


def test_members_of_a_module_are_its_definitions_and_deeper_ones_with_a_depth(
    workspace: Workspace,
) -> None:
    assert names(members(workspace, "app/store.py")) == ["Store", "Disk", "Fast"]
    assert names(members(workspace, "Fast")) == ["Fast.find"]
    assert names(members(workspace, "Fast", depth=2)) == ["Fast.find", "Fast.find.key"]


def test_bases_and_subclasses_are_followed_all_the_way(workspace: Workspace) -> None:
    assert names(bases(workspace, "Fast")) == ["Disk", "Store"]
    assert names(bases(workspace, "Fast", depth=1)) == ["Disk"]
    assert names(subclasses(workspace, "Store")) == ["Disk", "Fast", "Slow"]


def test_subclasses_can_be_kept_to_a_scope(workspace: Workspace) -> None:
    assert names(subclasses(workspace, "Store", scope=Scope(tests=False))) == ["Disk", "Fast"]
    assert names(subclasses(workspace, "Store", scope=Scope(within="tests"))) == ["Slow"]


def test_overrides_of_a_class_are_those_of_its_members(workspace: Workspace) -> None:
    found = overrides(workspace, "Disk")

    assert columns(found, "id", "overridden_id") == [
        ("var:app/store.py:Disk.limit", "var:app/store.py:Store.limit"),
        ("fn:app/store.py:Disk.save", "fn:app/store.py:Store.save"),
    ]


@pytest.mark.parametrize(
    ("node", "base"),
    [
        ("Worker.run", "threading.Thread"),
        ("Worker", "threading.Thread"),
        ("Lost.go", "Missing"),
        ("Mode.shown", ""),
        ("Disk.save", ""),
    ],
)
def test_overrides_are_not_exact_where_a_base_is_outside(
    tmp_path: Path, node: str, base: str
) -> None:
    text = """
import threading
from enum import Enum

class Worker(threading.Thread):
    def run(self): ...

class Lost(Missing):
    def go(self): ...

class Mode(Enum):
    def shown(self): ...

class Store:
    def save(self): ...

class Disk(Store):
    def save(self): ...
"""
    with built_tree(tmp_path, {"app.py": text}) as workspace:
        answer = overrides(workspace, node).answer

    assert answer.verdict is (Verdict.AT_LEAST if base else Verdict.EXACT)
    assert [note for note in answer.notes if base in note] if base else not answer.notes


def test_tests_come_with_the_line_that_uses_the_node(workspace: Workspace) -> None:
    found = find_tests(workspace, "Disk.save")

    assert columns(found, "name", "site_path", "site_line", "code") == [
        ("test_disk", "tests/test_use.py", 14, "assert Disk().save(2) == 2")
    ]
    assert found.is_backward


def test_tests_through_other_functions_need_a_depth(workspace: Workspace) -> None:
    assert names(find_tests(workspace, "Disk.save", depth=2)) == ["test_disk", "test_place"]


def test_an_open_call_makes_the_tests_at_least_those(workspace: Workspace) -> None:
    assert find_tests(workspace, "place").answer.verdict is Verdict.EXACT
    assert find_tests(workspace, "Disk.save", depth=2).answer.verdict is Verdict.AT_LEAST


def test_references_are_calls_mentions_and_then_those_that_could_be(workspace: Workspace) -> None:
    found = references(workspace, "Disk.save")

    assert columns(found, "kind", "path", "line", "code", "is_possible") == [
        ("mention", "README.md", 3, "Call `Disk.save`.", False),
        ("call", "app/use.py", 5, "return Disk().save(row)", False),
        ("call", "tests/test_use.py", 14, "assert Disk().save(2) == 2", False),
        ("call", "app/use.py", 9, "return source.save(row)", True),
    ]
    assert found.answer.verdict is Verdict.AT_LEAST
    assert found.answer.notes == ("1 of them is not resolved and only possible",)


def test_references_to_a_class_are_imports_and_bases_too(workspace: Workspace) -> None:
    found = columns(references(workspace, "Disk", scope=Scope(within="tests")), "kind", "line")

    assert ("import", 1) in found
    assert ("base", 5) in found


def test_references_can_be_kept_to_a_scope(workspace: Workspace) -> None:
    found = references(workspace, "Disk.save", scope=Scope(within="app", tests=False))

    assert {row[0] for row in columns(found, "path")} == {"app/use.py"}


def test_a_page_says_where_the_next_one_begins(workspace: Workspace) -> None:
    first = references(workspace, "Disk.save", limit=3)
    rest = references(workspace, "Disk.save", limit=3, offset=3)

    assert (len(first.answer.rows), first.answer.total, first.next_offset) == (3, 4, 3)
    assert (len(rest.answer.rows), rest.next_offset) == (1, None)


@pytest.mark.parametrize("operation", [members, references, overrides, find_tests])
def test_a_page_of_no_rows_is_refused(workspace: Workspace, operation: Callable[..., Rows]) -> None:
    with pytest.raises(MuError, match="limit 0 is out of range") as caught:
        operation(workspace, "Disk", limit=0)
    assert caught.value.code is ExitCode.USAGE


@pytest.mark.parametrize(
    ("node", "lines"), [("walk", [3, 13]), ("Node", [7, 8, 9]), ("Node.find", [9, 10])]
)
def test_references_inside_the_definition_are_listed(
    node: str, lines: list[int], tmp_path: Path
) -> None:
    source = (
        "def walk(tree):\n    for kid in tree:\n        walk(kid)\n\n\n"
        'class Node:\n    def parent(self) -> "Node": ...\n    def clone(self): return Node()\n'
        "    def other(self): return Node.find\n    def find(self, key): return key.find(key)\n"
        "\n\nwalk([])\n"
    )
    with built_tree(tmp_path, {"a.py": source}) as workspace:
        found = columns(references(workspace, node), "line")

    assert [line for (line,) in found] == lines


def test_a_constructor_that_a_class_calls_is_a_reference_to_it(tmp_path: Path) -> None:
    source = "class Box {\n  Box() {}\n  static Box make() {\n    return new Box();\n  }\n}\n"
    with built_tree(tmp_path, {"Box.java": source}) as workspace:
        found = columns(references(workspace, "Box.java:Box"), "line", "kind")

    assert (4, "call") in found


def test_references_in_tests_follow_the_others(workspace: Workspace) -> None:
    found = columns(references(workspace, "Disk"), "path", "is_possible")

    of_tests = [str(path).startswith("tests/") for path, is_possible in found if not is_possible]
    assert of_tests == sorted(of_tests)
    assert set(of_tests) == {False, True}


def test_anonymous_subclasses_make_an_answer_at_least(tmp_path: Path) -> None:
    files = {
        "p/Shape.java": "package p;\npublic interface Shape { void draw(); }\n",
        "p/Use.java": (
            "package p;\nclass Use {\n  Shape a = new Shape() { public void draw() {} };\n"
            "  static class Real implements Shape { public void draw() {} }\n}\n"
        ),
    }
    with built_tree(tmp_path, files) as workspace:
        listed = subclasses(workspace, "Shape").answer
        shown = query(workspace, "SHOW subclasses OF Shape").answer

    for answer in (listed, shown):
        assert (answer.total, answer.verdict) == (1, Verdict.AT_LEAST)
        assert any("p/Use.java:3" in note for note in answer.notes)
