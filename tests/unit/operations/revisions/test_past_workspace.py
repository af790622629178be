"""Queries at revisions, on real commits and their own graphs."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

import mu
from fakes.git_history import History
from mu.errors import MuError
from mu.operations.graph_file.build import graphs_folder
from mu.operations.queries.query import query
from mu.operations.revisions.diff import diff
from mu.operations.workspace import Workspace

CART = """\
class Cart:
    def add(self, item):
        self.items.append(item)


def price_of(item):
    return 3
"""
TILL = """\
from shop.cart import Cart, price_of


def pay(cart: Cart):
    return price_of("box")
"""
FIRST = {"shop/cart.py": CART, "shop/till.py": TILL, ".gitignore": ".mubase\n"}
SECOND = {
    **FIRST,
    "shop/cart.py": CART.replace("return 3", "if item:\n        return 3\n    return 4"),
    "shop/till.py": TILL + '\n\ndef refund(cart: Cart):\n    return -price_of("bag")\n',
    ".mu/queries/dated.muql": "-- Functions as they were.\nSELECT name FROM functions AT 'v1'\n",
    ".mu/queries/between.muql": (
        "-- What changed.\n-- parameter first text: where from\n"
        "SELECT change, split_part(name, '.', -1) FROM diff($first, 'HEAD')\n"
    ),
    ".mu/queries/named.muql": "-- Functions.\nSELECT name FROM functions ORDER BY name\n",
}


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two commits, of which the second is checked out and built."""
    history = History(tmp_path_factory.mktemp("past") / "shop")
    history.commit("Nothing", {"notes.bin": "1"})
    history.tag("v0")
    history.commit("First", FIRST)
    history.tag("v1")
    history.commit("Second", SECOND)
    history.check_out()
    mu.build(history.folder)
    return history.folder


@pytest.fixture
def workspace(shop: Path) -> Iterator[Workspace]:
    with Workspace(shop) as opened:
        yield opened


def rows(workspace: Workspace, text: str) -> list[tuple[object, ...]]:
    return list(query(workspace, text).answer.rows)


@pytest.mark.parametrize(
    ("text", "before", "now"),
    [
        (
            "SELECT name, complexity FROM functions ORDER BY name {}",
            [("add", 1), ("pay", 1), ("price_of", 1)],
            [("add", 1), ("pay", 1), ("price_of", 2), ("refund", 1)],
        ),
        ("FROM functions SELECT count(*) {};", [(3,)], [(4,)]),
        ("SELECT c.name FROM callers('price_of') c {} -- all", [("pay",)], [("pay",), ("refund",)]),
        ("@named {}", [("add",), ("pay",), ("price_of",)], None),
        ("ANALYZE complexity LIMIT 1 {} OFFSET 2", None, None),
    ],
)
def test_a_query_is_asked_at_a_revision(
    workspace: Workspace,
    text: str,
    before: list[tuple[object, ...]] | None,
    now: list[tuple[object, ...]] | None,
) -> None:
    dated, undated = rows(workspace, text.format("AT 'v1'")), rows(workspace, text.format(""))

    assert dated == (before if before is not None else dated)
    assert undated == (now if now is not None else undated)
    assert rows(workspace, text.format('AT "HEAD"')) == undated


def test_rows_of_show_have_the_code_of_the_revision(workspace: Workspace) -> None:
    found = query(workspace, "SHOW callers OF price_of AT 'v1'").records()
    lines = rows(workspace, "SHOW source OF price_of AT 'v1'")

    assert [(row["name"], row["code"]) for row in found] == [("pay", 'return price_of("box")')]
    assert [text for _, text in lines] == ["def price_of(item):", "    return 3"]


def test_an_answer_says_which_commit_it_is_of(workspace: Workspace) -> None:
    answer = query(workspace, "SELECT name FROM functions AT 'v1'").answer

    (note,) = answer.notes
    assert note.startswith("as of v1 (")


def test_explain_runs_at_the_revision(workspace: Workspace) -> None:
    steps = query(workspace, "EXPLAIN SELECT name FROM functions AT 'v1'").records()

    assert steps[-1]["rows"] == 3


