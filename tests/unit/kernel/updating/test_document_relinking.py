"""Pages are linked again after an edit of them, or of the code that they point at."""

from collections.abc import Collection
from pathlib import Path
from typing import Any

import pytest

from mu.kernel.building import build
from mu.kernel.settings import BuildSettings
from mu.model.graph import Graph
from mu.resolve import link_documents
from support.updated_graphs import check_is_as_built, edit

FILES = {
    "shop/cart.py": """
        import os


        class Cart:
            def sum(self):
                return os.stat("cart")


        class Sub(Cart):
            pass
    """,
    "shop/money.py": """
        class Money:
            def refund(self): ...


        def total(rows):
            return sum(row.cents for row in rows)
    """,
    "shop/tax.py": """
        def rate(): ...


        class Duty:
            def levy(self): ...


        class Toll(Duty):
            pass


        class Excise(Toll):
            pass
    """,
    "README.md": "# Shop\n\nA `Cart` adds up.\n",
    "docs/names.md": """
        # Names

        `wobbly_sum`, `os.lstat`, `shop.cart.rate`, `Sub.refund` and `shop/tools.py`. See [it][1],
        and [how](#totals).

        [1]: ../README.md#shop
    """,
    "docs/totals.md": "(totals)=\n# Totals\n\nAll that costs.\n",
}
PAGES = {
    "page": (1, "README.md", "adds up", "adds `total`"),
    "link of a page": (1, "docs/totals.md", "All", "[All](names.md#names), or [it](#shop)"),
    "member of what is above a class": (1, "README.md", "adds up", "pays what `Excise.levy` says"),
    "label": (2, "docs/totals.md", "(totals)=", "(sums)="),
    "heading": (2, "README.md", "# Shop", "# Store"),
    "new page": (1, "docs/new.md", "", "# New\n\n`Cart.sum` and [the shop](../README.md).\n"),
    "page of a new format": (1, "docs/old.rst", "", "Old\n===\n\n:class:`Money` is cents.\n"),
    "name that is on a page but not as code": (
        *(1, "shop/money.py", "def total"),
        "def adds(): ...\n\n\ndef total",
    ),
    "name that a page mentions": (
        *(2, "shop/money.py", "def total"),
        "def wobbly_sum(): ...\n\n\ndef total",
    ),
    "name outside that a page mentions": (
        *(2, "shop/cart.py", "return os.stat"),
        "return os.lstat('') or os.stat",
    ),
    "name that a module gives out": (
        *(2, "shop/cart.py", "import os"),
        "import os\nfrom shop.tax import rate",
    ),
    "class above another one that has a member which a page mentions": (
        *(2, "shop/cart.py", "class Sub(Cart)"),
        "from shop.money import Money\n\n\nclass Sub(Money)",
    ),
    "file that a page names": (2, "shop/tools.py", "", "def tool(): ...\n"),
}
"""How many files are linked again, pages among them."""


@pytest.mark.parametrize("name", PAGES)
def test_pages_are_linked_again_with_the_code_as_it_is(
    root: Path, settings: BuildSettings, name: str
) -> None:
    build(root, settings)
    count, *change = PAGES[name]
    edit(root, *change)
    report = build(root, settings)
    check_is_as_built(root, settings, report)
    assert report.updated == count
    edit(root, "shop/cart.py", "import os", "import os\n\nWHOLE = 1")
    check_is_as_built(root, settings, build(root, settings))


def test_pages_that_are_moved_and_removed_are_linked_again(
    root: Path, settings: BuildSettings
) -> None:
    build(root, settings)
    (root / "README.md").rename(root / "docs/first.md")
    report = build(root, settings)
    check_is_as_built(root, settings, report)
    assert report.updated == 3  # one that is gone, one that has come, and what links to it
    (root / "docs/names.md").unlink()
    report = build(root, settings)
    check_is_as_built(root, settings, report)
    assert report.updated == 1


@pytest.mark.parametrize(("old", "new", "count"), [("costs", "`Cart` costs", 1), ("# T", "# t", 3)])
def test_a_page_is_linked_alone_where_its_headings_stay(
    root: Path,
    settings: BuildSettings,
    monkeypatch: pytest.MonkeyPatch,
    *,
    old: str,
    new: str,
    count: int,
) -> None:
    pages: list[int] = []

    def link(*about: Any, linked: Collection[int]) -> Graph:
        pages.extend(linked)
        return link_documents(*about, linked=linked)

    build(root, settings)
    monkeypatch.setattr("mu.kernel.updating.document_relinking.link_documents", link)
    edit(root, "docs/totals.md", old, new)
    check_is_as_built(root, settings, build(root, settings))
    assert len(pages) == count


def test_a_page_that_is_left_out_as_before_is_noted(root: Path, settings: BuildSettings) -> None:
    (root / "notes.txt").write_text("no heading\n")
    build(root, settings)
    (root / "notes.txt").write_text("no heading yet\n")
    edit(root, "README.md", "adds up", "adds `total`")
    report = build(root, settings)
    check_is_as_built(root, settings, report)
    assert report.updated == 2
    assert build(root, settings).is_unchanged


def test_a_page_that_is_left_out_now_is_built_anew(root: Path, settings: BuildSettings) -> None:
    (root / "notes.txt").write_text("Notes\n=====\n\n`Cart`\n")
    build(root, settings)
    (root / "notes.txt").write_text("no heading\n")
    report = build(root, settings)
    check_is_as_built(root, settings, report)
    assert report.updated is None
