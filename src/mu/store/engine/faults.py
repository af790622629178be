"""Turn an engine error into one of ours, in our own words.

The engine's messages quote internals, absolute paths and the lowered SQL, so none of their text
reaches a user: a message is matched against `_PATTERNS` for what is wrong and which name is meant,
and everything else becomes a plain sentence. Positions survive, so that whoever has the query's
text can point into it.
"""

import errno
import json
import re
from collections.abc import Callable

from mu.store.engine.errors import Fault, FaultKind, QueryError

_QUOTED = r"['\"](?P<name>[^'\"]*)['\"]"

_PATTERNS: tuple[tuple[FaultKind, str], ...] = (
    (FaultKind.TOO_DEEP, r"expression depth limit|stack depth|recursion depth"),
    (FaultKind.SYNTAX, r"syntax error at or near \"(?P<name>.*)\"$"),
    (FaultKind.NOT_CLOSED, r"unterminated "),
    (FaultKind.NO_SUCH_PLACE, r"(?:ORDER|GROUP BY) term out of range|Positional reference"),
    (FaultKind.NO_COLUMN, rf"Referenced column {_QUOTED} (?:not found|was not found)"),
    (FaultKind.NO_COLUMN, rf"does not have a column named {_QUOTED}"),
    (FaultKind.NO_COLUMN, rf"Column {_QUOTED} (?:in \w+ list|does not exist)"),
    (FaultKind.NO_RELATION, rf"Referenced table {_QUOTED} not found"),
    (FaultKind.NO_RELATION, r"(?:Table|View) with name (?P<name>\S+) does not exist"),
    (FaultKind.NO_FUNCTION, r"Function with name (?P<name>\S+) does not exist"),
    (FaultKind.NO_WINDOW, rf"window {_QUOTED} does not exist"),
    (FaultKind.NO_TYPE, r"Type with name (?P<name>\S+) does not exist"),
    (FaultKind.AMBIGUOUS, rf"Ambiguous reference to (?:column|table)(?: name)? {_QUOTED}"),
    (
        FaultKind.ARGUMENTS,
        r"No function matches the given name and argument types '(?P<name>\S+?)\(",
    ),
    (FaultKind.NOT_GROUPED, rf"column {_QUOTED} must appear in the GROUP BY"),
    (FaultKind.AGGREGATE_HERE, r"(?i)cannot contain aggregates|aggregate function calls cannot"),
    (FaultKind.WINDOW_HERE, r"(?i)window functions? (?:are|is) not|cannot contain window"),
    (FaultKind.COLUMN_COUNT, r"same number of result columns|returns \d+ columns - expected"),
    (FaultKind.MANY_ROWS, r"More than one row returned by a subquery"),
    (
        FaultKind.REGEX,
        r"^(?:missing|unexpected|invalid|bad|no argument for|trailing) .*[\\(\[{*?+)].*$",
    ),
    (FaultKind.NOT_CONSTANT, r"in function \"(?P<name>\w+)\" must be a constant expression"),
    (FaultKind.GROUPING_SETS, r"Maximum grouping set count"),
    (FaultKind.NOT_SELECT, r"Only SELECT statements can be serialized"),
)
"""The first pattern that is found in the engine's message says what is wrong."""

_BY_TYPE = {
    "Parser": FaultKind.SYNTAX,
    "Conversion": FaultKind.CONVERSION,
    "Out of Range": FaultKind.OVERFLOW,
    "Out of Memory": FaultKind.MEMORY,
}

