"""Claude, and any server that speaks the Messages API, through the provider's own library.

`anthropic` takes more than a second to import, so that happens with the first request. The loop of
the agent is written on plain requests: the library's own keeps turns on the server. What a server
may not know (caching, `tool_choice`, effort) is sent only where `Capabilities` says so; a server
that refuses a request for one of them gets the request again without it.
"""

import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from email.utils import parsedate_to_datetime
from ipaddress import ip_address
from typing import TYPE_CHECKING, cast
from urllib.parse import urlsplit

import msgspec

from mu.agent.errors import (
    AgentError,
    BadKeyError,
    CutShortError,
    ModelTimeoutError,
    NoKeyError,
    OverloadedError,
    RateLimitedError,
    RequestError,
    TooLongError,
    UnknownModelError,
    UnreachableError,
)
from mu.agent.memory import as_api
from mu.agent.model import Reply, Request, TextDelta
from mu.agent.models.certificates import trusted
from mu.agent.values import DEFAULT_MODEL, AgentConfig, Json, ToolCall, Usage
from mu.render.redaction import redact
from mu.render.text import printable

if TYPE_CHECKING:
    import anthropic
    import httpx2

LOCAL_KEY = "not-needed"
"""What is sent as the key to a server that a user runs: the library wants one."""

_EPHEMERAL: dict[str, Json] = {"type": "ephemeral"}


@dataclass(frozen=True, slots=True)
class Capabilities:
    """What an endpoint takes beyond messages and tools."""

    tool_choice: bool
    caching: bool
    effort: bool
    temperature: bool


HOSTED = Capabilities(tool_choice=True, caching=True, effort=True, temperature=False)
COMPATIBLE = Capabilities(tool_choice=False, caching=False, effort=False, temperature=True)
MESSAGES_ONLY = Capabilities(tool_choice=False, caching=False, effort=False, temperature=False)

_CUT = "the connection ended in the middle of the answer"
_UNREADABLE = (
    ValueError, TypeError, AttributeError, LookupError, AssertionError, msgspec.MsgspecError
)  # fmt: skip
"""What is raised, by the provider's library too, over an answer of another form."""

_REFUSED_BY = {
    "tool_choice": ("tool_choice",),
    "caching": ("cache_control", "cache control"),
    "effort": ("output_config", "effort"),
    "temperature": ("temperature",),
}
"""The words in a server's refusal that name a capability."""


