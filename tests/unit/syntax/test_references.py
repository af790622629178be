"""Where references come from: each context by hand, then modules of Python against its parser."""

import ast
from pathlib import Path

import pytest

from mu.model.facts import FileFacts, Op, ReferenceKind
from mu.syntax import Extractor
from unit.syntax.oracle import names_read
from unit.syntax.reading import Reading

MODULES = [
    "abc", "argparse", "ast", "asyncio.base_events", "asyncio.locks", "asyncio.taskgroups",
    "bdb", "collections", "concurrent.futures.thread", "contextlib", "copy", "csv",
    "dataclasses", "difflib", "doctest", "email.message", "enum", "fractions", "functools",
    "heapq", "http.client", "inspect", "json.decoder", "logging", "pathlib", "pdb", "pickle",
    "random", "shutil", "socket", "statistics", "subprocess", "tarfile", "tempfile",
    "threading", "types", "typing", "unittest.case", "urllib.request",
    "uuid", "weakref", "zipfile",
]  # fmt: skip


def names_referenced(facts: FileFacts) -> set[tuple[int, str]]:
    """The names that references start from: (first line of the definition or 0, name)."""
    found = set()
    for _, row, owner, _ in facts.references:
        op, text, base, _ = facts.expressions[row]
        while op in (Op.ATTRIBUTE, Op.CALL, Op.INDEX, Op.AWAIT):
            op, text, base, _ = facts.expressions[base]
        if op == Op.NAME:
            found.add((facts.definitions[owner].start_line if owner >= 0 else 0, text))
    return found


def missed(source: bytes) -> list[tuple[str, int]]:
    """Names and lines that `ast` reads and the facts do not refer to."""
    found = names_referenced(Extractor().extract(source, "python"))
    return [(name, line) for owner, name, line in names_read(source) if (owner, name) not in found]


@pytest.mark.parametrize("module", MODULES)
def test_every_name_that_a_module_of_python_reads_is_referred_to(module: str) -> None:
    path = Path(ast.__file__).parent.joinpath(*module.split("."))
    path = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")

    assert missed(path.read_bytes()) == []


def test_a_name_that_is_not_referred_to_is_noticed() -> None:
    source = b"a\ndef f(c):\n  return b, c\n"

    assert list(names_read(source)) == [(0, "a", 1), (2, "b", 3)]
    assert names_referenced(Extractor().extract(b"a\n", "python")) == {(0, "a")}


# A name `n` that is read, in each place where Python lets one stand.
CONTEXTS = [
    "n", "n.m", "n()", "(n)", "n[0]", "f(n)", "f(*n)", "f(**n)", "f(k=n)", "f(i for i in n)",
    "(n,)", "n, 1", "[n]", "[*n]", "{n}", "{n: 1}", "{1: n}", "{**n}",
    "-n", "not n", "n + 1", "1 < n", "1 in n", "n and 1", "1 or n",
    "n if 1 else 2", "1 if n else 2", "1 if 2 else n",
    "x[n]", "x[n:1]", "x[1:n]", "x[1, n]", "x[n] = 1", "n[0] = 1", "n.m = 1", "n.m += 1",
    "n[0] += 1", "x = n", "x = y = n", "x += n", "(x := n)",
    "x: int = n", "x: n", "x: k.T[n]", "x: 'n'", "x: list['n | None']",
    "lambda: n", "lambda i=n: i", "[n for i in x]", "[i for i in n]", "[i for i in x if n]",
    "{n: 1 for i in x}", "{1: n for i in x}", "{n for i in x}",
    "f'{n}'", "f'{n!r:>3}'", "f'{1:{n}}'", "'' f'{n}'",
    "del n.m", "del n[0]", "del x[n]", "assert n", "assert 1, n", "raise n", "raise E from n",
    "if n: pass", "if 1: pass\nelif n: pass", "while n: pass", "for i in n: pass",
    "for i in 1, n: pass", "for n.m in x: pass",
    "with n: pass", "with n as x: pass", "with n() as x: pass", "with (n as x, y as z): pass",
    "with x as n.m: pass", "try: pass\nexcept n: pass", "try: pass\nexcept n as e: pass",
    "try: pass\nexcept (E, n): pass", "try: pass\nexcept* n: pass",
    "match n:\n  case _: pass", "match 1, n:\n  case _: pass", "match x:\n  case _ if n: pass",
    "@n\ndef f(): pass", "@n.m\nclass C: pass", "@f(n)\ndef f(): pass",
    "class C(n): pass", "class C(n.m): pass", "class C(n[int]): pass", "class C(G[n]): pass",
    "class C(metaclass=n): pass", "class C(k=n.m): pass", "class C:\n  n",
    "def f(i=n): pass", "def f(i: n): pass", "def f(i: n = 1): pass", "def f(i: int = n): pass",
    "def f(*i: n, **k: int): pass", "def f(*i: int, **k: n): pass", "def f() -> n: pass",
    "def f() -> 'n': pass", "def f(): return n", "def f(): return 1, n", "def f(): yield n",
    "def f(): yield from n", "def f(): x = yield n", "async def f(): await n",
    "async def f():\n  async with n: pass", "async def f():\n  async for i in n: pass",
    "type A = n", "print >>n, 1", "exec n in x",
]  # fmt: skip
PATTERNS = ["n()", "n.m()", "n.m", "[n.m]", "n.m | 1", "{n.m: 1}", "C(k=n.m)"]


@pytest.mark.parametrize("source", CONTEXTS)
def test_name_is_referred_to_wherever_it_is_read(source: str) -> None:
    facts = Extractor().extract(source.encode(), "python")

    assert "n" in {name for _, name in names_referenced(facts)}


