"""What stands before the body of a definition: the parts of a row that its text alone tells."""

import re
from collections.abc import Sequence
from typing import NamedTuple

import tree_sitter as ts

from mu.model.facts import Flag, Parameter
from mu.syntax.roles.meeting import Met
from mu.syntax.roles.walk import Walk
from mu.syntax.tables.names import Inside

CONSTRUCTOR = "constructor"
"""The subkind of functions that run when their class is called."""

OBJECT = "object"
"""The subkind of what is written in place and is an instance, of no class that has a name."""

NAMESPACE = "namespace"
"""The subkind of classes whose members are seen by their bare names from inside."""

LONGEST_SIGNATURE = 1000
LONGEST_NAME = 80
LONGEST_IDENTIFIER = 200
_ENOUGH = 4 * LONGEST_SIGNATURE  # bytes


class Header(NamedTuple):
    """What a definition has before its body; see `Definition`."""

    name: str
    scope: int
    body: int
    flags: int
    parameters: tuple[Parameter, ...]
    returns: int
    decorators: tuple[tuple[int, int, str], ...]
    bases: tuple[tuple[int, int, str], ...]


def flags_of(met: Met, *, is_label: bool) -> int:
    """What a definition says of itself beside its parts, as a `Flag`."""
    flags = int(Flag.LABEL) if is_label else 0
    if "async" in met.parts:
        flags |= Flag.ASYNC
    if "body" not in met.parts and met.role == "definition.function":
        flags |= Flag.BODILESS
    return flags | Flag.STATIC if "static" in met.parts else flags


def parts_of(walk: Walk, holder: ts.Node) -> Sequence[ts.Node]:
    """The bases that a node holds: it may be one itself."""
    return [holder] if holder.kind_id in walk.grammar.nodes.stand_for else holder.named_children


def header_text(met: Met, text: bytes, *, marks: Sequence[str]) -> bytes:
    """What stands before the body of a definition; all of one that is written in place.

    Comments, which begin with one of `marks`, are left out.
    """
    body = met.part("body")
    if met.role == "scope.function" or body is None:
        return text
    start = met.node.start_byte
    header = text[: body.start_byte - start]
    if not any(mark.encode() in header for mark in marks):
        return header
    parts = [part for part in met.node.children if part.start_byte < body.start_byte]
    found = [*parts, *(inner for part in parts for inner in part.children)]
    for comment in sorted((one for one in found if one.is_extra), key=_start, reverse=True):
        first, last = comment.start_byte - start, comment.end_byte - start
        header = header[:first] + header[last:]
    return header


def _start(node: ts.Node) -> int:
    return node.start_byte


def last_name(text: str) -> str:
    """The last name of a type as it is written, without what stands in its brackets."""
    names = re.findall(r"\w+", re.sub(r"<.*", "", text, flags=re.DOTALL))
    return names[-1] if names else ""


def plain_name(text: str) -> str:
    """A name as it is written; of one in quotes what is in them, of a long one the beginning.

    Identifiers are kept whole for longer: names of tests are sentences, and are looked up.
    """
    if text[:2] in ("['", '["'):
        text = text[1:-1]
    if text[:1] in ('"', "'"):  # not of one that is missing
        text = text.strip(text[0])
    if len(text) <= LONGEST_NAME or (len(text) <= LONGEST_IDENTIFIER and text.isidentifier()):
        return text
    return f"{squeezed(text)[:LONGEST_NAME]}…"


def signature_of(text: bytes) -> str:
    """The text of a header on one line, no longer than `LONGEST_SIGNATURE` characters."""
    if len(text) > _ENOUGH:  # an object may be a whole file
        beginning = _on_one_line(text[:_ENOUGH])
        if len(beginning) > LONGEST_SIGNATURE:
            return beginning[:LONGEST_SIGNATURE]
    return _on_one_line(text)[:LONGEST_SIGNATURE]


def _on_one_line(text: bytes) -> str:
    header = text.rstrip(b": \n").decode("utf-8", "replace")
    if "  " in header or not header.isprintable():
        header = " ".join(header.split()).rstrip(": ")
    return header


def squeezed(text: str) -> str:
    """The text on one line."""
    return " ".join(text.split()) if "\n" in text else text


def inside_of(walk: Walk, met: Met) -> Inside:
    """What the scope of a definition has that most have not."""
    if not walk.grammar.manifest.own_names:
        return Inside.NAMESPACE if met.subkind == NAMESPACE else Inside.PLAIN
    holder = met.part("parameters")
    if holder is not None and _first_own_name(walk, holder):
        return Inside.STATIC
    if met.role == "scope.function" and not met.subkind:
        return Inside.CLOSURE
    if met.subkind == NAMESPACE:
        return Inside.NAMESPACE
    if met.subkind == OBJECT:
        return Inside.BRACES
    return Inside.STATIC if "static" in met.parts else Inside.PLAIN


def _first_own_name(walk: Walk, parameters: ts.Node) -> str:
    """The own name that is declared as the first parameter, empty if there is none."""
    for name in walk.grammar.manifest.own_names:
        if walk.source.startswith(f"{name}:".encode(), parameters.start_byte + 1):
            return name
    return ""
