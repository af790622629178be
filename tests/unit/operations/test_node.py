"""What is told of one node: its description, its lines, and what is unused in it."""

from collections.abc import Iterator
from hashlib import blake2b
from pathlib import Path

import pytest

from e2e.command import write_tree
from fakes.graphs import SHOP, make_graph, write
from mu.analysis.node_search.node_resolution import AmbiguousNodeError, UnknownNodeError
from mu.config import load
from mu.errors import MuError
from mu.model.kinds import Verdict
from mu.operations.architecture.dead_code import Confidence, unused
from mu.operations.graph_file.build import build
from mu.operations.navigation.describe import KindCount, describe
from mu.operations.navigation.node_source import SourceLine, read
from mu.operations.workspace import Workspace

SOURCE = {
    "app/__init__.py": "",
    "app/auth.py": (
        '"""Who may."""\n\n\ndef login(user):\n    """Let somebody in."""\n\treturn user\n\n\n'
        "def _lost():\n    pass\n"
    ).replace("\treturn", "    return"),
    "main.py": "from app.auth import login\n\nlogin('a')\n",
    "table.py": "".join(f"print({number})\n" for number in range(100)),
}


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workspace]:
    folder = tmp_path_factory.mktemp("shop")
    write(make_graph(SHOP), folder)
    with Workspace(folder) as workspace:
        yield workspace


@pytest.fixture
def built(tmp_path: Path) -> Iterator[Workspace]:
    write_tree(tmp_path, SOURCE)
    loaded = load(tmp_path, environment={}, user_folder=tmp_path, flags={"build.jobs": 1})
    build(tmp_path, loaded, on_event=lambda _: None)
    with Workspace(tmp_path) as workspace:
        yield workspace


def test_a_description_counts_what_a_node_uses_and_what_uses_it(shop: Workspace) -> None:
    found = describe(shop, "AuthService.login")

    assert found.node.id == "fn:app/auth.py:AuthService.login"
    assert (found.parent, found.start_line, found.end_line) == (
        *("cls:app/auth.py:AuthService", 10, 29),
    )
    assert found.uses == (KindCount("calls", 3),)
    assert found.used_by == (KindCount("calls", 2),)
    assert (found.used_by_tests, found.affected) == (1, 2)
    assert (found.open_references, found.verdict) == (0, Verdict.EXACT)
    assert found.complexity == 9


def test_a_class_stands_for_its_members(shop: Workspace) -> None:
    found = describe(shop, "AuthService")

    assert found.contains == (KindCount("function", 3),)
    assert found.uses == (KindCount("calls", 2), KindCount("inherits", 1))
    assert found.used_by == (KindCount("calls", 3),)


def test_open_references_make_a_description_less_than_exact(tmp_path: Path) -> None:
    text = "a.py\n  def find()\n  def other()\n? a.py:other call self.x.find unknown 9\n"
    write(make_graph(text), tmp_path)
    with Workspace(tmp_path) as workspace:
        found = describe(workspace, "find")

    assert (found.open_references, found.verdict) == (1, Verdict.AT_LEAST)


def test_what_a_node_is_beside_its_kind_is_told(shop: Workspace) -> None:
    assert describe(shop, "_audit").words == ("async",)
    assert describe(shop, "_audit").visibility == "private"
    assert describe(shop, "test_login").words == ("test",)
    assert describe(shop, "ext:hashlib").node.kind == "external"


def test_reading_gives_the_lines_of_a_definition(built: Workspace) -> None:
    source = read(built, "login")

    assert source.lines == (
        SourceLine(4, "def login(user):"),
        SourceLine(5, '    """Let somebody in."""'),
        SourceLine(6, "    return user"),
    )
    assert (source.total, source.next_offset) == (3, None)


def test_reading_gives_a_file_in_pages(built: Workspace) -> None:
    source = read(built, "app/auth.py", limit=2, offset=3)

    assert [line.number for line in source.lines] == [4, 5]
    assert (source.total, source.next_offset) == (10, 5)
    assert read(built, "app/auth.py", offset=99).lines == ()


