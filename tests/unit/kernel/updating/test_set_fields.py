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
