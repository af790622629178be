"""A small model behind a chat: turns are JSON objects, and its window is kept.

Any chat that takes messages of text will do; see `protocol` for what the model writes. What cannot
be read is corrected, and the model tries again within the same round of the loop. Above four fifths
of the window the results of older calls are dropped, and only then does the model have to answer
with what it has.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

import msgspec

from mu.agent.model import Reply, Request, TextDelta, ToolSpec
from mu.agent.protocol import EXAMPLES, Call, Correction, Done, parse_reply
from mu.agent.values import Json, Message, Record, ToolCall, Usage

FILLED = 0.8
"""The share of the window above which it is made smaller."""

_MOST_CORRECTED = 4
_MOST_REPEATED = 3
_CHARACTERS_A_TOKEN = 4
_DROPPED = "[dropped to make room]"

_PROTOCOL = """

Every reply of yours is one JSON object and nothing else: {examples}
`args` is always there and may be {{}}. A result comes as
{{"tool_result": {{"tool": ..., "success": ..., "data" or "error": ...}}}}.

The tools:
{tools}
"""


@dataclass(frozen=True, slots=True)
class Said:
    """What a chat answered, and how many tokens the server counted, 0 where it did not."""

    text: str
    prompt_tokens: int
    output_tokens: int


class Chat(Protocol):
    """A server that answers messages of plain text; `window` is its context in tokens."""

    @property
    def name(self) -> str:
        """The model's id."""

    @property
    def provider(self) -> str:
        """The provider's name."""

    def window(self) -> int:
        """How many tokens the model can look at."""

    def say(self, messages: Sequence[dict[str, str]], *, schema: dict[str, Json]) -> Said:
        """Answer, within a JSON schema where the server can. Raises AgentError."""


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
    """Speaks the JSON protocol over a chat."""

    def __init__(self, chat: Chat) -> None:
        self._chat = chat
        self.metrics = Metrics()
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
        may_call = request.may_call and repeated < _MOST_REPEATED
        messages, is_full = self._fitting(_as_chat(request), request)
        may_call = may_call and not is_full
        if not may_call:
            messages.append({"role": "user", "content": _answer_now(repeated, is_full=is_full)})
        self._count_failures(request.messages)
        reply = self._turn(messages, request.tools if may_call else ())
        if is_streamed and reply.text:
            yield TextDelta(reply.text)
        yield reply

    def _turn(self, messages: list[dict[str, str]], tools: Sequence[ToolSpec]) -> Reply:
        """Ask until a reply can be read, a few times."""
        names = [tool.name for tool in tools]
        usage = Usage()
        for _ in range(_MOST_CORRECTED):
            self.metrics.iterations += 1
            said = self._chat.say(messages, schema=_schema(names))
            usage = usage.plus(Usage(said.prompt_tokens, said.output_tokens))
            self._correct_rate(messages, said.prompt_tokens)
            turn = parse_reply(said.text, tools=names)
            if isinstance(turn, Done):
                return Reply(turn.response, (), "end_turn", usage, self.name)
            if isinstance(turn, Call):
                self.metrics.tool_calls += 1
                call = ToolCall(f"call_{self.metrics.tool_calls}", turn.tool, turn.args)
                return Reply("", (call,), "tool_use", usage, self.name)
            self.metrics.parse_errors += 1
            messages += [
                {"role": "assistant", "content": said.text},
                {"role": "user", "content": turn.text if isinstance(turn, Correction) else ""},
            ]
        return Reply(said.text, (), "end_turn", usage, self.name, detail="not in the protocol")

    def _fitting(
        self, messages: list[dict[str, str]], request: Request
    ) -> tuple[list[dict[str, str]], bool]:
        """The messages within the window, older results dropped first; whether that was enough."""
        room = int(self._chat.window() * FILLED) - request.max_tokens // 4
        droppable = [
            place
            for place, message in enumerate(messages[:-1])
            if message["content"].startswith('{"tool_result"')
        ]
        for place in droppable:
            if self._tokens(messages) <= room:
                break
            if _DROPPED not in messages[place]["content"]:
                messages[place] = {"role": "user", "content": _result("", _DROPPED, True)}
                self.metrics.compacted += 1
        is_full = self._tokens(messages) > room
        self.metrics.is_limit_reached |= is_full
        return messages, is_full

    def _tokens(self, messages: Sequence[dict[str, str]]) -> int:
        characters = sum(len(message["content"]) for message in messages)
        return int(characters / _CHARACTERS_A_TOKEN * self._rate)

    def _correct_rate(self, messages: Sequence[dict[str, str]], counted: int) -> None:
        estimated = sum(len(message["content"]) for message in messages) / _CHARACTERS_A_TOKEN
        if counted and estimated:
            self._rate = counted / estimated

    def _count_failures(self, messages: Sequence[Message]) -> None:
        last = messages[-1].tool_results if messages else None
        self.metrics.tool_failures += sum(result.is_error for result in last or ())