@pytest.mark.parametrize(
    ("text", "error"),
    [
        (
            "FROM functions AT 'v9'",
            "no revision is called v9\n  line 1, column 19\n    FROM functions AT 'v9'\n"
            "                      ^^^^",
        ),
        (
            "SELECT nmae FROM functions AT 'v1'",
            "unknown column `nmae`, did you mean `name`?\n  line 1, column 8\n"
            "    SELECT nmae FROM functions AT 'v1'\n           ^^^^",
        ),
        (
            "@dated",
            "in .mu/queries/dated.muql: a named query asks the graph that it is called for\n"
            "  line 2, column 31\n    SELECT name FROM functions AT 'v1'\n"
            "                                  ^^^^",
        ),
        ("FROM functions AT 'v0'", "nothing to index"),
        ("SHOW callers OF refund AT 'v1'", "no node is called 'refund' as of v1 ("),
    ],
)
def test_what_cannot_be_asked_at_a_revision_is_an_error(
    workspace: Workspace, text: str, error: str
) -> None:
    with pytest.raises(MuError) as raised:
        query(workspace, text)

    assert raised.value.message.startswith(error)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "SELECT id, name, complexity FROM functions",
            [
                ("changed", '{"complexity": 1}', "fn:shop/cart.py:price_of", "price_of", 2),
                ("added", None, "fn:shop/till.py:refund", "refund", 1),
            ],
        ),
        (
            "SELECT path, count(*) AS functions FROM functions GROUP BY path",
            [("changed", '{"functions": 1}', "shop/till.py", 2)],
        ),
        ("SELECT 'all' AS kind, name FROM functions", [("added", None, "all", "refund")]),
        ("SELECT name FROM callers('price_of')", [("added", None, "refund")]),
        (
            "SELECT name AS change FROM deps('refund') ORDER BY name",
            [("added", None, "Cart"), ("added", None, "price_of")],
        ),
        ("@named", [("added", None, "refund")]),
    ],
)
def test_rows_are_compared_between_revisions(
    workspace: Workspace, text: str, expected: list[tuple[object, ...]]
) -> None:
    found = query(workspace, f"{text} CHANGED BETWEEN 'v1' AND 'HEAD'")
    back = rows(workspace, f"{text} CHANGED BETWEEN 'HEAD' AND 'v1'")

    assert list(found.answer.rows) == expected
    assert found.answer.columns[0] == ("change_" if "AS change" in text else "change")
    assert found.answer.notes[0].startswith("from v1 (")
    other = {"added": "removed", "removed": "added", "changed": "changed"}
    assert sorted(row[0] for row in back) == sorted(other[str(row[0])] for row in expected)


def test_a_node_that_is_at_one_revision_alone_has_no_rows_at_the_other(
    workspace: Workspace,
) -> None:
    found = query(workspace, "SELECT name FROM deps('refund') CHANGED BETWEEN 'v1' AND 'HEAD'")

    assert {row[:1] for row in found.answer.rows} == {("added",)}
    assert "no node is called 'refund' as of v1" in found.answer.notes[1]
    with pytest.raises(MuError, match=r"no node is called 'nothing' as of HEAD .*, nor before"):
        query(workspace, "SELECT name FROM deps('nothing') CHANGED BETWEEN 'v1' AND 'HEAD'")


def test_a_diff_is_a_table(workspace: Workspace) -> None:
    found = query(workspace, "SELECT * FROM diff('v1', 'HEAD')")
    whole = diff(workspace, "v1..HEAD")

    assert [row["id"] for row in found.records()] == [change.id for change in whole.changes]
    assert {row["change"]: row["aspects"] for row in found.records()} == {
        "added": [],
        "changed": ["body"],
    }
    assert found.answer.notes[0].startswith("from v1 (")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "SELECT d.change, f.complexity FROM diff('v1', 'HEAD') d JOIN functions f USING (id)"
            " ORDER BY ALL AT 'HEAD'",
            [("added", 1), ("changed", 2)],
        ),
        (
            "FIND functions WHERE id IN (SELECT id FROM diff('v1', 'HEAD') d)",
            ["price_of", "refund"],
        ),
        ("@between(first := 'v1')", ["price_of", "refund"]),
    ],
)
def test_a_diff_may_stand_wherever_a_table_does(
    workspace: Workspace, text: str, expected: list[object]
) -> None:
    found = rows(workspace, text)

    assert [row[1] for row in found] == expected or found == expected


def test_a_revision_that_a_diff_names_wrongly_is_an_error(workspace: Workspace) -> None:
    with pytest.raises(MuError) as raised:
        query(workspace, "SELECT * FROM diff('v1', 'v9')")

    assert raised.value.message.startswith("no revision is called v9\n  line 1, column 15")


def test_without_a_repository_no_revision_can_be_asked(shop: Path, tmp_path: Path) -> None:
    shutil.copy(shop / ".mubase", tmp_path / ".mubase")

    with Workspace(tmp_path) as workspace, pytest.raises(MuError, match="no git repository here"):
        query(workspace, "SELECT name FROM functions AT 'v1'")


def test_a_kept_graph_that_is_damaged_is_built_again(workspace: Workspace) -> None:
    text = "SELECT name, signature FROM functions ORDER BY name AT 'v1'"
    whole = rows(workspace, text)
    kept = max(graphs_folder().glob("*.mubase"), key=lambda path: path.stat().st_mtime)
    data = bytearray(kept.read_bytes())
    data[12_288:] = b"\xff" * (len(data) - 12_288)
    kept.write_bytes(data)

    assert rows(workspace, text) == whole
