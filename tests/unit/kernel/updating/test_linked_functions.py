"""Of a file that did not change only the functions are linked that may see what an edit altered,
and the graph is the one from scratch.
"""

from pathlib import Path

import pytest

from mu.kernel.building import build
from mu.kernel.settings import BuildSettings
from support.updated_graphs import check_is_as_built, linked_functions, write_files

KINDS = """
    class Cash:
        def __init__(self, run=None): ...
        def go(self): ...


    class Card:
        def __init__(self, run=None): ...
        def go(self): ...
"""
BANK = "from kinds import Card, Cash\n\nCash()\nCard()\n"
MAKING = "from kinds import Card, Cash\n\n\ndef make():\n    return Cash()\n"
EDITS = {
    "a base class": (
        {
            "note.py": "from kinds import Card, Cash\n\n\nclass Note(Cash):\n    pass\n",
            "shop.py": """
                from kinds import Cash
                from note import Note


                def pay():
                    Note().go()


                def rest(rows):
                    rows.clear()


                def cash():
                    Cash().go()


                class Shop:
                    note = Note()

                    def close(self):
                        self.note.go()

                    def open(self, one):
                        self.one = one


                class Sub(Note):
                    def again(self):
                        self.go()
            """,
        },
        {"note.py": "from kinds import Card, Cash\n\n\nclass Note(Card):\n    pass\n"},
        {"pay", "cash", "close", "again"},
    ),
    "what functions return": (
        {
            "making.py": MAKING,
            "shop.py": """
                from making import make


                def pay():
                    make().go()


                def rest(rows):
                    rows.clear()


                class Shop:
                    def __init__(self):
                        self.means = make()

                    def close(self):
                        self.means.go()

                    def open(self):
                        return 1
            """,
        },
        {"making.py": MAKING.replace("Cash()", "Card()")},
        {"pay", "__init__", "close"},
    ),
    "names that come": (
        {
            "making.py": MAKING,
            "shop.py": """
                import making


                def pay():
                    making.fresh()


                def rest(rows):
                    rows.clear()
            """,
        },
        {"making.py": f"{MAKING}\n\ndef fresh():\n    return Card()\n"},
        {"pay"},
    ),
    "names that come by another name": (
        {
            "making.py": MAKING,
            "other.py": "from making import fresh as new\n",
            "shop.py": """
                from other import new


                def pay():
                    new().go()


                def rest(rows):
                    rows.clear()
            """,
        },
        {"making.py": f"{MAKING}\n\ndef fresh():\n    return Card()\n"},
        {"pay"},
    ),
    "defaults and decorators": (
        {
            "making.py": MAKING,
            "shop.py": """
                from making import make


                class Shop:
                    def pay(self, means=make()):
                        means.go()

                    def rest(self, rows):
                        rows.clear()
            """,
        },
        {"making.py": MAKING.replace("Cash()", "Card()")},
        {"pay"},
    ),
    "what is passed on": (
        {
            "making.py": "from shop import first\n\n\ndef run():\n    first(None)\n",
            "shop.py": """
                def first(means):
                    second(means)


                def second(means):
                    third(means)


                def third(means):
                    means.go()


                def rest(rows):
                    rows.clear()
            """,
        },
        {
            "making.py": "from kinds import Cash\nfrom shop import first\n\n\n"
            "def run():\n    first(Cash())\n"
        },
        {"first", "second", "third"},
    ),
    "constructors": (
        {
            "making.py": "class Base:\n    pass\n",
            "shop.py": """
                from making import Base


                class Shop(Base):
                    @classmethod
                    def open(cls):
                        return cls(1)

                    def copy(self):
                        return type(self)(2)


                def rest(rows):
                    rows.clear()
            """,
        },
        {"making.py": "class Base:\n    def __init__(self, count):\n        self.count = count\n"},
        {"open", "copy"},
    ),
    "names that are put together": (
        {
            "making.py": "class Base:\n    def do_one(self): ...\n",
            "shop.py": """
                from making import Base


                def run(name):
                    getattr(Base(), "do_" + name)()


                def rest(rows):
                    rows.clear()
            """,
        },
        {"making.py": "class Base:\n    def do_one(self): ...\n    def do_two(self): ...\n"},
        {"run"},
    ),
}
SEVERAL = {
    "a class that becomes a protocol by its bases": (
        {
            "shape.py": "from typing import Protocol\n\n\n"
            "class Shape(Protocol):\n    def go(self): ...\n",
            "more.py": "from shape import Shape\n\n\nclass More(Shape):\n    def more(self): ...\n",
            "shop.py": """
                from more import More
                from shape import Shape


                def pay(one: Shape):
                    one.go()


                def rest(one: More):
                    one.go()
            """,
        },
        {
            "more.py": "from typing import Protocol\nfrom shape import Shape\n\n\n"
            "class More(Shape, Protocol):\n    pass\n",
        },
    ),
    "decorated functions": (
        {
            "making.py": MAKING.replace("make()", "make(run)").replace("Cash()", "Cash(run)"),
            "shop.py": """
                from making import make


                class Shop:
                    @make
                    def pay(self):
                        return 1

                    def end(self):
                        self.pay.go()

                    def rest(self, rows):
                        rows.clear()
            """,
        },
        {"making.py": MAKING.replace("make()", "make(run)").replace("Cash()", "Card(run)")},
    ),
    "imports two files away": (
        {
            "here.py": "def f():\n    return Here()\n\n\nclass Here:\n    def go(self): ...\n",
            "there.py": "def f():\n    return There()\n\n\nclass There:\n    def go(self): ...\n",
            "first.py": "from here import f\n",
            "second.py": "from first import f as g\n",
            "shop.py": "from second import g\n\n\ndef pay():\n    g().go()\n",
        },
        {"first.py": "from there import f\n"},
    ),
    "element of a variable of a package that another file sets": (
        {
            "go.mod": "module example.com/shop\n\ngo 1.22\n",
            "shop/kinds.go": "package shop\n\ntype Bill interface{ Go() }\n\ntype Cash struct{}\n\n"
            "func (c *Cash) Go() {}\n\ntype Card struct{}\n\nfunc (c *Card) Go() {}\n",
            "shop/pay.go": "package shop\n\nvar bills = []Bill{&Cash{}}\n\n"
            "func pay() { bills[0].Go() }\n",
            "shop/set.go": "package shop\n",
        },
        {"shop/set.go": "package shop\n\nfunc set(bill Bill) { bills[0] = bill }\n"},
    ),
    "symbol of native code": (
        {
            "native/Cargo.toml": '[package]\nname = "native"\nversion = "0.1.0"\n',
            "native/src/lib.rs": 'pub extern "C" fn half_of(one: i32) -> i32 { one / 2 }\n',
            "shop.py": """
                import ctypes

                native = ctypes.CDLL("libnative.so")


                def pay(one):
                    return native.halve(one)
            """,
        },
        {
            "native/src/lib.rs": """
                #[export_name = "halve"]
                pub extern "C" fn half_of(one: i32) -> i32 { one / 2 }
            """,
        },
    ),
    "method that a table of names elsewhere has": (
        {
            "tables.py": 'STEPS = {"+": "go", "-": "stop"}\n',
            "shop.py": "from kinds import Cash\nfrom tables import STEPS as BY_SIGN\n\n\n"
            "def pay(sign):\n    getattr(Cash(), BY_SIGN[sign])()\n",
        },
        {
            "kinds.py": KINDS.replace(
                "        def go(self)", "        def stop(self): ...\n        def go(self)"
            )
        },
    ),
    "member that a function elsewhere sets of a module": (
        {
            "making.py": "made = None\n\n\ndef go():\n    made.go()\n",
            "shop.py": "from making import made as one\n\n\ndef pay():\n    one.go()\n",
            "set.py": "import making\n\n\ndef set_made(one):\n    making.made = one\n",
            "use.py": "from kinds import Cash\nfrom set import set_made\n\nset_made(None)\n",
        },
        {"use.py": "from kinds import Cash\nfrom set import set_made\n\nset_made(Cash())\n"},
    ),
    "text that is kept names what comes elsewhere": (
        {
            "making.py": "def old():\n    pass\n",
            "shop.py": "import making\n\n\ndef one():\n    return 1\n\n\n"
            "def two():\n    making.fresh()\n",
        },
        {
            "making.py": "def old():\n    pass\n\n\ndef fresh():\n    pass\n",
            "shop.py": "import making\n\n\ndef one():\n    return making.old()\n\n\n"
            "def two():\n    making.fresh()\n",
        },
    ),
    "text that is kept names what is imported otherwise": (
        {
            "here.py": "def f():\n    pass\n",
            "there.py": "def f():\n    pass\n",
            "shop.py": "from here import f\n\n\ndef one(): ...\n\n\ndef two():\n    f()\n",
        },
        {"shop.py": "from there import f\n\n\ndef one(): ...\n\n\ndef two():\n    f()\n"},
    ),
    "constructors of classes above": (
        {
            "making.py": "class Base:\n    pass\n",
            "below.py": "from making import Base\n\n\nclass Below(Base):\n    pass\n",
            "shop.py": "from below import Below\n\n\ndef pay():\n    Below(1)\n",
        },
        {"making.py": "class Base:\n    def __init__(self, count):\n        self.count = count\n"},
    ),
    "functions that are passed to what changed": (
        {
            "kinds.ts": "export class Cash { go() {} }\nexport class Card { go() {} }\n",
            "run.ts": 'import { Cash, Card } from "./kinds";\n'
            "export function run(back: (one: Cash) => void) { back(new Cash()); }\n",
            "shop.ts": 'import { run } from "./run";\nrun((one) => { one.go(); });\n'
            "export function rest() { return 1; }\n",
        },
        {
            "run.ts": 'import { Cash, Card } from "./kinds";\n'
            "export function run(back: (one: Card) => void) { back(new Card()); }\n",
        },
    ),
}


