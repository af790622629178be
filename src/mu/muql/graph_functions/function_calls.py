"""Read the calls of graph functions out of the tree of a SELECT, and check their arguments."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from mu.model.kinds import EdgeKind, NodeKind
from mu.model.relation import Cell
from mu.muql.errors import MuqlError
from mu.muql.graph_functions.functions import FUNCTIONS, MAX_PATHS, GraphFunction, Parameter, Takes
from mu.muql.nearest import did_you_mean
from mu.muql.text import Place, locate_bytes, shown
from mu.muql.tree import Json, JsonObject

ID_COLUMNS = ("id", "source", "target", "from_id")
"""Columns that hold ids: `f.id` as an argument is the id in each row of `f`."""


@dataclass(frozen=True, slots=True)
class RowId:
    """An argument that is a column of a relation before: the node differs from row to row."""

    relation: str
    column: str


Argument = str | RowId | int | tuple[EdgeKind, ...] | tuple[NodeKind, ...] | None
"""None is a depth without a bound."""


@dataclass(frozen=True, slots=True)
class GraphCall:
    """A call with its arguments by the names of the parameters, defaults filled in.

    `start` counts bytes of the text as written; `alias` is the name the rows were given, or empty.
    """

    function: GraphFunction
    arguments: Mapping[str, Argument]
    start: int
    alias: str
    place: Place | None

    def node(self, name: str) -> str:
        """Give a node reference; raises TypeError when the argument is none."""
        return self.text(name)

    def text(self, name: str) -> str:
        """Give a text; raises TypeError when the argument is none."""
        value = self.arguments[name]
        if not isinstance(value, str):
            raise TypeError(f"{name} is no text: {value!r}")
        return value

    def number(self, name: str) -> int:
        """Give a count."""
        value = self.arguments[name]
        if not isinstance(value, int):
            raise TypeError(f"{name} is no number: {value!r}")
        return value

    def depth(self, name: str = "depth") -> int | None:
        """Give a depth, None for no bound."""
        return None if self.arguments[name] is None else self.number(name)

    def kinds(self, name: str = "kinds") -> tuple[EdgeKind, ...]:
        """Give kinds of edge."""
        return tuple(EdgeKind(kind) for kind in self._listed(name))

    def node_kinds(self, name: str = "kinds") -> tuple[NodeKind, ...]:
        """Give kinds of node."""
        return tuple(NodeKind(kind) for kind in self._listed(name))

    def _listed(self, name: str) -> tuple[EdgeKind, ...] | tuple[NodeKind, ...]:
        value = self.arguments[name]
        if not isinstance(value, tuple):
            raise TypeError(f"{name} is no list of kinds: {value!r}")
        return value


def read_call(
    text: str, node: JsonObject, *, parameters: Mapping[str, Cell] = MappingProxyType({})
) -> GraphCall:
    """Check a call, in which `$name`s stand for `parameters`.

    Raises MuqlError for an argument that is wrong, missing or too much.
    """
    call = _function_of(node)
    function = FUNCTIONS[str(call["function_name"])]
    place = _place(text, node)
    if node.get("with_ordinality") == "WITH_ORDINALITY":
        what = "WITH ORDINALITY is not for graph functions"
        raise MuqlError(what, place, _example(function, "use row_number() OVER ()"))
    given: dict[str, Argument] = {}
    for parameter, written, where in _paired(text, function, call):
        value = _bound(written, where, parameters)
        if parameter.name in given:
            raise MuqlError(f"`{parameter.name}` is given twice", where, _example(function))
        given[parameter.name] = _value(parameter, value, where, function)
    for parameter in function.parameters:
        if parameter.name not in given and parameter.is_required:
            what = f"{function.name} needs a {parameter.takes}"
            raise MuqlError(what, place, _example(function))
    defaults = {p.name: p.default for p in function.parameters if not p.is_required}
    start = node.get("query_location")
    return GraphCall(
        function,
        {**defaults, **given},
        start if isinstance(start, int) else 0,
        str(node.get("alias") or ""),
        place,
    )


def _bound(value: JsonObject, where: Place | None, parameters: Mapping[str, Cell]) -> JsonObject:
    """Put a constant in the place of a parameter of a named query."""
    if value.get("type") != "VALUE_PARAMETER":
        return value
    name = str(value.get("identifier", ""))
    if name not in parameters:
        what = did_you_mean(f"unknown parameter `${shown(name)}`", name, among=parameters)
        raise MuqlError(
            what, where, "a parameter is allowed only in a named query that declares it"
        )
    given = parameters[name]
    kind = "INTEGER" if isinstance(given, int) and not isinstance(given, bool) else "STRING"
    return {"type": "VALUE_CONSTANT", "literal": {"kind": kind, "text": str(given)}}


def _paired(
    text: str, function: GraphFunction, call: JsonObject
) -> Iterator[tuple[Parameter, JsonObject, Place | None]]:
    """Pair the arguments of a call with the parameters: by place first, then by name."""
    arguments = call.get("arguments")
    free = list(function.parameters)
    for argument in arguments if isinstance(arguments, list) else []:
        item = argument if isinstance(argument, dict) else {}
        value = item.get("expression")
        value = value if isinstance(value, dict) else {}
        where = _place(text, value)
        name = str(item.get("name") or "").lower()
        names = [parameter.name for parameter in function.parameters]
        if name and name not in names:
            what = f"{function.name} has no parameter `{shown(name)}`"
            what = did_you_mean(what, name, among=names)
            raise MuqlError(what, where, _example(function))
        if not name and not free:
            what = f"{function.name} takes at most {len(names)} arguments"
            raise MuqlError(what, where, _example(function))
        yield function.parameters[names.index(name)] if name else free.pop(0), value, where


def _value(
    parameter: Parameter, value: JsonObject, where: Place | None, function: GraphFunction
) -> Argument:
    if parameter.takes is Takes.NODE:
        return _node(value, where, function)
    if parameter.takes is Takes.KINDS:
        return tuple(EdgeKind(kind) for kind in _kinds(value, where, function, EdgeKind))
    if parameter.takes is Takes.NODE_KINDS:
        return tuple(NodeKind(kind) for kind in _kinds(value, where, function, NodeKind))
    if parameter.takes in {Takes.WORDS, Takes.REVISION}:
        return _words(value, where, parameter, function)
    number = _number(value)
    if parameter.takes is Takes.DEPTH:
        if _literal(value).get("kind") == "NULL_LITERAL":
            return None
        if not number:
            what = (
                f"`{parameter.name}` is a written whole number of 1 or more, or NULL for no bound"
            )
            raise MuqlError(what, where, _example(function))
    elif number is None or not 1 <= number <= MAX_PATHS:
        what = f"`{parameter.name}` is a written whole number from 1 to {MAX_PATHS}"
        raise MuqlError(what, where, _example(function))
    return number


def _node(value: JsonObject, where: Place | None, function: GraphFunction) -> Argument:
    """Read a node reference: a string, a name in double quotes or none, or a column of ids."""
    names = value.get("column_names")
    if value.get("type") == "COLUMN_REF" and isinstance(names, list):
        parts = [str(name) for name in names]
        if len(parts) == 1 and parts[0].lower() in ID_COLUMNS:
            what = f"`{parts[0]}` of which relation?"
            raise MuqlError(what, where, "write the relation's name before it, as in `f.id`")
        if len(parts) == 2 and parts[1].lower() in ID_COLUMNS:
            return RowId(*parts)
        return ".".join(parts)
    text = _text(value)
    if text is None:
        what = f"{function.name} takes a written node, or a column of ids such as `f.id`"
        raise MuqlError(what, where, _example(function))
    if not text.strip():
        raise MuqlError("the node is empty", where, _example(function))
    return text


def _words(
    value: JsonObject, where: Place | None, parameter: Parameter, function: GraphFunction
) -> str:
    text = _text(value)
    if text is None or (parameter.takes is Takes.REVISION and not text.strip()):
        sort = "written text" if parameter.takes is Takes.WORDS else "revision in single quotes"
        raise MuqlError(f"`{parameter.name}` is a {sort}", where, _example(function))
    return text


def _kinds(
    value: JsonObject,
    where: Place | None,
    function: GraphFunction,
    kinds: type[EdgeKind] | type[NodeKind],
) -> list[str]:
    sort = "edge" if kinds is EdgeKind else "node"
    texts = [_text(item) for item in _items(value)]
    known = [kind.value for kind in kinds]
    for text in texts:
        if text is None or text.lower() not in known:
            what = (
                f"unknown kind of {sort} `{shown(text or '')}`" if text else f"not a kind of {sort}"
            )
            what = did_you_mean(what, text or "", among=known)
            raise MuqlError(what, where, f"the kinds are {', '.join(known)}")
    if not texts:
        what = f"`kinds` is a list of kinds of {sort}, written out"
        two = "['calls', 'uses']" if kinds is EdgeKind else "['class', 'function']"
        example = f"{function.call[:-1]}, kinds := {two})".replace("(, ", "(")
        raise MuqlError(what, where, f"this works: SELECT * FROM {example}")
    return list(dict.fromkeys(text.lower() for text in texts if text))


def _items(value: JsonObject) -> list[JsonObject]:
    """Give the items of a written list; a text alone is a list of one."""
    if _text(value) is not None:
        return [value]
    if value.get("function_name") != "list_value":
        return []
    found = value.get("arguments")
    items = (
        [i.get("expression") if isinstance(i, dict) else None for i in found or ()]
        if (isinstance(found, list))
        else []
    )
    return [item if isinstance(item, dict) else {} for item in items]


def _text(value: JsonObject) -> str | None:
    literal = _literal(value)
    return str(literal.get("text", "")) if literal.get("kind") == "STRING" else None


def _number(value: JsonObject) -> int | None:
    literal = _literal(value)
    text = str(literal.get("text", ""))
    is_number = literal.get("kind") == "INTEGER" and text.isdecimal() and len(text) < 10
    return int(text) if is_number else None


def _literal(value: JsonObject) -> JsonObject:
    literal = value.get("literal")
    is_constant = value.get("type") == "VALUE_CONSTANT" and isinstance(literal, dict)
    return literal if is_constant and isinstance(literal, dict) else {}


def _function_of(node: Mapping[str, Json]) -> JsonObject:
    call = node.get("function")
    found = dict(call) if isinstance(call, dict) else {}
    found["function_name"] = str(found.get("function_name", "")).lower()
    return found


def _example(function: GraphFunction, instead: str = "") -> str:
    return instead or f"this works: SELECT * FROM {function.call}"


def _place(text: str, node: Mapping[str, Json]) -> Place | None:
    start, length = node.get("query_location"), node.get("query_location_length")
    if not isinstance(start, int) or not 0 <= start < 1 << 62:
        return None
    return locate_bytes(text, start, length=length if isinstance(length, int) else 1)
