"""A small model behind a chat: its turns are read leniently, and its window is kept.

It calls tools natively where it was taught to, else in JSON objects; see `dialects`. What cannot be
read is corrected, and the model tries again within the same round of the loop. Above four fifths of
the window the results of older calls are dropped, and only then does the model have to answer with
what it has.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import msgspec

from mu.agent.errors import NoAnswerError
from mu.agent.model import Reply, Request, TextDelta, ToolSpec
from mu.agent.models.chat import Chat, ChatMessage
from mu.agent.models.dialects import Dialect, JsonDialect, NativeDialect, without_thoughts
from mu.agent.models.json_protocol import Correction, Done, is_bare_call
from mu.agent.values import Message, Record, ToolCall, Usage

FILLED = 0.8
"""The share of the window above which it is made smaller."""

_MOST_CORRECTED = 4
_UNREADABLE = "the model's turns could not be read; what it said last is given as it is"
_MOST_REPEATED = 3
_CHARACTERS_A_TOKEN = 4


@dataclass(slots=True)
class Metrics(Record):
    """What happened in a session: requests, calls of tools, replies that could not be read."""

    iterations: int = 0
    tool_calls: int = 0
    parse_errors: int = 0
    tool_failures: int = 0
    compacted: int = 0
    is_limit_reached: bool = False


class SmallModel:
    """Takes turns over a chat."""

    def __init__(self, chat: Chat) -> None:
        self._chat = chat
        self.metrics = Metrics()
        self._chosen: Dialect | None = None
        self._rate = 1.0  # real tokens for each estimated one

    @property
    def name(self) -> str:
        """The model's id."""
        return self._chat.name

    @property
    def provider(self) -> str:
        """The provider's name."""
        return self._chat.provider

    def send(self, request: Request, *, is_streamed: bool) -> Iterator[TextDelta | Reply]:
        """Have the model take its turn; see `Model.send`."""
        repeated = _most_repeated(request.messages)
        messages, is_full = self._fitting(self._dialect.messages(request))
        may_call = request.may_call and repeated < _MOST_REPEATED and not is_full
        if not may_call:
            messages.append(self._dialect.last_words(_why(repeated, is_full=is_full)))
        self._count_failures(request.messages)
        reply = self._turn(messages, request.tools, may_call=may_call)
        if is_streamed and reply.text:
            yield TextDelta(reply.text)
        yield reply

    def close(self) -> None:
        """Give back the chat's connection."""
        self._chat.close()

    @property
    def _dialect(self) -> Dialect:
        """How the model is spoken to, found out with the first request."""
        if self._chosen is None:
            self._chosen = NativeDialect() if self._chat.has_tools() else JsonDialect()
        return self._chosen

    def _turn(
        self, messages: list[ChatMessage], specs: Sequence[ToolSpec], *, may_call: bool
    ) -> Reply:
        """Ask until a reply can be read, a few times."""
        known = [tool.name for tool in specs]
        tools = specs if may_call else ()
        names = known if may_call else []
        schema, offered = self._dialect.schema(tools), self._dialect.offered(tools)
        usage = Usage()
        for _ in range(_MOST_CORRECTED):
            self.metrics.iterations += 1
            said = self._chat.say(messages, schema=schema, tools=offered)
            usage = usage.plus(Usage(said.prompt_tokens, said.output_tokens))
            self._correct_rate(messages, said.prompt_tokens)
            match self._dialect.read(said, tools=names, known=known):
                case Done(response):
                    return Reply(response, (), "end_turn", usage, self.name)
                case Correction(text):
                    self.metrics.parse_errors += 1
                    messages += [
                        {"role": "assistant", "content": said.text},
                        {"role": "user", "content": text},
                    ]
                case calls:
                    return Reply("", self._numbered(calls), "tool_use", usage, self.name)
        words = without_thoughts(said.text)
        if why := _no_answer(words, known):
            raise NoAnswerError(
                f"no answer after {_MOST_CORRECTED} tries: {why}", "try another --model"
            )
        return Reply(words, (), "end_turn", usage, self.name, detail=_UNREADABLE)

    def _numbered(self, calls: Sequence[ToolCall]) -> tuple[ToolCall, ...]:
        """The calls with ids of their own: a model may give none, or the same twice."""
        first = self.metrics.tool_calls + 1
        self.metrics.tool_calls += len(calls)
        return tuple(replace(call, id=f"call_{first + n}") for n, call in enumerate(calls))

    def _fitting(self, messages: list[ChatMessage]) -> tuple[list[ChatMessage], bool]:
        """Drop older results until messages fit the window; True if they never do."""
        room = int(self._chat.window() * FILLED)
        for place, message in enumerate(messages[:-1]):
            if self._tokens(messages) <= room:
                break
            smaller = self._dialect.without_result(message)
            if smaller is not None:
                messages[place] = smaller
                self.metrics.compacted += 1
        is_full = self._tokens(messages) > room
        self.metrics.is_limit_reached |= is_full
        return messages, is_full

    def _tokens(self, messages: Sequence[ChatMessage]) -> int:
        return int(_characters(messages) / _CHARACTERS_A_TOKEN * self._rate)

    def _correct_rate(self, messages: Sequence[ChatMessage], counted: int) -> None:
        estimated = _characters(messages) / _CHARACTERS_A_TOKEN
        if counted and estimated:
            self._rate = counted / estimated

    def _count_failures(self, messages: Sequence[Message]) -> None:
        last = messages[-1].tool_results if messages else None
        self.metrics.tool_failures += sum(result.is_error for result in last or ())


def _no_answer(text: str, tools: Sequence[str]) -> str:
    """Say why a text that could not be read is no answer either; empty where it may be one."""
    if not text.strip():
        return "the model says nothing"
    if is_bare_call(text, tools=tools):
        return "the model only calls tools"
    is_json = text.strip().removeprefix("```json").lstrip()[:1] in {"{", "["}
    return "the model's JSON cannot be read" if is_json else ""


def _characters(messages: Sequence[ChatMessage]) -> int:
    calls = [message["tool_calls"] for message in messages if "tool_calls" in message]
    words = sum(len(str(message["content"])) for message in messages)
    return words + (len(msgspec.json.encode(calls)) if calls else 0)


def _most_repeated(messages: Sequence[Message]) -> int:
    """How often the call that was made most often was made since the last question."""
    counts: Counter[bytes] = Counter()
    for message in messages:
        if message.role == "user" and not message.tool_results:
            counts.clear()
        for call in message.tool_calls or ():
            counts[msgspec.json.encode([call.name, call.arguments], order="deterministic")] += 1
    return max(counts.values(), default=0)


def _why(repeated: int, *, is_full: bool) -> str:
    if is_full:
        return "There is no room for more results."
    return "You have asked the same several times." if repeated >= _MOST_REPEATED else ""
