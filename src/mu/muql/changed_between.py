"""CHANGED BETWEEN: the rows that a query gives at one of two revisions, or gives in another way.

Rows of both are the same row where they have the same `id`, or without such a column the same value
in the first one; where a value of it stands in several rows of a side, rows are equal or not.
"""

import json
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from mu.model.relation import Answer, Cell, Input, Relation
from mu.muql.compiled_query import Grounds, Query
from mu.muql.errors import MuqlError
from mu.muql.graph_functions.functions import ResultColumn
from mu.muql.repository_history import State

MOST_ROWS = 100_000
"""Rows of a side that are compared."""

CHANGED_COLUMNS = (
    ResultColumn("change", "VARCHAR", "`added`, `removed` or `changed`"),
    ResultColumn("was", "VARCHAR", "JSON of what other columns held before; NULL where unchanged"),
)

_Row = tuple[Cell, ...]
_UNSURE = "a row may come or go because a reference is resolved at one revision alone"


@dataclass(frozen=True, slots=True)
class Side:
    """A query compiled for a state; None where a node of it is not there, as `absent` says."""

    state: State
    query: Query | None
    absent: str = ""


def changed(before: Side, after: Side, *, timeout: float) -> Query:
    """Give the rows of a query, compiled for two states, that came, went or changed.

    First those there are after, in their order, then those that went. A changed row is as it is
    after. One side has to have a query. Raises MuqlError for more than `MOST_ROWS` rows of a side.
    """
    sides = (before, after)
    old, new = (_run(side, timeout=timeout) for side in sides)
    own = (new or old or Answer((), (), 0)).columns
    names = (*(_free(column.name, own) for column in CHANGED_COLUMNS), *own)
    rows = list(_compared(old, new, place=own.index("id") if "id" in own else 0))
    types = tuple(_type([row[place] for row in rows]) for place in range(len(names)))
    table = Input("changed_rows", names, types, rows)
    notes = (f"from {before.state.name} to {after.state.name}", before.absent, after.absent)
    doubts = dict.fromkeys(doubt for side in sides for doubt in _doubts(side))
    relation = Relation("FROM changed_rows ORDER BY rowid", columns=names, inputs=(table,))
    grounds = Grounds(doubts=tuple(doubts), notes=tuple(filter(None, notes)))
    return Query(relation, grounds, is_select=True)


def _doubts(side: Side) -> Iterator[str]:
    yield from side.state.lacks
    if side.query is not None:
        yield from side.query.grounds.doubts
        if side.query.grounds.walked or side.query.grounds.sought:
            yield _UNSURE


def _run(side: Side, *, timeout: float) -> Answer | None:
    if side.query is None:
        return None
    state = side.state
    answer = state.graph.run(side.query.relation, limit=MOST_ROWS, timeout=timeout)
    if answer.truncated:
        what = f"more than {MOST_ROWS:,} rows at {state.name}, too many to compare"
        raise MuqlError(what, None, "narrow the query by a condition")
    return answer


def _compared(before: Answer | None, after: Answer | None, *, place: int) -> Iterator[_Row]:
    """Compare rows, where those of the same value in the column `place` are the same."""
    first, second = (answer.rows if answer else () for answer in (before, after))
    columns = (after or before or Answer((), (), 0)).columns
    if not (_is_key(first, place) and _is_key(second, place)):
        yield from _unequal(second, first, "added")
        yield from _unequal(first, second, "removed")
        return
    known = {_hashed(row[place]): row for row in first}
    kept = {_hashed(row[place]) for row in second}
    for row in second:
        old = known.get(_hashed(row[place]))
        if old is None:
            yield "added", None, *row
        elif old != row:
            cells = zip(columns, old, row, strict=True)
            was = {name: one for name, one, other in cells if one != other}
            yield "changed", json.dumps(was, ensure_ascii=False, default=str), *row
    for row in first:
        if _hashed(row[place]) not in kept:
            yield "removed", None, *row


def _unequal(rows: Sequence[_Row], others: Sequence[_Row], change: str) -> Iterator[_Row]:
    """Give the rows that are not among others, or are there less often."""
    left = Counter(map(_hashed, others))
    for row in rows:
        key = _hashed(row)
        if left[key]:
            left[key] -= 1
        else:
            yield change, None, *row


def _is_key(rows: Sequence[_Row], place: int) -> bool:
    values = {_hashed(row[place]) for row in rows}
    return len(values) == len(rows) and None not in values


def _hashed(value: object) -> object:
    """Give what may be a key: lists as tuples."""
    return tuple(map(_hashed, value)) if isinstance(value, (list, tuple)) else value


def _free(name: str, taken: Sequence[str]) -> str:
    while name in taken:
        name += "_"
    return name


def _type(values: Sequence[Cell]) -> str:
    """Give the engine's type for the values of a column."""
    known = [value for value in values if value is not None]
    if known and all(isinstance(value, (list, tuple)) for value in known):
        return f"{_type([item for value in known for item in _items(value)])}[]"
    fitting = (name for name, fits in _TYPES if known and all(map(fits, known)))
    return next(fitting, "VARCHAR")


def _items(value: Cell) -> Sequence[Cell]:
    return value if isinstance(value, (list, tuple)) else ()


def _is_whole(value: Cell) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


_TYPES: Sequence[tuple[str, Callable[[Cell], bool]]] = (
    ("BOOLEAN", lambda value: isinstance(value, bool)),
    ("BIGINT", lambda value: _is_whole(value) and abs(int(str(value))) < 1 << 63),
    ("HUGEINT", lambda value: _is_whole(value) and abs(int(str(value))) < 1 << 126),
    ("DOUBLE", lambda value: _is_whole(value) or isinstance(value, float)),
)
