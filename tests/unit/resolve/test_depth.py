"""Questions that depend on thousands of others, or on themselves: linking ends, with answers."""

import sys
from collections.abc import Iterator

import pytest

from mu.languages.loading import load_rules
from mu.model.graph import File, Graph
from mu.model.kinds import Category, EdgeKind
from mu.resolve import ProgramText, link
from mu.resolve.program import recursion_limit
from mu.syntax import Extractor

FRAMES = recursion_limit.STACK_FRAMES // 2
LONG = 2000
NESTED = 45  # brackets in brackets; deeper ones are not read

CLASS = """
class C:
    inner: "C"
    def go(self):
        return self
    def __add__(self, other):
        return self
    def __radd__(self, other):
        return self
    def __getitem__(self, key):
        return self

def same(x):
    return x

def some(*args, **kwargs):
    return args

"""


@pytest.fixture(autouse=True)
def _less_room(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Half of the stack that linking asks for."""
    before = sys.getrecursionlimit()
    monkeypatch.setattr(recursion_limit, "STACK_FRAMES", FRAMES)
    yield
    sys.setrecursionlimit(before)


def linked(texts: dict[str, str]) -> Graph:
    """The graph of Python files by path."""
    files, facts = [], {}
    for key, (path, text) in enumerate(sorted(texts.items())):
        facts[key] = Extractor().extract(text.encode(), "python")
        size, lines = len(text), text.count("\n")
        files.append(File(key, path, "python", Category.SOURCE, "indexed", "", "", size, lines, ()))
    return link(ProgramText(files, facts, load_rules({"python"})))


def calls(graph: Graph) -> set[tuple[str, str]]:
    """The calls between nodes, as (source, target)."""
    ids = {node.key: node.id for node in graph.nodes}
    return {(ids[e.source], ids[e.target]) for e in graph.edges if e.kind == EdgeKind.CALLS}


def chain(first: str, step: str, last: str, *, count: int) -> str:
    """`first`, then `step` for each number `{n}` and the one after it `{m}`, then `last`."""
    steps = "".join(step.format(n=n, m=n + 1) for n in range(count))
    return f"{CLASS}{first}{steps}{last.format(n=count)}"


FOLLOWED = {
    "a sum": f"{CLASS}c = C()\n({'c + ' * LONG}c).go()\n",
    "a sum of reflected operators": f"{CLASS}c = C()\n(1{' + c' * LONG}).go()\n",
    "sums in sums": f"{CLASS}c = C()\n{'(1 + ' * NESTED}c{')' * NESTED}.go()\n",
    "calls in calls": f"{CLASS}{'same(' * NESTED}C(){')' * NESTED}.go()\n",
    "calls by keyword": f"{CLASS}{'same(x=' * (NESTED // 2)}C(){')' * (NESTED // 2)}.go()\n",
    "a chain of attributes": f"{CLASS}C(){'.inner' * LONG}.go()\n",
    "a chain of subscripts": f"{CLASS}C(){'[0]' * LONG}.go()\n",
    "choices": f"{CLASS}({'C() or ' * LONG}C()).go()\n",
    "assignments": chain("a0 = C()\n", "a{m} = a{n} + 1\n", "a{n}.go()\n", count=45),
    "functions": chain(
        "def f0(): return C()\n", "def f{m}(): return f{n}()\n", "f{n}().go()\n", count=45
    ),
    "base classes": chain(
        "class B0(C): pass\n", "class B{m}(B{n}): pass\n", "B{n}().go()\n", count=150
    ),
    "parameters for the rest": chain(
        "", "def p{n}(*a, **k): p{m}(*a, **k)\n", "def p{n}(x): x.go()\np0(C())\n", count=LONG
    ),
    "arguments that are spread": chain(
        "a0 = (C(),)\n", "a{m} = (same(*a{n}),)\n", "a{n}[0].go()\n", count=100
    ),
}

PARTS = ["'g'"] * LONG
SPREAD = [f"some(*a, {n})" for n in range(40)]
UNIONS = [f"A{n} = Union[{', '.join(f'A{m}' for m in range(30))}]\n" for n in range(30)]
ENDING = {
    "types of each other": "\n".join(
        [CLASS, "from typing import Union", *UNIONS, "def f(x: A0): x.go()\n"]
    ),
    "assignments": chain("a0 = C()\n", "a{m} = a{n} + 1\n", "a{n}.go()\n", count=LONG),
    "what a name is bound to again": chain("a = C()\n", "a = same(a)\n", "a.go()\n", count=LONG),
    "arguments that are spread": chain(
        "a0 = (C(),)\n", "a{m} = (same(*a{n}),)\n", "a{n}[0].go()\n", count=LONG
    ),
    "assignments that come later": chain(
        "def run(): a0.go()\n", "a{n} = a{m} + 1\n", "a{n} = C()\n", count=LONG
    ),
    "decorators in decorators": chain(
        "",
        "def d{n}(f):\n    @d{m}\n    def inner(*a): return f(*a)\n    return inner\n",
        "def d{n}(f): return f\n@d0\ndef run(): return C()\nrun().go()\n",
        count=500,
    ),
    "arguments that come later": chain(
        "def run(): return a0\n",
        "a{n} = (some(*a{m}),)\n",
        "a{n} = (C(),)\nrun()[0].go()\n",
        count=LONG,
    ),
    "generators": chain(
        "",
        "def g{n}(): yield from g{m}()\n",
        "def g{n}(): yield C()\nfor x in g0(): x.go()\n",
        count=LONG,
    ),
    "lists in lists": f"{CLASS}a = {'[' * NESTED}C(){']' * NESTED}\na.go()\n",
    "a name that is put together": f"{CLASS}getattr(C(), {'+'.join(PARTS)}).go()\n",
    "an argument of itself": f"{CLASS}def f(*a):\n    a = (some(*a),)\n    return a\nf()[0].go()\n",
    "arguments of each other": f"{CLASS}def f(*a):\n    a = ({', '.join(SPREAD)})\n    a[3].go()\n",
}


@pytest.mark.parametrize("name", FOLLOWED)
def test_a_long_way_is_followed_to_its_end(name: str) -> None:
    graph = linked({"a.py": FOLLOWED[name]})

    assert graph.failures == {}
    assert "fn:a.py:C.go" in {target for _, target in calls(graph)}


@pytest.mark.parametrize("name", ENDING)
def test_a_way_that_is_too_long_or_has_no_end_is_given_up(name: str) -> None:
    graph = linked({"a.py": f"{ENDING[name]}C()\n"})

    assert graph.failures == {}
    assert "cls:a.py:C" in {target for _, target in calls(graph)}


def test_what_is_passed_on_a_thousand_times_is_found() -> None:
    hops = {f"m{n:04}.py": f"from m{n + 1:04} import go\n" for n in range(1000)}
    last = {"m1000.py": "def go():\n    pass\n", "z.py": "from m0980 import go\n\ngo()\n"}

    found = calls(linked({**hops, **last}))

    assert ("mod:z.py", "fn:m1000.py:go") in found
