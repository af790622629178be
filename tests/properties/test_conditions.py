"""Conditions mean what they say: against a plain evaluator in Python, with NULL as SQL has it."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fakes.graphs import SHOP, make_graph, write
from mu.model.relation import Cell
from mu.muql import compile_query
from mu.store import GraphFile, open_graph
from support.examples import examples

Row = dict[str, Cell]
Truth = bool | None

COLUMNS = ("id", "name", "kind", "path", "start_line", "complexity", "is_test", "docstring")
TEXTS = st.sampled_from(
    ["login", "find", "Store", "app/db.py", "class", "function", "", "it's", "%", "_", "lo%", "%o%"]
)
NUMBERS = st.integers(-2, 30)


@dataclass(frozen=True)
class Condition:
    """A condition as text, and what it says of a row: true, false, or unknown."""

    text: str
    holds: Callable[[Row], Truth]


def quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def like(text: Cell, pattern: str) -> Truth:
    """LIKE, letter by letter: `%` is any text, `_` any one letter."""
    if text is None:
        return None
    letters = str(text)
    reached = {0}
    for sign in pattern:
        if sign == "%":
            reached = set(range(min(reached), len(letters) + 1)) if reached else set()
        else:
            reached = {
                place + 1
                for place in reached
                if place < len(letters) and sign in ("_", letters[place])
            }
    return len(letters) in reached


def compared(column: str, sign: str, value: str | int) -> Condition:
    signs: dict[str, Callable[[Cell], bool]] = {
        "=": lambda cell: cell == value,
        "<>": lambda cell: cell != value,
        "<": lambda cell: cell < value,  # type: ignore[operator]
        ">=": lambda cell: cell >= value,  # type: ignore[operator]
    }
    written = quoted(value) if isinstance(value, str) else str(value)

    def holds(row: Row) -> Truth:
        return None if row[column] is None else signs[sign](row[column])

    return Condition(f"{column} {sign} {written}", holds)


def negated(inner: Condition) -> Condition:
    def holds(row: Row) -> Truth:
        truth = inner.holds(row)
        return None if truth is None else not truth

    return Condition(f"NOT ({inner.text})", holds)


def joined(word: str, one: Condition, other: Condition) -> Condition:
    """AND and OR of three values: a false decides AND, a true decides OR."""
    decisive = word == "OR"

    def holds(row: Row) -> Truth:
        truths = [one.holds(row), other.holds(row)]
        if decisive in truths:
            return decisive
        return None if None in truths else not decisive

    return Condition(f"({one.text}) {word} ({other.text})", holds)


def is_null(column: str, *, negative: bool) -> Condition:
    word = "IS NOT NULL" if negative else "IS NULL"
    return Condition(f"{column} {word}", lambda row: (row[column] is None) is not negative)


def matched(column: str, pattern: str) -> Condition:
    return Condition(f"{column} LIKE {quoted(pattern)}", lambda row: like(row[column], pattern))


def within(column: str, low: int, high: int) -> Condition:
    def holds(row: Row) -> Truth:
        cell = row[column]
        return None if cell is None else low <= int(str(cell)) <= high

    return Condition(f"{column} BETWEEN {low} AND {high}", holds)


def listed(column: str, values: list[str]) -> Condition:
    def holds(row: Row) -> Truth:
        return None if row[column] is None else row[column] in values

    return Condition(f"{column} IN ({', '.join(map(quoted, values))})", holds)


text_columns = st.sampled_from(["name", "kind", "path", "docstring"])
number_columns = st.sampled_from(["start_line", "complexity"])
simple = st.one_of(
    st.builds(compared, text_columns, st.sampled_from(["=", "<>", "<", ">="]), TEXTS),
    st.builds(compared, number_columns, st.sampled_from(["=", "<>", "<", ">="]), NUMBERS),
    st.builds(is_null, text_columns, negative=st.booleans()),
    st.builds(matched, text_columns, TEXTS),
    st.builds(within, number_columns, NUMBERS, NUMBERS),
    st.builds(listed, text_columns, st.lists(TEXTS, min_size=1, max_size=3)),
    st.just(Condition("is_test", lambda row: bool(row["is_test"]))),
)
conditions = st.recursive(
    simple,
    lambda inner: (
        st.builds(negated, inner) | st.builds(joined, st.sampled_from(["AND", "OR"]), inner, inner)
    ),
    max_leaves=6,
)


@pytest.fixture(scope="module")
def graph(tmp_path_factory: pytest.TempPathFactory) -> Iterator[GraphFile]:
    with open_graph(write(make_graph(SHOP), tmp_path_factory.mktemp("conditions"))) as opened:
        yield opened


@pytest.fixture(scope="module")
def nodes(graph: GraphFile) -> list[Row]:
    answer = graph.run(compile_query(f"SELECT {', '.join(COLUMNS)} FROM nodes", graph).relation)
    return [dict(zip(COLUMNS, row, strict=True)) for row in answer.rows]


def ids(text: str, graph: GraphFile) -> set[Cell]:
    answer = graph.run(compile_query(text, graph).relation)
    return {row[answer.columns.index("id")] for row in answer.rows}  # type: ignore[misc]


@given(condition=conditions)
def test_a_condition_of_select_and_of_find(
    condition: Condition, graph: GraphFile, nodes: list[Row]
) -> None:
    meant = {row["id"] for row in nodes if condition.holds(row)}

    assert ids(f"SELECT id FROM nodes WHERE {condition.text}", graph) == meant
    assert ids(f"FIND nodes WHERE {condition.text}", graph) == meant


@examples(0.5)  # each walks twice and binds two queries
@given(condition=conditions)
def test_a_condition_of_show_is_that_of_two_steps(
    condition: Condition, graph: GraphFile, nodes: list[Row]
) -> None:
    """The composed query gives what a walk and then a choice among nodes give."""
    reached = ids("SHOW impact OF Store.find", graph)
    meant = {row["id"] for row in nodes if row["id"] in reached and condition.holds(row)}

    assert ids(f"SHOW impact OF Store.find WHERE {condition.text}", graph) == meant
    query = (
        f"SELECT n.id FROM impact('Store.find') i JOIN (FROM nodes WHERE {condition.text}) n"
        " ON n.id = i.id"
    )
    assert ids(query, graph) == meant
