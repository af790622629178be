"""Verify an answer: run its queries again, and compare their results with those it rests on."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import cast

import msgspec

from mu.agent.toolbox import Toolbox
from mu.agent.values import Json, Ran, Record, ToolCall, ToolResult
from mu.errors import ExitCode, MuError
from mu.operations.workspace import Workspace

Run = Callable[[ToolCall], ToolResult]

_LARGEST = 4_000_000  # bytes of a file with an answer


class _Kept(msgspec.Struct):
    """The parts of a kept answer that are looked at; others are let be."""

    question: str
    graph_digest: str
    tool_log: list["_KeptCall"]


class _KeptCall(msgspec.Struct):
    name: str
    arguments: dict[str, object]
    digest: str


@dataclass(frozen=True, slots=True)
class Verification(Record):
    """What became of an answer: `changed` names the calls that give something else now.

    `is_same_graph` says that the graph is the one it was answered from, so nothing was run again.
    """

    question: str
    holds: bool
    is_same_graph: bool
    calls: int
    changed: tuple[str, ...]


def verify(workspace: Workspace, file: Path) -> Verification:
    """Run again what an answer, as `mu agent ask --json` writes it, was made of.

    Raises MuError (usage) for a file that holds no such answer.
    """
    kept = _read(file)
    is_same = bool(kept.graph_digest) and workspace.graph.meta().get("digest") == kept.graph_digest
    changed: tuple[str, ...] = ()
    if not is_same:
        toolbox = Toolbox(workspace)
        ran = [
            Ran(call.name, cast(dict[str, Json], call.arguments), call.digest)
            for call in kept.tool_log
        ]
        changed = changed_calls(ran, toolbox.execute)
    return Verification(kept.question, not changed, is_same, len(kept.tool_log), changed)


def changed_calls(calls: Sequence[Ran], run: Run) -> tuple[str, ...]:
    """Name the calls that give something else than they did."""
    return tuple(
        f"{call.name} {msgspec.json.encode(call.arguments).decode()}"
        for place, call in enumerate(calls)
        if run(ToolCall(f"again_{place}", call.name, call.arguments)).digest != call.digest
    )


def _read(file: Path) -> _Kept:
    try:
        if file.stat().st_size > _LARGEST:
            raise MuError(f"{file.name} is too large for an answer", code=ExitCode.USAGE)
        return msgspec.json.decode(file.read_bytes(), type=_Kept)
    except OSError as error:
        raise MuError(f"cannot read {file}: {error.strerror}", code=ExitCode.USAGE) from error
    except ValueError as error:
        raise MuError(
            f"{file.name} holds no answer: {error}",
            "it is what `mu agent ask QUESTION --json` writes",
            ExitCode.USAGE,
        ) from error
