"""Writes programs by a grammar: templates whose words in braces stand for templates of that name.

The first template of a name is the one that ends: it is taken once a text is deep or long enough.
Lines that stand for a word get the indentation of the line that the word is in.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random

_WORD = re.compile(r"<(\w+)>")
_INDENT = re.compile(r"[ \t]*")
_DEEPEST = 9
_MOST = 260  # templates in a file

Templates = Mapping[str, Sequence[str]]


@dataclass(frozen=True, slots=True)
class Grammar:
    """How a language is written; each of its `files` is made of the templates of `file`.

    `fixed` are files that are there as they stand.
    """

    files: Sequence[str]
    templates: Templates
    fixed: Mapping[str, str]


def write_program(grammar: Grammar, random: Random) -> dict[str, str]:
    """Write the files of one program, by path."""
    count = random.randint(1, len(grammar.files))
    written = {path: _Writer(grammar.templates, random).write() for path in grammar.files[:count]}
    return {**grammar.fixed, **written}


class _Writer:
    """Writes one file."""

    def __init__(self, templates: Templates, random: Random) -> None:
        self._templates = templates
        self._random = random
        self._left = _MOST

    def write(self) -> str:
        """Write a file from its first template on."""
        return self._expand("file", 0) + "\n"

    def _expand(self, name: str, depth: int) -> str:
        options = self._templates[name]
        self._left -= 1
        is_over = (depth > _DEEPEST or self._left < 0) and any("<" in one for one in options)
        template = options[0 if is_over else self._random.randrange(len(options))]
        if "<" not in template:
            return template
        return "\n".join(self._line(line, depth + 1) for line in template.split("\n"))

    def _line(self, line: str, depth: int) -> str:
        found = _INDENT.match(line)
        indent = found[0] if found else ""
        text = _WORD.sub(lambda word: self._expand(word[1], depth), line)
        return text.replace("\n", f"\n{indent}") if indent else text
