"""Files of named queries: what they declare, and what is wrong with those that are broken."""

import pytest

from mu.muql import MuqlError
from mu.muql.named_queries.named_query import Parameter, ParameterType, parse_named

BODY = "SELECT name FROM functions\n"


def parse(text: str) -> tuple[str, tuple[Parameter, ...]]:
    query = parse_named(text, "some", origin="some.muql")
    return query.description, query.parameters


def test_comments_say_what_a_query_gives_and_declare_its_parameters() -> None:
    description, parameters = parse(
        "-- Functions\n-- by name.\n--\n"
        "-- parameter most integer := 3: how many\n"
        "-- parameter near number := 0.5: how near\n"
        "-- parameter word text := 'it''s: a': what to look for\n"
        "-- parameter whole boolean := true: all of it\n"
        "-- parameter where_from node: what to begin with\n"
        "-- a remark that is no part of the description\n" + BODY
    )

    assert description == "Functions by name."
    assert parameters == (
        Parameter("most", ParameterType.INTEGER, 3, "how many"),
        Parameter("near", ParameterType.NUMBER, 0.5, "how near"),
        Parameter("word", ParameterType.TEXT, "it's: a", "what to look for"),
        Parameter("whole", ParameterType.BOOLEAN, True, "all of it"),
        Parameter("where_from", ParameterType.NODE, None, "what to begin with"),
    )


def test_comments_below_the_query_declare_nothing() -> None:
    assert parse(f"-- All.\n{BODY}-- parameter x integer: no\n") == ("All.", ())


@pytest.mark.parametrize(
    ("text", "what", "line"),
    [
        (BODY, "a named query begins with a comment that says what it gives", 1),
        ("", "a named query begins with a comment that says what it gives", 1),
        ("-- All.\n-- parameter most\n", "a parameter that is not understood", 2),
        ("-- All.\n-- parameter Most integer: x\n", "a parameter that is not understood", 2),
        ("-- All.\n-- parameter m integer := (1): x\n", "a parameter that is not understood", 2),
        ("-- All.\n-- parameter m blob: x\n", "unknown type `blob`", 2),
        (
            "-- All.\n-- parameter m integer := 'a': x\n",
            "the default of `m` is not a whole number",
            2,
        ),
        (
            "-- All.\n-- parameter m integer := 1.5: x\n",
            "the default of `m` is not a whole number",
            2,
        ),
        ("-- All.\n-- parameter m boolean := 1: x\n", "the default of `m` is not true or false", 2),
        (
            "-- All.\n-- parameter m text: x\n-- parameter m text: x\n",
            "the parameter `m` is declared twice",
            3,
        ),
    ],
)
def test_a_broken_file_is_told_with_its_line(text: str, what: str, line: int) -> None:
    with pytest.raises(MuqlError) as raised:
        parse(text + ("" if text == BODY else BODY if text else ""))

    assert raised.value.what == what
    assert raised.value.place is not None
    assert raised.value.place.line == line


def test_parameters_are_bounded_in_number() -> None:
    many = "".join(f"-- parameter p{n} text: x\n" for n in range(21))

    with pytest.raises(MuqlError, match="more than 20 parameters"):
        parse("-- All.\n" + many + BODY)
