"""Classes that have the methods of a protocol, and do not say that they extend it."""

from pathlib import Path

import pytest

from mu.kernel.building import build
from mu.kernel.settings import BuildSettings
from support.updated_graphs import check_is_as_built, edit

pytestmark = pytest.mark.usefixtures("_unbounded")
FILES = {
    "shop/plug.py": """
        from typing import Protocol


        class Plug(Protocol):
            def fit(self, size: int) -> None: ...
        """,
    "shop/wall.py": """
        from typing import Iterable

        from shop.plug import Plug


        class Wall:
            def __init__(self, plugs: Iterable[Plug]) -> None:
                for plug in plugs:
                    plug.fit(3)
        """,
    "shop/base.py": """
        class Base:
            def fit(self, size):
                return size
        """,
    "tests/test_plug.py": """
        from shop.base import Base


        def test_first():
            class One:
                def fit(self, size):
                    return size

            assert One()
        """,
}
OWN = """

def test_second():
    class Two:
        def fit(self, size):
            return size

    assert Two()
"""
INHERITED = """

def test_second():
    class Two(Base):
        pass

    assert Two()
"""


@pytest.mark.parametrize("more", [OWN, INHERITED], ids=["own method", "inherited method"])
@pytest.mark.parametrize("is_first", [True, False], ids=["the first", "one of two"])
def test_a_class_that_comes_is_seen_where_the_protocol_is_called(
    root: Path, settings: BuildSettings, more: str, is_first: bool
) -> None:
    name = "tests/test_plug.py"
    before = "from shop.base import Base\n" if is_first else (root / name).read_text()
    edit(root, name, None, before)
    build(root, settings)
    for text in (before + more, before):
        edit(root, name, None, text)
        report = build(root, settings)
        assert report.updated is not None
        check_is_as_built(root, settings, report)
