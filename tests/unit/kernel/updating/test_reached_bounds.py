"""Bounds that are reached more often after an edit, or less, are counted as from scratch.

Counted are variables with more than eight values; those of these files hold eight.
"""

from pathlib import Path

import pytest

from mu.kernel.building import build
from mu.kernel.settings import BuildSettings
from support.updated_graphs import check_is_as_built, edit

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
