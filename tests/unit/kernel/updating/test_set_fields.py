"""What sets a field by its name is linked again when the fields of its class change."""

from pathlib import Path

import pytest

from mu.kernel.settings import BuildSettings
from support.updated_graphs import check_edit_and_back, write_files

FILES = {
    "models.py": """
        from dataclasses import dataclass

        class Base:
            pass

        @dataclass
        class Point(Base):
            x: int
    """,
    "shapes.py": """
        from models import Point

        def origin():
            return Point(x=0, y=0)
    """,
}


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("    x: int\n", "    x: int\n    y: int = 0\n"),
        ("    x: int\n", "    left: int\n"),
        ("    pass\n", "    y = 1\n"),
    ],
    ids=["another field", "another name", "a field of a base"],
)
def test_what_sets_a_field_follows_its_class(
    tmp_path: Path, settings: BuildSettings, old: str, new: str
) -> None:
    root = tmp_path / "tree"
    write_files(root, FILES)
    check_edit_and_back(root, settings, "models.py", old=old, new=new)


SETTER_FILES = {
    "models.py": """
        class Box:
            def __init__(self):
                self.size = None
    """,
    "sizes.py": """
        class Size:
            def check(self): ...
    """,
    "use.py": """
        from models import Box
        from sizes import Size

        def fill(box: Box):
            box.size = Size()

        def other(box: Box):
            return box
    """,
}


def test_what_sets_an_attribute_follows_the_first_setter_of_its_name(
    tmp_path: Path, settings: BuildSettings
) -> None:
    root = tmp_path / "tree"
    write_files(root, SETTER_FILES)
    setter = """
    @property
    def size(self):
        return self._size

    @size.setter
    def size(self, size):
        size.check()
        self._size = size
"""
    check_edit_and_back(
        root, settings, "models.py", old="        self.size = None\n", new="        pass\n" + setter
    )
