"""What a saved workflow is, and how the file of one is read.

A workflow is a named recipe: steps that each run one MUQL statement or one operation, with `$name`s
where a step takes an input. A file may come from a stranger. It is bounded, every part of it has
its type, and an input is a value that is handed on and never becomes a part of a query's text.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated

import msgspec

from mu.context.structures import parse_structure
from mu.errors import ExitCode, MuError
from mu.render.text import printable

IR_VERSION = "0.1.0"
"""The version of the steps' form that is written, and the one that is read."""

LARGEST_FILE = 262_144
"""Bytes of a workflow's file at most."""

NAME = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9 _.-]{0,78}[A-Za-z0-9_-])?")
"""What a workflow may be called; the name is that of its file, too."""

PARAMETER = re.compile(r"[a-z][a-z0-9_]{0,59}")
"""What an input and a step may be called."""

_WORD = re.compile(r"[\w -]{1,80}")
_MOST_STEPS = 50
_MOST_INPUTS = 20
_LONGEST_QUERY = 65_536

Scalar = str | int | float | bool | None
Argument = Scalar | tuple[Scalar, ...]


class WorkflowError(MuError):
    """A workflow that cannot be read, kept or run; `message` says which and why."""

    def __init__(self, message: str, hint: str = "", code: ExitCode = ExitCode.USAGE) -> None:
        super().__init__(message, hint, code)


class InputType(StrEnum):
    """What an input takes; a `node` is a node reference, and is bound as the node's id."""

    TEXT = "text"
    INTEGER = "integer"
    NUMBER = "number"
    BOOLEAN = "boolean"
    NODE = "node"


_TYPES = {
    **{each.value: each for each in InputType},
    "str": InputType.TEXT,
    "string": InputType.TEXT,
    "int": InputType.INTEGER,
    "float": InputType.NUMBER,
    "bool": InputType.BOOLEAN,
}


@dataclass(frozen=True, slots=True)
class Input:
    """An input of a workflow; without a `default` (None) a run has to give it."""

    name: str
    type: InputType = InputType.TEXT
    description: str = ""
    default: Scalar = None


@dataclass(frozen=True, slots=True)
class Step:
    """One MUQL statement, or one operation with its arguments; `$name` stands for an input."""

    name: str
    muql: str = ""
    operation: str = ""
    arguments: tuple[tuple[str, Argument], ...] = ()


@dataclass(frozen=True, slots=True)
class Workflow:
    """A saved workflow; `outputs` is a structure as `parse_structure` reads it, or any text.

    `origin` is where it comes from, as a user sees it. `id` and `type` are what it is listed with
    beside components.
    """

    name: str
    description: str
    inputs: tuple[Input, ...]
    outputs: str
    created_at: str
    steps: tuple[Step, ...]
    origin: str = ""
    ir_version: str = IR_VERSION

    @property
    def id(self) -> str:
        """The id of a workflow is its name."""
        return self.name

    @property
    def type(self) -> str:
        """What it is, among components."""
        return "workflow"


class _Input(msgspec.Struct, forbid_unknown_fields=True):
    type: str = "text"
    description: str = ""
    default: str | int | float | bool | None = None


class _Step(msgspec.Struct, forbid_unknown_fields=True):
    step: str
    muql: Annotated[str, msgspec.Meta(max_length=_LONGEST_QUERY)] = ""
    operation: str = ""
    arguments: dict[str, Scalar | list[Scalar]] = {}


class _File(msgspec.Struct, forbid_unknown_fields=True):
    name: str
    description: str
    ir: Annotated[list[_Step], msgspec.Meta(max_length=_MOST_STEPS)]
    inputs: dict[str, str | _Input] | list[str] | str = {}
    outputs: object = ""
    created_at: str = ""
    ir_version: str = IR_VERSION


def parse_workflow(data: bytes | str, *, origin: str = "") -> Workflow:
    """Read the text of a workflow's file.

    `inputs` are types or `{type, description, default}` by name, a list of names, or a structure
    such as `{node: str}`; `outputs` are a structure, as text or as JSON. Raises WorkflowError,
    which names `origin`, for whatever is no workflow.
    """
    at = f"{origin}: " if origin else ""
    if len(data) > LARGEST_FILE:
        raise WorkflowError(f"{at}larger than {LARGEST_FILE} bytes")
    try:
        file = msgspec.json.decode(data, type=_File)
        return _workflow(file, origin)
    except WorkflowError as error:
        raise WorkflowError(f"{at}{error.message}", error.hint) from error
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        reason = printable(str(error))[:300]
        raise WorkflowError(
            f"{at}this is no workflow: {reason}", "see `mu workflow save`"
        ) from error


def written(workflow: Workflow) -> str:
    """Write a workflow as its file holds it; `parse_workflow` reads the same from it."""
    document = {
        "name": workflow.name,
        "description": workflow.description,
        "inputs": {each.name: _plain(each) for each in workflow.inputs},
        "outputs": workflow.outputs,
        "created_at": workflow.created_at,
        "ir_version": workflow.ir_version,
        "ir": [_plain_step(step) for step in workflow.steps],
    }
    return msgspec.json.format(msgspec.json.encode(document), indent=2).decode() + "\n"


