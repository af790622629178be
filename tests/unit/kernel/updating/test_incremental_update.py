"""A graph that was brought up to date is the one that a build would make."""

from dataclasses import replace
from pathlib import Path

import duckdb
import pytest

from mu.kernel.building import build
from mu.kernel.settings import BuildSettings
from mu.store.graph_update import GraphUpdate
from support.updated_graphs import check_is_as_built, edit

FILES = {
    "shop/cart.py": '''
        """Carts."""
        import os
        from shop.money import Money, total


        class Cart:
            """What is bought."""

            def __init__(self, owner):
                self.owner = owner  # who pays
                self.rows = []
                os.stat(owner)

            def restore(self):
                self.restore()

            def add(self, price):
                self.rows.append(Money(price))
                return self

            def sum(self):
                return total(self.rows), os.sep


        class Draft:
            def __init__(self, kind):
                self.kind = kind


        def test_cart():
            assert Cart("me").add(3).sum()
    ''',
    "shop/money.py": """
        class Money:
            def __init__(self, cents):
                self.cents = cents


        def total(rows):
            return sum(row.cents for row in rows)
    """,
    "web/cart.ts": """
        import { format } from "./format";

        export class Cart {
            rows: number[] = [];
            add(price: number): Cart { this.rows.push(price); return this; }
            show(): string { return this.rows.map(format).join(); }
        }
    """,
    "web/format.ts": "export function format(value: number): string { return String(value); }\n",
    "core/cart.go": """
        package core

        type Cart struct { rows []int }

        func (c *Cart) Add(price int) *Cart {
            c.rows = append(c.rows, price)
            return c
        }
    """,
    "core/show.go": "package core\n\nfunc (c *Cart) Show() *Cart { return c.Add(2) }\n",
    "core/make.go": "package core\n\nfunc Make() *Cart { return (&Cart{}).Add(1) }\n",
    "shop/bill.py": """
        from shop.tax import rate as taxed


        class Bill:
            @classmethod
            def make(cls):
                taxed()
                return cls()
    """,
    "shop/desk.py": "from shop.money import Money\n\nMoney(1)\n",
    "core/wagon.rs": "pub struct Wagon;\n\nimpl Wagon {\n    pub fn roll(&self) {}\n}\n",
    "README.md": "# Shop\n\nA `Cart` adds up.\n",
}
EDITS = {
    "comment": ("shop/cart.py", "import os", "# the wobbly system\nimport os"),
    "end of line": ("shop/cart.py", "# who pays", "# who is billed"),
    "docstring": ("shop/cart.py", "What is bought.", "What somebody buys."),
    "blank lines": ("shop/money.py", "class Money", "\n\n\nclass Money"),
    "comment in TypeScript": ("web/cart.ts", "export class", "// carts\nexport class"),
    "comment in Go": ("core/cart.go", "type Cart", "// Cart holds prices.\ntype Cart"),
    "method of a type of another file": (
        "core/show.go",
        "func (c",
        "// Show shows.\nfunc (c",
    ),
    "lines that go": ("shop/cart.py", "\n\n\ndef test_cart", "\n\ndef test_cart"),
}
BODIES = {
    "layout of a call": ("shop/cart.py", "total(self.rows)", "total(\n    self.rows\n)"),
    "call": ("shop/cart.py", "return self\n", "self.sum()\n        return self\n"),
    "call that goes": ("shop/cart.py", "self.restore()\n", "pass\n"),
    "call of what was not called": (
        "shop/cart.py",
        "return self\n",
        "print(os.getpid())\n        return self\n",
    ),
    "condition": (
        "shop/cart.py",
        "return self\n",
        "if price and self.owner:\n            return self\n",
    ),
    "local variable": (
        "shop/cart.py",
        "return self\n",
        "whole = self.sum()\n        whole.count(1)\n        return self\n",
    ),
    "what is passed already": (
        "shop/cart.py",
        "return self\n",
        "total(self.rows)\n        return self\n",
    ),
    "call in TypeScript": ("web/cart.ts", "return this; }", "this.show(); return this; }"),
    "call in Go": ("core/cart.go", "return c", "c.Show()\n    return c"),
}
ALTERED = {
    "what a field holds": (2, "shop/cart.py", "self.rows = []", "self.rows = {}"),
    "what is returned": (1, "shop/cart.py", "return self\n", "return Money(2)\n"),
    "what is passed": (1, "shop/cart.py", "return self\n", "total(self)\n        return self\n"),
    "what is decorated": (1, "shop/cart.py", "    def sum", "    @property\n    def sum"),
    "import": (1, "shop/cart.py", "import os", "import os, sys"),
    "definition": (1, "shop/cart.py", "def test_cart", "def more(): ...\n\n\ndef test_cart"),
    "method at the end of a class": (
        *(1, "shop/cart.py", "self.kind = kind\n"),
        "self.kind = kind\n\n    def kinds(self): ...\n",
    ),
    "member with the name of a module": (
        *(1, "shop/cart.py", "class Draft:\n"),
        "class Draft:\n    money = 1\n",
    ),
    "class with a member that others name": (
        *(1, "shop/money.py", "class Money:"),
        "class Purse:\n    def sum(self): ...\n\n\nclass Money:",
    ),
    "name": (2, "shop/money.py", "def total", "def whole"),
    "signature": (1, "shop/money.py", "def total(rows)", "def total(rows, start=0)"),
    "what is made": (1, "shop/cart.py", "return self\n", "Draft(1)\n        return self\n"),
    "what is not passed any more": (
        *(2, "shop/cart.py"),
        *("return total(self.rows), os", "return 1, os"),
    ),
    "what is put into a field": (2, "shop/cart.py", "append(Money(price))", "append(price)"),
    "no call outside any more": (1, "shop/cart.py", "os.stat(owner)", "pass"),
    "nothing left": (3, "shop/money.py", None, ""),
    "what a block says that adds to a type": (
        *(1, "core/wagon.rs", "    pub fn roll"),
        "    // rolling\n\n    pub fn roll",
    ),
    "text that cannot be read": (1, "shop/money.py", "class Money:", "class Money(:"),
}
"""How many files get other rows: the changed one, and those that mean something else by it."""
ADDED = {
    "test": (
        1,
        "shop/test_more.py",
        """
        from shop.cart import Cart

        class TestMore:
            def test_sum(self):
                assert Cart("you").add(1).sum()
        """,
    ),
    "module that was missing": (2, "shop/tax.py", "def rate(): return Rate()\n\nclass Rate: ..."),
    "class below another": (
        1,
        "shop/draft.py",
        """
        from shop.cart import Cart

        class Big(Cart):
            def shrink(self):
                return super().add(1)
        """,
    ),
    "method that hides another": (
        1,
        "shop/free.py",
        """
        from shop.cart import Cart

        class Free(Cart):
            def sum(self):
                return 0

        Free("nobody")
        """,
    ),
    "class that one above makes": (
        2,
        "shop/late_bill.py",
        """
        from shop.bill import Bill

        class LateBill(Bill): ...

        LateBill.make()
        LateBill()
        """,
    ),
    "file of a package in Go": (
        2,
        "core/more.go",
        "package core\n\nfunc (c *Cart) More() *Cart { return c.Show() }",
    ),
    "module in TypeScript": (
        1,
        "web/more.ts",
        "import { format } from './format';\nexport const more = () => format(2);",
    ),
}
"""How many files are linked: the new one, and those that it alters."""
OTHERS = {
    "all names of another module": ("shop/cart.py", "import os", "from os import *"),
}


