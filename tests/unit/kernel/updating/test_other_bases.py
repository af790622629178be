"""After an edit of what classes extend, the files are linked again that see it, and no others."""

from collections.abc import Collection
from pathlib import Path
from typing import Any

import pytest

from mu.kernel.building import build
from mu.kernel.settings import BuildSettings
from mu.model.graph import Graph
from mu.resolve import link_documents
from support.updated_graphs import check_is_as_built, edit

pytestmark = pytest.mark.usefixtures("_unbounded")
FILES = {
    "zoo/animal.py": """
        class Animal:
            legs = 4

            def speak(self):
                return self.sound()

            def sound(self):
                return "?"

            @classmethod
            def born(cls):
                return cls()


        class Loud(Animal):
            def sound(self):
                return "!"

            def shout(self): ...


        class Quiet(Animal):
            def sleep(self): ...
    """,
    "zoo/dog.py": """
        from zoo.animal import Loud, Quiet


        class Dog(Loud):
            def fetch(self): ...


        class Puppy(Dog):
            def play(self):
                return self.shout()
    """,
    "zoo/pair.py": """
        from zoo.animal import Quiet


        class Mixed:
            def shout(self): ...
    """,
    "zoo/kennel.py": """
        from zoo.dog import Puppy


        def get():
            return Puppy()


        class Kennel:
            def __init__(self, dog):
                self.dog = dog
    """,
    "zoo/visit.py": """
        from zoo.kennel import Kennel, get


        def visit():
            get().shout()
            get().sleep()
            return Kennel(get())


        def wake(kennel: Kennel):
            kennel.dog.sleep()
    """,
    "zoo/show.py": """
        from zoo.animal import Animal, Loud


        def show(animal: Animal):
            animal.sound()


        def cry(loud: Loud):
            loud.shout()
            loud.sound()
    """,
    "zoo/alike.py": """
        class Engine:
            def shout(self): ...

            def sleep(self): ...


        def run(engine: Engine):
            engine.shout()
            engine.sleep()
    """,
    "zoo/lists.py": """
        def make():
            values = []
            values.append(make)
            return values
    """,
    "zoo/checks.py": """
        import unittest


        class Check(unittest.TestCase):
            def __call__(self, result=None): ...


        class Feeding(Check):
            def feed(self): ...


        class ZooCheck(Check):
            def test_all(self):
                self.feed()
    """,
    "zoo/crowd.py": "".join(f"class Kind{n}:\n    def graze(self): ...\n\n\n" for n in range(9))
    + """
class Single:
    def graze(self): ...


class Ox(Kind0): ...


def last(thing):
    thing.graze()


def call_all():
    last(Ox())
"""
    + "".join(f"    last(Kind{n}())\n" for n in range(9)),
    "zoo/steps.py": """
        class Holder: ...


        class Step(Holder):
            def __call__(self, animal):
                return animal


        class Wash(Step):
            def __call__(self, animal):
                return animal.sound()


        class Brush(Wash):
            def __call__(self, animal):
                return animal.speak()


        class Comb(Wash): ...


        def run(holder: Holder, animal):
            holder(animal)


        def run_all(animal):
            run(Brush(), animal)
            run(Comb(), animal)
    """,
    "shapes/Shape.java": """
        package shapes;

        interface Shape { void draw(); }
    """,
    "shapes/Round.java": """
        package shapes;

        class Round implements Shape {
            public void draw() {}
            void roll() {}
        }
    """,
    "shapes/Ball.java": """
        package shapes;

        class Ball extends Round {
            void bounce() { roll(); }
        }
    """,
    "shapes/Game.java": """
        package shapes;

        class Game {
            void play(Shape shape) { shape.draw(); }
            void start() { play(new Ball()); }
        }
    """,
    "ship/ship.go": """
        package ship

        type Engine struct{}

        func (e *Engine) Start() {}

        type Sail struct{}

        func (s *Sail) Hoist() {}

        type Ship struct {
            Engine
        }

        type Starter interface {
            Start()
        }
    """,
    "ship/port.go": """
        package ship

        func Leave(s Starter) { s.Start() }

        func Go() {
            ship := &Ship{}
            ship.Start()
            Leave(ship)
        }
    """,
    "view/view.ts": """
        export class View { render() { return 1; } }
        export class Panel extends View { open() { return this.render(); } }
        export class Dialog { render() { return 2; } }
    """,
    "view/main.ts": """
        import { Panel } from "./view";
        export function main(panel: Panel) { return panel.render(); }
    """,
    **{f"zoo/other{n}.py": f"def other{n}():\n    return other{n}\n" for n in range(30)},
}
EDITS = {
    "class in the middle": (6, "zoo/dog.py", "class Dog(Loud)", "class Dog(Quiet)"),
    "class at the end": (6, "zoo/dog.py", "class Puppy(Dog)", "class Puppy(Quiet)"),
    "no base": (5, "zoo/dog.py", "class Dog(Loud)", "class Dog"),
    "another one first": (5, "zoo/dog.py", "class Dog(Loud)", "class Dog(Quiet, Loud)"),
    "base outside": (6, "zoo/animal.py", "class Quiet(Animal)", "class Quiet(dict)"),
    "one with what the language calls": (1, "zoo/checks.py", "Check(Check)", "Check(Feeding)"),
    "one that has its own call method": (3, "zoo/steps.py", "Brush(Wash)", "Brush(Step)"),
    "of one of too many arguments": (1, "zoo/crowd.py", "class Ox(Kind0)", "class Ox(Single)"),
    "implemented in Java": (4, "shapes/Round.java", "implements Shape ", ""),
    "extended in Java": (4, "shapes/Ball.java", " extends Round", ""),
    "embedded in Go": (3, "ship/ship.go", "    Engine\n", "    Sail\n"),
    "extended in TypeScript": (2, "view/view.ts", "Panel extends View", "Panel extends Dialog"),
}


