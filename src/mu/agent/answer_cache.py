"""Answers that were paid for, kept for the same question while what they rest on is the same.

One file an answer, named by a digest of the question, the model and the prompt. An answer is given
again when every tool that was run for it gives what it gave: the graph may have changed elsewhere.
A file that cannot be read is no answer; the folder may be deleted at any time.
"""

import os
import secrets
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path
from typing import cast

import msgspec

from mu.agent.values import AgentResponse, Citation, Json, Ran
from mu.agent.verification import Run, changed_calls

_MOST = 500
"""How many answers are kept; the oldest go."""


class AnswerCache:
    """The answers in one folder."""

    def __init__(self, folder: Path, prompt: str) -> None:
        self._folder = folder
        self._prompt = prompt

    def find(self, question: str, *, model: str, run: Run) -> AgentResponse | None:
        """Give a kept answer that still holds, at no tokens; None when there is none."""
        try:
            data = self._path(question, model).read_bytes()
            kept = msgspec.json.decode(data, type=_Kept)
        except (OSError, ValueError):
            return None
        calls = tuple(Ran(call.name, _arguments(call), call.digest) for call in kept.calls)
        if changed_calls(calls, run):
            return None
        return AgentResponse(
            content=kept.content,
            tool_calls_made=len(calls),
            model=model,
            citations=tuple(kept.citations),
            provider=kept.provider,
            question=question,
            graph_digest=kept.graph_digest,
            notes=("answered before; what it rests on is unchanged",),
            is_cached=True,
            tool_log=calls,
        )

    def keep(self, response: AgentResponse, *, model: str) -> None:
        """Keep a whole answer of the model that was asked; what cannot be written is not kept."""
        calls = [_KeptCall(r.name, msgspec.Raw(msgspec.json.encode(r.arguments)), r.digest)
                 for r in response.tool_log]  # fmt: skip
        kept = _Kept(
            response.content, calls, list(response.citations), response.provider,
            response.graph_digest,
        )  # fmt: skip
        path = self._path(response.question, model)
        beside = path.with_suffix(f".{secrets.token_hex(4)}.tmp")
        with suppress(OSError):
            self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            beside.write_bytes(msgspec.json.encode(kept))
            beside.replace(path)
            self._forget_oldest()

    def _path(self, question: str, model: str) -> Path:
        text = "\0".join((" ".join(question.split()).casefold(), model, self._prompt))
        return self._folder / f"{blake2b(text.encode(), digest_size=16).hexdigest()}.json"

    def _forget_oldest(self) -> None:
        with os.scandir(self._folder) as entries:
            aged = sorted((entry.stat().st_mtime, entry.path) for entry in entries)
        for _, path in aged[:-_MOST]:
            Path(path).unlink(missing_ok=True)


class _KeptCall(msgspec.Struct):
    name: str
    arguments: msgspec.Raw
    digest: str


class _Kept(msgspec.Struct):
    content: str
    calls: list[_KeptCall]
    citations: list[Citation]
    provider: str
    graph_digest: str


def _arguments(call: _KeptCall) -> dict[str, Json]:
    return cast(dict[str, Json], msgspec.json.decode(call.arguments))
