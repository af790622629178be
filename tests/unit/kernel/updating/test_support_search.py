"""Arguments that a call passes no more are those that other calls pass, or they are gone."""

from pathlib import Path

import pytest

from mu.kernel.building import build
from mu.kernel.settings import BuildSettings
from support.updated_graphs import check_is_as_built, edit, write_files

pytestmark = pytest.mark.usefixtures("_unbounded")
FILES = {
    "mill/run.py": """
        def run(work):
            return work()


        def first(step, left):
            step()
            return second(step, left)


        def second(step, left):
            return first(step, left) if left else step()


        class Wheel:
            def turn(self): ...


        def spin(wheel):
            wheel.turn()
            return oil(wheel)


        def oil(wheel):
            return wheel.turn()
    """,
    "mill/one.py": """
        from mill.run import Wheel, first, run, spin


        def grind(): ...


        def sieve(): ...


        def start():
            run(grind)
            first(sieve, 3)
            spin(Wheel())
    """,
    "mill/two.py": """
        from mill.one import grind
        from mill.run import run


        def again():
            run(grind)
    """,
    "mill/clock.py": """
        import os


        def tick():
            return os.getpid()
    """,
    "mill/user.py": """
        import mill.clock
        from mill.clock import tick


        def json():
            return tick()


        def text():
            return mill.clock.tick()
    """,
    "mill/page.py": """
        def read(page, clock):
            return page.json(clock.hands)
    """,
    **{f"mill/other{n}.py": f"def other{n}():\n    return other{n}\n" for n in range(30)},
}
GONE = {
    "passed elsewhere": ("mill/one.py", "    run(grind)\n", ""),
    "passed by nothing else": ("mill/one.py", "    spin(Wheel())\n", ""),
    "in the last file": ("mill/two.py", "    run(grind)\n", "    pass\n"),
    "function": ("mill/one.py", "def grind(): ...\n\n\n", "grind = None\n"),
}


@pytest.mark.parametrize("name", GONE)
def test_what_is_passed_no_more_is_found_without_the_whole_program(
    root: Path, settings: BuildSettings, name: str
) -> None:
    build(root, settings)
    edit(root, *GONE[name])
    report = build(root, settings)
    assert report.updated
    check_is_as_built(root, settings, report)


def test_what_functions_hand_to_one_another_does_not_hold_itself(
    root: Path, settings: BuildSettings
) -> None:
    build(root, settings)
    edit(root, "mill/one.py", "    first(sieve, 3)\n", "")
    report = build(root, settings)
    assert report.updated
    check_is_as_built(root, settings, report)


HANDED_ON = {
    "shop/run.py": """
        class Cart:
            def pay(self): ...


        def first(cart):
            second(cart)


        def second(cart):
            cart.pay()


        def there(cart):
            back(cart)


        def back(cart):
            cart.pay()
            there(cart)
    """,
    "shop/one.py": """
        from shop.run import *


        def start():
            second(Cart())
            there(Cart())
    """,
    "shop/two.py": """
        from shop.run import *


        def start():
            first(Cart())
            back(Cart())
    """,
    **{f"shop/other{n}.py": f"def other{n}():\n    return other{n}\n" for n in range(30)},
}


def test_an_argument_holds_that_others_hand_on_for_reasons_of_their_own(
    tmp_path: Path, settings: BuildSettings
) -> None:
    root = tmp_path / "handed"
    write_files(root, HANDED_ON)
    build(root, settings)
    edit(root, "shop/one.py", "    second(Cart())\n", "")

    report = build(root, settings)

    assert report.updated
    check_is_as_built(root, settings, report)


def test_arguments_do_not_hold_each_other_after_two_edits(
    tmp_path: Path, settings: BuildSettings
) -> None:
    root = tmp_path / "handed"
    write_files(root, HANDED_ON)
    build(root, settings)
    edit(root, "shop/one.py", "    there(Cart())\n", "")
    report = build(root, settings)
    assert report.updated
    check_is_as_built(root, settings, report)
    edit(root, "shop/two.py", "    back(Cart())\n", "")

    report = build(root, settings)

    assert report.updated
    check_is_as_built(root, settings, report)


def test_an_import_concerns_files_that_can_read_it(root: Path, settings: BuildSettings) -> None:
    build(root, settings)
    edit(root, "mill/clock.py", "import os\n", "import json\nimport os\n")
    report = build(root, settings)
    assert report.updated == 1
    check_is_as_built(root, settings, report)
    edit(root, "mill/user.py", "mill.clock.tick()", "mill.clock.zipapp.main()")
    build(root, settings)
    edit(root, "mill/clock.py", "import json\n", "import json\nimport zipapp\n")
    report = build(root, settings)
    assert report.updated == 2
    check_is_as_built(root, settings, report)


