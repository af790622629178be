"""Names that many things have: one more of them alters no other file."""

from pathlib import Path

import pytest

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
    "shop/fixtures.py": """
        import pytest
        from shop.few import Few


        @pytest.fixture
        def few():
            return Few()
        """,
    "tests/conftest.py": """
        __all__ = []
        """,
    "tests/test_few.py": """
        def test_few(few):
            few.stop()
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


def test_the_first_of_a_name_is_told_where_it_is_read(root: Path, settings: BuildSettings) -> None:
    edit(root, "shop/use.py", "thing.run()", "print(thing.config)")
    build(root, settings)
    for new in ("config = 1\n", None):
        edit(root, "shop/settings.py", None, new)
        edit(
            root,
            "shop/few.py",
            None,
            FILES["shop/few.py"] + ("from shop import settings\n" * bool(new)),
        )
        report = build(root, settings)
        assert report.updated
        check_is_as_built(root, settings, report)


@pytest.mark.parametrize("listed", ["[]", '["few"]'])
def test_what_a_shared_file_imports_fills_parameters_elsewhere(
    root: Path, settings: BuildSettings, listed: str
) -> None:
    build(root, settings)
    text = f"from shop.fixtures import few\n\n__all__ = {listed}\n"
    for new in (text, "__all__ = []\n"):
        edit(root, "tests/conftest.py", None, new)
        report = build(root, settings)
        assert report.updated == 2
        check_is_as_built(root, settings, report)


def _dedented(text: str) -> str:
    return "\n".join(line[8:] for line in text.strip("\n").splitlines())
