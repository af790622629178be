"""Names that many things have: one more of them alters no other file."""

from pathlib import Path

from mu.kernel.building import build
from mu.kernel.settings import BuildSettings
from mu.resolve.limits import MOST_CANDIDATES
from support.updated_graphs import check_is_as_built, edit, linked_functions

MANY = "\n".join(
    f"class Thing{number}:\n    def run(self): ...\n" for number in range(MOST_CANDIDATES)
)
FILES = {
    "shop/things.py": MANY,
    "shop/few.py": "class Few:\n    def stop(self): ...\n",
    "shop/use.py": """
        def use(thing):
            thing.run()
            thing.stop()
        """,
    "tests/test_shop.py": """
        import pytest


        def test_use():
            return None
        """,
}
CLASS = """

class Other:
    def {name}(self): ...
"""


def test_one_more_among_many_of_a_name_alters_no_other_file(
    root: Path, settings: BuildSettings
) -> None:
    build(root, settings)
    for name, is_linked in (("run", False), ("stop", True)):
        for old, new in (("", CLASS.format(name=name)), (CLASS.format(name=name), "")):
            text = (root / "shop/few.py").read_text()
            edit(root, "shop/few.py", None, text.replace(old, "") if old else text + new)
            with linked_functions("shop/use.py") as linked:
                report = build(root, settings)
            assert report.updated
            assert bool(linked) == is_linked
            check_is_as_built(root, settings, report)


def test_texts_that_a_test_is_run_with_alter_no_other_file(
    root: Path, settings: BuildSettings
) -> None:
    build(root, settings)
    decorated = """
        @pytest.mark.parametrize("way", ["run", "use"])
        def test_more(way):
            return way
        """
    edit(root, "tests/test_shop.py", "return None\n", "return None\n\n\n" + _dedented(decorated))

    with linked_functions("shop/use.py") as linked:
        report = build(root, settings)

    assert report.updated == 1
    assert not linked
    check_is_as_built(root, settings, report)


def _dedented(text: str) -> str:
    return "\n".join(line[8:] for line in text.strip("\n").splitlines())