def _build_among_others(root: Path, settings: BuildSettings, files: dict[str, str]) -> None:
    """Write files among others that name nothing of them, and build their graph."""
    others = {f"other/other{n}.py": f"def other{n}(one):\n    one.other{n}()\n" for n in range(12)}
    write_files(root, {"kinds.py": KINDS, "bank.py": BANK, **others, **files})
    build(root, settings)


LONG = ("names that come", "names that come by another name", "names that are put together")
_LIKE = "seeks names as another case does"


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=pytest.mark.long(reason=_LIKE) if name in LONG else ())
        for name in EDITS
    ],
)
def test_functions_that_see_what_differs_are_linked_and_no_others(
    root: Path, settings: BuildSettings, name: str
) -> None:
    files, after, seeing = EDITS[name]
    _build_among_others(root, settings, files)
    write_files(root, after)
    with linked_functions("shop.py") as linked:
        report = build(root, settings)
    assert report.updated
    check_is_as_built(root, settings, report)
    assert linked == [seeing, seeing]  # before the edit and after it


BUILT = {"functions that are passed to what changed"}  # what has no name is passed less


@pytest.mark.parametrize("name", SEVERAL)
def test_the_graph_is_the_one_from_scratch(root: Path, settings: BuildSettings, name: str) -> None:
    files, after = SEVERAL[name]
    _build_among_others(root, settings, files)
    write_files(root, after)
    report = build(root, settings)
    assert report.updated or name in BUILT
    check_is_as_built(root, settings, report)


