"""A changed file is linked without the functions whose text is as it was, as long as these cannot
see what changed.
"""

from pathlib import Path

import pytest

from mu.kernel.building import build
from mu.kernel.settings import BuildSettings
from support.updated_graphs import check_is_as_built, edit, linked_functions

FILES = {
    "shop/cart.py": """
        import os
        from functools import wraps
        from shop.money import Money, Purse, total


        def logged(function):
            @wraps(function)
            def inner(*args, **kwargs):
                return function(*args, **kwargs)
            return inner


        class Cart:
            limit = Money(3)

            def __init__(self, owner):
                self.owner = owner
                self.rows = []
                self.purse = Purse(self.spend)

            def add(self, price):
                os.getcwd()
                self.rows.append(Money(price))
                return self

            @logged
            def spend(self, rows):
                def most():
                    return max(rows)
                return most()

            def sum(self):
                return total(self.rows, *self.purse.rest())

            def pay(self, *args):
                return self.sum(*args)


        def cart(owner):
            os.sep.join(owner)
            return Cart(owner).add(3)
    """,
    "shop/money.py": """
        class Money:
            def __init__(self, cents):
                self.cents = cents


        class Purse:
            def __init__(self, run):
                self.run = run

            def rest(self):
                return self.run([Money(1)])


        def total(rows, *more):
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
}
KEPT = {
    "call": ("shop/cart.py", "self.rows.append(", "self.sum()\n        self.rows.append(", 1),
    "lines that go": ("shop/cart.py", "\n        os.getcwd()", "", 1),
    "call of what is outside": ("shop/cart.py", "os.getcwd()", "os.getpid()", 1),
    "new function": (
        "shop/cart.py",
        "def cart(",
        "def quick(cart):\n    cart.pay()\n\n\ndef cart(",
        1,
    ),
    "new method": (
        "shop/cart.py",
        "    def sum",
        "    def hand(self):\n        return 1\n\n    def sum",
        1,
    ),
    "inner function": ("shop/cart.py", "return max(rows)", "return max(rows, key=len)", 2),
    "two bodies": ("shop/cart.py", "return Cart(owner)", "print(owner)\n    return Cart(owner)", 1),
    "import": (
        "shop/cart.py",
        "self.owner = owner",
        "import re\n        re.compile(owner)\n        self.owner = owner",
        1,
    ),
    "method in TypeScript": ("web/cart.ts", "this.rows.push", "this.show(); this.rows.push", 1),
}
SEEN = {
    "result": ("shop/cart.py", "return self\n", "return Money(price)\n", {"add", "cart"}),
    "field": (
        "shop/cart.py",
        "self.rows = []",
        "self.rows = Purse(owner)",
        {"__init__", "add", "sum"},
    ),
    "argument": ("shop/cart.py", "Purse(self.spend)", "Purse(self.add)", {"__init__", "add"}),
    "class that is made": ("shop/cart.py", "Money(price)", "price", {"add", "sum"}),
    "name that others use": ("shop/cart.py", "def sum", "def summed", {"summed", "pay"}),
    "decorator": ("shop/cart.py", "    @logged\n", "", {"__init__", "spend"}),
    "global that is imported": (
        "shop/cart.py",
        "os.getcwd()",
        "global total\n        total = cart",
        {"add", "sum"},
    ),
    "global": (
        "shop/cart.py",
        "os.getcwd()",
        "global cart\n        cart = total",
        {"add", "cart"},
    ),
}


def _updated(root: Path, settings: BuildSettings, name: str, old: str, new: str) -> list[set[str]]:
    """Make an edit; give the names of the functions of the file that were linked, in both versions
    of it.
    """
    build(root, settings)
    edit(root, name, old, new)
    with linked_functions(name) as linked:
        report = build(root, settings)
    assert report.updated
    check_is_as_built(root, settings, report)
    return [functions - {"inner", "most"} for functions in linked]


@pytest.mark.parametrize("name", KEPT)
def test_functions_with_the_same_text_are_not_linked(
    root: Path, settings: BuildSettings, name: str
) -> None:
    *how, count = KEPT[name]
    _, after = _updated(root, settings, *how)
    assert len(after) <= count


@pytest.mark.parametrize("name", SEEN)
def test_functions_that_may_see_what_differs_are_linked(
    root: Path, settings: BuildSettings, name: str
) -> None:
    *how, seeing = SEEN[name]
    _, after = _updated(root, settings, *how)
    assert after >= seeing


def test_what_is_kept_is_kept_from_one_edit_to_the_next(
    root: Path, settings: BuildSettings
) -> None:
    build(root, settings)
    for how in (KEPT["new function"], KEPT["call"], KEPT["lines that go"], SEEN["field"]):
        edit(root, *how[:3])
        report = build(root, settings)
        assert report.updated
    check_is_as_built(root, settings, report)


def test_a_name_of_the_library_of_which_another_function_reads_attributes(
    root: Path, settings: BuildSettings
) -> None:
    text = "def sorts():\n    return [bytes, str]\n\n\ndef table():\n    return {}\n"
    edit(root, "shop/sorts.py", None, text)
    build(root, settings)
    for old, new in (
        ("return {}", 'return bytes.maketrans(b"a", b"b")'),
        ("bytes.maketrans", "str.maketrans"),
    ):
        edit(root, "shop/sorts.py", old, new)
        report = build(root, settings)
        assert report.updated
        check_is_as_built(root, settings, report)
