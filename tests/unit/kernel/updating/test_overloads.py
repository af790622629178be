"""Calls choose among functions of one name, or of one dispatcher, by their arguments: they see an
edit of any of them.
"""

from pathlib import Path

import pytest

from mu.kernel.building import build
from mu.kernel.settings import BuildSettings
from support.updated_graphs import check_is_as_built, edit

pytestmark = pytest.mark.usefixtures("_unbounded")
FILES = {
    "zoo/Cat.java": "package zoo;\n\nclass Cat {\n    void purr() {\n    }\n}\n",
    "zoo/Dog.java": "package zoo;\n\nclass Dog {\n    void bark() {\n    }\n}\n",
    "zoo/Keeper.java": """
        package zoo;

        class Keeper {
            Keeper(Dog dog) {
                dog.bark();
            }

            Keeper(Object one) {
            }

            static Cat fed() {
                return null;
            }
        }
    """,
    "zoo/Vet.java": """
        package zoo;

        class Vet extends Keeper {
            Vet(Cat cat) {
                super(cat);
            }

            static Dog seen(Dog dog) {
                return dog;
            }

            static Cat seen(Object one) {
                return null;
            }
        }
    """,
    "zoo/feeding.py": """
        from functools import singledispatch


        @singledispatch
        def feed(animal): ...
    """,
    "zoo/cats.py": """
        from zoo.feeding import feed


        def feed_cat(cat: int): ...
    """,
    "zoo/day.py": """
        from zoo.feeding import feed


        def day():
            feed(1)
    """,
    "zoo/Day.java": """
        package zoo;

        class Day {
            void feed(Cat cat) {
                Keeper.fed(cat).purr();
            }

            void heal(Cat cat) {
                Vet.seen(cat).purr();
            }

            void hire(Cat cat) {
                new Keeper(cat);
            }
        }
    """,
}
EDITS = {
    "number of parameters that none fits": ("zoo/Keeper.java", "fed()", "fed(Cat cat)"),
    "type of a parameter": ("zoo/Vet.java", "seen(Dog dog)", "seen(Cat cat)"),
    "overload of a class above": ("zoo/Keeper.java", "Cat fed()", "Dog seen(Cat cat)"),
    "implementation of a function that dispatches": (
        "zoo/cats.py",
        "def feed_cat",
        "@feed.register\ndef feed_cat",
    ),
    "constructor": ("zoo/Keeper.java", "Keeper(Dog dog) {", "Keeper(Cat dog) {"),
}


@pytest.mark.parametrize("name", EDITS)
def test_calls_that_may_mean_an_overload_are_linked_again(
    root: Path, settings: BuildSettings, name: str
) -> None:
    build(root, settings)
    path, old, new = EDITS[name]
    for change in ((old, new), (new, old)):
        edit(root, path, *change)
        report = build(root, settings)
        assert report.updated
        check_is_as_built(root, settings, report)
