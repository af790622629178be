"""Operations and library functions call methods that nothing names: they see them come and go."""

from pathlib import Path

import pytest

from mu.kernel.building import build
from mu.kernel.settings import BuildSettings
from support.updated_graphs import check_is_as_built, edit

FILES = {
    "kinds.py": """
        class Above: ...


        class Kind(Above):
            def first(self):
                return Part()

            def second(self, *passed):
                return self


        class Below(Kind): ...


        class Part:
            def act(self): ...


        class Other:
            def __contains__(self, other): ...

            def __enter__(self): ...

            def __eq__(self, other): ...

            def __exit__(self, *error): ...

            def __getitem__(self, key): ...

            def __int__(self): ...

            def __iter__(self): ...

            def __len__(self): ...

            def __str__(self): ...

            def __add__(self, other): ...
    """,
    "above.py": """
        from kinds import Above, Below

        Below()


        def show(one: Above):
            return f"{one}", int(one), one == 1, len(one), one in one, one + one


        def walk(one: Above):
            with one as other:
                other.act()
            for part in one:
                part.act()
            for part in sorted(one):
                part.act()
            one[0].act()
    """,
    "below.py": """
        from kinds import Below


        class Holder:
            def __init__(self):
                self.held = Below()

            def show(self):
                return str(self.held), int(self.held), self.held == 1, len(self.held)

            def walk(self):
                with self.held as other:
                    other.act()
                for part in list(self.held):
                    part.act()
                (self.held + 1).act()
                return [part.act() for part in self.held], self.held[0].act()
    """,
    "unknown.py": """
        def show(one):
            return f"{one}", len(one), one == 1, one in one, one[0].act(), one + 1


        def walk(one):
            with one as other:
                other.act()
            for part in one:
                part.act()
    """,
}
_METHODS = (
    ("__str__", "__int__", "__eq__"),
    ("__len__", "__contains__", "__add__"),
    ("__enter__", "__exit__"),
    ("__iter__",),
    ("__getitem__",),
    ("__missing__",),
)


def _check(root: Path, settings: BuildSettings, old: str, new: str) -> None:
    """Hold graphs against builds after an edit of the classes, and after it is taken back."""
    build(root, settings)
    for before, after in ((old, new), (new, old)):
        edit(root, "kinds.py", before, after)
        report = build(root, settings)
        assert report.updated
        check_is_as_built(root, settings, report)


@pytest.mark.usefixtures("_unbounded")
@pytest.mark.parametrize("names", _METHODS, ids="".join)
def test_methods_that_come_and_go_are_seen_where_operations_call_them(
    root: Path, settings: BuildSettings, names: tuple[str, ...]
) -> None:
    head = "class Kind(Above):\n"
    methods = (f"    def {name}(self, *passed):\n        return Part()\n\n" for name in names)
    _check(root, settings, head, head + "".join(methods))


@pytest.mark.usefixtures("_unbounded")
def test_variables_of_classes_that_stand_for_such_methods_are_seen(
    root: Path, settings: BuildSettings
) -> None:
    names = ("__str__", "__eq__", "__iter__", "__enter__", "__getitem__")
    head = "class Below(Kind): ...\n"
    body = "".join(f"    {name} = Kind.first\n" for name in names)
    _check(root, settings, head, f"class Below(Kind):\n{body}")
    edit(root, "kinds.py", head, f"class Below(Kind):\n{body}")
    _check(root, settings, body, body.replace("first", "second"))


@pytest.mark.usefixtures("_unbounded")
def test_classes_with_such_methods_come_and_go_below_others(
    root: Path, settings: BuildSettings
) -> None:
    more = "class More(Above):\n    def __str__(self): ...\n\n\nMore()\n\n\nclass Part:\n"
    _check(root, settings, "class Part:\n", more)


@pytest.mark.usefixtures("_unbounded")
def test_the_first_method_that_operations_on_unknown_objects_could_call_is_built(
    root: Path, settings: BuildSettings
) -> None:
    edit(root, "unknown.py", "one + 1", "one + 1, one @ 1")
    build(root, settings)
    edit(root, "kinds.py", "class Part:\n", "class Part:\n    def __matmul__(self, other): ...\n")
    report = build(root, settings)
    assert report.updated is None
    check_is_as_built(root, settings, report)