@pytest.mark.parametrize("name", EDITS)
def test_places_and_prose_are_brought_up_to_date(
    root: Path, settings: BuildSettings, name: str
) -> None:
    build(root, settings)
    edit(root, *EDITS[name])
    report = build(root, settings)
    assert report.updated == 1
    check_is_as_built(root, settings, report)
    again = build(root, settings)
    assert again.is_unchanged
    assert again.digest == report.digest


@pytest.mark.parametrize("name", BODIES)
def test_bodies_are_linked_without_the_rest(root: Path, settings: BuildSettings, name: str) -> None:
    build(root, settings)
    edit(root, *BODIES[name])
    report = build(root, settings)
    assert report.updated == 1
    check_is_as_built(root, settings, report)
    assert build(root, settings).is_unchanged


def test_bodies_of_files_with_other_line_ends(root: Path, settings: BuildSettings) -> None:
    for path in root.rglob("*.*"):
        path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes().replace(b"\n", b"\r\n"))
    build(root, settings)
    for edits in (EDITS["comment"], BODIES["call"]):
        edit(root, *edits)
        report = build(root, settings)
        assert report.updated == 1
        check_is_as_built(root, settings, report)


@pytest.mark.slow(reason="fourteen builds")
def test_bodies_one_after_another_and_at_once(root: Path, settings: BuildSettings) -> None:
    build(root, settings)
    for name in ("call", "local variable", "call that goes", "call in TypeScript"):
        edit(root, *BODIES[name])
        report = build(root, settings)
        assert report.updated == 1
        check_is_as_built(root, settings, report)
    for name in ("call in Go", "condition"):
        edit(root, *BODIES[name])
    edit(root, *EDITS["blank lines"])
    report = build(root, settings)
    assert report.updated == 3
    check_is_as_built(root, settings, report)


