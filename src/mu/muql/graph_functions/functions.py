"""The graph functions that may stand in FROM: their parameters, their columns, what they give.

A table and nothing else: the checker, the errors, `DESCRIBE` and the reference read it. What a
function does is in `evaluation`, so that a query without one does not pay for it.
"""

from dataclasses import dataclass
from enum import StrEnum

from mu.model.kinds import DEPENDENCY_KINDS, EdgeKind, NodeKind

MAX_PATHS = 100


class Takes(StrEnum):
    """What a parameter takes."""

    NODE = "node"
    DEPTH = "depth"
    KINDS = "kinds of edge"
    NODE_KINDS = "kinds of node"
    WORDS = "text of words"
    COUNT = "count"
    REVISION = "revision"


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter; the default of a depth is None where it has no bound."""

    name: str
    takes: Takes
    default: int | tuple[EdgeKind, ...] | tuple[NodeKind, ...] | None = None

    @property
    def is_required(self) -> bool:
        """True if a call has to give the argument."""
        return self.default is None and self.takes is not Takes.DEPTH


@dataclass(frozen=True, slots=True)
class ResultColumn:
    """A column of what a function gives; `type` is the engine's."""

    name: str
    type: str
    comment: str


@dataclass(frozen=True, slots=True)
class GraphFunction:
    """A graph function; `examples` are fit arguments for the parameters that are required."""

    name: str
    meaning: str
    parameters: tuple[Parameter, ...]
    columns: tuple[ResultColumn, ...]
    examples: tuple[str, ...] = ("AuthService.login", "Store.save")

    @property
    def signature(self) -> str:
        """How it is called, with the defaults."""
        return f"{self.name}({', '.join(map(_written, self.parameters))})"

    @property
    def call(self) -> str:
        """A call with the parameters that are required."""
        required = [parameter for parameter in self.parameters if parameter.is_required]
        given = [f"'{example}'" for _, example in zip(required, self.examples, strict=False)]
        return f"{self.name}({', '.join(given)})"


_NODE = Parameter("node", Takes.NODE)
_ONE = Parameter("depth", Takes.DEPTH, 1)
_FAR = Parameter("depth", Takes.DEPTH)
_KINDS = Parameter("kinds", Takes.KINDS, DEPENDENCY_KINDS)
_ENDS = (Parameter("a", Takes.NODE), Parameter("b", Takes.NODE))
_LONG = Parameter("max_depth", Takes.DEPTH)

_REACHED = (
    ResultColumn("id", "VARCHAR", "id of the node that was reached"),
    ResultColumn("name", "VARCHAR", "its name"),
    ResultColumn("kind", "VARCHAR", "its kind"),
    ResultColumn("path", "VARCHAR", "path of its file; NULL outside the repository"),
    ResultColumn("line", "INTEGER", "its first line; NULL outside the repository"),
    ResultColumn("distance", "INTEGER", "how many edges it takes to get there"),
    ResultColumn("via", "VARCHAR", "kind of the edge it was reached by"),
    ResultColumn("from_id", "VARCHAR", "id of the node that edge came from"),
)
_IS_TEST = ResultColumn("is_test", "BOOLEAN", "whether it is part of the tests")
_DIRECTION = ResultColumn(
    "direction", "VARCHAR", "`out` for what the node depends on, `in` for what depends on it"
)
_PLACE = (
    ResultColumn("path", "VARCHAR", "path of the file where the edge to the next row stands"),
    ResultColumn("line", "INTEGER", "line of that edge, from 1"),
)
_HOP = (
    ResultColumn("step", "INTEGER", "place on the path, from 0"),
    ResultColumn("id", "VARCHAR", "id of the node"),
    ResultColumn("name", "VARCHAR", "its name"),
    ResultColumn("via", "VARCHAR", "kind of the edge to the next row; NULL at the end"),
    *_PLACE,
    ResultColumn("rule", "VARCHAR", "how that edge was resolved"),
    ResultColumn("text", "VARCHAR", "the reference as written there"),
)
_CYCLE = (
    ResultColumn("cycle_id", "INTEGER", "number of the cycle, from 1; the largest component first"),
    ResultColumn("step", "INTEGER", "place on the cycle, from 0"),
    ResultColumn("id", "VARCHAR", "id of the node"),
    ResultColumn("name", "VARCHAR", "its name"),
    *_PLACE,
    ResultColumn("role", "VARCHAR", "`lazy` or `type-only`; empty for the plain case"),
    ResultColumn("size", "INTEGER", "number of nodes in the whole component"),
)
_SITE = (
    ResultColumn("kind", "VARCHAR", "sort of the reference, as in `sites`"),
    ResultColumn("source", "VARCHAR", "id of the node whose text holds it"),
    ResultColumn("path", "VARCHAR", "path of the file"),
    ResultColumn("line", "INTEGER", "line, from 1"),
    ResultColumn("text", "VARCHAR", "the reference as written"),
    ResultColumn("target", "VARCHAR", "id of what it means; NULL where that is not known"),
    ResultColumn("rule", "VARCHAR", "how it was resolved; NULL when it was not"),
    ResultColumn("reason", "VARCHAR", "why it is not known to mean the node; NULL when it does"),
    ResultColumn("is_possible", "BOOLEAN", "whether it is unresolved and could mean the node"),
)

