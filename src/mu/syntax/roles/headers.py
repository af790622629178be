"""Headers of definitions: what their text alone determines, such as names and signatures."""

import re
from collections.abc import Sequence
from typing import NamedTuple

import tree_sitter as ts

from mu.model.facts import Flag, Parameter
from mu.syntax.roles.role_match import RoleMatch
from mu.syntax.roles.tree_walk import Walk
from mu.syntax.tables.name_scopes import ScopeVariant

CONSTRUCTOR = "constructor"
"""The subkind of functions that run when their class is called."""

OBJECT = "object"
"""The subkind of object literals: instances of an anonymous class."""

NAMESPACE = "namespace"
"""The subkind of classes whose members are visible inside by their bare names."""

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


def flags_of(match: RoleMatch, *, is_label: bool) -> int:
    """Return the `Flag` bits that the form of a definition determines."""
    flags = int(Flag.LABEL) if is_label else 0
    if "async" in match.parts:
        flags |= Flag.ASYNC
    if "body" not in match.parts and match.role == "definition.function":
        flags |= Flag.BODILESS
    return flags | Flag.STATIC if "static" in match.parts else flags


def bases_in(walk: Walk, holder: ts.Node) -> Sequence[ts.Node]:
    """Return the bases in a node, which may be a single base itself."""
    return [holder] if holder.kind_id in walk.grammar.nodes.standalone else holder.named_children


def header_text(match: RoleMatch, text: bytes, *, marks: Sequence[str]) -> bytes:
    """Return the text before the body of a definition; all of it for a function expression.

    Comments, which begin with one of `marks`, are left out.
    """
    body = match.part("body")
    if match.role == "scope.function" or body is None:
        return text
    start = match.node.start_byte
    header = text[: body.start_byte - start]
    if not any(mark.encode() in header for mark in marks):
        return header
    parts = [part for part in match.node.children if part.start_byte < body.start_byte]
    found = [*parts, *(inner for part in parts for inner in part.children)]
    for comment in sorted((one for one in found if one.is_extra), key=_start, reverse=True):
        first, last = comment.start_byte - start, comment.end_byte - start
        header = header[:first] + header[last:]
    return header


def _start(node: ts.Node) -> int:
    return node.start_byte


def last_name(text: str) -> str:
    """Return the last name in the text of a type, without its type arguments."""
    names = re.findall(r"\w+", re.sub(r"<.*", "", text, flags=re.DOTALL))
    return names[-1] if names else ""


def plain_name(text: str) -> str:
    """Return a name without quotes or brackets; a long one is abbreviated.

    Identifiers may be longer: names of tests are sentences, and are looked up.
    """
    if text[:2] in ("['", '["'):
        text = text[1:-1]
    if text[:1] in ('"', "'"):  # a missing token has no text
        text = text.strip(text[0])
    if len(text) <= LONGEST_NAME or (len(text) <= LONGEST_IDENTIFIER and text.isidentifier()):
        return text
    return f"{one_line(text)[:LONGEST_NAME]}…"


def signature_of(text: bytes) -> str:
    """Return the text of a header on one line, cut to `LONGEST_SIGNATURE` characters."""
    if len(text) > _ENOUGH:  # an object literal may be a whole file
        beginning = _on_one_line(text[:_ENOUGH])
        if len(beginning) > LONGEST_SIGNATURE:
            return beginning[:LONGEST_SIGNATURE]
    return _on_one_line(text)[:LONGEST_SIGNATURE]


def _on_one_line(text: bytes) -> str:
    header = text.rstrip(b": \n").decode("utf-8", "replace")
    if "  " in header or not header.isprintable():
        header = " ".join(header.split()).rstrip(": ")
    return header


def one_line(text: str) -> str:
    """Return the text on one line."""
    return " ".join(text.split()) if "\n" in text else text


def variant_of(walk: Walk, match: RoleMatch) -> ScopeVariant:
    """Return the variant of the scope that a definition opens."""
    if not walk.grammar.manifest.own_names:
        return ScopeVariant.NAMESPACE if match.subkind == NAMESPACE else ScopeVariant.PLAIN
    holder = match.part("parameters")
    if holder is not None and _first_own_name(walk, holder):
        return ScopeVariant.STATIC
    if match.role == "scope.function" and not match.subkind:
        return ScopeVariant.CLOSURE
    if match.subkind == NAMESPACE:
        return ScopeVariant.NAMESPACE
    if match.subkind == OBJECT:
        return ScopeVariant.OBJECT
    return ScopeVariant.STATIC if "static" in match.parts else ScopeVariant.PLAIN


def _first_own_name(walk: Walk, parameters: ts.Node) -> str:
    """Return the receiver name that is declared as the first parameter; empty if none is."""
    for name in walk.grammar.manifest.own_names:
        if walk.source.startswith(f"{name}:".encode(), parameters.start_byte + 1):
            return name
    return ""
