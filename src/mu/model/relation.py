"""The one currency between what asks and what answers."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from mu.model.kinds import Verdict

Scalar = str | int | float | bool | None
"""What a cell of an answer or a bound parameter may hold, lists of it aside."""

Cell = Scalar | Sequence[Scalar]


@dataclass(frozen=True, slots=True)
class Input:
    """A small table computed outside SQL (a closure, a component, a rank) that a relation reads.

    `types` are SQL type names, one for each column; `rows` hold one cell for each column.
    """

    name: str
    columns: tuple[str, ...]
    types: tuple[str, ...]
    rows: Sequence[tuple[Cell, ...]]


@dataclass(frozen=True, slots=True)
class Derived:
    """A table that the engine fills with the rows of another relation, just before it is read."""

    name: str
    relation: "Relation"


@dataclass(frozen=True, slots=True)
class View:
    """A public relation, `name`, that means the query `sql` while another relation is run."""

    name: str
    sql: str


@dataclass(frozen=True, slots=True)
class Relation:
    """A query as a value: text with placeholders, what is bound to them, and its columns.

    No value ever stands inside `sql`: it is bound to a `?` in its place, or to a `$name`, where
    `parameters` has just the names that occur. `columns` is empty when only the engine knows them.
    The tables of `inputs` are made in their order, so one may read those before it. `views` are
    relations of the graph that have another meaning in `sql`, and in `sql` alone.
    """

    sql: str
    parameters: tuple[Cell, ...] | Mapping[str, Cell] = ()
    columns: tuple[str, ...] = ()
    inputs: tuple[Input | Derived, ...] = ()
    views: tuple[View, ...] = ()


@dataclass(frozen=True, slots=True)
class Answer:
    """Rows, and how much they are to be relied on.

    `total` counts the rows there are, of which `rows` holds at most the limit asked for;
    `truncated` says that it holds fewer. `notes` are for the reader: what was left out, what may be
    missing, the call that gets the rest. `elapsed_ms` is the time the engine took.
    """

    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    total: int
    truncated: bool = False
    verdict: Verdict = Verdict.EXACT
    notes: tuple[str, ...] = field(default=())
    elapsed_ms: float = 0.0
