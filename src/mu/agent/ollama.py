"""Models that Ollama runs on this machine, over its own API."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import msgspec

from mu.agent.errors import ModelTimeoutError, RequestError, UnknownModelError, UnreachableError
from mu.agent.small_model import Said
from mu.agent.values import AgentConfig, Json

if TYPE_CHECKING:
    import httpx2

DEFAULT_ADDRESS = "http://127.0.0.1:11434"
DEFAULT_OLLAMA_MODEL = "qwen2.5-coder:3b"
LEAST_WINDOW = 8_192
MOST_WINDOW = 32_768
"""The context that is asked for, in tokens: more than the server's 4,096, but not all memory."""


class OllamaChat:
    """A chat with one model; the connection is opened with the first request."""

    provider = "ollama"

    def __init__(self, config: AgentConfig) -> None:
        self._config = config
        self._address = (config.base_url or DEFAULT_ADDRESS).rstrip("/")
        self._window = 0
        self._open: httpx2.Client | None = None

    @property
    def name(self) -> str:
        """The model's id."""
        return self._config.model

    def window(self) -> int:
        """How many tokens the model can look at, asked of the server once."""
        if not self._window:
            told = self._post("/api/show", {"model": self.name})
            info = told.get("model_info")
            lengths = [
                value
                for key, value in (info.items() if isinstance(info, dict) else ())
                if str(key).endswith(".context_length") and isinstance(value, int)
            ]
            self._window = min(max(lengths, default=LEAST_WINDOW), MOST_WINDOW)
        return self._window

    def say(self, messages: Sequence[dict[str, str]], *, schema: dict[str, Json]) -> Said:
        """Answer in the schema."""
        told = self._post(
            "/api/chat",
            {
                "model": self.name,
                "messages": list(messages),
                "stream": False,
                "format": schema,
                "options": {
                    "temperature": self._config.temperature,
                    "num_ctx": self.window(),
                    "num_predict": self._config.max_tokens,
                },
            },
        )
        message = told.get("message")
        text = message.get("content", "") if isinstance(message, dict) else ""
        return Said(str(text), _count(told, "prompt_eval_count"), _count(told, "eval_count"))

    def _post(self, path: str, body: dict[str, object]) -> dict[str, object]:
        import httpx2

        if self._open is None:  # it may be a proxy's machine otherwise
            self._open = httpx2.Client(trust_env=False, timeout=self._config.timeout)
        try:
            answer = self._open.post(f"{self._address}{path}", json=body)
        except httpx2.TimeoutException as error:
            seconds = f"{self._config.timeout:g} s"
            raise ModelTimeoutError(
                f"no answer within {seconds}", "give a larger --timeout"
            ) from error
        except httpx2.HTTPError as error:
            raise UnreachableError(
                f"cannot reach {self._address}", "is `ollama serve` running? or --provider offline"
            ) from error
        if answer.status_code == 404:
            raise UnknownModelError(f"no model {self.name}", f"`ollama pull {self.name}` gets it")
        if answer.status_code != 200:
            raise RequestError(f"the server refuses the request: {answer.text[:200]}")
        try:
            return msgspec.json.decode(answer.content, type=dict[str, object])
        except ValueError as error:
            raise RequestError("the server's answer is no JSON object") from error


def _count(told: dict[str, object], name: str) -> int:
    value = told.get(name)
    return value if isinstance(value, int) else 0
