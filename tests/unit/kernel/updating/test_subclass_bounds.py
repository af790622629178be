"""Of the classes below one only the first are looked at, and others come and go among them."""

from pathlib import Path
from textwrap import dedent

import pytest

from mu.kernel.building import build
from mu.kernel.settings import BuildSettings
from support.updated_graphs import check_is_as_built, edit

_BOUNDED = (
    *("lookup.class_hierarchy", "evaluation.attribute_loads", "evaluation.container_stores"),
    *("emit.override_reachability", "dispatch.virtual_dispatch", "dispatch.abstract_methods"),
    *(f"incremental.altered_classes.{name}" for name in ("other_bases", "subclass_bounds")),
)
_MOST = 3

pytestmark = pytest.mark.usefixtures("_unbounded")

KIN = """
    from base import Base, Value


    class {name}(Base):
        def __init__(self):
            self.value = Value()

        def special(self):
            return Value()

        def step(self):
            return self.special()


    def run():
        return {name}().run()
"""
FILES = {
    "base.py": """
        class Value:
            def go(self): ...


        class Base:
            rows = []

            def run(self):
                return self.step()

            def step(self): ...

            def read(self):
                return self.value.go()

            def each(self):
                for row in self.rows:
                    row.go()

            @classmethod
            def create(cls):
                return cls()
    """,
    "use.py": """
        from base import Base


        def use(one: Base):
            one.step()
            one.special()
            one.value.go()
            return Base.create().step()
    """,
    **{f"kin{name}.py": KIN.format(name=name) for name in "BCEGH"},
    "kinF.py": "from base import Base, Value\n\n\nclass F(Base):\n    def other(self): ...\n",
    **{f"other{n}.py": f"def other{n}():\n    return other{n}\n" for n in range(30)},
}
FILLING = """
    from base import Base, Value


    class D(Base):
        def fill(self):
            self.rows.append(Value())
"""
EDITS = {
    "one comes first": {"kinA.py": KIN.format(name="A")},
    "one comes in the middle": {"kinD.py": KIN.format(name="D")},
    "one comes at the end": {"kinI.py": KIN.format(name="I")},
    "one without members comes": {"kinA.py": "from base import Base\n\n\nclass A(Base): ...\n"},
    "one more in a file": {"kinF.py": FILES["kinF.py"] + "\n\nclass F2(Base):\n    x = Value()\n"},
    "one extends it no more": {"kinB.py": KIN.format(name="B").replace("(Base)", "")},
    "two go": {"kinB.py": "", "kinC.py": ""},
}


@pytest.fixture(autouse=True)
def _few_subclasses(monkeypatch: pytest.MonkeyPatch) -> None:
    """As many classes are looked at as a test can have."""
    for module in _BOUNDED:
        monkeypatch.setattr(f"mu.resolve.{module}.MOST_SUBCLASSES", _MOST)


@pytest.mark.parametrize("name", EDITS)
def test_classes_take_the_place_of_others_below_one(
    root: Path, settings: BuildSettings, name: str
) -> None:
    texts = EDITS[name]
    before = {path: (root / path).read_text() for path in texts if (root / path).exists()}
    build(root, settings)
    for path, text in texts.items():
        edit(root, path, None, _flat(text))
    report = build(root, settings)
    assert report.updated
    check_is_as_built(root, settings, report)
    for path in texts:
        edit(root, path, None, before.get(path, ""))
    report = build(root, settings)
    assert report.updated
    check_is_as_built(root, settings, report)


@pytest.mark.parametrize(
    "edits",
    [
        pytest.param(
            [("kinD.py", FILLING), ("kinA.py", KIN.format(name="A"))], id="one that fills"
        ),
        pytest.param([(f"kin{name}.py", "") for name in "BCE"], id="no more than the bound"),
    ],
)
def test_what_a_bound_alters_elsewhere_is_built_anew(
    root: Path, settings: BuildSettings, edits: list[tuple[str, str]]
) -> None:
    build(root, settings)
    is_updated = []
    for path, text in edits:
        edit(root, path, None, _flat(text))
        report = build(root, settings)
        is_updated.append(report.updated is not None)
        check_is_as_built(root, settings, report)
    assert not is_updated[-1]


def _flat(text: str) -> str:
    return dedent(text).lstrip()
