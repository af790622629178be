"""A parameter that too many things are passed for hands the first of them on, and none that come
later: what a function holds by that is as a build leaves it.
"""

from pathlib import Path

import pytest

from mu.kernel.building import build
from mu.kernel.settings import BuildSettings
from mu.resolve.limits import MOST_VALUES
from support.updated_graphs import check_is_as_built, edit

pytestmark = pytest.mark.usefixtures("_unbounded")
EARLY, LATE = range(2), range(2, MOST_VALUES + 2)


def calls(function: str, numbers: range) -> str:
    lines = "\n".join(f"    {function}(Thing{number}())" for number in numbers)
    return f"from shop.hold import {function}\nfrom shop.things import *\n\ndef start():\n{lines}\n"


FILES = {
    "shop/things.py": "\n".join(
        f"class Thing{number}:\n    def go(self): ...\n" for number in (*EARLY, *LATE)
    ),
    "shop/hold.py": """
        def late(thing):
            return take(thing)


        def take(thing):
            return keep(thing)


        def keep(thing):
            return thing.go()


        def tell(thing):
            return thing.go()


        def pass_by():
            return None
        """,
    "shop/early.py": calls("take", EARLY),
    "shop/later.py": calls("late", LATE),
}
EDITS = {
    "another parameter": (("def keep(thing):", "def keep(thing, more=None):"),),
    "another name": (("keep(", "hold("),),
    "no call of it": (("return keep(thing)", "return None"),),
    "a call of a function that was there": (
        ("return keep(thing)", "return (keep(thing), tell(thing))"),
    ),
    "a new function": (
        ("return keep(thing)", "return (keep(thing), store(thing))"),
        ("def pass_by():", "def store(thing):\n    return thing.go()\n\n\ndef pass_by():"),
    ),
    "a new function by a variable": (
        ("return keep(thing)", "one = [thing]\n    return (keep(thing), store(one[0]))"),
        ("def pass_by():", "def store(thing):\n    return thing.go()\n\n\ndef pass_by():"),
    ),
    "a new function by a keyword": (
        ("return keep(thing)", "return (keep(thing), store(thing=thing))"),
        ("def pass_by():", "def store(thing):\n    return thing.go()\n\n\ndef pass_by():"),
    ),
}


@pytest.mark.parametrize("name", EDITS)
def test_what_was_handed_on_early_is_as_a_build_leaves_it(
    root: Path, settings: BuildSettings, name: str
) -> None:
    path = root / "shop/hold.py"
    before = path.read_text()
    build(root, settings)
    after = before
    for old, new in EDITS[name]:
        after = after.replace(old, new)
    for text in (after, before):
        edit(root, "shop/hold.py", None, text)
        report = build(root, settings)
        check_is_as_built(root, settings, report)


def test_functions_that_take_nothing_of_it_are_updated(root: Path, settings: BuildSettings) -> None:
    build(root, settings)
    edit(root, "shop/hold.py", "def pass_by():", "def pass_by(more=None):")

    report = build(root, settings)

    assert report.updated
    check_is_as_built(root, settings, report)


def test_calls_of_a_function_that_is_passed_too_much_from_the_start_are_updated(
    root: Path, settings: BuildSettings
) -> None:
    edit(
        root,
        "shop/hold.py",
        "def pass_by():",
        "def show(thing):\n    tell(thing)\n\n\ndef pass_by():",
    )
    edit(root, "shop/all.py", None, calls("show", range(MOST_VALUES + 2)))
    build(root, settings)

    for text in (calls("show", range(2)), calls("show", range(1))):
        edit(root, "shop/more.py", None, text)
        report = build(root, settings)
        assert report.updated
        check_is_as_built(root, settings, report)


@pytest.mark.parametrize("spares", [0, 1])
def test_what_was_handed_on_before_an_edit_passed_too_much_is_as_a_build_leaves_it(
    root: Path, settings: BuildSettings, spares: int
) -> None:
    held = "thing or Spare()" if spares else "thing"
    last = MOST_VALUES - spares
    edit(
        *(root, "shop/relay.py", None),
        f"""
class Spare:
    def go(self): ...


def further(thing):
    return relay(thing)


def relay(thing):
    held = {held}
    return give(held)


def give(thing):
    return thing.go()
""",
    )
    edit(root, "shop/early.py", None, calls("relay", EARLY).replace(".hold", ".relay"))
    for end in (last, last + 1, last):
        text = calls("further", range(len(EARLY), end)).replace(".hold", ".relay")
        edit(root, "shop/later.py", None, text)

        report = build(root, settings)

        check_is_as_built(root, settings, report)


@pytest.mark.parametrize("numbers", [range(1), range(3), range(5)])
def test_what_is_passed_first_after_an_edit_is_as_a_build_leaves_it(
    root: Path, settings: BuildSettings, numbers: range
) -> None:
    build(root, settings)
    for some in (numbers, EARLY):
        edit(root, "shop/early.py", None, calls("take", some))

        report = build(root, settings)

        check_is_as_built(root, settings, report)


def test_an_edited_file_whose_function_is_passed_too_much_now_is_as_a_build_leaves_it(
    root: Path, settings: BuildSettings
) -> None:
    edit(root, "shop/later.py", None, calls("late", range(len(EARLY), MOST_VALUES)))
    build(root, settings)
    more = f"def pass_by():\n    late(Thing{MOST_VALUES}())"
    imports = f"from shop.things import Thing{MOST_VALUES}\n\n\ndef late(thing):"
    for old, new in (("def late(thing):", imports), ("def pass_by():", more)):
        edit(root, "shop/hold.py", old, new)

    report = build(root, settings)

    check_is_as_built(root, settings, report)


def test_a_function_that_is_passed_too_much_from_the_start_now_is_updated(
    root: Path, settings: BuildSettings
) -> None:
    edit(root, "shop/early.py", None, calls("take", range(MOST_VALUES)))
    edit(root, "shop/later.py", None, calls("late", range(0)) + "    pass\n")
    edit(
        root,
        "shop/hold.py",
        "def late",
        f"from shop.things import Thing{MOST_VALUES}\n\n\ndef late",
    )
    build(root, settings)
    edit(root, "shop/hold.py", "return None", f"return take(Thing{MOST_VALUES}())")

    report = build(root, settings)

    assert report.updated
    check_is_as_built(root, settings, report)
