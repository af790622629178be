"""What is kept of a conversation: its turns, and the nodes that were talked about."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from mu.agent.values import Json, Message, Record, ToolCall, ToolResult

_NODE = re.compile(r"\b(?:mod|cls|fn|var|doc|sec|ext):[^\s`'\",;)\]]*[^\s`'\",;)\].:]")

_MOST_EARLIER = 20
_LONGEST_EARLIER = 200  # characters of a question or an answer whose turns are gone


@dataclass(slots=True)
class ConversationMemory(Record):
    """The turns of a conversation, at most `max_messages`, and the ids of nodes named in it.

    Old turns go in whole exchanges: an answer to a tool's call never stands without the call.
    `earlier` holds what was asked and answered in them, shortened, the newest last.
    """

    messages: list[Message] = field(default_factory=list)
    mentioned_nodes: list[str] = field(default_factory=list)
    graph_summary: str | None = None
    max_messages: int = 50
    earlier: list[str] = field(default_factory=list)

    def add_user_message(
        self, content: str, *, tool_results: Iterable[ToolResult] | None = None
    ) -> None:
        """Add a question, or what the tools of the last turn gave."""
        results = None if tool_results is None else tuple(tool_results)
        self._add(Message("user", content, tool_results=results))
        for result in results or ():
            self._note_nodes(result.content)

    def add_assistant_message(
        self,
        content: str,
        *,
        tool_calls: Iterable[ToolCall] | None = None,
        blocks: Iterable[dict[str, Json]] = (),
    ) -> None:
        """Add what the model said, and the tools it asked for."""
        calls = None if tool_calls is None else tuple(tool_calls)
        self._add(Message("assistant", content, tool_calls=calls, blocks=tuple(blocks)))
        self._note_nodes(content)

    def get_messages(self) -> list[dict[str, Json]]:
        """Give the turns as the Messages API takes them."""
        return [as_api(message) for message in self.messages]

    @staticmethod
    def extract_mentioned_nodes(text: str) -> list[str]:
        """Give the ids of nodes that a text names, each once, in order."""
        return list(dict.fromkeys(_NODE.findall(text)))

    def clear(self) -> None:
        """Forget the conversation; what is known of the graph stays."""
        self.messages.clear()
        self.mentioned_nodes.clear()
        self.earlier.clear()

    def _add(self, message: Message) -> None:
        self.messages.append(message)
        if len(self.messages) > self.max_messages:
            self._drop_oldest()

    def _drop_oldest(self) -> None:
        """Drop whole exchanges from the front: up to a question, never the last one."""
        questions = [
            place
            for place, message in enumerate(self.messages)
            if message.role == "user" and not message.tool_results
        ]
        surplus = len(self.messages) - self.max_messages
        keep_from = next((place for place in questions if place >= surplus), questions[-1])
        self.earlier += [
            f"{'asked' if message.role == 'user' else 'answered'}: {_shortened(message.content)}"
            for message in self.messages[:keep_from]
            if message.content and not message.tool_results and not message.tool_calls
        ]
        del self.earlier[:-_MOST_EARLIER]
        del self.messages[:keep_from]

    def _note_nodes(self, text: str) -> None:
        for node in self.extract_mentioned_nodes(text):
            if node in self.mentioned_nodes:
                self.mentioned_nodes.remove(node)
            self.mentioned_nodes.append(node)
        del self.mentioned_nodes[: -self.max_messages]


def _shortened(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _LONGEST_EARLIER else f"{line[:_LONGEST_EARLIER]}..."


def as_api(message: Message) -> dict[str, Json]:
    """Write a turn as the Messages API takes it."""
    if message.blocks:
        return {"role": message.role, "content": list(message.blocks)}
    content: list[Json] = [
        {
            "type": "tool_result",
            "tool_use_id": result.call_id,
            "content": result.content,
            **({"is_error": True} if result.is_error else {}),
        }
        for result in message.tool_results or ()
    ]
    if message.content:
        content.append({"type": "text", "text": message.content})
    content += [
        {"type": "tool_use", "id": call.id, "name": call.name, "input": call.arguments}
        for call in message.tool_calls or ()
    ]
    return {"role": message.role, "content": content}
