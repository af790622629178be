"""Classes that leave methods to be written run none that they inherit, as calls above them see."""

from pathlib import Path

import pytest

from mu.kernel.building import build
from mu.kernel.settings import BuildSettings
from support.updated_graphs import check_is_as_built, edit

FILES = {
    "above.py": """
        from abc import ABC, abstractmethod
        from typing import Protocol


        class Above(ABC):
            def go(self): ...

            @abstractmethod
            def one(self): ...


        class Shape(Protocol):
            def draw(self): ...
    """,
    "below.py": """
        from abc import abstractmethod
        from typing import Protocol

        from above import Above, Shape


        class Below(Above):
            def one(self): ...

            def more(self): ...


        class Drawn(Shape):
            def more(self): ...
    """,
    "other.py": """
        from above import Above


        class Other(Above):
            def go(self): ...

            def one(self): ...

            def two(self): ...


        class Picture:
            def draw(self): ...


        Other()
        Picture()
    """,
    "use.py": """
        from above import Above, Shape


        def use(one: Above, shape: Shape):
            one.go()
            shape.draw()
    """,
    **{f"other{n}.py": f"def other{n}():\n    return other{n}\n" for n in range(12)},
}
EDITS = {
    "a method is left to be written": (
        "below.py",
        "    def more",
        "    @abstractmethod\n    def more",
    ),
    "another one above": (
        "above.py",
        "    @abstractmethod\n    def one",
        "    @abstractmethod\n    def two(self): ...\n\n    @abstractmethod\n    def one",
    ),
    "it becomes a protocol": ("below.py", "class Drawn(Shape)", "class Drawn(Shape, Protocol)"),
}


@pytest.mark.parametrize("name", EDITS)
def test_calls_see_that_classes_below_run_no_more_what_they_inherit(
    root: Path, settings: BuildSettings, name: str
) -> None:
    path, old, new = EDITS[name]
    build(root, settings)
    for before, after in ((old, new), (new, old)):
        edit(root, path, before, after)
        report = build(root, settings)
        assert report.updated
        check_is_as_built(root, settings, report)
