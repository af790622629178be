"""How a context is written: places with their sign, or Markdown with fences.

What is written is what is counted: the packer has each piece written before it takes it.
"""

from collections.abc import Sequence
from enum import StrEnum

from mu.context.relevance.ranked import Ranked
from mu.render.formats.mu_text import SIGILS

_LONGEST_TITLE = 160


class Style(StrEnum):
    """The forms of a context."""

    MU = "mu"
    MARKDOWN = "markdown"


def write_source(node: Ranked, lines: Sequence[str], *, style: Style, why: str = "") -> str:
    """Write lines of a node's text under its place."""
    if style is Style.MU:
        return "\n".join([_place(node, node.title, style=style, why=why), *lines, "", ""])
    heading = f"## {_place(node, node.title, style=style, why=why)}"
    fence = "`" * max(3, 1 + max(map(_ticks, lines), default=0))
    return "\n".join([heading, f"{fence}{node.language}", *lines, fence, "", ""])


def write_place(node: Ranked, *, style: Style, why: str = "") -> str:
    """Write a node's place and signature, on one line."""
    mark = "- " if style is Style.MARKDOWN else ""
    return f"{mark}{_place(node, _declared(node), style=style, why=why)}\n"


def _declared(node: Ranked) -> str:
    """Give what a node is called with its parameters, as they are written."""
    if not node.signature:  # a heading may end with a dot
        return node.title
    name = node.title.rpartition(".")[2]
    _, found, rest = " ".join(node.signature.split()).partition(name)
    return f"{node.title}{rest}" if found else node.title


def _place(node: Ranked, said: str, *, style: Style, why: str) -> str:
    said = said if len(said) <= _LONGEST_TITLE else f"{said[:_LONGEST_TITLE]}..."
    place = f"{node.path}:{node.line}-{node.end_line}"
    if style is Style.MARKDOWN:
        return f"`{place}` {said}" + (f" ({why})" if why else "")
    reason = f" :: {why}" if why else ""
    return f"{SIGILS.get(node.kind, '?')} {said}{reason}  {place}"


def _ticks(line: str) -> int:
    """Count the backticks that a line begins with."""
    text = line.lstrip()
    return len(text) - len(text.lstrip("`"))
