"""The seam between the loop and whatever answers: a server, a local model, a script."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

from mu.agent.values import Json, Message, ToolCall, Usage


@dataclass(frozen=True, slots=True)
class ToolSpec:
    """A tool as the model sees it; `schema` is the JSON Schema of its arguments."""

    name: str
    description: str
    schema: dict[str, Json]


@dataclass(frozen=True, slots=True)
class Request:
    """One request: fixed text, what is told of the graph, the conversation, the tools.

    `may_call` is False where the model has to answer without a tool.
    """

    system: str
    summary: str
    messages: tuple[Message, ...]
    tools: tuple[ToolSpec, ...]
    max_tokens: int
    may_call: bool = True


@dataclass(frozen=True, slots=True)
class Reply:
    """What a request gave; `stop` is the server's reason, empty when the stream was cut.

    `detail` says why, of a refusal, or what is to be known of the answer.
    """

    text: str
    calls: tuple[ToolCall, ...]
    stop: str
    usage: Usage
    model: str
    blocks: tuple[dict[str, Json], ...] = ()
    detail: str = ""


@dataclass(frozen=True, slots=True)
class TextDelta:
    """A piece of the answer, as it comes in."""

    text: str


class Model(Protocol):
    """Answers requests."""

    @property
    def name(self) -> str:
        """The model's id."""

    @property
    def provider(self) -> str:
        """The provider's name."""

    def send(self, request: Request, *, is_streamed: bool) -> Iterator[TextDelta | Reply]:
        """Give pieces of text as they come, when streamed, and the whole reply at the end.

        Raises AgentError.
        """

    def close(self) -> None:
        """Give back the connection, if one is open."""
