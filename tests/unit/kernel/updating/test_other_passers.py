"""Arguments that a call passes no more are those that other calls pass, or they are gone."""

from pathlib import Path

import pytest

from mu.kernel.building import build
from mu.kernel.settings import BuildSettings
from mu.resolve.incremental.program_version import ProgramVersion
from mu.resolve.whole_program import WholeProgramState
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


@pytest.fixture
def analysed(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """The programs that the phases are run over anew."""
    found: list[object] = []
    real = ProgramVersion.analyse

    def analyse(self: ProgramVersion, state: WholeProgramState) -> None:
        found.append(self)
        real(self, state)

    monkeypatch.setattr(ProgramVersion, "analyse", analyse)
    return found


@pytest.mark.parametrize("name", GONE)
def test_what_is_passed_no_more_is_found_without_the_whole_program(
    root: Path, settings: BuildSettings, analysed: list[object], name: str
) -> None:
    build(root, settings)
    edit(root, *GONE[name])
    report = build(root, settings)
    assert report.updated
    assert not analysed
    check_is_as_built(root, settings, report)


def test_what_functions_hand_to_one_another_does_not_hold_itself(
    root: Path, settings: BuildSettings, analysed: list[object]
) -> None:
    build(root, settings)
    edit(root, "mill/one.py", "    first(sieve, 3)\n", "")
    report = build(root, settings)
    assert report.updated
    assert analysed
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
