"""Choose what answers: Claude, a server that speaks a wire format known here, or no model."""

from dataclasses import replace

from mu.agent.model import Model
from mu.agent.models.anthropic_model import AnthropicModel
from mu.agent.models.ollama import DEFAULT_OLLAMA_MODEL, OllamaChat
from mu.agent.models.openai_chat import OpenAIChat
from mu.agent.models.small_model import SmallModel
from mu.agent.offline.offline_model import OfflineModel
from mu.agent.values import DEFAULT_MODEL, OFFLINE, AgentConfig
from mu.errors import ExitCode, MuError

PROVIDERS = ("auto", "anthropic", "ollama", "openai", OFFLINE)


def choose_model(config: AgentConfig, *, key: str | None) -> Model:
    """Give the model that a configuration asks for.

    `auto` is a server at `base_url`, or Claude where a key is set, or else none. Raises NoKeyError
    when Claude is asked for by name without a key, MuError (usage) for an unknown provider.
    """
    if config.provider not in PROVIDERS:
        raise MuError(
            f"no provider {config.provider}", f"there are {', '.join(PROVIDERS)}", ExitCode.USAGE
        )
    if config.provider == OFFLINE:
        return OfflineModel()
    if config.provider == "ollama":
        is_default = config.model == DEFAULT_MODEL
        named = replace(config, model=DEFAULT_OLLAMA_MODEL) if is_default else config
        return SmallModel(OllamaChat(named))
    if config.provider == "openai":
        return SmallModel(OpenAIChat(config))
    if config.provider == "auto" and not key and config.base_url is None:
        return OfflineModel()
    return AnthropicModel(config, key=key)