_HIT = (
    ResultColumn("id", "VARCHAR", "id of the node that was found"),
    ResultColumn("name", "VARCHAR", "its name"),
    ResultColumn("kind", "VARCHAR", "its kind"),
    ResultColumn("path", "VARCHAR", "path of its file; NULL outside the repository"),
    ResultColumn("line", "INTEGER", "its first line; NULL outside the repository"),
    ResultColumn("score", "DOUBLE", "at most 1; compares hits of one search"),
    ResultColumn("why", "VARCHAR", "which words stand where in it"),
)

_DIFF = (
    ResultColumn("change", "VARCHAR", "`added`, `removed`, `changed`, `moved` or `renamed`"),
    ResultColumn("kind", "VARCHAR", "kind of the node"),
    ResultColumn("id", "VARCHAR", "its id after; that before for what was removed"),
    ResultColumn("name", "VARCHAR", "its qualified name after; that before for what was removed"),
    ResultColumn("path", "VARCHAR", "path of its file after; that before for what was removed"),
    ResultColumn("line", "INTEGER", "its first line there"),
    ResultColumn("before_id", "VARCHAR", "its id before; NULL for what was added"),
    ResultColumn("before_name", "VARCHAR", "its qualified name before; NULL for what was added"),
    ResultColumn("before_path", "VARCHAR", "path of its file before; NULL for what was added"),
    ResultColumn("aspects", "VARCHAR[]", "what differs: signature, types, body, ..."),
    ResultColumn("before", "VARCHAR", "signature or value before; NULL where it does not differ"),
    ResultColumn("after", "VARCHAR", "signature or value after; NULL where it does not differ"),
    ResultColumn("breaking", "VARCHAR", "why code outside may fail; NULL where it does not"),
    ResultColumn("broken", "INTEGER", "number of references inside that do not fit any more"),
    ResultColumn("is_public", "BOOLEAN", "whether code outside may use it"),
    ResultColumn("is_test", "BOOLEAN", "whether it is part of the tests"),
)

HISTORY_COLUMNS = (
    ResultColumn("commit", "VARCHAR", "first digits of the commit; NULL for what is not committed"),
    ResultColumn("date", "VARCHAR", "day when it was written (UTC)"),
    ResultColumn("author", "VARCHAR", "who wrote it"),
    ResultColumn("change", "VARCHAR", "`added`, `changed`, `renamed` or `moved`"),
    ResultColumn("name", "VARCHAR", "dotted name in the file after it; empty for a file"),
    ResultColumn("path", "VARCHAR", "path of the file after it"),
    ResultColumn("line", "INTEGER", "first line after it, from 1"),
    ResultColumn("before", "VARCHAR", "`path:name` before it, where one of them changed"),
    ResultColumn("summary", "VARCHAR", "first line of its message"),
)
"""The columns of HISTORY."""

