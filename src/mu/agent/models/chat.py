"""The seam between a small model and the server that runs it, and how such a server is asked."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, cast

import msgspec

from mu.agent.errors import ModelTimeoutError, RequestError, UnknownModelError, UnreachableError
from mu.agent.model import ToolSpec
from mu.agent.models.certificates import trusted
from mu.agent.values import AgentConfig, Json, ToolCall
from mu.render.redaction import redact
from mu.render.text import printable

if TYPE_CHECKING:
    import httpx2

_LONGEST_TOLD = 200

ChatMessage = dict[str, Json]
"""A message: `role`, `content`, and with native calls `tool_calls`, or the `tool_name` of a result.

`tool_calls` are `{"id", "type": "function", "function": {"name", "arguments": {...}}}`.
"""


@dataclass(frozen=True, slots=True)
class Said:
    """What a chat answered, and how many tokens the server counted, 0 where it did not.

    `calls` are those that the server itself read from the model's output.
    """

    text: str
    prompt_tokens: int
    output_tokens: int
    calls: tuple[ToolCall, ...] = ()


class Chat(Protocol):
    """A server that answers messages; `window` is its context in tokens."""

    @property
    def name(self) -> str:
        """The model's id."""

    @property
    def provider(self) -> str:
        """The provider's name."""

    def window(self) -> int:
        """How many tokens the model can look at."""

    def has_tools(self) -> bool:
        """Tell whether the model was taught to call tools, as far as the server knows."""

    def say(
        self,
        messages: Sequence[ChatMessage],
        *,
        schema: dict[str, Json] | None,
        tools: Sequence[ToolSpec],
    ) -> Said:
        """Answer, within a JSON schema or with tools where they are given. Raises AgentError."""

    def close(self) -> None:
        """Give back the connection, if one is open."""


class Connection:
    """Asks a server for JSON; what goes wrong on the way is an AgentError."""

    def __init__(
        self, address: str, *, model: str, timeout: float, hints: Mapping[str, str]
    ) -> None:
        self.address = address
        self._model = model
        self._timeout = timeout
        self._hints = hints
        self._open: httpx2.Client | None = None

    def post(self, path: str, body: ChatMessage) -> dict[str, object]:
        """Send `body` and give the object that comes back."""
        return self._ask("POST", path, body)

    def get(self, path: str) -> dict[str, object]:
        """Give the object that stands at `path`."""
        return self._ask("GET", path, None)

    def close(self) -> None:
        """Close what the first request opened; a later request opens another."""
        if self._open is not None:
            self._open.close()
            self._open = None

    def _ask(self, method: str, path: str, body: ChatMessage | None) -> dict[str, object]:
        import httpx2

        if self._open is None:  # it may be a proxy's machine otherwise
            certificates = trusted(self.address)
            self._open = httpx2.Client(trust_env=False, timeout=self._timeout, verify=certificates)
        try:
            answer = self._open.request(method, f"{self.address}{path}", json=body)
        except httpx2.TimeoutException as error:
            seconds = f"{self._timeout:g} s"
            raise ModelTimeoutError(
                f"no answer within {seconds}", "give a larger --timeout"
            ) from error
        except (httpx2.HTTPError, httpx2.InvalidURL) as error:
            raise UnreachableError(
                f"cannot reach {self.address}", self._hints["unreachable"]
            ) from error
        if answer.status_code == 404:
            raise UnknownModelError(f"no model {self._model}", self._hints["unknown"])
        if answer.status_code != 200:
            raise _refused(answer.text)
        try:
            told = msgspec.json.decode(answer.content, type=dict[str, object])
        except ValueError as error:
            raise RequestError("the server's answer is no JSON object") from error
        if told.get("error"):
            raise _refused(msgspec.json.encode(told["error"]).decode())
        return told


def _refused(said: str) -> RequestError:
    """The error of a request that the server refuses, with what it says in one line."""
    line = printable(redact(" ".join(said.split())))[:_LONGEST_TOLD]
    return RequestError(f"the server refuses the request: {line}".rstrip(": "))


class ServerChat:
    """What chats over a server share: the connection, which the first request opens."""

    def __init__(self, config: AgentConfig, address: str, hints: Mapping[str, str]) -> None:
        self._config = config
        self._connection = Connection(
            address, model=config.model, timeout=config.timeout, hints=hints
        )
        self._known: dict[str, object] | None = None  # what the server told of the model

    @property
    def name(self) -> str:
        """The model's id."""
        return self._config.model

    def close(self) -> None:
        """Give back the connection, if one is open."""
        self._connection.close()


def as_functions(tools: Sequence[ToolSpec]) -> list[Json]:
    """Write tools as servers of small models take them."""
    return [
        {
            "type": "function",
            "function": {
                "name": tool.name,
                "description": tool.description,
                "parameters": tool.schema,
            },
        }
        for tool in tools
    ]


def read_calls(message: Mapping[str, object]) -> tuple[ToolCall, ...]:
    """Read the calls of a message; arguments may be an object, or one written as text."""
    found = message.get("tool_calls")
    calls: list[ToolCall] = []
    for place, row in enumerate(found if isinstance(found, list) else ()):
        function = row.get("function") if isinstance(row, dict) else None
        if isinstance(function, dict) and isinstance(function.get("name"), str):
            arguments = _arguments(function.get("arguments"))
            calls.append(
                ToolCall(str(row.get("id") or f"call_{place}"), function["name"], arguments)
            )
    return tuple(calls)


def count(told: Mapping[str, object], name: str) -> int:
    """Give a number that a server told, 0 where it did not."""
    value = told.get(name)
    return value if isinstance(value, int) else 0


def _arguments(given: object) -> dict[str, Json]:
    if isinstance(given, str):
        try:
            given = msgspec.json.decode(given)
        except ValueError:
            return {}
    return cast(dict[str, Json], given) if isinstance(given, dict) else {}
