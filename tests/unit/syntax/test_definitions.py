import pytest

from mu.model.facts import Flag
from unit.syntax.reading import Reading

SIGNATURES = {
    "def f(): pass": "def f()",
    "def f(a, /, b: int = 1, *c, d, **e) -> str: pass": (
        "def f(a, /, b: int = 1, *c, d, **e) -> str"
    ),
    "def f(\n    a,\n    b=':',\n) -> (\n  int\n):\n  pass": "def f( a, b=':', ) -> ( int )",
    "async def f(): pass": "async def f()",
    "def f[T: int](a: T): pass": "def f[T: int](a: T)",
    "class f: pass": "class f",
    "class f(A, metaclass=M):\n  pass": "class f(A, metaclass=M)",
    "f = lambda a, b=1: a": "lambda a, b=1: a",
    "@d\ndef f(): pass": "def f()",
}

DOCSTRINGS = {
    "def f():\n  'Text.'": "Text.",
    'def f():\n  """Text.\n\n    More.\n    """': "Text.\n\nMore.",
    "def f():\n  # A comment.\n  'Text.'": "Text.",
    "class f:\n  'Text.'": "Text.",
    "class f:\n  a = 1\n  'Text.'": "",
    "def f(): pass\n'Text.'": "",
    "def f():\n  x = 'Text.'": "",
    "def f():\n  f'Text.'": "",
    "def f():\n  ''": "",
}

FLAGS = {
    "def f(): pass": Flag.NONE,
    "async def f(): pass": Flag.ASYNC,
    "def f(): yield": Flag.GENERATOR,
    "def f(): x = yield 1": Flag.GENERATOR,
    "def f(): yield from x": Flag.GENERATOR,
    "async def f(): yield": Flag.ASYNC | Flag.GENERATOR,
    "def f():\n  def g(): yield": Flag.NONE,
    "def f(): return (x for x in y)": Flag.NONE,
    "if X:\n  def f(): pass": Flag.CONDITIONAL,
    "if X: pass\nelse:\n  class f: pass": Flag.CONDITIONAL,
    "try:\n  def f(): pass\nexcept E: pass": Flag.CONDITIONAL,
    "if TYPE_CHECKING:\n  class f: pass": Flag.TYPE_ONLY | Flag.CONDITIONAL,
    "if t.TYPE_CHECKING:\n  class f: pass": Flag.TYPE_ONLY | Flag.CONDITIONAL,
    "if TYPE_CHECKING: pass\nelse:\n  class f: pass": Flag.CONDITIONAL,
    "if not TYPE_CHECKING:\n  class f: pass": Flag.CONDITIONAL,
}

# McCabe: one, and one more for each decision; worked by hand.
COMPLEXITIES = {
    "def f(): pass": 1,
    "def f():\n  if a: pass": 2,
    "def f():\n  if a: pass\n  else: pass": 2,
    "def f():\n  if a: pass\n  elif b: pass\n  else: pass": 3,
    "def f():\n  for a in b: pass\n  else: pass": 2,
    "def f():\n  while a: pass": 2,
    "def f():\n  try: pass\n  except A: pass\n  except B: pass\n  finally: pass": 3,
    "def f():\n  with a: pass": 1,
    "def f():\n  return a and b or c": 3,
    "def f():\n  return a if b else c": 2,
    "def f():\n  return [a for a in b if c if d]": 4,
    "def f():\n  assert a": 1,
    "def f():\n  match a:\n    case 1: pass\n    case 2 if b: pass": 4,
    "def f():\n  def g():\n    if a: pass": 1,
    "def f():\n  if a:\n    for b in c:\n      while d and e: pass": 5,
    "f = lambda: a or b": 2,
    "class f:\n  if a: pass\n  def g(self):\n    if b: pass": 2,
}


@pytest.mark.parametrize(("source", "signature"), SIGNATURES.items())
def test_signature_is_the_header_on_one_line(source: str, signature: str) -> None:
    assert Reading(source).definition("f").signature == signature


@pytest.mark.parametrize(("source", "docstring"), DOCSTRINGS.items())
def test_docstring_is_the_first_string_of_the_body(source: str, docstring: str) -> None:
    assert Reading(source).definition("f").docstring == docstring


@pytest.mark.parametrize(("source", "flags"), FLAGS.items())
def test_flags_of_a_definition(source: str, flags: Flag) -> None:
    assert Flag(Reading(source).definition("f").flags) == flags


