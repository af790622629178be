"""Members that constants name: who takes one by such a constant mentions neither it nor its class,
and is linked again when it comes.
"""

from pathlib import Path

import pytest

from mu.kernel.building import build
from mu.kernel.settings import BuildSettings
from support.updated_graphs import check_is_as_built, linked_functions, write_files

KINDS = "class Cash:\n    def go(self): ...\n"
MORE_KINDS = {"kinds.py": f"{KINDS}    def stop(self): ...\n"}
MORE_STEPS = {"steps.py": "def go(): ...\n\n\ndef stop(): ...\n"}

TAKEN = {
    "constant that is imported": (
        {
            "tables.py": 'LAST = "stop"\n',
            "shop.py": """
                from kinds import Cash
                from tables import LAST

                def pay():
                    getattr(Cash(), LAST)()
            """,
        },
        MORE_KINDS,
    ),
    "constant among all that a module gives out": (
        {
            "tables.py": 'LAST = "stop"\n',
            "shop.py": """
                from kinds import Cash
                from tables import *

                def pay():
                    getattr(Cash(), LAST)()
            """,
        },
        MORE_KINDS,
    ),
    "attribute of a module": (
        {
            "tables.py": 'LAST = "stop"\n',
            "shop.py": """
                import tables
                from kinds import Cash

                def pay():
                    getattr(Cash(), tables.LAST)()
            """,
        },
        MORE_KINDS,
    ),
    "attribute of a class": (
        {
            "tables.py": 'class Table:\n    last = "stop"\n',
            "shop.py": """
                from kinds import Cash
                from tables import Table

                class Till(Table):
                    def pay(self):
                        getattr(Cash(), self.last)()
            """,
        },
        MORE_KINDS,
    ),
    "function of a module": (
        {
            "tables.py": 'LAST = "stop"\n',
            "shop.py": """
                import steps
                from tables import LAST

                def pay():
                    getattr(steps, LAST)()
            """,
        },
        MORE_STEPS,
    ),
    "function of a module that is a value": (
        {
            "tables.py": 'LAST = "stop"\n',
            "held.py": "import steps\n\nPLANS = [steps]\n",
            "shop.py": """
                from held import PLANS
                from tables import LAST

                def pay():
                    getattr(PLANS[0], LAST)()
            """,
        },
        MORE_STEPS,
    ),
    "function of the module itself": (
        {
            "tables.py": 'LAST = "stop"\n',
            "steps.py": """
                from tables import LAST

                def go():
                    globals()[LAST]()
            """,
        },
        {
            "steps.py": """
                from tables import LAST

                def go():
                    globals()[LAST]()

                def stop(): ...
            """
        },
    ),
}


@pytest.mark.parametrize("name", TAKEN)
def test_a_member_that_comes_is_taken_by_a_constant(
    root: Path, settings: BuildSettings, name: str
) -> None:
    files, after = TAKEN[name]
    _build_among_others(root, settings, files)
    write_files(root, after)
    with linked_functions("shop.py" if "shop.py" in files else "steps.py") as found:
        report = build(root, settings)
    assert report.updated
    assert found
    check_is_as_built(root, settings, report)


def test_a_name_of_its_own_is_not_the_constant_of_another_file(
    root: Path, settings: BuildSettings
) -> None:
    files = {
        "tables.py": 'last = "stop"\n',
        "shop.py": """
            def pay(one, many):
                last = many[0]
                getattr(one, last)()
        """,
    }
    _build_among_others(root, settings, files)
    write_files(root, MORE_KINDS)
    with linked_functions("shop.py") as found:
        report = build(root, settings)
    assert report.updated
    assert found == []
    check_is_as_built(root, settings, report)


def _build_among_others(root: Path, settings: BuildSettings, files: dict[str, str]) -> None:
    """Build some files beside larger ones, so that an edit of them alters little of the text."""
    calls = "".join(f"    one.more{n}(one.less{n})\n" for n in range(9))
    others = {f"other/other{n}.py": f"def other{n}(one):\n{calls}" for n in range(12)}
    write_files(root, {**others, "kinds.py": KINDS, "steps.py": "def go(): ...\n", **files})
    build(root, settings)