def check_name(name: str) -> str:
    """Give the name; raises WorkflowError for one that could name another file."""
    if not NAME.fullmatch(name) or ".." in name:
        raise WorkflowError(
            f"a workflow cannot be called '{printable(name[:100])}'",
            "a name has letters, digits, spaces, `-`, `_` and `.`, 80 at most",
        )
    return name


def _workflow(file: _File, origin: str) -> Workflow:
    if file.ir_version != IR_VERSION:
        version = printable(file.ir_version[:20])
        raise WorkflowError(f"ir_version is {version}, and {IR_VERSION} is what this MU reads")
    if not file.description.strip():
        raise WorkflowError("it has no description")
    inputs = _inputs(file.inputs)
    steps = tuple(_step(each, {known.name for known in inputs}) for each in file.ir)
    names = [step.name for step in steps]
    if len(set(names)) < len(names):
        raise WorkflowError("two of its steps have the same name")
    return Workflow(
        name=check_name(file.name),
        description=file.description,
        inputs=inputs,
        outputs=file.outputs if isinstance(file.outputs, str) else _structure(file.outputs),
        created_at=file.created_at,
        steps=steps,
        origin=origin,
    )


def _structure(given: object) -> str:
    """Write outputs that are given as JSON as a structure."""
    match given:
        case None:
            return ""
        case str() if _WORD.fullmatch(given):
            return given
        case list():
            return f"[{', '.join(map(_structure, given))}]"
        case dict() if all(_WORD.fullmatch(key) for key in given):
            return "{" + ", ".join(f"{key}: {_structure(of)}" for key, of in given.items()) + "}"
    raise WorkflowError("its outputs are no structure", 'this works: {"callers": [{"id": "str"}]}')


def _inputs(given: Mapping[str, str | _Input] | list[str] | str) -> tuple[Input, ...]:
    if isinstance(given, list):
        given = dict.fromkeys(given, InputType.TEXT.value)
    if isinstance(given, str):
        fields = parse_structure(given) if given.strip() else ()
        if isinstance(fields, str):
            raise WorkflowError("its inputs are no structure", "this works: {node: str}")
        given = {field.key: field.type for field in fields}
    if len(given) > _MOST_INPUTS:
        raise WorkflowError(f"it has more than {_MOST_INPUTS} inputs")
    return tuple(_input(name, one) for name, one in given.items())


def _input(name: str, given: str | _Input) -> Input:
    one = _Input(given) if isinstance(given, str) else given
    if not PARAMETER.fullmatch(name):
        raise WorkflowError(
            f"an input cannot be called '{printable(name[:60])}'",
            "small letters, digits and underscores",
        )
    if one.type not in _TYPES:
        known = ", ".join(InputType)
        raise WorkflowError(f"the input `{name}` has no known type", f"the types are {known}")
    kind = _TYPES[one.type]
    if one.default is not None and not fits(one.default, kind):
        raise WorkflowError(f"the default of the input `{name}` is no {kind}")
    return Input(name, kind, one.description, one.default)


def fits(value: Scalar, kind: InputType) -> bool:
    """Tell whether a value is of a type."""
    match kind:
        case InputType.BOOLEAN:
            return isinstance(value, bool)
        case InputType.INTEGER:
            return isinstance(value, int) and not isinstance(value, bool)
        case InputType.NUMBER:
            return isinstance(value, int | float) and not isinstance(value, bool)
        case _:
            return isinstance(value, str)


def _step(given: _Step, inputs: set[str]) -> Step:
    if not PARAMETER.fullmatch(given.step):
        raise WorkflowError(
            f"a step cannot be called '{printable(given.step[:60])}'",
            "small letters, digits and underscores",
        )
    if bool(given.muql.strip()) == bool(given.operation):
        raise WorkflowError(f"the step `{given.step}` needs either `muql` or `operation`")
    if given.muql and given.arguments:
        raise WorkflowError(
            f"the step `{given.step}` has arguments beside its query",
            "write an input as $name in the query",
        )
    arguments = tuple(
        (name, tuple(value) if isinstance(value, list) else value)
        for name, value in given.arguments.items()
    )
    for _, value in arguments:
        asked = input_of(value)
        if asked and asked not in inputs:
            raise WorkflowError(f"the step `{given.step}` takes ${asked}, which is no input")
    return Step(given.step, given.muql, given.operation, arguments)


def input_of(value: Argument) -> str:
    """Give the name of the input that an argument stands for, empty where it is a plain value."""
    is_input = isinstance(value, str) and value[:1] == "$" and PARAMETER.fullmatch(value[1:])
    return str(value)[1:] if is_input else ""


def _plain(one: Input) -> dict[str, Scalar]:
    default: dict[str, Scalar] = {} if one.default is None else {"default": one.default}
    return {"type": one.type.value, "description": one.description, **default}


def _plain_step(step: Step) -> dict[str, object]:
    if step.muql:
        return {"step": step.name, "muql": step.muql}
    return {"step": step.name, "operation": step.operation, "arguments": dict(step.arguments)}