def _as_chat(request: Request) -> list[dict[str, str]]:
    """Write the conversation as plain messages."""
    lines = [
        f"- {tool.name}({', '.join(_parameters(tool))}): {tool.description}"
        for tool in request.tools
    ]
    protocol = _PROTOCOL.format(examples=EXAMPLES, tools="\n".join(lines))
    system = f"{request.system}{protocol}\n{request.summary}"
    messages = [{"role": "system", "content": system}]
    for message in request.messages:
        messages += _turns(message)
    return messages


def _turns(message: Message) -> Iterator[dict[str, str]]:
    for result in message.tool_results or ():
        text = _result(result.name, result.content, not result.is_error)
        yield {"role": "user", "content": text}
    if message.tool_calls:
        for call in message.tool_calls:
            said = msgspec.json.encode({"tool": call.name, "args": call.arguments}).decode()
            yield {"role": "assistant", "content": said}
    elif message.content:
        text = message.content
        if message.role == "assistant":
            text = msgspec.json.encode({"done": True, "response": text}).decode()
        yield {"role": message.role, "content": text}


def _result(tool: str, content: str, is_success: bool) -> str:
    told = {"tool": tool, "success": is_success, "data" if is_success else "error": content}
    return msgspec.json.encode({"tool_result": told}).decode()


def _parameters(tool: ToolSpec) -> Iterator[str]:
    properties, required = tool.schema.get("properties"), tool.schema.get("required")
    for name in properties if isinstance(properties, dict) else ():
        is_needed = isinstance(required, list) and name in required
        yield name if is_needed else f"{name}?"


def _schema(tools: Sequence[str]) -> dict[str, Json]:
    """What a reply has to be, for servers that can hold a model to it."""
    done: Json = {
        "type": "object",
        "properties": {"done": {"const": True}, "response": {"type": "string"}},
        "required": ["done", "response"],
    }
    call: Json = {
        "type": "object",
        "properties": {"tool": {"enum": list(tools)}, "args": {"type": "object"}},
        "required": ["tool", "args"],
    }
    return {"anyOf": [call, done]} if tools else {"anyOf": [done]}


def _most_repeated(messages: Sequence[Message]) -> int:
    """How often the call that was made most often was made since the last question."""
    counts: Counter[bytes] = Counter()
    for message in messages:
        if message.role == "user" and not message.tool_results:
            counts.clear()
        for call in message.tool_calls or ():
            counts[msgspec.json.encode([call.name, call.arguments], order="deterministic")] += 1
    return max(counts.values(), default=0)


def _answer_now(repeated: int, *, is_full: bool) -> str:
    why = "There is no room for more results."
    if not is_full:
        why = "You have asked the same several times." if repeated >= _MOST_REPEATED else ""
    return f'{why} Answer now with {{"done": true, "response": "..."}} from what you know.'.strip()
