"""An answer of the agent as it comes in: Markdown on a terminal, and a status line meanwhile.

Text is shown block by block, at blank lines outside of code: a block that is whole can be rendered
and is never drawn again, so nothing on the screen jumps. Off a terminal the text is written as it
comes and `rich`, whose import is dear, is not loaded.
"""

import re
import sys
from typing import TYPE_CHECKING

import msgspec

from mu.agent import AgentResponse, MUAgent
from mu.agent.loop import ToolStarted
from mu.agent.model import TextDelta
from mu.agent.values import OFFLINE
from mu.render.text import printable

if TYPE_CHECKING:
    from rich.status import Status

_FENCE = "```"
_NODE_LINE = re.compile(r"\s*[!$#%~&] [^`]*\S:\d+(?:-\d+)?\s*")


def show_answer(agent: MUAgent, question: str, *, show_tools: bool = False) -> AgentResponse:
    """Ask, and write the answer to standard output as it comes.

    With `show_tools` each call of a tool is a line on standard error. What interrupts the answer
    leaves the line it stood on ended, and no status line.
    """
    status = _StatusLine(f"asking {agent.model}")
    text = _Text(is_markdown=agent.provider != OFFLINE)
    response = AgentResponse("")
    try:
        for event in agent.stream(question):
            match event:
                case TextDelta(piece):
                    status.clear()
                    text.feed(piece)
                case ToolStarted(call):
                    status.clear()
                    text.end_block()
                    if show_tools:
                        write_status(call_line(call.name, call.arguments))
                    status.show(call_line(call.name, call.arguments))
                case AgentResponse():
                    response = event
                case _:
                    status.show(f"asking {agent.model}")
        if response.is_cached:
            text.feed(response.content)
    finally:
        status.clear()
        text.finish()
    return response


def write_remarks(response: AgentResponse) -> None:
    """Say on standard error what is not in the graph, what went wrong, and what it cost."""
    sys.stdout.flush()
    for name in response.unverified:
        write_status(f"not in the graph: {name}")
    for note in response.notes:
        write_status(f"note: {note}")
    if response.error:
        write_status(f"error: {response.error}")
    if response.provider != OFFLINE and response.tokens_used:
        write_status(cost_line(response))


def cost_line(response: AgentResponse) -> str:
    """What an answer cost: the model, tokens, dollars, rounds and seconds."""
    cost = "unknown cost" if response.cost_usd is None else f"${response.cost_usd:.4f}"
    rounds = "1 round" if response.iterations == 1 else f"{response.iterations} rounds"
    return (
        f"{response.model}: {response.tokens_used:,} tokens, {cost}, {rounds}, "
        f"{response.elapsed_s:.1f} s"
    )


def write_answer(response: AgentResponse) -> None:
    """Write a whole answer to standard output: rendered on a terminal, else as it came."""
    text = _Text(is_markdown=response.provider != OFFLINE)
    text.feed(response.content)
    text.finish()


def call_line(name: str, arguments: object) -> str:
    """A call of a tool in one line."""
    return f"{name} {msgspec.json.encode(arguments).decode()}"


def write_status(text: str) -> None:
    """Write a line to standard error."""
    sys.stderr.write(printable(text) + "\n")
    sys.stderr.flush()


class _Text:
    """The answer's text on standard output; on a terminal Markdown is written in whole blocks."""

    def __init__(self, *, is_markdown: bool) -> None:
        self._is_rendered = is_markdown and sys.stdout.isatty()
        self._held = ""
        self._is_line_open = False

    def feed(self, piece: str) -> None:
        """Take in the next piece."""
        piece = printable(piece, keep_lines=True)
        if self._is_rendered:
            block, self._held = _whole_blocks(self._held + piece)
            _render(block)
        elif piece:
            sys.stdout.write(piece)
            sys.stdout.flush()
            self._is_line_open = not piece.endswith("\n")

    def end_block(self) -> None:
        """Write what is held, though more may follow later; what follows is another block."""
        block, self._held = self._held, ""
        _render(block)

    def finish(self) -> None:
        """Write the rest, and end the line."""
        self.end_block()
        if self._is_line_open:
            sys.stdout.write("\n")
            sys.stdout.flush()


def _render(block: str) -> None:
    if not block.strip():
        return
    from rich.console import Console
    from rich.markdown import Markdown

    console = Console(file=sys.stdout, highlight=False)
    console.print(Markdown(_as_markdown(block)))
    console.print()


def _as_markdown(text: str) -> str:
    """Write lines of MU text as items of a list: `# login app/auth.py:12` is not a heading."""
    lines, in_code = [], False
    for line in text.splitlines():
        in_code ^= line.lstrip().startswith(_FENCE)
        is_node = not in_code and _NODE_LINE.fullmatch(line)
        lines.append(f"- `{line.strip()}`" if is_node else line)
    return "\n".join(lines)


def _whole_blocks(text: str) -> tuple[str, str]:
    """Cut a text behind its last blank line that stands outside of code: (whole blocks, rest)."""
    place, cut, in_code = 0, 0, False
    for line in text.splitlines(keepends=True):
        place += len(line)
        in_code ^= line.lstrip().startswith(_FENCE)
        if not line.strip() and line.endswith("\n") and not in_code:
            cut = place
    return text[:cut], text[cut:]


class _StatusLine:
    """One line on a terminal's standard error that says what is being waited for."""

    def __init__(self, text: str) -> None:
        self._status: Status | None = None
        self.show(text)

    def show(self, text: str) -> None:
        """Put up the line, or change it."""
        if not sys.stderr.isatty():
            return
        from rich.console import Console
        from rich.text import Text

        self.clear()
        self._status = Console(stderr=True).status(Text(printable(text), overflow="ellipsis"))
        self._status.start()

    def clear(self) -> None:
        """Take the line away."""
        if self._status is not None:
            self._status.stop()
            self._status = None
