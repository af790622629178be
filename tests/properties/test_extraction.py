"""What must hold of the facts of any bytes whatever."""

import pytest
from hypothesis import example, given

from mu.model.facts import FileFacts, Op
from mu.syntax import Extractor, decode_facts, encode_facts
from properties.texts import SOURCES, any_bytes
from support.examples import examples

EXTRACTOR = Extractor()
NESTED = 10_000
many = examples(2)


def extract(text: bytes) -> FileFacts:
    return EXTRACTOR.extract(text, "python")


def is_row(index: int, rows: object, *, optional: bool = True) -> bool:
    assert isinstance(rows, list | tuple)
    return (-1 if optional else 0) <= index < len(rows)


@many
@given(any_bytes())
@example(b'def f(a: "", b: " ", c: "# no type") -> "def": pass\n')
def test_any_bytes_give_facts_whose_references_are_rows_of_the_file(text: bytes) -> None:
    facts = extract(text)

    for scope in facts.scopes:
        assert is_row(scope.parent, facts.scopes)
        assert is_row(scope.definition, facts.definitions)
    for definition in facts.definitions:
        assert is_row(definition.scope, facts.scopes, optional=False)
        assert is_row(definition.body, facts.scopes)
        given = [definition.returns, *definition.returned, *definition.yielded]
        given += [row[0] for row in (*definition.decorators, *definition.bases)]
        given += [row for p in definition.parameters for row in (p.annotation, p.default)]
        assert all(is_row(row, facts.expressions) for row in given)
    for binding in facts.bindings:
        assert is_row(binding.scope, facts.scopes, optional=False)
        assert is_row(binding.base, facts.expressions)
        assert is_row(binding.value, facts.expressions)
    for _, expression, owner, _ in facts.references:
        assert is_row(expression, facts.expressions, optional=False)
        assert is_row(owner, facts.definitions)
    assert all(is_row(row.scope, facts.scopes, optional=False) for row in facts.imports)


@many
@given(any_bytes())
def test_expressions_point_at_rows_of_the_right_sort(text: bytes) -> None:
    facts = extract(text)

    for op, _, base, args in facts.expressions:
        rows = {Op.NAME: facts.scopes, Op.FUNCTION: facts.definitions}.get(Op(op))
        assert is_row(base, facts.expressions if rows is None else rows)
        assert all(is_row(row, facts.expressions) for row in args)


@many
@given(any_bytes())
def test_lines_of_facts_are_lines_of_the_text(text: bytes) -> None:
    facts = extract(text)

    last = max(facts.lines, 1)
    spans = [(row.start_line, row.end_line) for row in (*facts.definitions, *facts.scopes[1:])]
    points = [row.line for row in (*facts.imports, *facts.bindings, *facts.problems)]
    points += [line for _, _, _, line in facts.references]
    assert all(1 <= start <= end <= last for start, end in spans)
    assert all(1 <= line <= last for line in points)


@many
@given(any_bytes(), any_bytes())
def test_facts_depend_on_nothing_but_the_text(text: bytes, other: bytes) -> None:
    extractor = Extractor()
    extractor.extract(other, "python")

    assert encode_facts(extractor.extract(text, "python")) == encode_facts(extract(text))


@many
@given(any_bytes())
def test_packed_facts_unpack_to_the_same_facts(text: bytes) -> None:
    facts = extract(text)

    assert decode_facts(encode_facts(facts)) == facts


@pytest.mark.parametrize("source", SOURCES[:60])
def test_every_prefix_by_lines_gives_facts(source: str) -> None:
    lines = source.splitlines(keepends=True)

    counts = [extract("".join(lines[:end]).encode()).lines for end in range(len(lines) + 1)]

    assert counts == list(range(len(lines) + 1))


@pytest.mark.parametrize(
    "text",
    [
        b"(" * NESTED,
        b"[" * NESTED + b"]" * NESTED,
        b"x = " + b"-" * NESTED + b"1\n",
        b"x = " + b"a." * 1_000 + b"b\n",
        b"x = a" + b"()" * 1_000 + b"\n",
        b"x = " + b"1 + " * NESTED + b"1\n",
        b"f" + b"(f" * 5_000 + b")" * 5_000,
        b"".join(b" " * depth + b"def f():\n" for depth in range(500)) + b" " * 500 + b"pass\n",
        b"".join(b" " * depth + b"if x:\n" for depth in range(1_000)) + b" " * 1_000 + b"pass\n",
        b"not " * NESTED + b"x()\n",
        b"[" * 1_000 + b"x" + b"]" * 1_000 + b" = y\n",
        b"x = " + b"lambda: " * 1_000 + b"f()\n",
        b"def f(x: '" + b"[" * NESTED + b"'): pass\n",
    ],
    ids=[
        *("open", "lists", "signs", "attributes", "calls", "sums", "arguments", "functions"),
        *("ifs", "nots", "targets", "lambdas", "quoted"),
    ],
)
def test_deep_nesting_gives_facts(text: bytes) -> None:
    assert extract(text).lines == text.count(b"\n") + (not text.endswith(b"\n"))
