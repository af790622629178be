"""Choose what answers: Claude, a server that speaks its wire format, or no model at all."""

from mu.agent.anthropic_model import AnthropicModel
from mu.agent.model import Model
from mu.agent.offline import OfflineModel
from mu.agent.values import AgentConfig
from mu.errors import ExitCode, MuError

PROVIDERS = ("auto", "anthropic", "offline")


def choose_model(config: AgentConfig, *, key: str | None) -> Model:
    """Give the model that a configuration asks for.

    `auto` is a server at `base_url`, or Claude where a key is set, or else none. Raises NoKeyError
    when Claude is asked for by name without a key, MuError (usage) for an unknown provider.
    """
    if config.provider not in PROVIDERS:
        raise MuError(
            f"no provider {config.provider}", f"there are {', '.join(PROVIDERS)}", ExitCode.USAGE
        )
    if config.provider == "offline":
        return OfflineModel()
    if config.provider == "auto" and not key and config.base_url is None:
        return OfflineModel()
    return AnthropicModel(config, key=key)
