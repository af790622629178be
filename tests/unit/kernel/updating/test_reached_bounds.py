"""Bounds that are reached more often after an edit, or less, are counted as from scratch.

Counted are variables with more than eight values; those of these files hold eight.
"""

import os
from pathlib import Path

import pytest

from mu.kernel.building import build
from mu.kernel.settings import BuildSettings
from mu.kernel.updating.warm_start import prepare
from mu.store import open_graph
from support.updated_graphs import check_is_as_built, edit, write_files

pytestmark = pytest.mark.usefixtures("_unbounded")


def kinds(first: int, last: int) -> str:
    """Instances of so many classes, one of which something may be."""
    return " or ".join(f"Kind{n}()" for n in range(first, last))


FILES = {
    "shop/kinds.py": "".join(f"class Kind{n}:\n    def tell(self): ...\n\n\n" for n in range(16)),
    "shop/table.py": f"""
        from shop.kinds import *


        def few():
            return {kinds(0, 7)}


        def more():
            return {kinds(8, 12)}
    """,
    "shop/use.py": f"""
        from shop.kinds import *
        from shop.table import few, more

        one = few()
        one = Kind8()


        def use():
            one.tell()
            two = more()
            if one:
                two = {kinds(0, 4)}
            two.tell()
    """,
}
EDITS = {
    "one value more in a module": ("shop/table.py", "Kind6()", "Kind6() or Kind7()"),
    "one value more in a function": ("shop/table.py", "Kind11()", "Kind11() or Kind12()"),
    "one value more where it is bound": (
        "shop/use.py",
        "one = few()\n",
        "one = few()\none = Kind15()\n",
    ),
}


def prepare_as_edited(root: Path, settings: BuildSettings, path: str) -> None:
    """Prepare for an update in which the file of a path is edited once more."""
    os.utime(root / path)
    with open_graph(root / ".mubase") as graph:
        for _ in prepare(root, graph, settings=settings):
            pass


@pytest.mark.parametrize("name", EDITS)
def test_variables_with_too_many_values_are_counted(
    root: Path, settings: BuildSettings, name: str
) -> None:
    path, old, new = EDITS[name]
    before = build(root, settings).limits
    edit(root, path, old, new)

    report = build(root, settings)

    check_is_as_built(root, settings, report)
    assert report.updated
    assert report.limits != before
    edit(root, path, new, old)
    again = build(root, settings)
    check_is_as_built(root, settings, again)
    assert again.updated
    assert again.limits == before


@pytest.mark.parametrize("is_prepared", [False, True])
def test_variables_of_a_function_that_is_not_linked_again_stay_counted(
    root: Path, settings: BuildSettings, *, is_prepared: bool
) -> None:
    full = f"""
        from shop.kinds import *


        def full():
            many = {kinds(0, 6)}
            if many:
                many = {kinds(6, 12)}
            many.tell()


        def other():
            pass
    """
    write_files(root, {"shop/full.py": full})
    before = build(root, settings).limits
    if is_prepared:
        prepare_as_edited(root, settings, "shop/full.py")
    edit(root, "shop/full.py", "pass", "Kind1().tell()")

    report = build(root, settings)

    check_is_as_built(root, settings, report)
    assert report.updated
    assert report.limits == before != ()


STEPS = {
    "shop/run.py": "def run(step):\n    step()\n",
    **{
        f"shop/step{n}.py": f"""
            from shop.run import run


            def step{n}(): ...


            run(step{n})
        """
        for n in range(1, 6)
    },
    **{f"shop/other{n}.py": f"def other{n}():\n    return other{n}\n" for n in range(30)},
}
BOUNDED = (
    *("abstract_values", "solver.parameter_sets", "solver.propagation_state"),
    *("evaluation.parameter_propagation", "incremental.renumbering"),
)
"""The modules that know how many functions are followed."""
STEPPING = {
    "the first is passed no more": [("shop/step1.py", "run(step1)\n", "")],
    "the last is passed no more": [("shop/step5.py", "run(step5)\n", "")],
    "the first is gone": [("shop/step1.py", None, None)],
    "another comes first": [
        ("shop/step0.py", None, "from shop.run import run\n\nrun(lambda: 1)\n")
    ],
    "fewer than are followed": [(f"shop/step{n}.py", f"run(step{n})\n", "") for n in (1, 2, 4)],
}


@pytest.mark.parametrize("name", STEPPING)
def test_the_first_of_too_many_functions_are_followed(
    tmp_path: Path, settings: BuildSettings, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    for module in BOUNDED:
        monkeypatch.setattr(f"mu.resolve.{module}.MOST_FUNCTIONS", 3)
    root = tmp_path / "steps"
    write_files(root, STEPS)
    assert build(root, settings).limits
    for change in STEPPING[name]:
        edit(root, *change)

        report = build(root, settings)

        check_is_as_built(root, settings, report)
        assert report.updated or not report.limits