@pytest.mark.parametrize(("source", "complexity"), COMPLEXITIES.items())
def test_complexity_counts_decisions(source: str, complexity: int) -> None:
    assert Reading(source).definition("f").complexity == complexity


def test_docstring_of_a_file_comes_after_comments() -> None:
    assert Reading("#!/bin/x\n# A comment.\n'''Text.'''\n").facts.docstring == "Text."
    assert Reading("import a\n'Text.'\n").facts.docstring == ""


def test_parameters_have_their_parts() -> None:
    reading = Reading("def f(a, b: int, /, c=1, *d: str, e: 'T' = x, **g): pass\n")

    rows = [
        (row.name, row.kind, row.text, *map(reading.expression, (row.annotation, row.default)))
        for row in reading.definition("f").parameters
    ]
    assert rows == [
        ("a", "", "a", "?", "?"),
        ("b", "", "b: int", "int", "?"),
        ("c", "", "c=1", "?", "<int>"),
        ("d", "*", "*d: str", "str", "?"),
        ("e", "", "e: 'T' = x", "T", "x"),
        ("g", "**", "**g", "?", "?"),
    ]


def test_parameters_are_bound_to_what_is_known_of_them() -> None:
    reading = Reading("def f(a: A = x, b=y, *c: C, d, **e: E): pass\n")

    assert reading.bindings() == [
        "1 a@f : A",
        "1 a@f = x",
        "1 b@f = y",
        "1 c@f : tuple of C",
        "1 e@f : dict of E",
    ]


def test_what_a_function_gives_is_listed_once() -> None:
    reading = Reading(
        """
        def f(a) -> "Page":
            def inner(): return 0
            if a: return x()
            yield a
            return x()
        """
    )

    row = reading.definition("f")
    assert (reading.expression(row.returns), row.returns_text) == ("Page", '"Page"')
    assert (reading.all(row.returned), reading.all(row.yielded)) == ("x()", "a@f")


def test_decorators_are_listed_from_the_outermost() -> None:
    reading = Reading(
        """
        @a
        @b.c(1)
        class K: pass

        class L:
            @property
            def size(self): pass
            @size.setter
            def size(self, value): pass
        """
    )

    shown = {
        (row.name, row.start_line): [
            (reading.expression(number), line, text) for number, line, text in row.decorators
        ]
        for row in reading.facts.definitions
    }
    assert shown == {
        ("K", 4): [("a", 2, "a"), ("b.c(<int>)", 3, "b.c(1)")],
        ("L", 6): [],
        ("size", 8): [("property", 7, "property")],
        ("size", 10): [("size@L.setter", 9, "size.setter")],
    }


def test_bases_are_told_from_keywords() -> None:
    reading = Reading("class K(A, b.B, C[T],\n  metaclass=M, *rest): pass\n")

    bases = reading.definition("K").bases
    assert [(reading.expression(row), line, word) for row, line, word in bases] == [
        ("A", 1, ""),
        ("b.B", 1, ""),
        ("C[T]", 1, ""),
        ("M", 2, "metaclass"),
        ("*rest", 2, ""),
    ]


def test_function_written_in_place_has_a_name_where_it_is_bound_to_one() -> None:
    reading = Reading("f = lambda a: a.b\nrun(lambda: 1)\nx.y = lambda: 2\n")

    rows = reading.facts.definitions
    assert [(row.kind, row.subkind, row.name, reading.all(row.returned)) for row in rows] == [
        ("function", "lambda", "f", "a@f.b"),
        ("function", "lambda", "", "<int>"),
        ("function", "lambda", "", "<int>"),
    ]


def test_definitions_know_where_they_are() -> None:
    reading = Reading(
        """
        class K:

            @d
            def m(self):
                class Inner: pass

        def m(): pass
        """
    )

    rows = reading.facts.definitions
    assert [(reading.path(n), r.start_line, r.end_line) for n, r in enumerate(rows)] == [
        ("K", 2, 6),
        ("K.m", 5, 6),
        ("K.m.Inner", 6, 6),
        ("m", 8, 8),
    ]
    assert [reading.scope(row.body) for row in rows] == ["K", "K.m", "K.m.Inner", "m"]


def test_digest_tells_texts_apart_and_places_not() -> None:
    first, moved, changed = (
        Reading(text).definition("f").digest
        for text in ("def f(): return 1\n", "\n\ndef f(): return 1\n", "def f(): return 2\n")
    )

    assert first == moved
    assert first != changed
