"""Structures are read as they are written, and nothing that is written raises."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mu.context.structures import MOST_DEPTH, Field, dotted_paths, parse_structure


def shown(fields: tuple[Field, ...] | str) -> object:
    """Write fields as dictionaries, shorter to compare."""
    if isinstance(fields, str):
        return fields
    return {f.key: [f.type, shown(f.structure)] if f.structure else f.type for f in fields}


ISSUE = "{id: int, user: {login: str}, labels: [{name: str}]}"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("{}", {}),
        ("[]", {"[]": "list"}),
        ("{id: int}", {"id": "int"}),
        ("{a: str, b: int, c: float, d: bool, e: dict, f: list}",
         {"a": "str", "b": "int", "c": "float", "d": "bool", "e": "dict", "f": "list"}),
        ("{a: string, b: integer, c: number, d: boolean, e: object, f: array}",
         {"a": "str", "b": "int", "c": "float", "d": "bool", "e": "dict", "f": "list"}),
        ("{a: INT, b: Str}", {"a": "int", "b": "str"}),
        ("{a: datetime}", {"a": "str"}),
        ("{a: Optional}", {"a": "str"}),
        ("{a: int|str}", {"a": "str"}),
        ("{a: int?}", {"a": "str"}),
        ("{ a :int ,b: str }", {"a": "int", "b": "str"}),
        ("{a: int,}", {"a": "int"}),
        ('{"a": "int", \'b\': str}', {"a": "int", "b": "str"}),
        ('{"a b": int}', {"a b": "int"}),
        ("{a-b: int, $c: str, d.e: bool}", {"a-b": "int", "$c": "str", "d.e": "bool"}),
        ("{größe: int, 名: str, 🙂: bool}", {"größe": "int", "名": "str", "🙂": "bool"}),
        ("{a: {}}", {"a": "dict"}),
        ("{a: []}", {"a": "list"}),
        ("{a: {b: int}}", {"a": ["dict", {"b": "int"}]}),
        ("{a: [int]}", {"a": ["list", {"[]": "int"}]}),
        ("{a: [int, str]}", {"a": ["list", {"[]": "int"}]}),
        ("{a: [[int]]}", {"a": ["list", {"[]": ["list", {"[]": "int"}]}]}),
        ("{a: [{b: int}]}", {"a": ["list", {"b": "int"}]}),
        ("{a: [{}]}", {"a": ["list", {"[]": "dict"}]}),
        ("[{a: int}]", {"[]": ["list", {"a": "int"}]}),
        ("[str]", {"[]": ["list", {"[]": "str"}]}),
        ("{a: int, a: str}", {"a": "str"}),
        ("\n{\n  a: int,\n\tb: str\n}\n", {"a": "int", "b": "str"}),
        (ISSUE, {"id": "int", "user": ["dict", {"login": "str"}],
                 "labels": ["list", {"name": "str"}]}),
        (f"issue_data: {ISSUE}", {"issue_data": ["dict", {
            "id": "int", "user": ["dict", {"login": "str"}],
            "labels": ["list", {"name": "str"}]}]}),
        ("issue_data: {id: int, title: str, labels: [{name: str}]}", {"issue_data": ["dict", {
            "id": "int", "title": "str", "labels": ["list", {"name": "str"}]}]}),
        ("tags: [str]", {"tags": ["list", {"[]": "str"}]}),
        ('"a b": {}', {"a b": "dict"}),
        ("note: see below", "note: see below"),
        ("id: int", "id: int"),
        ("issue {id: int}", "issue {id: int}"),
        ("a: b: {id: int}", "a: b: {id: int}"),
        (": {id: int}", ": {id: int}"),
        ("a: {id: int}, b: {id: int}", "a: {id: int}, b: {id: int}"),
        ("", ""),
        ("   ", "   "),
        ("int", "int"),
        ("the id of the user", "the id of the user"),
        ("{", "{"),
        ("{a: int", "{a: int"),
        ("{a: int}}", "{a: int}}"),
        ("[int", "[int"),
        ("{a int}", "{a int}"),
        ("{a: }", "{a: }"),
        ("{: int}", "{: int}"),
        ("{a: [int}", "{a: [int}"),
        ("{a: int b: str}", "{a: int b: str}"),
        ('{"a: int}', '{"a: int}'),
        ("{,}", "{,}"),
    ],
)  # fmt: skip
def test_a_structure_is_its_fields_or_the_text_it_was(text: str, expected: object) -> None:
    assert shown(parse_structure(text)) == expected


def test_what_is_too_deep_is_left_out() -> None:
    fields = parse_structure("{a: " * 50 + "int" + "}" * 50)
    depth = 0
    while isinstance(fields, tuple) and fields:
        depth, fields = depth + 1, fields[0].structure
    assert depth == MOST_DEPTH


@pytest.mark.parametrize("opening", ["[", "{a: "])
def test_no_depth_is_too_much(opening: str) -> None:
    closing = "]" if opening == "[" else "}"
    deep = opening * 5_000 + "int" + closing * 5_000
    assert isinstance(parse_structure(deep), tuple | str)


@given(st.text(alphabet="{}[],:ab \"'\nint", max_size=60) | st.text(max_size=40))
def test_no_text_raises(text: str) -> None:
    fields = parse_structure(text)
    assert fields == text or isinstance(fields, tuple)


def test_values_are_named_by_dotted_paths() -> None:
    fields = parse_structure(
        "{id: int, user: {login: str}, labels: [{name: str}], tags: [str], m: [[int]]}"
    )
    assert isinstance(fields, tuple)
    assert list(dotted_paths(fields)) == [
        "id: int",
        "user: dict",
        "user.login: str",
        "labels: list",
        "labels[].name: str",
        "tags: list",
        "tags[]: str",
        "m: list",
        "m[]: list",
        "m[][]: int",
    ]
