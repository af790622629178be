"""What a parameter handed on before it was passed too many things, where an edit takes one of these
things from another function: only where it came from there may it be gone.
"""

from pathlib import Path

import pytest

from mu.kernel.building import build
from mu.kernel.settings import BuildSettings
from mu.resolve.limits import MOST_VALUES
from support.updated_graphs import check_is_as_built, edit

pytestmark = pytest.mark.usefixtures("_unbounded")
THINGS = range(MOST_VALUES + 1)  # the first one is passed early, and the others too late


def calls(function: str, numbers: range, *, module: str = "hold") -> str:
    lines = "\n".join(f"    {function}(Thing{number}())" for number in numbers)
    imports = f"from shop.{module} import {function}\nfrom shop.things import *\n"
    return f"{imports}\ndef run():\n{lines or '    pass'}\n"


FILES = {
    "shop/things.py": "\n".join(
        f"class Thing{number}:\n    def go(self): ...\n" for number in THINGS
    ),
    "shop/hold.py": """
        def start(thing):
            first(thing)


        def first(thing):
            last(thing)


        def last(thing):
            thing.go()


        def enter(thing):
            walk(thing)


        def walk(thing):
            start(thing)


        def enter_late(thing):
            walk_late(thing)


        def walk_late(thing):
            arrive(thing)


        def arrive(thing):
            first(thing)
        """,
    "shop/other.py": """
        from shop.hold import start


        def use(thing):
            thing.go()


        def hand(thing):
            start(thing)
        """,
    "shop/late.py": calls("enter", THINGS[1:]),
    "shop/later.py": calls("enter_late", THINGS[1:]),
}


@pytest.mark.parametrize("taker", ["use", "hand"])
def test_what_another_function_is_not_passed_any_more_is_handed_on_as_in_a_build(
    root: Path, settings: BuildSettings, taker: str
) -> None:
    if taker == "use":
        edit(root, "shop/early.py", None, calls("start", THINGS[:1]))
    for some in (THINGS[:1], THINGS[:0], THINGS[:1]):
        edit(root, "shop/some.py", None, calls(taker, some, module="other"))

        report = build(root, settings)

        check_is_as_built(root, settings, report)


def test_it_is_handed_on_where_the_function_was_passed_it_alone(
    root: Path, settings: BuildSettings
) -> None:
    edit(root, "shop/early.py", None, calls("start", THINGS[:1]))
    edit(root, "shop/some.py", None, calls("use", THINGS[:1], module="other"))
    build(root, settings)
    edit(root, "shop/some.py", None, calls("use", THINGS[:0], module="other"))

    report = build(root, settings)

    assert report.updated
    check_is_as_built(root, settings, report)


@pytest.mark.parametrize(
    ("text", "is_updated"),
    [
        ("first(thing)\n    print(thing)", True),
        ("one = thing\n    first(one)", True),
        ("first(thing)\n    hold(thing)", False),
        ("first(None)", False),
        ("first(thing)\n    return thing", False),
    ],
    ids=["another call", "a variable", "another taker", "nothing", "a result"],
)
def test_an_edited_function_hands_on_what_it_read_early(
    root: Path, settings: BuildSettings, text: str, is_updated: bool
) -> None:
    edit(root, "shop/early.py", None, calls("start", THINGS[:1]))
    holding = "def hold(thing):\n    thing.go()\n\n\ndef start(thing):"
    edit(root, "shop/hold.py", "def start(thing):", holding)
    build(root, settings)
    old, new = "    first(thing)\n\n\ndef first", f"    {text}\n\n\ndef first"
    edit(root, "shop/hold.py", old, new)

    report = build(root, settings)

    assert (report.updated is not None) == is_updated
    check_is_as_built(root, settings, report)