@pytest.mark.parametrize(
    "source", ["def f[T: n](): pass", "class C[T: n]: pass", "def f[T: (n, m)](): pass"]
)
def test_bound_of_a_type_parameter_is_referred_to(source: str) -> None:
    facts = Extractor().extract(source.encode(), "python")

    assert "n" in {name for _, name in names_referenced(facts)}


@pytest.mark.parametrize("pattern", PATTERNS)
def test_name_in_a_pattern_is_referred_to(pattern: str) -> None:
    facts = Extractor().extract(f"match x:\n  case {pattern}: pass\n".encode(), "python")

    assert "n" in {name for _, name in names_referenced(facts)}


EXAMPLES = {
    "calls": (
        """
        def run(job):
            job.start(now(), mode=FAST)
        """,
        [
            "3 call job@run.start(now(), mode=FAST) in run",
            "3 call now() in run",
            "3 value FAST in run",
        ],
    ),
    "class": (
        """
        class Cart(Base, metaclass=Meta):
            total: Money = ZERO
        """,
        [
            "2 base Base in Cart",
            "2 value Meta",
            "3 annotation Money in Cart",
            "3 value ZERO in Cart",
        ],
    ),
    "header": (
        """
        @route("/")
        @login
        def page(user: User = GUEST) -> Page:
            'Names in a docstring are none.'
        """,
        [
            "2 call route('/')",
            "2 decorator route in page",
            "3 decorator login in page",
            "4 annotation Page in page",
            "4 annotation User in page",
            "4 value GUEST",
        ],
    ),
    "nested functions": (
        """
        def outer():
            run(lambda: step(LIMIT))
            return inner

            def inner(): pass
        """,
        [
            "3 call run(function(outer.<lambda>)) in outer",
            "3 call step(LIMIT) in outer",
            "3 value LIMIT in outer",
            "4 value inner@outer in outer",
        ],
    ),
    "the same twice": (
        """
        def twice():
            first.go()
            first.go()
            return first, first.stop
        """,
        [
            "3 call first.go() in twice",
            "3 value first in twice",
            "4 call first.go() in twice",
            "4 value first in twice",
            "5 value first in twice",
            "5 value first.stop in twice",
        ],
    ),
    "local data": (
        """
        def local(a, *b, **c):
            d = a
            for e in b: print(c, d, e)
        """,
        [
            "4 call print(c@local, d@local, e@local) in local",
            "4 operation element(b@local) in local",
        ],
    ),
    "operations": (
        """
        def run(a, b):
            with a: pass
            with b as c: pass
            a[b] = c
            del a[b]
            if a[b] in b and b < c: pass
            d: list[int] = a + "x"
            for e in b.items(): pass
        """,
        [
            "3 operation entered(a@run) in run",
            "4 operation entered(b@run) in run",
            "5 operation set(a@run[b@run]) in run",
            "6 operation del(a@run[b@run]) in run",
            "7 operation (a@run[b@run] in b@run) in run",
            "7 operation (b@run < c@run) in run",
            "7 operation a@run[b@run] in run",
            "8 annotation int in run",
            "8 annotation list in run",
            "8 operation (a@run + 'x') in run",
            "9 call b@run.items() in run",
            "9 operation element(b@run.items()) in run",
        ],
    ),
    "operations that no sign stands for": (
        """
        def run(a, b):
            if a: pass
            while not b: pass
            c = f"{a} {b!r}"
            a.x = -b
            a += b
            d, e = a
            [*a, "y" in b]
        """,
        [
            "3 operation if a@run in run",
            "4 operation if b@run in run",
            "5 operation format a@run in run",
            "5 operation repr b@run in run",
            "6 operation -b@run in run",
            "6 operation set(a@run.x) in run",
            "7 operation (a@run += b@run) in run",
            "8 operation element(a@run) in run",
            "9 operation ('y' in b@run) in run",
        ],
    ),
}


@pytest.mark.parametrize(("source", "references"), EXAMPLES.values(), ids=EXAMPLES)
def test_references_of_a_piece_of_code(source: str, references: list[str]) -> None:
    assert Reading(source).references() == references


@pytest.mark.parametrize(
    ("source", "line"),
    [("(a\n .b\n .c())", 3), ("(a\n .b\n .c)(\n1)", 3), ("f(\n1,\n2)", 1)],
)
def test_call_is_on_the_line_of_what_is_called(source: str, line: int) -> None:
    rows = Reading(source).facts.references

    assert [row[3] for row in rows if row[0] == ReferenceKind.CALL] == [line]


def test_name_called_in_one_place_is_a_value_in_another() -> None:
    reading = Reading("def a(): return step()\ndef b(): return run(step)\n")

    assert "2 value step in b" in reading.references()


def test_annotation_is_listed_once_for_each_definition() -> None:
    reading = Reading("def f(a: T, b: T) -> T: pass\n")

    assert reading.references() == ["1 annotation T in f"]


def test_annotation_is_no_value() -> None:
    assert Reading("x: typing.List[T]\n").references(ReferenceKind.VALUE) == []


def test_generic_base_is_no_value() -> None:
    assert Reading("class C(Base[T]): pass\n").references(ReferenceKind.VALUE) == []


@pytest.mark.xfail(reason="the grammar takes it for an alias of a type")
def test_attribute_of_a_type_is_set() -> None:
    reading = Reading("type(box).size = 1\n")

    assert reading.references(ReferenceKind.CALL) == ["1 call type(box)"]
