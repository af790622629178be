"""The two protocols by which a small model takes its turns.

A model that was taught to call tools does so natively: the server is given the tools, and reads the
calls. Any other is held to JSON objects (`json_protocol`). What cannot be read is a `Correction`.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Protocol

import msgspec

from mu.agent.model import Request, ToolSpec
from mu.agent.models.chat import ChatMessage, Said
from mu.agent.models.json_protocol import EXAMPLES, Call, Correction, Done, bare_calls, parse_reply
from mu.agent.values import Json, Message, ToolCall

_DROPPED = "[dropped to make room]"
_THOUGHT = re.compile(r"<think>.*?(?:</think>|\Z)", re.DOTALL)

_PROTOCOL = """

Every reply of yours is one JSON object and nothing else: {examples}
`args` is always there and may be {{}}. A result comes as
{{"tool_result": {{"tool": ..., "success": ..., "data" or "error": ...}}}}.

The tools:
{tools}
"""

Turn = tuple[ToolCall, ...] | Done | Correction


class Dialect(Protocol):
    """How a conversation is written for a model, and how its replies are read."""

    def messages(self, request: Request) -> list[ChatMessage]:
        """Write the conversation."""

    def schema(self, tools: Sequence[ToolSpec]) -> dict[str, Json] | None:
        """What a reply has to be; None where the server is not to hold the model to anything."""

    def offered(self, tools: Sequence[ToolSpec]) -> Sequence[ToolSpec]:
        """The tools that the server is told of."""

    def read(self, said: Said, *, tools: Sequence[str], known: Sequence[str]) -> Turn:
        """Read a reply: calls of `tools`, or the answer; `known` are those there were before."""

    def without_result(self, message: ChatMessage) -> ChatMessage | None:
        """The message without the result in it; None where it has none, or none any more."""

    def last_words(self, why: str) -> ChatMessage:
        """Ask for the answer, and no more calls."""


class JsonDialect:
    """Turns are JSON objects."""

    def messages(self, request: Request) -> list[ChatMessage]:
        """Write the conversation; the system's text tells of the protocol and the tools."""
        lines = [
            f"- {tool.name}({', '.join(_parameters(tool))}): {tool.description}"
            for tool in request.tools
        ]
        protocol = _PROTOCOL.format(examples=EXAMPLES, tools="\n".join(lines))
        system = f"{request.system}{protocol}\n{request.summary}"
        turns = (turn for message in request.messages for turn in _as_objects(message))
        return [{"role": "system", "content": system}, *turns]

    def schema(self, tools: Sequence[ToolSpec]) -> dict[str, Json] | None:
        """A call of one of the tools with its own arguments, or the answer.

        A model of 135 million parameters that is held to any object invents arguments without end.
        """
        done: Json = {
            "type": "object",
            "properties": {"done": {"const": True}, "response": {"type": "string"}},
            "required": ["done", "response"],
        }
        calls: list[Json] = [
            {
                "type": "object",
                "properties": {"tool": {"const": tool.name}, "args": tool.schema},
                "required": ["tool", "args"],
            }
            for tool in tools
        ]
        return {"anyOf": [*calls, done]}

    def offered(self, tools: Sequence[ToolSpec]) -> Sequence[ToolSpec]:
        """None: they stand in the system's text."""
        del tools
        return ()

    def read(self, said: Said, *, tools: Sequence[str], known: Sequence[str]) -> Turn:
        """Read one object."""
        del known
        turn = parse_reply(said.text, tools=tools)
        return (ToolCall("", turn.tool, turn.args),) if isinstance(turn, Call) else turn

    def without_result(self, message: ChatMessage) -> ChatMessage | None:
        """Results are the user's messages that begin with their key."""
        content = str(message["content"])
        if not content.startswith('{"tool_result"') or _DROPPED in content:
            return None
        return {"role": "user", "content": _result("", _DROPPED, True)}

    def last_words(self, why: str) -> ChatMessage:
        """Say what the last reply has to look like."""
        text = f'{why} Answer now with {{"done": true, "response": "..."}} from what you know.'
        return {"role": "user", "content": text.strip()}


class NativeDialect:
    """The server knows the tools, and gives their calls."""

    def messages(self, request: Request) -> list[ChatMessage]:
        """Write the conversation, with calls and results as messages of their own."""
        system = f"{request.system}\n{request.summary}"
        turns = (turn for message in request.messages for turn in _as_turns(message))
        return [{"role": "system", "content": system}, *turns]

    def schema(self, tools: Sequence[ToolSpec]) -> dict[str, Json] | None:
        """None: an answer is free text."""
        del tools
        return None

    def offered(self, tools: Sequence[ToolSpec]) -> Sequence[ToolSpec]:
        """All of them."""
        return tools

    def read(self, said: Said, *, tools: Sequence[str], known: Sequence[str]) -> Turn:
        """Take the server's calls, else a bare call in the text, else the text as the answer."""
        text = without_thoughts(said.text)
        found = said.calls or tuple(ToolCall("", *call) for call in bare_calls(text, tools=known))
        if found and not tools:
            return Correction("No more tools can be called. Answer in words, from what you know.")
        if found:
            return found
        return Done(text) if text else Correction("The reply is empty. Call a tool, or answer.")

    def without_result(self, message: ChatMessage) -> ChatMessage | None:
        """Results are the messages of tools."""
        if message["role"] != "tool" or message["content"] == _DROPPED:
            return None
        return {**message, "content": _DROPPED}

    def last_words(self, why: str) -> ChatMessage:
        """Ask for words."""
        return {
            "role": "user",
            "content": f"{why} Answer now in words, from what you know.".strip(),
        }


def _as_objects(message: Message) -> Iterator[ChatMessage]:
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


def _as_turns(message: Message) -> Iterator[ChatMessage]:
    for result in message.tool_results or ():
        yield {
            "role": "tool",
            "tool_name": result.name,
            "tool_call_id": result.call_id,
            "content": result.content,
        }
    if message.tool_calls:
        calls: list[Json] = [
            {
                "id": call.id,
                "type": "function",
                "function": {"name": call.name, "arguments": call.arguments},
            }
            for call in message.tool_calls
        ]
        yield {"role": "assistant", "content": message.content, "tool_calls": calls}
    elif message.content:
        yield {"role": message.role, "content": message.content}


def _result(tool: str, content: str, is_success: bool) -> str:
    told = {"tool": tool, "success": is_success, "data" if is_success else "error": content}
    return msgspec.json.encode({"tool_result": told}).decode()


def _parameters(tool: ToolSpec) -> Iterator[str]:
    properties, required = tool.schema.get("properties"), tool.schema.get("required")
    for name in properties if isinstance(properties, dict) else ():
        is_needed = isinstance(required, list) and name in required
        yield name if is_needed else f"{name}?"


def without_thoughts(text: str) -> str:
    """Leave out what a model wrote for itself, between `<think>` marks."""
    return _THOUGHT.sub("", text).strip()
