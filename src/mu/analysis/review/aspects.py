"""What of a definition differs between two sides: its head, its body, its documentation."""

import re
from collections.abc import Iterator, Sequence

from mu.analysis.review.findings import Aspect
from mu.analysis.review.parameters import outside, without_default, written_parameters
from mu.analysis.review.sides import Definition, Side, squeezed
from mu.syntax import load_manifests

_TYPE_ARGUMENTS = re.compile(r"\[.*\]|<.*>")
_LONG_QUOTES = ('"""', "'''", "`")

Placed = tuple[Side, Definition]
"""A definition and the side it is on."""


def aspects(before: Placed, after: Placed) -> tuple[Aspect, ...]:
    """Say what differs between a definition before and after."""
    return tuple(_aspects(before, after))


def head(definition: Definition) -> str:
    """Give the signature without the name, and without space."""
    return squeezed(definition.signature).replace(definition.name, "", 1)


def value_of(side: Side, definition: Definition) -> str:
    """Give the text of a variable's definition in one line."""
    return " ".join(" ".join(side.whole_text(definition)).split())


def _aspects(before: Placed, after: Placed) -> Iterator[Aspect]:
    one, other = before[1], after[1]
    shapes = [tuple(map(_shape, _written(row))) for row in (one, other)]
    flags = [(row.is_async, row.is_static, row.is_abstract, row.subkind) for row in (one, other)]
    if one.bases != other.bases:
        yield Aspect.BASES
    if one.kind in ("function", "class"):
        is_bases_alone = one.kind == "class" and one.bases != other.bases
        if flags[0] != flags[1] or (one.kind == "function" and shapes[0] != shapes[1]):
            yield Aspect.SIGNATURE
        elif head(one) != head(other) and not is_bases_alone:
            is_typed = one.kind == "function" or _bare(head(one)) == _bare(head(other))
            yield Aspect.TYPES if is_typed else Aspect.SIGNATURE
    if sorted(map(squeezed, one.decorators)) != sorted(map(squeezed, other.decorators)):
        yield Aspect.DECORATORS
    if one.visibility != other.visibility:
        yield Aspect.VISIBILITY
    if one.kind == "variable":
        values = [_value(side, row) for side, row in (before, after)]
        if values[0][1] != values[1][1]:
            yield Aspect.VALUE
        elif values[0][0] != values[1][0]:
            yield Aspect.TYPES
        return
    bodies = [_body(side, row) for side, row in (before, after)]
    if bodies[0] != bodies[1]:
        bare = [_without_comments(text, one.language) for text in bodies]
        yield Aspect.COMMENTS if bare[0] == bare[1] else Aspect.BODY
    if one.docstring != other.docstring:
        yield Aspect.DOCSTRING


def _bare(text: str) -> str:
    """Give the head of a class without the type arguments of its bases."""
    return _TYPE_ARGUMENTS.sub("", text)


def _written(definition: Definition) -> Sequence[str]:
    """Give the parameters with the marks between them, as far as the signature has both."""
    found = written_parameters(definition.signature, definition.name)
    return definition.parameters if found is None else found


def _shape(parameter: str) -> tuple[str, str]:
    """Give the name and the default of a parameter, without its type; all where it has no colon."""
    typed, default = without_default(parameter)
    return squeezed(outside(typed, ":")), squeezed(default)


def _value(side: Side, definition: Definition) -> tuple[str, str]:
    """Give the type of a variable and its value, without space."""
    typed, value = without_default(value_of(side, definition))
    return squeezed(typed.replace(definition.name, "", 1)), squeezed(value)


def _body(side: Side, definition: Definition) -> str:
    """Give the own text behind the signature, without the docstring; indentation counts."""
    lines = side.text(definition)
    if definition.kind in ("module", "document"):
        return _without(definition.docstring, "\n".join(lines))
    return _without(definition.docstring, _behind(definition.signature, lines))


def _without_comments(text: str, language: str) -> str:
    """Take comments out that reach to the end of their line, and empty lines.

    A text with strings over several lines is left as it is: a mark in one begins no comment.
    """
    manifest = load_manifests().get(language)
    marks = manifest.comments.line if manifest else ()
    if not marks or any(quote in text for quote in _LONG_QUOTES):
        return text
    lines = (_code_of(line, marks).rstrip() for line in text.split("\n"))
    return "\n".join(line for line in lines if line)


def _code_of(line: str, marks: Sequence[str]) -> str:
    quote = ""
    for place, letter in enumerate(line):
        if quote:
            quote = "" if letter == quote and line[place - 1] != "\\" else quote
        elif letter in "\"'":
            quote = letter
        elif line.startswith(tuple(marks), place):
            return line[:place]
    return line


def _behind(signature: str, lines: Sequence[str]) -> str:
    """Give what follows the signature, whose own text may be spaced in other ways."""
    text = "\n".join(lines)
    place = 0
    for letter in squeezed(signature):
        while place < len(text) and (text[place].isspace() or text[place] != letter):
            if not text[place].isspace() and text[place] not in "#/,":
                return _dedented(lines)
            if text[place] in "#/":
                place = text.find("\n", place)
                if place < 0:
                    return _dedented(lines)
            place += 1
        place += 1
    return _dedented(text[place:].split("\n"))


def _dedented(lines: Sequence[str]) -> str:
    depths = [len(line) - len(line.lstrip()) for line in lines[1:] if line.strip()]
    least = min(depths, default=0)
    return "\n".join([*(line.strip() for line in lines[:1]), *(line[least:] for line in lines[1:])])


def _without(docstring: str, text: str) -> str:
    """Take the docstring out of a text; its lines may be indented in other ways."""
    wanted = [line.strip() for line in docstring.split("\n") if line.strip()]
    if not wanted:
        return text
    lines = text.split("\n")
    for start, line in enumerate(lines):
        if wanted[0] in line:
            rest = [each.strip() for each in lines[start : start + len(wanted)]]
            if all(part in each for part, each in zip(wanted, rest, strict=False)):
                return "\n".join([*lines[:start], *lines[start + len(wanted) :]])
            return text
    return text