_WORDS: dict[FaultKind, Callable[[str], tuple[str, str]]] = {
    FaultKind.SYNTAX: lambda name: (
        f"syntax error at `{name}`" if name else "syntax error",
        "",
    ),
    FaultKind.NOT_CLOSED: lambda _: ("a string, name or comment is not closed", ""),
    FaultKind.NO_SUCH_PLACE: lambda _: ("there is no column of that number", ""),
    FaultKind.TOO_DEEP: lambda _: ("the query is nested too deeply", "at most 100 levels"),
    FaultKind.NO_COLUMN: lambda name: (f"unknown column `{name}`", ""),
    FaultKind.NO_RELATION: lambda name: (f"unknown relation `{name}`", ""),
    FaultKind.NO_FUNCTION: lambda name: (f"unknown function `{name}`", ""),
    FaultKind.NO_WINDOW: lambda name: (
        f"unknown window `{name}`",
        "name it after FROM, as in WINDOW w AS (ORDER BY name)",
    ),
    FaultKind.NO_TYPE: lambda name: (
        f"unknown type `{name}`",
        "VARCHAR, INTEGER, DOUBLE and BOOLEAN are types",
    ),
    FaultKind.AMBIGUOUS: lambda name: (
        f"`{name}` is a column of more than one relation here",
        "write the relation's name before it, as in `n.name`",
    ),
    FaultKind.ARGUMENTS: lambda name: (
        f"`{name}` does not take arguments of these types",
        "cast them, as in `CAST(complexity AS VARCHAR)`",
    ),
    FaultKind.NOT_GROUPED: lambda name: (
        f"column `{name}` is neither grouped nor aggregated",
        "add it to GROUP BY, use GROUP BY ALL, or take any_value() of it",
    ),
    FaultKind.AGGREGATE_HERE: lambda _: (
        "an aggregate may not stand here",
        "conditions on aggregates go in HAVING",
    ),
    FaultKind.WINDOW_HERE: lambda _: (
        "a window function needs OVER (...) and is allowed only in SELECT, QUALIFY or ORDER BY",
        "conditions on window functions go in QUALIFY",
    ),
    FaultKind.COLUMN_COUNT: lambda _: ("the number of columns does not fit", ""),
    FaultKind.CONVERSION: lambda _: (
        "a value cannot be converted to the type asked for",
        "TRY_CAST gives NULL instead",
    ),
    FaultKind.OVERFLOW: lambda _: ("a number is out of its type's range", ""),
    FaultKind.MANY_ROWS: lambda _: (
        "a subquery used as a value gave more than one row",
        "add LIMIT 1, or use IN",
    ),
    FaultKind.MEMORY: lambda _: (
        "the query needs more memory than it may use",
        "narrow it with WHERE or LIMIT",
    ),
    FaultKind.REGEX: lambda _: ("a regular expression is not valid", ""),
    FaultKind.NOT_CONSTANT: lambda name: (
        f"an argument of `{name}` must be the same for all rows",
        "write it out, as in string_agg(name, ', ')",
    ),
    FaultKind.GROUPING_SETS: lambda _: (
        "too many grouping sets",
        "name those that are needed, as in GROUP BY GROUPING SETS ((kind), (path))",
    ),
    FaultKind.NOT_SELECT: lambda _: ("only SELECT can be run", ""),
    FaultKind.OTHER: lambda _: ("the query is not valid", ""),
}


_DAMAGE = frozenset({"Data Corruption", "Serialization", "IO"})
"""What the engine calls errors of a file's bytes; the first has no class of its own in Python."""


_NO_MEMORY = re.compile(
    r"bad_alloc|annot allocate memory|ailed to allocate|llocation failure|failed to map segment"
    r"|thread constructor failed|can't start new thread|Resource temporarily unavailable"
)


def is_damage(message: str) -> bool:
    """Tell whether an engine message says that the file does not hold what was written."""
    return str(_record(message).get("exception_type", "")) in _DAMAGE


def is_lack_of_memory(error: BaseException) -> bool:
    """Tell whether an error of the engine, of loading it or of the system comes from a lack of
    memory.

    The engine has a class for what passes its own limit. What the system refuses comes as it may:
    as `std::bad_alloc`, as a thread that cannot be started, as a library that cannot be mapped.
    """
    if isinstance(error, MemoryError) or getattr(error, "errno", None) == errno.ENOMEM:
        return True
    return type(error).__name__ == "OutOfMemoryException" or bool(_NO_MEMORY.search(str(error)))


def read_fault(message: str, *, prefix: int = 0) -> Fault:
    """Classify an engine message, which may be JSON after its first colon.

    `prefix` is the number of bytes that stood before the user's text when it was run.
    """
    record = _record(message)
    kind = str(record.get("exception_type", record.get("error_type", "")))
    text = str(record.get("exception_message", record.get("error_message", message)))
    place = str(record.get("position", ""))
    position = int(place) - prefix if place.isdigit() else -1
    for fault, pattern in _PATTERNS:
        found = re.search(pattern, text)
        if found:
            name = found.groupdict().get("name") or ""
            return Fault(fault, name, max(position, -1))
    return Fault(_BY_TYPE.get(kind, FaultKind.OTHER), "", max(position, -1))


def query_error(fault: Fault) -> QueryError:
    """Word a fault for someone who does not see the query's text."""
    message, hint = _WORDS[fault.kind](fault.name)
    return QueryError(fault, message, hint)


def _record(message: str) -> dict[str, object]:
    """Read the JSON after the first colon of an engine message; nothing where there is none."""
    try:
        record = json.loads(message[message.index("{") :])
    except ValueError:
        return {}
    return record if isinstance(record, dict) else {}