@pytest.mark.parametrize(
    ("text", "linked"),
    [("text/plain", []), ("text.html", []), ("util.text", [{"serve"}] * 2)],
)
def test_texts_with_the_name_of_a_module_inside_do_not_name_it(
    root: Path, settings: BuildSettings, text: str, linked: list[set[str]]
) -> None:
    files = {
        "util/__init__.py": "",
        "util/text.py": "def wrap(words):\n    return words\n",
        "shop.py": f"""
            def serve(reply):
                reply.send("{text}", "application/json", reply.json())
        """,
    }
    _build_among_others(root, settings, files)
    write_files(root, {"util/text.py": "import json\n\n\n" + files["util/text.py"]})
    with linked_functions("shop.py") as found:
        report = build(root, settings)
    assert found == linked
    check_is_as_built(root, settings, report)


@pytest.mark.parametrize(
    ("own", "linked"),
    [("other", []), ("save", [{"keep"}] * 2)],
    ids=["another class runs them", "none runs one of them"],
)
def test_what_a_class_inherits_alters_calls_if_no_class_like_it_runs_that(
    root: Path, settings: BuildSettings, own: str, linked: list[set[str]]
) -> None:
    files = {
        "model.py": """
            class Model:
                def save(self): ...
                def clean(self): ...
        """,
        "first.py": f"""
            from model import Model


            class First(Model):
                def {own}(self): ...


            First()
        """,
        "shop.py": """
            from model import Model


            def keep(one: Model):
                one.save()


            def check(one: Model):
                one.clean()
        """,
    }
    _build_among_others(root, settings, files)
    write_files(
        root,
        {
            "second.py": """
                from model import Model


                class Second(Model):
                    def title(self): ...


                Second()
            """
        },
    )
    with linked_functions("shop.py") as found:
        report = build(root, settings)
    assert found == linked
    assert report.updated
    check_is_as_built(root, settings, report)