def test_what_stands_at_a_line_can_be_read(built: Workspace) -> None:
    assert read(built, "app/auth.py:10").node.id == "fn:app/auth.py:_lost"


def test_a_line_in_no_definition_is_read_with_the_lines_around_it(built: Workspace) -> None:
    source = read(built, "table.py:50")
    assert [line.number for line in source.lines] == [*range(42, 59)]
    assert (source.total, source.next_offset) == (17, None)


@pytest.mark.parametrize("change", ["changed", "gone", "linked", "folder linked"])
def test_a_file_that_is_not_as_it_was_is_not_read(built: Workspace, change: str) -> None:
    path = built.root / "app" / "auth.py"
    text = path.read_text()
    if change == "folder linked":
        (built.root / "app").rename(built.root / "elsewhere")
        (built.root / "app").symlink_to(built.root / "elsewhere")
    else:
        path.unlink()
    if change == "changed":
        path.write_text(text + "# more\n")
    elif change == "linked":
        (built.root / "copy.py").write_text(text)
        path.symlink_to(built.root / "copy.py")

    with pytest.raises(MuError, match="not there as they were") as raised:
        read(built, "login")

    assert raised.value.hint == "run `mu kernel build` to build it again"


@pytest.mark.parametrize("path", ["../secret.py", "a/../../secret.py"])
def test_a_graph_cannot_lead_outside_the_folder(tmp_path: Path, path: str) -> None:
    root = tmp_path / "root"
    root.mkdir()
    text = "SECRET = 1\n"
    (tmp_path / "secret.py").write_text(text)
    graph = make_graph("a.py\n  def hidden() @ 1-1\n")
    digest = blake2b(text.encode(), digest_size=16).hexdigest()
    file = graph.files[0]._replace(path=path, digest=digest, bytes=len(text))
    write(type(graph)((file,), graph.nodes, graph.edges, graph.sites), root)

    with Workspace(root) as workspace, pytest.raises(MuError, match="not there as they were"):
        read(workspace, "hidden")


def test_what_is_outside_has_no_source(shop: Workspace) -> None:
    with pytest.raises(MuError, match="ext:hashlib has no source here"):
        read(shop, "ext:hashlib")


@pytest.mark.parametrize("ask", [describe, read])
def test_a_node_that_is_none_or_several_is_an_error(
    shop: Workspace, ask: type[describe] | type[read]
) -> None:
    with pytest.raises(UnknownNodeError):
        ask(shop, "nobody")
    with pytest.raises((AmbiguousNodeError, UnknownNodeError)):
        ask(shop, "st")


def test_unused_definitions_are_listed_with_the_reason(built: Workspace) -> None:
    answer = unused(built).answer

    assert [row[:2] for row in answer.rows] == [("fn:app/auth.py:_lost", "_lost")]
    assert answer.rows[0][-2:] == ("high", "no use in the repository")


@pytest.mark.parametrize(
    ("scope", "total"), [("app/auth.py", 1), ("app", 1), ("app.auth", 1), ("main.py", 0)]
)
def test_unused_definitions_can_be_asked_of_a_part(
    built: Workspace, scope: str, total: int
) -> None:
    assert unused(built, scope=scope).answer.total == total


def test_confidence_narrows_what_is_unused(shop: Workspace) -> None:
    totals = [unused(shop, confidence=level).answer.total for level in Confidence]

    assert totals == sorted(totals)
    assert totals[0] < totals[-1]


def test_a_scope_is_a_value_and_no_part_of_the_query(built: Workspace) -> None:
    with pytest.raises(UnknownNodeError):
        unused(built, scope="app WHERE true")


def test_nothing_unused_is_said(built: Workspace) -> None:
    assert unused(built, scope="main.py").answer.notes[0] == (
        "nothing is unused, as far as is known"
    )