BLAME_COLUMNS = (
    ResultColumn("line", "INTEGER", "first line, from 1"),
    ResultColumn("end_line", "INTEGER", "last line"),
    ResultColumn("commit", "VARCHAR", "first digits of the commit; NULL where it is not known"),
    ResultColumn("date", "VARCHAR", "day when it was written (UTC)"),
    ResultColumn("author", "VARCHAR", "who wrote it"),
    ResultColumn("path", "VARCHAR", "path of the file in it"),
    ResultColumn("summary", "VARCHAR", "first line of its message"),
)
"""The columns of BLAME."""

_ALL = (
    GraphFunction(
        "deps",
        "what a node depends on, so far: the nearest first",
        (_NODE, _ONE, _KINDS),
        _REACHED,
    ),
    GraphFunction(
        "dependents", "what depends on a node: the nearest first", (_NODE, _ONE, _KINDS), _REACHED
    ),
    GraphFunction(
        "impact",
        "all that depends on a node, directly or through others: what a change of it may break",
        (_NODE, _FAR, _KINDS),
        (*_REACHED, _IS_TEST),
    ),
    GraphFunction(
        "ancestors",
        "all that a node depends on, directly or through others",
        (_NODE, _FAR, _KINDS),
        _REACHED,
    ),
    GraphFunction("callers", "what calls a node", (_NODE, _ONE), _REACHED),
    GraphFunction("callees", "what a node calls", (_NODE, _ONE), _REACHED),
    GraphFunction(
        "subclasses",
        "classes that inherit a class, near and far",
        (_NODE, _FAR),
        _REACHED,
        ("Service",),
    ),
    GraphFunction(
        "superclasses",
        "classes that a class inherits, near and far",
        (_NODE, _FAR),
        _REACHED,
        ("Service",),
    ),
    GraphFunction(
        "neighbors",
        "what a node depends on and what depends on it; in both if it is both",
        (_NODE, _ONE, _KINDS),
        (*_REACHED, _DIRECTION),
    ),
    GraphFunction(
        "path",
        "a shortest path by which a depends on b, a row for each node on it; no row without one",
        (*_ENDS, _KINDS, _LONG),
        _HOP,
    ),
    GraphFunction(
        "paths",
        "several paths by which a depends on b, the shortest first",
        (*_ENDS, _KINDS, _LONG, Parameter("limit", Takes.COUNT, 5)),
        (ResultColumn("path_id", "INTEGER", "number of the path, from 1"), *_HOP),
    ),
    GraphFunction(
        "cycles",
        "a shortest cycle for each strongly connected component; imports for type checkers alone do"
        " not count",
        (Parameter("kinds", Takes.KINDS, (EdgeKind.IMPORTS,)),),
        _CYCLE,
    ),
    GraphFunction(
        "sites_of",
        "every reference that means a node, or from outside a part of it, and those that could",
        (_NODE,),
        _SITE,
    ),
    GraphFunction(
        "search",
        "what a name, a part of one or a question asks for, as `mu search` finds it",
        (
            Parameter("words", Takes.WORDS),
            Parameter("kinds", Takes.NODE_KINDS, tuple(NodeKind)),
            Parameter("limit", Takes.COUNT, 20),
        ),
        _HIT,
        ("what handles auth",),
    ),
    GraphFunction(
        "diff",
        "what changed in code from one revision to another, as `mu diff` finds it",
        (Parameter("a", Takes.REVISION), Parameter("b", Takes.REVISION)),
        _DIFF,
        ("HEAD~1", "HEAD"),
    ),
)

FUNCTIONS = {function.name: function for function in _ALL}
"""The graph functions by name, in the order of the reference."""


def _written(parameter: Parameter) -> str:
    if parameter.is_required:
        return parameter.name
    if parameter.default is None:
        return f"{parameter.name} := NULL"
    if isinstance(parameter.default, int):
        return f"{parameter.name} := {parameter.default}"
    kinds = ", ".join(f"'{kind}'" for kind in parameter.default)
    return f"{parameter.name} := [{kinds}]"
