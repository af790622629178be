"""Models behind a server that speaks `/v1/chat/completions`: llama.cpp, LM Studio, vLLM."""

from collections.abc import Sequence

import msgspec

from mu.agent.errors import AgentError
from mu.agent.model import ToolSpec
from mu.agent.models.chat import ChatMessage, Said, ServerChat, as_functions, count, read_calls
from mu.agent.values import AgentConfig, Json

DEFAULT_ADDRESS = "http://127.0.0.1:8080"
DEFAULT_WINDOW = 8_192
"""The context that is counted with where the server does not tell its own, in tokens."""


class OpenAIChat(ServerChat):
    """A chat with one model."""

    provider = "openai"

    def __init__(self, config: AgentConfig) -> None:
        address = (config.base_url or DEFAULT_ADDRESS).rstrip("/").removesuffix("/v1")
        hints = {
            "unknown": "--model names one that the server has",
            "unreachable": "is the server running there? --base-url says where; "
            "or --provider offline",
        }
        super().__init__(config, address, hints)

    def window(self) -> int:
        """How many tokens the model can look at, where the server tells (llama.cpp does)."""
        settings = self._properties().get("default_generation_settings")
        length = count(settings, "n_ctx") if isinstance(settings, dict) else 0
        return length or DEFAULT_WINDOW

    def has_tools(self) -> bool:
        """Tell whether the model's template has calls of tools, where the server tells."""
        able = self._properties().get("chat_template_caps")
        return isinstance(able, dict) and able.get("supports_tool_calls") is True

    def say(
        self,
        messages: Sequence[ChatMessage],
        *,
        schema: dict[str, Json] | None,
        tools: Sequence[ToolSpec],
    ) -> Said:
        """Answer in the schema, or with calls of the tools."""
        body: ChatMessage = {
            "model": self.name,
            "messages": [_as_wire(message) for message in messages],
            "max_tokens": self._config.max_tokens,
            "temperature": self._config.temperature,
        }
        if schema is not None:
            named: Json = {"name": "turn", "schema": schema}
            body["response_format"] = {"type": "json_schema", "json_schema": named}
        if tools:
            body["tools"] = as_functions(tools)
        told = self._connection.post("/v1/chat/completions", body)
        usage = told.get("usage")
        counted = usage if isinstance(usage, dict) else {}
        said = _message(told)
        return Said(
            _text(said.get("content")),
            count(counted, "prompt_tokens"),
            count(counted, "completion_tokens"),
            read_calls(said),
        )

    def _properties(self) -> dict[str, object]:
        """What llama.cpp tells of itself; other servers know no such address."""
        if self._known is None:
            try:
                self._known = self._connection.get("/props")
            except AgentError:
                self._known = {}
        return self._known


def _message(told: dict[str, object]) -> dict[str, object]:
    match told.get("choices"):
        case [{"message": dict() as message}, *_]:
            return message
    return {}


def _text(content: object) -> str:
    """Give the text of a message, which may come in parts."""
    if not isinstance(content, list):
        return str(content or "")
    return "".join(str(part.get("text") or "") for part in content if isinstance(part, dict))


def _as_wire(message: ChatMessage) -> ChatMessage:
    """Write a message with the arguments of its calls as text, which this API wants."""
    calls = message.get("tool_calls")
    if not isinstance(calls, list):
        return {name: value for name, value in message.items() if name != "tool_name"}
    written: list[Json] = []
    for call in calls:
        match call:
            case {"id": identity, "function": {"name": name, "arguments": arguments}}:
                text = msgspec.json.encode(arguments).decode()
                function: Json = {"name": name, "arguments": text}
                written.append({"id": identity, "type": "function", "function": function})
    return {**message, "tool_calls": written}
