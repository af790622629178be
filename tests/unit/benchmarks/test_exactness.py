"""Each line with the name of a node is explained, or listed for a reader."""

from pathlib import Path

import pytest
from benchmarks.exactness import Checked, check, summary, table
from benchmarks.explaining import UNEXPLAINED, Hit, Repository

from e2e.command import mu, write_tree
from mu.operations.workspace import Workspace

FILES = {
    "shop.py": '''\
def price(item):
    """The price of an item."""
    return item.cost


def total(items):
    # the price of each
    return sum(price(each) for each in items)


def told(*, price=1):
    return f"{price} {'price'}"


told(price=2)
LABELS = {"price": 1}
''',
    "README.md": "# Shop\n\nIt knows what a price is.\n",
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_tree(tmp_path, FILES)
    assert mu("kernel", "build", cwd=tmp_path).returncode == 0
    return tmp_path


def test_every_line_with_the_name_has_a_reason(folder: Path) -> None:
    drawn, checked = check(folder, count=10)

    (price,) = (each for each in checked if each.node == "fn:shop.py:price")
    assert (drawn, price.exact, price.rows, price.lacking) == (
        4,
        ("callers", "dependents"),
        (1, 1),
        0,
    )
    reasons = {(hit.path, hit.line): hit.reason for hit in price.hits}
    assert reasons == {
        ("README.md", 3): "in a document",
        ("shop.py", 1): "definition of fn:shop.py:price",
        ("shop.py", 2): "in a string",
        ("shop.py", 7): "in a comment",
        ("shop.py", 8): "call site: fn:shop.py:price",
        ("shop.py", 11): "a parameter",
        ("shop.py", 12): "a name that a scope around it binds + in a string",
        ("shop.py", 15): "the name of a keyword argument",
        ("shop.py", 16): "in a string",
    }


def test_a_line_without_a_row_is_listed(folder: Path) -> None:
    shop = folder / "shop.py"
    shop.write_text(shop.read_text(encoding="utf-8") + "again = price\n", encoding="utf-8")

    with Workspace(folder) as workspace:  # its ledger knows nothing of the last line
        hits = tuple(Repository(folder, workspace.graph).hits("price"))
    found = Checked("shop", "fn:shop.py:price", ("callers",), (1, 1), hits, 0)

    assert found.unexplained == (Hit("shop.py", 17, "again = price", UNEXPLAINED),)
    assert table([found]).splitlines()[1].split("\t")[6:] == ["shop.py:17", "again = price", "", ""]
    assert "| shop | 4 | 1 | 0 | 10 | 1 |" in summary([("shop", 4, [found])])


def test_the_draw_is_the_same_for_the_same_graph(folder: Path) -> None:
    assert check(folder, count=3) == check(folder, count=3)
