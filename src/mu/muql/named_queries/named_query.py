"""Read a named query: what it says of itself in its first comments, and the query below them.

    -- Functions that are complex, the most complex first.
    -- parameter least integer := 10: the complexity from which a function counts
    -- parameter prefix text := '': only files whose path begins so
    SELECT ... WHERE complexity >= $least AND starts_with(path, $prefix) ...

The comments stay in the text that is compiled, so a mistake is shown at its line in the file.
"""

import re
from dataclasses import dataclass
from enum import StrEnum

from mu.model.relation import Scalar
from mu.muql.errors import MuqlError
from mu.muql.text import Place, locate

NAME = re.compile(r"[a-z][a-z0-9_]{0,59}")
"""What a named query, and a parameter of one, may be called."""

NUMBER = re.compile(r"-?[0-9]{1,15}(?:\.[0-9]{1,15})?")

_PARAMETER = re.compile(
    rf"-- parameter (?P<name>{NAME.pattern}) (?P<type>[a-z]+)"
    rf"(?: := (?P<default>'(?:[^']|'')*'|{NUMBER.pattern}|true|false))?: (?P<meaning>\S.*)"
)
_EXAMPLE = "a parameter is declared as: -- parameter least integer := 10: what it means"
_MOST_PARAMETERS = 20


class ParameterType(StrEnum):
    """What a parameter takes; a `node` is given as a node reference and bound as an id."""

    TEXT = "text"
    INTEGER = "integer"
    NUMBER = "number"
    BOOLEAN = "boolean"
    NODE = "node"


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of a named query; without a `default` (None) a call has to give it."""

    name: str
    type: ParameterType
    default: Scalar
    meaning: str


@dataclass(frozen=True, slots=True)
class NamedQuery:
    """A query that is kept under a name; `origin` is the file it stands in, as a user sees it."""

    name: str
    description: str
    parameters: tuple[Parameter, ...]
    text: str
    origin: str


def parse_named(text: str, name: str, *, origin: str) -> NamedQuery:
    """Read the text of a file of one named query.

    Raises MuqlError, with its place in the text, when it does not say what it does or declares a
    parameter in a way that is not understood.
    """
    description: list[str] = []
    parameters: list[Parameter] = []
    offset = 0
    for line in text.splitlines(keepends=True):
        words = line.strip()
        if not words.startswith("--"):
            break
        if words.startswith("-- parameter "):
            place = locate(text, offset, length=len(words))
            parameters.append(_parameter(words, place, {known.name for known in parameters}))
        elif not parameters:
            description.append(words.removeprefix("--").strip())
        offset += len(line)
    if not " ".join(description).strip():
        place = locate(text, 0, length=1)
        raise MuqlError("a named query begins with a comment that says what it gives", place)
    if len(parameters) > _MOST_PARAMETERS:
        raise MuqlError(f"more than {_MOST_PARAMETERS} parameters")
    return NamedQuery(name, " ".join(filter(None, description)), tuple(parameters), text, origin)


def read_value(text: str, kind: ParameterType) -> Scalar:
    """Read a value as it is written in a call or a default; a node stays its reference.

    Raises ValueError with what was expected.
    """
    is_quoted = text[:1] in {"'", '"'}
    if kind in {ParameterType.TEXT, ParameterType.NODE}:
        return text[1:-1].replace(text[0] * 2, text[0]) if is_quoted else text
    if kind is ParameterType.BOOLEAN:
        if text.lower() not in {"true", "false"}:
            raise ValueError("true or false")
        return text.lower() == "true"
    if not NUMBER.fullmatch(text) or (kind is ParameterType.INTEGER and "." in text):
        raise ValueError("a whole number" if kind is ParameterType.INTEGER else "a number")
    return int(text) if kind is ParameterType.INTEGER else float(text)


def _parameter(words: str, place: Place, known: set[str]) -> Parameter:
    found = _PARAMETER.fullmatch(words)
    if found is None:
        raise MuqlError("a parameter that is not understood", place, _EXAMPLE)
    if found["name"] in known:
        raise MuqlError(f"the parameter `{found['name']}` is declared twice", place)
    try:
        kind = ParameterType(found["type"])
    except ValueError:
        types = ", ".join(ParameterType)
        raise MuqlError(f"unknown type `{found['type']}`", place, f"known are {types}") from None
    default: Scalar = None
    if found["default"] is not None:
        try:
            default = read_value(found["default"], kind)
        except ValueError as error:
            what = f"the default of `{found['name']}` is not {error}"
            raise MuqlError(what, place, _EXAMPLE) from None
    return Parameter(found["name"], kind, default, found["meaning"])
