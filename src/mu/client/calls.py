"""Calls of operations as JSON: arguments by name, results by the types that operations declare."""

import functools
import inspect
from collections.abc import Callable, Mapping, Sequence
from types import GenericAlias
from typing import ParamSpec, TypeVar, get_args, get_type_hints

import msgspec

from mu.errors import ExitCode, MuError
from mu.operations.workspace import Workspace

P = ParamSpec("P")
R = TypeVar("R")

_LOCAL = frozenset({"workspace", "on_event", "supplied"})
"""Parameters that cannot be sent: what is passed for them is known to one process alone."""


class Failure(msgspec.Struct, frozen=True):
    """A MuError on its way: message, hint and exit status."""

    message: str
    hint: str = ""
    code: int = int(ExitCode.FAILED)

    def error(self) -> MuError:
        """Make the error that was raised at the other end."""
        return MuError(self.message, self.hint, ExitCode(self.code))


def arguments(
    operation: Callable[..., object], *, given: Sequence[object], named: Mapping[str, object]
) -> dict[str, object] | None:
    """Name the arguments of a call without its workspace; None for a call that cannot be sent."""
    bound = inspect.signature(operation).bind(None, *given, **named).arguments
    sent: dict[str, object] = {}
    for name, parameter in list(inspect.signature(operation).parameters.items())[1:]:
        if name not in bound:
            continue
        if name in _LOCAL and bound[name] != parameter.default:
            return None
        if name in _LOCAL:
            continue
        if parameter.kind is inspect.Parameter.VAR_KEYWORD:
            sent.update(bound[name])
        else:
            sent[name] = bound[name]
    return sent


@functools.cache
def arguments_type(operation: Callable[..., object]) -> type[msgspec.Struct]:
    """Make the type of the arguments of an operation, as a JSON object without unknown keys."""
    hints = get_type_hints(operation)
    fields: list[tuple[str, type | GenericAlias] | tuple[str, type | GenericAlias, object]] = []
    for name, parameter in inspect.signature(operation).parameters.items():
        if name in _LOCAL:
            continue
        if parameter.kind is inspect.Parameter.VAR_KEYWORD:
            (shape,) = get_args(hints[name])
            fields += [
                (key, type_ | msgspec.UnsetType, msgspec.UNSET)
                for key, type_ in get_type_hints(shape).items()
            ]
        elif parameter.kind is inspect.Parameter.VAR_POSITIONAL:
            fields.append((name, GenericAlias(tuple, (hints[name], ...)), ()))
        elif parameter.default is inspect.Parameter.empty:
            fields.append((name, hints[name]))
        else:
            fields.append((name, hints[name], parameter.default))
    title = f"{operation.__name__}_arguments"
    return msgspec.defstruct(title, fields, kw_only=True, forbid_unknown_fields=True)


def apply(
    operation: Callable[..., object], workspace: Workspace, *, given: msgspec.Struct
) -> object:
    """Call an operation with arguments that were read."""
    named = {name: getattr(given, name) for name in given.__struct_fields__}
    named = {name: value for name, value in named.items() if value is not msgspec.UNSET}
    several = next(
        (
            name
            for name, parameter in inspect.signature(operation).parameters.items()
            if parameter.kind is inspect.Parameter.VAR_POSITIONAL
        ),
        "",
    )
    return operation(workspace, *named.pop(several, ()), **named)


def result_type(operation: Callable[..., object]) -> type:
    """Give the type that an operation's result has."""
    found: type = get_type_hints(operation)["return"]
    return found
