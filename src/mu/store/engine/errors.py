"""What the store raises: no graph, a damaged one, a query that failed or took too long."""

from dataclasses import dataclass
from enum import StrEnum

from mu.errors import ExitCode, MuError

REBUILD = "run `mu kernel build --full` to build it again"


class NoGraphError(MuError):
    """There is no graph file where one was looked for."""

    def __init__(self, name: str) -> None:
        super().__init__(
            f"no graph here: {name} does not exist",
            "run `mu kernel build` to make it",
            ExitCode.NO_GRAPH,
        )


class DamagedGraphError(MuError):
    """The graph file cannot be used; nothing was deleted."""

    def __init__(self, name: str, what: str) -> None:
        super().__init__(f"{name} {what}", REBUILD, ExitCode.NO_GRAPH)


class FaultKind(StrEnum):
    """What the engine found wrong with a query, in our own words."""

    SYNTAX = "syntax"
    NOT_CLOSED = "not closed"
    TOO_DEEP = "too deep"
    NO_COLUMN = "no such column"
    NO_RELATION = "no such relation"
    NO_FUNCTION = "no such function"
    NO_WINDOW = "no such window"
    NO_TYPE = "no such type"
    AMBIGUOUS = "ambiguous column"
    ARGUMENTS = "wrong arguments"
    NOT_GROUPED = "not grouped"
    AGGREGATE_HERE = "aggregate out of place"
    WINDOW_HERE = "window function out of place"
    NO_SUCH_PLACE = "no such place in the SELECT list"
    COLUMN_COUNT = "different numbers of columns"
    CONVERSION = "value of the wrong type"
    OVERFLOW = "number out of range"
    MANY_ROWS = "more than one row"
    MEMORY = "out of memory"
    REGEX = "bad pattern"
    NOT_CONSTANT = "not constant"
    GROUPING_SETS = "too many grouping sets"
    NOT_SELECT = "not a SELECT"
    OTHER = "not valid"


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing wrong with a query.

    `name` is the column, relation, function or type meant, or the text at the fault; empty when
    there is none. `position` counts bytes of the query's UTF-8 text from 0, -1 when unknown.
    """

    kind: FaultKind
    name: str = ""
    position: int = -1


class QueryError(MuError):
    """A query that cannot be run; `fault` says what is wrong with it."""

    def __init__(self, fault: Fault, message: str, hint: str = "") -> None:
        super().__init__(message, hint, ExitCode.USAGE)
        self.fault = fault


class QueryTimeoutError(MuError):
    """A query that was stopped at its deadline, after `seconds`."""

    def __init__(self, seconds: float) -> None:
        super().__init__(
            f"the query was stopped after {seconds:g} s",
            "narrow it with WHERE or a smaller depth, or allow more time",
        )
        self.seconds = seconds