@pytest.mark.slow(reason="four builds")
def test_without_what_was_found_of_the_program_it_is_built_anew(
    root: Path, settings: BuildSettings, tmp_path: Path
) -> None:
    build(root, settings)
    for damage in (b"", b"wobbly"):
        edit(root, *BODIES["call"])
        (state,) = (tmp_path / "facts").glob("programs-*/*/*")
        state.write_bytes(damage)
        assert build(root, settings).updated is None
        state.unlink()


@pytest.mark.slow(reason="ten builds")
def test_many_edits_one_after_another_and_at_once(root: Path, settings: BuildSettings) -> None:
    build(root, settings)
    for name in EDITS:
        edit(root, *EDITS[name])
        assert build(root, settings).updated == 1
    for path in ("shop/cart.py", "shop/money.py"):
        (root / path).write_text("# first\n" + (root / path).read_text())
    report = build(root, settings)
    assert report.updated == 2
    check_is_as_built(root, settings, report)


def test_rows_that_are_replaced_again_and_again_leave_no_gaps(
    root: Path, settings: BuildSettings
) -> None:
    file = root / ".mubase"
    build(root, settings)
    sizes = []
    for _ in range(30):
        with GraphUpdate(file) as graph:
            rows = graph.file_rows("shop/cart.py")
            assert rows is not None
            fewer = replace(rows, nodes=rows.nodes[:-1], edges=rows.edges[:-1], sites=[])
            graph.replace_files([(rows, fewer)])
            graph.replace_files([(fewer, rows)])
            words = graph.postings(["cart", "money"])
            graph.replace_postings(["cart", "money"], words)
            graph.finish({})
        sizes.append(file.stat().st_size)
    with GraphUpdate(file) as graph:
        assert graph.file_rows("shop/cart.py") == rows
        assert len(words) == 2
        assert graph.postings(["cart", "money"]) == words
    assert max(sizes[5:]) <= max(sizes[:5])


@pytest.mark.parametrize("name", ALTERED)
def test_files_that_an_edit_alters_are_linked_again(
    root: Path, settings: BuildSettings, name: str
) -> None:
    build(root, settings)
    count, *change = ALTERED[name]
    edit(root, *change)
    report = build(root, settings)
    assert report.updated == count
    check_is_as_built(root, settings, report)
    assert build(root, settings).is_unchanged