class AnthropicModel:
    """Sends requests to the Messages API. Raises NoKeyError when it is made without a key."""

    provider = "anthropic"

    def __init__(
        self,
        config: AgentConfig,
        *,
        key: str | None,
        capabilities: Capabilities | None = None,
        max_retries: int = 2,
    ) -> None:
        if not key and config.base_url is None:
            raise NoKeyError
        self._config = config
        self._key = key or LOCAL_KEY
        is_claude = config.base_url is None or config.model.startswith("claude-")
        self._capabilities = capabilities or (HOSTED if is_claude else COMPATIBLE)
        self._max_retries = max_retries
        self._client: anthropic.Anthropic | None = None

    @property
    def name(self) -> str:
        """The model's id."""
        return self._config.model

    def send(self, request: Request, *, is_streamed: bool) -> Iterator[TextDelta | Reply]:
        """Send one request; see `Model.send`."""
        import anthropic
        import httpx2

        while True:
            body = self.body(request)
            try:
                yield from self._attempt(body, is_streamed=is_streamed)
            except (anthropic.BadRequestError, anthropic.UnprocessableEntityError) as error:
                accepted = self._accepted(_told(error, self._key))
                if accepted is None:
                    raise self._failure(error) from error
                self._capabilities = accepted
            except anthropic.AnthropicError as error:
                raise self._failure(error) from error
            except httpx2.TimeoutException as error:
                raise self._late() from error
            except httpx2.HTTPError as error:
                raise CutShortError(_CUT, "ask again") from error
            except _UNREADABLE as error:
                raise RequestError(
                    "the server's answer is no message of the Messages API",
                    "--base-url is the address of a server that has one",
                ) from error
            else:
                return

    def _attempt(self, body: dict[str, Json], *, is_streamed: bool) -> Iterator[TextDelta | Reply]:
        if is_streamed:
            yield from self._stream(body)
        else:
            raw = self._open().messages.with_raw_response
            answer = raw.create(**body)  # type: ignore[call-overload]  # JSON
            yield self._reply(msgspec.json.decode(answer.http_response.content))

    def _accepted(self, refusal: str) -> Capabilities | None:
        """The capabilities without those a refusal names; None when dropping them cannot help.

        A gateway need not pass on what the API behind it said, so a refusal of a server other than
        the API that names nothing drops all of them.
        """
        can, said = self._capabilities, refusal.lower()
        named = [
            name
            for name, words in _REFUSED_BY.items()
            if getattr(can, name) and any(word in said for word in words)
        ]
        if named:
            return replace(can, **dict.fromkeys(named, False))
        is_other = self._config.base_url is not None and not _is_too_long(said)
        return MESSAGES_ONLY if is_other and can != MESSAGES_ONLY else None

    def body(self, request: Request) -> dict[str, Json]:
        """Write the request as it goes out.

        What stays the same from one question to the next stands first, and is cached: the tools and
        the fixed text.
        """
        can = self._capabilities
        fixed: dict[str, Json] = {"type": "text", "text": request.system}
        messages: list[Json] = [as_api(message) for message in request.messages]
        if can.caching:
            fixed["cache_control"] = _EPHEMERAL
            _mark_last(messages)
        system: list[Json] = [fixed]
        if request.summary:
            system.append({"type": "text", "text": request.summary})
        body: dict[str, Json] = {
            "model": self._config.model,
            "max_tokens": request.max_tokens,
            "system": system,
            "messages": messages,
        }
        if request.tools and (request.may_call or can.tool_choice):
            body["tools"] = [
                {"name": tool.name, "description": tool.description, "input_schema": tool.schema}
                for tool in request.tools
            ]
            if not request.may_call:
                body["tool_choice"] = {"type": "none"}
        if can.effort:
            body["output_config"] = {"effort": self._config.effort}
        if can.temperature:
            body["extra_body"] = {"temperature": self._config.temperature}
        return body

    def close(self) -> None:
        """Close what the first request opened; a later request opens another."""
        if self._client is not None:
            self._client.close()
            self._client = None

    def _stream(self, body: dict[str, Json]) -> Iterator[TextDelta | Reply]:
        with self._open().messages.stream(**body) as stream:  # type: ignore[arg-type]  # JSON
            for event in stream:
                if event.type == "text":
                    yield TextDelta(event.text)
            final = stream.get_final_message()
        if final.stop_reason is None:
            raise CutShortError(_CUT, "ask again")
        yield self._reply(final.to_dict(warnings=False))

    def _open(self) -> "anthropic.Anthropic":
        if self._client is None:
            import anthropic
            import httpx2

            address = self._config.base_url
            here = address if address is not None and _is_loopback(address) else ""
            hooks = {"response": [self._refuse_long_waits]}
            self._client = anthropic.Anthropic(
                api_key=self._key,
                base_url=address,
                timeout=self._config.timeout,
                max_retries=self._max_retries,
                # A proxy of the environment is used even for this machine unless told otherwise.
                http_client=httpx2.Client(trust_env=False, event_hooks=hooks, verify=trusted(here))
                if here
                else anthropic.DefaultHttpxClient(event_hooks=hooks),
            )
        return self._client

    def _refuse_long_waits(self, response: "httpx2.Response") -> None:
        """Have the library not retry where the server asks for a wait beyond the time-out.

        The library sleeps for as long as `retry-after` says, which may be an hour.
        """
        wait = _wait(response)
        if wait is not None and wait > self._config.timeout:
            response.headers["x-should-retry"] = "false"

    def _reply(self, message: object) -> Reply:
        """Read a message as the server sent it; blocks of unknown types are kept and not read."""
        raw = msgspec.convert(message, _Message, strict=False)
        blocks = tuple(cast(list[dict[str, Json]], raw.content))
        texts = [
            said
            for block in blocks
            if block.get("type") == "text" and isinstance(said := block.get("text"), str)
        ]
        calls = tuple(
            ToolCall(str(block.get("id")), str(block.get("name")), arguments)
            for block in blocks
            if block.get("type") == "tool_use" and isinstance(arguments := block.get("input"), dict)
        )
        counted = raw.usage or _Usage()
        usage = Usage(
            counted.input_tokens,
            counted.output_tokens,
            counted.cache_creation_input_tokens or 0,
            counted.cache_read_input_tokens or 0,
        )
        detail = msgspec.json.encode(raw.stop_details).decode() if raw.stop_details else ""
        model = raw.model or self._config.model
        return Reply("".join(texts), calls, raw.stop_reason or "", usage, model, blocks, detail)

    def _late(self) -> ModelTimeoutError:
        seconds = f"{self._config.timeout:g} s"
        return ModelTimeoutError(f"no answer within {seconds}", "ask again, or --timeout")

    def _failure(self, error: "anthropic.AnthropicError") -> AgentError:
        import anthropic

        model, told = self._config.model, _told(error, self._key)
        match error:
            case anthropic.APITimeoutError():
                return self._late()
            case anthropic.APIConnectionError():
                where = self._config.base_url or "the API"
                return UnreachableError(
                    f"cannot reach {where}", "check the network, or use --provider offline"
                )
            case anthropic.AuthenticationError() | anthropic.PermissionDeniedError():
                return BadKeyError(f"the key is not taken: {told}", "check ANTHROPIC_API_KEY")
            case anthropic.NotFoundError():
                return UnknownModelError(
                    f"no model {model} (retired, or misspelt): {told}",
                    f"the default is {DEFAULT_MODEL}; give it with --model",
                )
            case anthropic.RateLimitError():
                return RateLimitedError(f"too many requests: {told}", _when(error.response))
            case anthropic.ContentTooLargeError():
                return TooLongError(f"the conversation is too long: {told}", "start a new one")
            case anthropic.InternalServerError():
                return OverloadedError(f"the server has no room: {told}", _when(error.response))
            case anthropic.BadRequestError() if _is_too_long(told):
                return TooLongError(f"the conversation is too long: {told}", "start a new one")
            case anthropic.APIStatusError() if error.status_code == 200:
                return CutShortError(f"the server broke off its answer: {told}", "ask again")
            case _:
                return RequestError(
                    f"the server refuses the request: {told}", "mu agent ask --dry-run"
                )


