"""Models that Ollama runs on this machine, over its own API."""

from collections.abc import Sequence

from mu.agent.model import ToolSpec
from mu.agent.models.chat import ChatMessage, Said, ServerChat, as_functions, count, read_calls
from mu.agent.values import AgentConfig, Json

DEFAULT_ADDRESS = "http://127.0.0.1:11434"
DEFAULT_OLLAMA_MODEL = "qwen2.5-coder:3b"
LEAST_WINDOW = 8_192
MOST_WINDOW = 32_768
"""The context that is asked for, in tokens: more than the server's 4,096, but not all memory."""


class OllamaChat(ServerChat):
    """A chat with one model."""

    provider = "ollama"

    def __init__(self, config: AgentConfig) -> None:
        hints = {
            "unknown": f"`ollama pull {config.model}` gets it",
            "unreachable": "is `ollama serve` running? or --provider offline",
        }
        super().__init__(config, (config.base_url or DEFAULT_ADDRESS).rstrip("/"), hints)

    def window(self) -> int:
        """How many tokens the model can look at, asked of the server once."""
        info = self._shown().get("model_info")
        lengths = [
            value
            for key, value in (info.items() if isinstance(info, dict) else ())
            if str(key).endswith(".context_length") and isinstance(value, int)
        ]
        return min(max(lengths, default=LEAST_WINDOW), MOST_WINDOW)

    def has_tools(self) -> bool:
        """Tell whether the model was taught to call tools, as the server says."""
        able = self._shown().get("capabilities")
        return isinstance(able, list) and "tools" in able

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
            "messages": list(messages),
            "stream": False,
            "options": {
                "temperature": self._config.temperature,
                "num_ctx": self.window(),
                "num_predict": self._config.max_tokens,
            },
        }
        if schema is not None:
            body["format"] = schema
        if tools:
            body["tools"] = as_functions(tools)
        told = self._connection.post("/api/chat", body)
        message = told.get("message")
        said = message if isinstance(message, dict) else {}
        return Said(
            str(said.get("content") or ""),
            count(told, "prompt_eval_count"),
            count(told, "eval_count"),
            read_calls(said),
        )

    def _shown(self) -> dict[str, object]:
        if self._known is None:
            self._known = self._connection.post("/api/show", {"model": self.name})
        return self._known
