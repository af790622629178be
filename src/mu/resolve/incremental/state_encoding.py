"""What the whole program said, as bytes that are kept from one build to the next."""

import msgspec

from mu.model.kinds import Rule
from mu.resolve.abstract_values import MEMBER, NESTED, Value, Values
from mu.resolve.emit.nodes import NodeNames
from mu.resolve.frameworks.registrations import Registering
from mu.resolve.program.file_outline import FileOutline
from mu.resolve.solver.propagation_state import Makers, PropagationState, Row
from mu.resolve.solver.solver import ParameterKey
from mu.resolve.whole_program import WholeProgramState

_KeyRow = int | str | list[object]
_ValueRow = tuple[int, _KeyRow, Rule]
_MakersRow = tuple[ParameterKey, list[tuple[Row, set[Row]]]]
_StateRow = tuple[
    list[tuple[ParameterKey, list[_ValueRow]]],
    set[ParameterKey],
    int,
    list[_MakersRow],
    set[int],
    list[tuple[int, int, str, int]],
    frozenset[str],
    frozenset[str],
    set[int],
    list[tuple[str, str]],
    list[tuple[int, list[int]]],
    tuple[set[int], list[str]],
    dict[int, FileOutline],
    dict[int, NodeNames],
]

_decoder = msgspec.msgpack.Decoder(_StateRow)
_encoder = msgspec.msgpack.Encoder()


def encode_state(state: WholeProgramState) -> bytes:
    """Write a state as bytes; `decode_state` reads it."""
    found = state.propagation
    makers = [(need, [*arguments.items()]) for need, arguments in found.makers.items()]
    return _encoder.encode(
        (
            [*found.shown.items()],
            found.limited,
            found.unfinished,
            makers,
            found.spreading,
            found.ways,
            found.operators,
            found.setters,
            {*state.live},
            state.library_modules,
            [*state.children.items()],
            state.registering,
            state.outlines,
            state.names,
        )
    )


def decode_state(data: bytes) -> WholeProgramState:
    """Read a state. Raises msgspec.DecodeError for other bytes."""
    *found, live, modules, children, registering, outlines, names = _decoder.decode(data)
    shown, limited, unfinished, makers, spreading, ways, operators, setters = found
    propagation = PropagationState(
        {need: _values(values) for need, values in shown},
        limited,
        unfinished,
        _makers(makers),
        spreading,
        ways,
        operators,
        setters,
    )
    return WholeProgramState(
        *(propagation, live, modules, dict(children), Registering(*registering)),
        outlines=outlines,
        names=names,
    )


def _makers(rows: list[_MakersRow]) -> Makers:
    return {need: dict(arguments) for need, arguments in rows}


def _values(rows: list[_ValueRow]) -> Values:
    return tuple([_value(*row) for row in rows])


def _value(kind: int, key: _KeyRow, rule: Rule) -> Value:
    if not isinstance(key, list):
        return kind, key, rule
    if kind in NESTED:
        number, parts = msgspec.convert(key, tuple[int, list[list[_ValueRow]]])
        return kind, (number, tuple([_values(part) for part in parts])), rule
    if kind == MEMBER:
        return kind, msgspec.convert(key, tuple[int, str]), rule
    return kind, msgspec.convert(key, tuple[int, int, str]), rule