@pytest.mark.slow(reason="four builds")
def test_prose_of_definitions_that_came_is_theirs(root: Path, settings: BuildSettings) -> None:
    build(root, settings)
    edit(root, *ALTERED["definition"][1:])
    assert build(root, settings).updated == 1
    edit(root, "shop/cart.py", "def more(): ...", "def more(): ...  # wobbly")
    report = build(root, settings)
    assert report.updated == 1
    check_is_as_built(root, settings, report)


@pytest.mark.parametrize("name", ADDED)
def test_a_new_file_is_linked_with_those_that_it_alters(
    root: Path, settings: BuildSettings, name: str
) -> None:
    build(root, settings)
    count, path, text = ADDED[name]
    (root / path).write_text("\n".join(line.removeprefix("        ") for line in text.split("\n")))
    report = build(root, settings)
    assert report.updated == count
    check_is_as_built(root, settings, report)
    assert build(root, settings).is_unchanged
    edit(root, *BODIES["call"])
    check_is_as_built(root, settings, build(root, settings))
    (root / path).unlink()
    check_is_as_built(root, settings, build(root, settings))
    assert build(root, settings).is_unchanged


def test_a_file_that_nothing_leads_to_is_taken_out(root: Path, settings: BuildSettings) -> None:
    (root / "shop/unused.py").write_text("LIMIT = 3\n\n\ndef unused(): return LIMIT\n")
    build(root, settings)
    (root / "shop/unused.py").unlink()
    report = build(root, settings)
    assert report.updated == 1
    check_is_as_built(root, settings, report)


def test_calls_on_what_a_function_made_are_linked_again_when_it_makes_something_else(
    root: Path, settings: BuildSettings
) -> None:
    classes = "".join(
        f"class {name}:\n    def save(self): ...\n\n\n"
        for name in ("Store", "Backup(Store)", "Remote(Store)")
    )
    opening = "def open_store() -> Store:\n    return Backup()\n\n\nALL = [Backup(), Remote()]\n"
    (root / "shop/store.py").write_text(classes + opening)
    (root / "shop/till.py").write_text(
        "from shop.store import open_store\n\n\ndef close(): open_store().save()\n"
    )
    build(root, settings)
    edit(root, "shop/store.py", "return Backup()", "return Remote()")
    report = build(root, settings)
    assert report.updated == 2
    check_is_as_built(root, settings, report)


@pytest.mark.parametrize("name", OTHERS)
def test_what_says_something_else_is_built_anew(
    root: Path, settings: BuildSettings, name: str
) -> None:
    build(root, settings)
    edit(root, *OTHERS[name])
    report = build(root, settings)
    assert report.updated is None
    assert not report.is_unchanged
    check_is_as_built(root, settings, report)


@pytest.mark.slow(reason="four builds")
def test_without_the_facts_of_before_it_is_built_anew(
    root: Path, settings: BuildSettings, tmp_path: Path
) -> None:
    build(root, settings)
    edit(root, *EDITS["comment"])
    elsewhere = replace(settings, facts=tmp_path / "others")
    assert build(root, elsewhere).updated is None
    edit(root, *EDITS["docstring"])
    report = build(root, elsewhere)
    assert report.updated == 1
    check_is_as_built(root, elsewhere, report)


def test_another_commit_of_the_same_files_is_only_named(
    root: Path, settings: BuildSettings
) -> None:
    (root / ".git").mkdir()
    (root / ".git/HEAD").write_text("1" * 40)
    build(root, settings)
    (root / ".git/HEAD").write_text("2" * 40)
    report = build(root, settings)
    assert report.updated == 0
    assert not report.is_unchanged
    check_is_as_built(root, settings, report)
    with duckdb.connect() as engine:
        engine.execute(f"ATTACH '{root}/.mubase' AS graph (READ_ONLY)")
        told = engine.execute("SELECT value FROM graph.meta WHERE name = 'commit'").fetchall()
    assert told == [("2" * 40,)]
    assert build(root, settings).is_unchanged
