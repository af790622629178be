"""Reads the commands out of the documentation, and what it says they answer.

In a block marked `console` a command follows `$ ` (and goes on after a closing backslash), and what
it prints follows it. There `…` stands for the rest of a line or a part of it, and a line `...` for
any number of lines. Elsewhere a line that begins with `mu ` is a command without its answer.
"""

import re
import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile
from pathlib import Path

_BLOCK = re.compile(r"^```(\w*)(?: \S+)?\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_CONTINUED = re.compile(r" *\\\n *")


@dataclass(frozen=True, slots=True)
class Example:
    """A command and its answer as they stand on a page; `line` is where its block begins."""

    page: str
    line: int
    command: str
    output: tuple[str, ...] = ()

    @property
    def arguments(self) -> list[str]:
        """What follows the program's name up to a pipe, as a shell would split it."""
        return list(takewhile(lambda word: word != "|", shlex.split(self.command)[1:]))


def read_examples(page: Path) -> list[Example]:
    """All examples of a page, in its order."""
    text = page.read_text(encoding="utf-8")
    return [
        Example(page.name, text.count("\n", 0, block.start()) + 1, command, output)
        for block in _BLOCK.finditer(text)
        for command, output in _commands(block[1], _CONTINUED.sub(" ", block[2]))
    ]


def first_difference(shown: Sequence[str], printed: Sequence[str]) -> str:
    """The first line shown and not printed in its place, or printed and not shown; else empty."""
    place, is_skipping = 0, False
    for line in shown:
        if line.strip() == "...":
            is_skipping = True
            continue
        pattern = _pattern(line)
        rest = printed[place:] if is_skipping else printed[place : place + 1]
        offset = next((n for n, found in enumerate(rest) if pattern.fullmatch(_squeeze(found))), -1)
        if offset < 0:
            return line
        place, is_skipping = place + offset + 1, False
    return "" if is_skipping else next(iter(printed[place:]), "")


def _commands(mark: str, text: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    if mark != "console":
        lines = (line.strip() for line in text.splitlines())
        yield from ((line, ()) for line in lines if line.startswith("mu "))
        return
    for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
        command, *output = part.splitlines()
        yield command, tuple(line for line in output if line.strip())


def _pattern(line: str) -> re.Pattern[str]:
    return re.compile(".*".join(re.escape(_squeeze(part)) for part in line.split("…")))


def _squeeze(text: str) -> str:
    """The same with single spaces, since a column is as wide as its widest cell."""
    return re.sub(r" +", " ", text.rstrip())
