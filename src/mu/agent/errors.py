"""What can go wrong between MU and a model, each with what to do."""

from mu.errors import ExitCode, MuError


class AgentError(MuError):
    """A question that could not be answered."""


class NoKeyError(AgentError):
    """The provider needs a key and none is set."""

    def __init__(
        self,
        hint: str = "set it, or use --provider ollama (a local model) or --provider offline "
        "(no model)",
    ) -> None:
        super().__init__("no API key: ANTHROPIC_API_KEY is not set", hint, ExitCode.USAGE)


class BadKeyError(AgentError):
    """The server does not take the key."""


class UnknownModelError(AgentError):
    """The server has no model of that name."""


class RateLimitedError(AgentError):
    """The server takes no more requests for now, after several tries."""


class OverloadedError(AgentError):
    """The server has no room for now, after several tries."""


class ModelTimeoutError(AgentError):
    """The server did not answer in time."""


class UnreachableError(AgentError):
    """The server cannot be reached."""


class RequestError(AgentError):
    """The server refuses the request as it is."""


class TooLongError(AgentError):
    """The conversation does not fit into what the model can take."""


class CutShortError(AgentError):
    """The connection ended in the middle of an answer."""


class NoAnswerError(AgentError):
    """The model ended without an answer: it said nothing, or only called tools."""


class RefusedError(AgentError):
    """The model declined to answer."""


class BudgetError(AgentError):
    """The next request could cost more than is left."""