@pytest.mark.parametrize("name", EDITS)
def test_files_that_see_other_members_are_linked_again(
    root: Path, settings: BuildSettings, name: str
) -> None:
    build(root, settings)
    most, path, old, new = EDITS[name]
    before = (root / path).read_text()
    edit(root, path, old, new)
    report = build(root, settings)
    assert report.updated is not None
    assert 0 < report.updated <= most
    check_is_as_built(root, settings, report)
    edit(root, path, None, before)
    report = build(root, settings)
    assert report.updated
    check_is_as_built(root, settings, report)


def test_a_base_that_an_import_changes_is_seen(root: Path, settings: BuildSettings) -> None:
    build(root, settings)
    edit(root, "zoo/animal.py", "class Loud(Animal)", "class Louder(Animal)")
    edit(root, "zoo/pair.py", "from zoo.animal import Quiet", "from zoo.animal import Louder")
    edit(root, "zoo/dog.py", "import Loud, Quiet", "import Louder as Loud, Quiet")
    report = build(root, settings)
    assert report.updated
    check_is_as_built(root, settings, report)


def test_a_base_with_methods_that_nothing_names_is_built_anew(
    root: Path, settings: BuildSettings
) -> None:
    edit(root, "zoo/dog.py", "    def fetch(self): ...", "    def __add__(self, other): ...")
    build(root, settings)
    edit(root, "zoo/dog.py", "class Dog(Loud)", "class Dog(Quiet)")
    report = build(root, settings)
    assert report.updated is None
    check_is_as_built(root, settings, report)


def test_a_base_that_alters_what_calls_of_a_superclass_run_is_built_anew(
    root: Path, settings: BuildSettings
) -> None:
    build(root, settings)
    edit(root, "zoo/steps.py", "class Comb(Wash)", "class Comb(Step)")
    report = build(root, settings)
    assert report.updated is None
    check_is_as_built(root, settings, report)


@pytest.mark.parametrize(
    ("text", "pages"),
    [
        ("`Puppy.shout`", ["zoo.md"]),
        ("`shout` of `kennel.Puppy`", []),
        ("a kennel", []),
    ],
)
def test_pages_that_point_into_a_class_with_another_base_are_linked_again(
    *,
    root: Path,
    settings: BuildSettings,
    monkeypatch: pytest.MonkeyPatch,
    text: str,
    pages: object,
) -> None:
    found: list[str] = []

    def link(graph: Graph, facts: Any, *, linked: Collection[int]) -> Graph:
        found.extend(graph.files[place].path for place in linked)
        return link_documents(graph, facts, linked=linked)

    (root / "zoo.md").write_text(f"# Zoo\n\nHere is {text}.\n")
    (root / "other.md").write_text("# Other\n\nOf `Puppy` and `Dog`.\n")
    build(root, settings)
    monkeypatch.setattr("mu.kernel.updating.document_relinking.link_documents", link)
    edit(root, "zoo/dog.py", "class Dog(Loud)", "class Dog(Quiet)")
    report = build(root, settings)
    assert found == pages
    assert report.updated
    check_is_as_built(root, settings, report)
