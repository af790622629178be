import pytest

from mu.model.facts import Op, ReferenceKind
from mu.syntax import Extractor
from mu.syntax.roles.tree_walk import DEPTH
from unit.syntax.reading import Reading

# What is written, and its row.
VALUES = {
    "a": "a",
    "a.b.c": "a.b.c",
    "a . b": "a.b",
    "((a))": "a",
    "(a)\\\n .b": "a.b",
    "a()": "a()",
    "a.b().c()": "a.b().c()",
    "a(1)(2)": "a(<int>)(<int>)",
    "a(b, *c, k=d, **e)": "a(b, *c, k=d, **e)",
    "a(b for b in c)": "a(generator of b@<block>)",
    "a(b, # c\n d)": "a(b, d)",
    "a[b]": "a[b]",
    "a[b, c]": "a[b, c]",
    "a[b:c]": "a[slice{b, c}]",
    "a[0].b[1]()": "a[<int>].b[<int>]()",
    "await a.b()": "await(a.b())",
    "a if b else c": "either(a, c)",
    "a if b else a": "either(a)",
    "a or b": "either(a, b)",
    "a or b or c": "either(either(a, b), c)",
    "a and b": "either(b)",
    "not a": "?",
    "a < b": "(a < b)",
    "-a": "-a",
    "a + b": "(a + b)",
    "a | b & c": "(a | (b & c))",
    "(lambda: a)": "function(<lambda>)",
    "(y := a)": "a",
    "y = a": "a",
    "(yield a)": "sent",
    "yield": "sent",
    "[a, *b]": "list{a, *b}",
    "(a, b)": "tuple{a, b}",
    "a, b": "tuple{a, b}",
    "()": "tuple{}",
    "{a, b}": "set{a, b}",
    "{a: b, **c}": "dict{a: b, **c}",
    "[a for i in b]": "list of a",
    "{a for i in b}": "set of a",
    "{a: i for i in b}": "dict of a: i@<block>",
    "(a for i in b)": "generator of a",
    "1": "<int>",
    "1.0": "<float>",
    "True": "<bool>",
    "None": "<none>",
    "...": "?",
    "'a'": "'a'",
    '"a"': "'a'",
    "'''a'''": "'a'",
    "''": "''",
    "'\"'": "'\"'",
    "'é'": "'é'",
    "'a\\n'": "<str>",
    "f'a'": "<str>",
    "r'a'": "'a'",
    "R'a\\d'": "'a\\\\d'",
    "rb'a'": "<bytes>",
    "b'a'": "<bytes>",
    "B'a'": "<bytes>",
    "'a' 'b'": "<str>",
    f"'{'a' * 300}'": "<str>",
}


@pytest.mark.parametrize(("source", "row"), VALUES.items())
def test_value_has_its_row(source: str, row: str) -> None:
    assert Reading(f"x = {source}\n").value() == row


def test_value_of_a_lambda_that_no_name_is_bound_to_is_the_function() -> None:
    assert Reading("x.y = lambda: a\n").value("y") == "function(<lambda>)"


def test_lambda_that_a_name_is_bound_to_is_a_definition_and_no_binding() -> None:
    assert [row.name for row in Reading("x = lambda: a\n").facts.bindings] == []


def test_expression_is_one_row_however_often_it_is_written() -> None:
    reading = Reading(
        """
        def f(a): return a.b(1), a.b(1)
        def g(a): return a.b(1)
        """
    )

    rows = reading.expressions()
    assert rows.count("a@f.b(<int>)") == 1
    assert rows.count("a@g.b(<int>)") == 1
    assert len(rows) == len(set(rows))


def test_first_row_is_the_one_nothing_is_known_of() -> None:
    assert Reading("").expressions()[0] == "?"


def test_rows_point_at_rows_before_them() -> None:
    rows = Reading("x = a.b(c[d], *e, k={f: [g]}) or await h\n").facts.expressions

    named = [row for row in rows if row[0] == Op.NAME]
    assert len(named) == 7
    assert all(max((row[2], *row[3])) < n for n, row in enumerate(rows) if n and row not in named)


@pytest.mark.parametrize(
    ("link", "count"), [(".a", 5_000), ("[0]", 5_000), ("()", 3_000), (".a(b)[0]", 2_000)]
)
def test_chain_of_any_length_is_followed(link: str, count: int) -> None:
    facts = Extractor().extract(b"x = a" + link.encode() * count + b"\n", "python")

    assert facts.problems == ()
    row, length = facts.bindings[-1].value, 0
    while facts.expressions[row][0] != Op.NAME:
        row, length = facts.expressions[row][2], length + 1
    assert length == count * {".a(b)[0]": 3}.get(link, 1)


def nested(opening: str, closing: str, depth: int) -> str:
    return f"x = {opening * depth}y{closing * depth}\n"


def test_parentheses_are_of_no_matter() -> None:
    reading = Reading(nested("(", ")", 3_000))

    assert reading.value() == "y"
    assert reading.facts.problems == ()


@pytest.mark.parametrize(
    ("opening", "closing"), [("f(", ")"), ("[", "]"), ("{0: ", "}"), ("0 + ", "")]
)
def test_values_nested_deeper_than_people_write_are_opaque(opening: str, closing: str) -> None:
    shallow, deep = (Reading(nested(opening, closing, depth)) for depth in (10, 3_000))

    assert shallow.facts.problems == ()
    assert "y" in shallow.value()
    assert [row.message for row in deep.facts.problems] == [
        f"expressions nested deeper than {DEPTH} are left out"
    ]


def test_call_inside_what_is_too_deep_is_still_a_reference() -> None:
    reading = Reading(nested("f(", ")", DEPTH * 2))

    assert len(reading.references(ReferenceKind.CALL)) == DEPTH * 2


def test_long_chain_of_names_is_spelled_as_a_short_one() -> None:
    name = "a" * 300

    assert Reading(f"x = b.{name}.c\n").value() == f"b.{name}.c"


TYPES = {
    "T": "T",
    "a.T": "a.T",
    "'T'": "T",
    "'a.T[U]'": "a.T[U]",
    "list[T]": "list[T]",
    "list['T']": "list[T]",
    "dict[str, list[T]]": "dict[str, list[T]]",
    "T | None": "(T | <none>)",
    "'T' | None": "(T | <none>)",
    "list[T] | None": "either(list[T], <none>)",
    "type[T] | type[U]": "either(type[T], type[U])",
    "Callable[['T'], 'U']": "Callable[list{T}, U]",
    "Literal['T']": "Literal['T']",
    "typing.Literal['T']": "typing.Literal['T']",
    "Annotated['T', 'note']": "Annotated[T, 'note']",
    "'no type'": "?",
    "'['": "?",
    "''": "?",
}


@pytest.mark.parametrize(("source", "row"), TYPES.items())
def test_annotation_has_the_row_of_its_type(source: str, row: str) -> None:
    assert Reading(f"x: {source}\n").value() == row


def test_name_in_a_quoted_annotation_is_read_where_it_stands() -> None:
    reading = Reading("class C:\n  class K: pass\n  x: 'K'\n")

    assert reading.value() == "K@C"