class _Usage(msgspec.Struct):
    input_tokens: int = 0
    output_tokens: int = 0
    cache_creation_input_tokens: int | None = None
    cache_read_input_tokens: int | None = None


class _Message(msgspec.Struct):
    content: list[dict[str, object]]
    model: str | None = None
    stop_reason: str | None = None
    stop_details: dict[str, object] | None = None
    usage: _Usage | None = None


def _mark_last(messages: list[Json]) -> None:
    """Have all up to the last turn cached: each request reads what the one before sent."""
    match messages[-1] if messages else None:
        case {"role": "user", "content": [*_, dict() as last]}:
            last["cache_control"] = _EPHEMERAL


def _told(error: "anthropic.AnthropicError", key: str) -> str:
    """What the server said, in one line; should it say the key, that is taken out."""
    text = getattr(error, "api_message", None) or getattr(error, "message", None) or str(error)
    return printable(redact(" ".join(str(text).replace(key, "[key]").split())))[:300]


def _is_too_long(told: str) -> bool:
    """Tell a refusal of a conversation that does not fit from any other."""
    return "too long" in told or "context" in told


def _wait(response: "httpx2.Response") -> float | None:
    """The seconds that a server asks to wait, None where it names none; it may name a date."""
    for name, unit in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        try:
            return float(response.headers[name]) * unit
        except (KeyError, ValueError):
            continue
    try:
        return parsedate_to_datetime(response.headers["retry-after"]).timestamp() - time.time()
    except (KeyError, ValueError, OverflowError):
        return None


def _when(response: "httpx2.Response") -> str:
    """When to ask again, by what the server says."""
    wait = _wait(response)
    if wait is None or wait < 1:
        return "ask again in a minute"
    return f"the server asks to wait {wait:,.0f} s; ask again then"


def _host(address: str) -> str:
    return urlsplit(address).hostname or ""


def _is_loopback(address: str) -> bool:
    host = _host(address)
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
