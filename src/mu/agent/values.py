"""What flows through the agent: messages, calls of tools, configuration, answers."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import cast

import msgspec

Json = None | bool | int | float | str | list["Json"] | dict[str, "Json"]
"""A value that JSON can hold."""

DEFAULT_MODEL = "claude-haiku-5-5"
OFFLINE = "offline"
"""The provider that answers without a model."""

MAX_ITERATIONS = 10


class Record:
    """A value that can be written as JSON."""

    __slots__ = ()

    def to_dict(self) -> dict[str, Json]:
        """Give the fields by name, as JSON would hold them."""
        written = msgspec.json.encode(self, enc_hook=str)
        return cast(dict[str, Json], msgspec.json.decode(written))


@dataclass(frozen=True, slots=True)
class ToolCall(Record):
    """A call of a tool that the model asks for; `id` is what its result answers to."""

    id: str
    name: str
    arguments: dict[str, Json]


@dataclass(frozen=True, slots=True)
class ToolResult(Record):
    """What a call gave: text for the model; of a failed call, the error and what to do.

    `digest` is a hex digest of the content, by which a later run tells whether it is the same.
    """

    call_id: str
    name: str
    content: str
    is_error: bool = False
    digest: str = ""


@dataclass(frozen=True, slots=True)
class Message(Record):
    """One turn: `role` is user, assistant or system.

    `blocks` are an assistant's content blocks as the server sent them: they go back unchanged,
    because some (thinking) are signed.
    """

    role: str
    content: str
    tool_calls: tuple[ToolCall, ...] | None = None
    tool_results: tuple[ToolResult, ...] | None = None
    blocks: tuple[dict[str, Json], ...] = ()


@dataclass(frozen=True, slots=True)
class Usage(Record):
    """Tokens of one request or of several: `input` are those that were in no cache."""

    input: int = 0
    output: int = 0
    cache_write: int = 0
    cache_read: int = 0

    @property
    def total(self) -> int:
        """All tokens, in and out."""
        return self.input + self.output + self.cache_write + self.cache_read

    def plus(self, other: "Usage") -> "Usage":
        """Add two together."""
        return Usage(
            self.input + other.input,
            self.output + other.output,
            self.cache_write + other.cache_write,
            self.cache_read + other.cache_read,
        )


@dataclass(frozen=True, slots=True)
class AgentConfig(Record):
    """How the agent works.

    `provider` is anthropic, ollama, openai (a server that speaks `/v1/chat/completions`), offline,
    or auto: anthropic where a key is set, else offline.
    `temperature` is sent only to servers that take one. `max_tokens` bounds the output of a
    request, `max_iterations` the requests of a question, `max_cost_usd` its cost in dollars, and
    `timeout` a request, in seconds. Answers are kept in `cache_folder`, nowhere when it is None.
    `is_strict` has the model mend what the graph does not have, once. `mubase_path` is the folder
    to look for the graph in (or the graph itself), None for the current one.
    """

    model: str = DEFAULT_MODEL
    max_tokens: int = 4096
    temperature: float = 0.0
    mubase_path: Path | None = None
    max_iterations: int = MAX_ITERATIONS
    max_cost_usd: float | None = None
    provider: str = "auto"
    base_url: str | None = None
    timeout: float = 60.0
    effort: str = "low"
    is_strict: bool = False
    cache_folder: Path | None = None


@dataclass(frozen=True, slots=True)
class Citation(Record):
    """A place or node that an answer names and the graph has; `id` is empty for a bare place."""

    text: str
    path: str
    line: int | None = None
    id: str = ""


@dataclass(frozen=True, slots=True)
class Ran(Record):
    """A tool that was run for an answer, and the digest of what it gave."""

    name: str
    arguments: dict[str, Json]
    digest: str
    is_error: bool = False


@dataclass(frozen=True, slots=True)
class AgentResponse(Record):
    """What became of a question.

    `content` is the answer, in part where `error` says why it is not whole. `tool_calls_made` is
    the number of tool calls, `tool_log` has each of them. `tokens_used` counts all tokens of all
    requests; `cost_usd` is None where the price of the model is not known.
    `unverified` lists what the answer names and the graph does not have. `graph_digest` is that of
    the graph it was answered from.
    """

    content: str
    tool_calls_made: int = 0
    tokens_used: int = 0
    model: str = ""
    error: str | None = None
    cost_usd: float | None = 0.0
    iterations: int = 0
    citations: tuple[Citation, ...] = ()
    unverified: tuple[str, ...] = ()
    elapsed_s: float = 0.0
    usage: Usage = field(default_factory=Usage)
    provider: str = ""
    question: str = ""
    graph_digest: str = ""
    notes: tuple[str, ...] = ()
    is_cached: bool = False
    tool_log: tuple[Ran, ...] = ()

    @property
    def success(self) -> bool:
        """True if the answer is complete."""
        return self.error is None
