"""Read the call of a named query, `@name(argument := value, ...)`, and bind it to its parameters.

A value is a string, a number, `true` or `false`; a text or a node reference without spaces and
commas needs no quotes. Arguments without a name go to the parameters in their order.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

from mu.model.relation import Cell, Scalar
from mu.muql.errors import MuqlError
from mu.muql.named_queries.named_query import NamedQuery, Parameter, ParameterType, read_value
from mu.muql.nearest import did_you_mean
from mu.muql.text import Place, locate, shown
from mu.store import GraphFile

_PIECE = re.compile(
    r"""(?P<space>\s+|--[^\n]*|/\*.*?\*/)
    | (?P<sign>:=|[@(),])
    | (?P<quoted>'(?:[^']|'')*'|"(?:[^"]|"")*")
    | (?P<bare>(?:(?!:=)[^\s,()'"@])+)
    | (?P<stray>.)""",
    re.VERBOSE | re.DOTALL,
)
Value = str | int | float | bool
_EXAMPLE = "this works: @hotspots(least := 10)"


@dataclass(frozen=True, slots=True)
class Argument:
    """A value as it was written, and its place; `name` is empty where none was given."""

    name: str
    value: str
    place: Place
    name_place: Place


@dataclass(frozen=True, slots=True)
class Call:
    """A call of the query `name`."""

    name: str
    place: Place
    arguments: tuple[Argument, ...]


@dataclass(frozen=True, slots=True)
class _Piece:
    kind: str
    text: str
    place: Place


class _Pieces:
    """The pieces of a call, taken one by one from the front."""

    def __init__(self, text: str) -> None:
        found = (match for match in _PIECE.finditer(text) if match.lastgroup != "space")
        self._rest = [
            _Piece(
                str(match.lastgroup), match[0], locate(text, match.start(), length=len(match[0]))
            )
            for match in found
        ]
        self._rest.append(_Piece("end", "", locate(text, len(text.rstrip()), length=1)))

    def take(self) -> _Piece:
        return self._rest.pop(0) if len(self._rest) > 1 else self._rest[0]

    def takes(self, sign: str) -> bool:
        """Take the next piece when it is `sign`."""
        return self._rest[0].text == sign and bool(self.take())

    def expect(self, *signs: str) -> str:
        piece = self.take()
        if piece.text not in signs or piece.kind == "quoted":
            raise _unexpected(piece, " or ".join(f"`{sign}`" for sign in signs if sign))
        return piece.text


def parse_call(text: str) -> Call:
    """Read a call, which begins with `@`; raises MuqlError with the place of a mistake."""
    pieces = _Pieces(text)
    pieces.expect("@")
    name = pieces.take()
    if name.kind != "bare":
        raise _unexpected(name, "the name of a query")
    arguments: list[Argument] = []
    if pieces.takes("(") and not pieces.takes(")"):
        arguments.append(_argument(pieces))
        while pieces.expect(",", ")") == ",":
            arguments.append(_argument(pieces))
    rest = pieces.take()
    if rest.kind != "end":
        raise MuqlError(f"`{shown(rest.text)}` is one word too many", rest.place, _EXAMPLE)
    return Call(name.text.lower(), name.place, tuple(arguments))


def supplied(call: Call, parameters: Mapping[str, Cell]) -> Call:
    """Put the values of `parameters` where an argument is a `$name` of one of them.

    The call is read by then, so that no value can be taken for a part of it.
    """
    arguments = tuple(
        replace(each, value=str(value) if isinstance(value, float) else written(value))
        if each.value[:1] == "$" and isinstance(value := parameters.get(each.value[1:]), Value)
        else each
        for each in call.arguments
    )
    return replace(call, arguments=arguments)


def bind(call: Call, named: NamedQuery, *, graph: GraphFile) -> Mapping[str, Cell]:
    """Give the value of every parameter of `named`: from the call, else its default.

    Raises MuqlError for a value that is missing, one too many or of the wrong type, and what
    `resolve_node` raises for a reference that means no one node.
    """
    given = _by_name(call, named)
    missing = [p for p in named.parameters if p.name not in given and p.default is None]
    if missing:
        first = missing[0]
        what = f"@{named.name} needs `{first.name}`: {first.meaning}"
        example = "src/app/auth.py" if first.type is ParameterType.NODE else "..."
        hint = f"this works: @{named.name}({first.name} := {example})"
        raise MuqlError(what, call.place, hint)
    values: dict[str, Cell] = {}
    for parameter in named.parameters:
        argument = given.get(parameter.name)
        value = parameter.default if argument is None else _value(argument, parameter)
        values[parameter.name] = (
            _node_id(str(value), graph) if parameter.type is ParameterType.NODE else value
        )
    return values


def signature(named: NamedQuery) -> str:
    """Write how a query is called, with the defaults of its parameters."""
    parts = [
        p.name if p.default is None else f"{p.name} := {written(p.default)}"
        for p in named.parameters
    ]
    return f"@{named.name}({', '.join(parts)})" if parts else f"@{named.name}"


def written(value: Scalar) -> str:
    """Write a value as a call would."""
    match value:
        case bool():
            return "true" if value else "false"
        case float():
            return f"{value:g}"
        case int():
            return str(value)
        case _:
            return "'" + str(value).replace("'", "''") + "'"


def _argument(pieces: _Pieces) -> Argument:
    first = pieces.take()
    if first.kind not in {"bare", "quoted"}:
        raise _unexpected(first, "a value")
    if first.kind == "quoted" or not pieces.takes(":="):
        return Argument("", first.text, first.place, first.place)
    value = pieces.take()
    if value.kind not in {"bare", "quoted"}:
        raise _unexpected(value, f"the value of `{shown(first.text)}`")
    return Argument(first.text.lower(), value.text, value.place, first.place)


def _by_name(call: Call, named: NamedQuery) -> dict[str, Argument]:
    names = [parameter.name for parameter in named.parameters]
    given: dict[str, Argument] = {}
    for number, argument in enumerate(call.arguments):
        if not argument.name and number >= len(names):
            what = f"@{named.name} takes {_count(len(names))}"
            raise MuqlError(what, argument.place, f"it is {signature(named)}")
        name = argument.name or names[number]
        if name not in names:
            what = f"@{named.name} has no parameter `{shown(name)}`"
            what = did_you_mean(what, name, among=names)
            raise MuqlError(what, argument.name_place, f"it is {signature(named)}")
        if name in given:
            raise MuqlError(
                f"`{name}` is given twice", argument.name_place, f"it is {signature(named)}"
            )
        given[name] = argument
    return given


def _value(argument: Argument, parameter: Parameter) -> Scalar:
    try:
        return read_value(argument.value, parameter.type)
    except ValueError as error:
        what = f"`{parameter.name}` is {error}, and not {shown(argument.value)}"
        raise MuqlError(what, argument.place, _EXAMPLE) from None


def _node_id(reference: str, graph: GraphFile) -> str:
    from mu.analysis.node_search.node_resolution import resolve_node  # most queries name no node

    return resolve_node(graph, reference).id


def _count(number: int) -> str:
    return "no arguments" if not number else f"{number} argument{'s' if number > 1 else ''} at most"


def _unexpected(piece: _Piece, expected: str) -> MuqlError:
    found = f"not `{shown(piece.text)}`" if piece.text else "there is nothing more"
    return MuqlError(f"expected {expected}, and {found}", piece.place, _EXAMPLE)
