"""Pages are listed, found, read with what is around them, and held against the code."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from fakes.built import built_tree
from fakes.git_history import History
from mu.errors import ExitCode, MuError
from mu.model.relation import Cell
from mu.operations.navigation.wiki import wiki_drift, wiki_list, wiki_read, wiki_search
from mu.operations.results import Rows
from mu.operations.workspace import Workspace

TREE = {
    "shop/cart.py": "class Cart:\n    def pay(self):\n        return 1\n",
    "README.md": "# The shop\n\nSee [buying](docs/guides/buying.md) and [gone](docs/gone.md).\n",
    "docs/guides/buying.md": (
        "# Buying\n\nA `Cart` is paid for by `Cart.pay`, before by `Cart.settle`.\n\n"
        "## Refunds\n\nBack to [the shop](../../README.md).\n"
    ),
    "docs/plain.md": "---\ncategory: Concepts\n---\n# Money\n\nMoney is `true`.\n",
    ".hidden/page.md": "# Hidden\n",
}


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workspace]:
    with built_tree(tmp_path_factory.mktemp("shop"), TREE) as workspace:
        yield workspace


def paths(rows: Rows) -> list[Cell]:
    return [row[3] for row in rows.answer.rows]


def test_every_page_is_listed_with_its_category(shop: Workspace) -> None:
    assert [(row[1], row[2], row[3]) for row in wiki_list(shop).answer.rows] == [
        ("The shop", "readme", "README.md"),
        ("Buying", "guide", "docs/guides/buying.md"),
        ("Money", "concepts", "docs/plain.md"),
    ]


@pytest.mark.parametrize("category", ["guide", "guides", "Guides"])
def test_a_category_may_be_named_in_singular_and_plural(shop: Workspace, category: str) -> None:
    assert paths(wiki_list(shop, category)) == ["docs/guides/buying.md"]


def test_a_category_of_no_page_is_an_empty_list_that_says_so(shop: Workspace) -> None:
    answer = wiki_list(shop, "legal").answer
    assert (answer.rows, answer.notes) == ((), ("no page has the category 'legal'",))


def test_links_and_mentions_are_counted_for_the_whole_page(shop: Workspace) -> None:
    [row] = wiki_list(shop, "guide").answer.rows
    assert row[5:] == (1, 2)


def test_a_search_finds_pages_and_no_code(shop: Workspace) -> None:
    found = wiki_search(shop, "cart").answer
    assert {row[2] for row in found.rows} == {"section"}
    assert found.rows[0][3] == "docs/guides/buying.md"


def test_a_page_is_read_with_what_is_around_it(shop: Workspace) -> None:
    page = wiki_read(shop, "docs/guides/buying.md")
    assert (page.title, page.category, page.total) == ("Buying", "guide", 7)
    assert page.lines[0].text == "# Buying"
    assert page.links == ("doc:README.md",)
    assert page.mentions == ("cls:shop/cart.py:Cart", "fn:shop/cart.py:Cart.pay")
    assert page.backlinks == ("README.md",)


def test_a_page_is_read_in_parts(shop: Workspace) -> None:
    first = wiki_read(shop, "docs/guides/buying.md", limit=3)
    assert first.next_offset == 3
    rest = wiki_read(shop, "docs/guides/buying.md", offset=3)
    assert (rest.next_offset, len(first.lines) + len(rest.lines)) == (None, first.total)


def test_a_section_is_read_alone(shop: Workspace) -> None:
    page = wiki_read(shop, "sec:docs/guides/buying.md#refunds")
    assert page.lines[0].text == "## Refunds"


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("shop/cart.py", "is no page"),
        ("Cart.pay", "is no page"),
        ("docs/none.md", "no node is called"),
        ("../README.md", "no node is called"),
        ("/etc/passwd", "no node is called"),
        ("a(b[c", "no node is called"),
    ],
)
def test_what_is_no_page_is_refused(shop: Workspace, name: str, message: str) -> None:
    with pytest.raises(MuError, match=message) as caught:
        wiki_read(shop, name)
    assert caught.value.code is ExitCode.NO_NODE


def test_drift_is_what_leads_nowhere(shop: Workspace) -> None:
    assert wiki_drift(shop).answer.rows == (
        ("README.md", 3, "link", "docs/gone.md", "unknown", None, None, None),
        ("docs/guides/buying.md", 3, "mention", "Cart.settle", "unknown", None, None, None),
    )
    assert wiki_drift(shop, "docs/").answer.total == 1
    assert wiki_drift(shop, "docs/plain").answer.notes == ("all links and mentions lead somewhere",)


def test_drift_tells_the_commit_that_broke_a_link(tmp_path: Path) -> None:
    page = (
        "# Shop\n\n[gone](docs/gone.md) [part](docs/whole.md#old-part)\n"
        "[never](never.md) [not yet](docs/kept.md) `Cart.settle()` `Card.pay` [here](#nowhere)\n"
    )
    text = "Shop\n====\n\n:ref:`some-label`\n"
    code = "class Cart:\n    def pay(self): ...\n"
    files = {
        "README.md": page,
        "docs/label.rst": text,
        "docs/gone.md": "# Gone",
        "docs/whole.md": "# Whole\n\n## Old part!\n",
        "docs/kept.md": "# Kept",
        "shop.py": f"{code}    def settle(self): ...\n\nclass Card:\n    ...\n",
    }
    history = History(tmp_path)
    history.commit("Begin", files)
    files = {**files, "docs/whole.md": "# Whole\n", "shop.py": code}
    first = history.commit("Tidy up", files)
    files = {path: text for path, text in files.items() if path != "docs/gone.md"}
    second = history.commit("Drop the old page", files)
    history.check_out()
    (tmp_path / "docs/kept.md").unlink()
    with built_tree(tmp_path, {}) as workspace:
        answer = wiki_drift(workspace).answer

    assert answer.columns == (
        "path", "line", "kind", "text", "reason", "commit", "date", "summary"
    )  # fmt: skip
    assert {row[3]: row[5:] for row in answer.rows} == {
        "docs/gone.md": (second, "1970-01-04", "Drop the old page"),
        "docs/whole.md#old-part": (first, "1970-01-03", "Tidy up"),
        "never.md": (None, None, "was never there"),
        "docs/kept.md": (None, None, "gone, and that is not committed yet"),
        "Cart.settle()": (first, "1970-01-03", "Tidy up"),
        "Card.pay": (first, "1970-01-03", "Tidy up"),
        "#nowhere": (None, None, "was never there"),
        "some-label": (None, None, None),
    }


def test_links_as_documentation_engines_write_them_are_no_drift(tmp_path: Path) -> None:
    tree = {
        "docs/pay.md": (
            "# Pay {#paying}\n\n## Cards\n{: #cards }\n\n"
            "[a](#paying) [b](#cards) [c](/pay.md#cards) [d](@site/docs/pay.md) [e](#label)\n"
        ),
        "docs/cash.md": "(label)=\n\n# Cash\n",
        "docs/index.rst": "Index\n=====\n\n:ref:`genindex` :ref:`search` :doc:`/pay/`\n",
    }
    with built_tree(tmp_path, tree) as workspace:
        assert wiki_drift(workspace).answer.rows == ()


def test_what_is_surely_gone_comes_first_and_what_tells_of_changes_last(tmp_path: Path) -> None:
    tree = {
        "docs/a.rst": "A\n=\n\n:ref:`elsewhere`\n",
        "docs/b.md": "# B\n\n[gone](gone.md)\n",
        "CHANGELOG.md": "# Changes\n\n[old](old.md)\n",
    }
    with built_tree(tmp_path, tree) as workspace:
        rows = wiki_drift(workspace).answer.rows

    assert [row[3] for row in rows] == ["gone.md", "elsewhere", "old.md"]