TABLES = {
    "shop/table.py": """
        import operator

        SIGNS = {"=": operator.eq, "!": operator.ne, "<": operator.lt, ">": operator.gt}
        SUMS = {"+": operator.add, "-": operator.sub, "*": operator.mul, "%": operator.mod}
        MORE = {"^": operator.pow}
    """,
    "shop/defaults.py": "from .table import MORE, SIGNS, SUMS\n",
    "shop/mark.py": """
        class Kind:
            def tell(self): ...


        def mark(one):
            return one.tell()
    """,
    "shop/last.py": "from shop.mark import Kind, mark\n\nmark(Kind())\n",
    "shop/first.py": """
        from shop.mark import mark
        from .defaults import MORE, SIGNS, SUMS


        class Environment:
            def __init__(self):
                self.signs = SIGNS.copy()
                self.sums = SUMS.copy()
                self.more = MORE.copy()

            def run(self, name):
                mark(self.more.get(name))
                mark(self.sums.get(name))
                mark(self.signs.get(name))
    """,
    "shop/second.py": """
        from shop.first import Environment
        from shop.mark import mark


        class Compiler:
            def __init__(self, environment: Environment):
                self.environment = environment

            def run(self, name):
                mark(self.environment.more.get(name))
                mark(self.environment.sums.get(name))
                mark(self.environment.signs.get(name))
    """,
}


def test_too_many_arguments_are_counted_again_when_more_files_are_linked(
    tmp_path: Path, settings: BuildSettings
) -> None:
    """That too many are left is so with the file that is found to pass none of them later on."""
    root = tmp_path / "tables"
    calls = "".join(f"    one.more{n}(one.less{n})\n" for n in range(9))
    others = {f"other/other{n}.py": f"def other{n}(one):\n{calls}" for n in range(20)}
    write_files(root, {**others, **TABLES})
    assert build(root, settings).limits
    edit(root, "shop/defaults.py", None, "SIGNS = {}\nSUMS = {}\nMORE = {}\n")

    report = build(root, settings)

    assert report.updated
    assert not report.limits
    check_is_as_built(root, settings, report)
    edit(root, "shop/defaults.py", None, TABLES["shop/defaults.py"])
    again = build(root, settings)
    assert again.updated
    assert again.limits
    check_is_as_built(root, settings, again)


FORWARDED = {
    "shop/kinds.py": "".join(f"class Kind{n}:\n    def tell(self): ...\n\n\n" for n in range(4)),
    "shop/chain.py": """
        def last(one, key=None):
            one.tell()
            key.tell()


        def middle(*args, **kwargs):
            last(*args, **kwargs)


        def first(*args, **kwargs):
            return middle(*args, **kwargs)
    """,
    "shop/one.py": """
        from shop.chain import first, middle
        from shop.kinds import *


        def run():
            first(Kind0(), key=Kind1())
            middle(Kind2())
    """,
    "shop/two.py": """
        from shop.chain import first
        from shop.kinds import Kind2


        def run():
            first(Kind2())
    """,
}


@pytest.mark.usefixtures("_unbounded")
@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("shop/one.py", "first(Kind0(), key=Kind1())", "first(Kind0())"),
        ("shop/one.py", "first(Kind0(), key=Kind1())", "first(Kind3(), key=Kind3())"),
        ("shop/one.py", "    middle(Kind2())\n", ""),
        ("shop/two.py", None, None),
    ],
)
def test_arguments_that_functions_forward_are_passed_no_more(
    tmp_path: Path, settings: BuildSettings, name: str, old: str | None, new: str | None
) -> None:
    root = tmp_path / "forwarded"
    write_files(root, FORWARDED)
    before = (root / name).read_text()
    build(root, settings)
    for text in (new if old is None else before.replace(old, new or ""), before):
        edit(root, name, None, text)
        report = build(root, settings)
        assert report.updated
        check_is_as_built(root, settings, report)


MADE = {
    "shop/kinds.py": """
        class Cash:
            def pay(self): ...


        class Card:
            def pay(self): ...


        class Till:
            def __init__(self, kind):
                self.kind = kind

            def open(self):
                self.kind().pay()


        class Front(Till): ...


        class Back(Till):
            def close(self):
                self.kind().pay()
    """,
    "shop/front.py": "from shop.kinds import *\n\nFront(Cash)\n",
    "shop/back.py": "from shop.kinds import *\n\nBack(Card)\n",
    "shop/use.py": """
        from shop.kinds import *


        def use(front: Front, back: Back):
            front.kind().pay()
            back.kind().pay()
    """,
}


@pytest.mark.usefixtures("_unbounded")
@pytest.mark.parametrize("after", ["Front(Card)\n", "Till(Card)\n", None])
def test_constructors_are_passed_other_classes(
    tmp_path: Path, settings: BuildSettings, after: str | None
) -> None:
    root = tmp_path / "made"
    write_files(root, MADE)
    before = MADE["shop/back.py"]
    build(root, settings)
    for text in (after and before.replace("Back(Card)\n", after), before):
        edit(root, "shop/back.py", None, text)
        report = build(root, settings)
        check_is_as_built(root, settings, report)


@pytest.mark.parametrize("is_named_elsewhere", [False, True])
def test_classes_of_the_library_are_named_no_more(
    root: Path, settings: BuildSettings, is_named_elsewhere: bool
) -> None:
    reading = """
        def read(path):
            try:
                return open(path)
            except OSError:
                return None
    """
    files = {"mill/read.py": reading}
    if is_named_elsewhere:
        files["mill/write.py"] = reading.replace("read", "write")
    write_files(root, files)
    build(root, settings)
    for old, new in (("except OSError", "except"), ("except:", "except OSError:")):
        edit(root, "mill/read.py", old, new)
        report = build(root, settings)
        assert report.updated == 1
        check_is_as_built(root, settings, report)
