"""Recovery from syntax errors: variants of a text with the broken parts blanked.

A parser that recovers from an error may misread all that follows: after a broken method header,
later methods become calls and blocks of the file. With the broken lines blanked, the text around
them parses as intended. The caller decides which variant is best.
"""

import re
from collections.abc import Collection, Iterator
from functools import cache

import tree_sitter as ts

from mu.syntax.grammars.grammar import Grammar, load_grammar

MOST_TRIES = 4
LONGEST = 500_000  # bytes; longer texts are not repaired
MOST_LINES = 300  # blanked at once
DEEPEST = 20  # nested error nodes

_OURS, _THEIRS = b"<<<<<<< ", b">>>>>>> "
_MARKER = re.compile(rb"^(?:<{7}|>{7}|\|{7}|={7})(?: .*)?$", re.MULTILINE)
_VISIBLE = re.compile(rb"[^\s]")


def repairs(text: bytes, root: ts.Node, *, grammar: Grammar) -> Iterator[bytes]:
    """Yield the text without conflict markers, then without the block at each error in turn.

    Errors inside functions that were recognised lose no definition and are skipped.
    """
    merged = blank_conflict_markers(text)
    if merged != text:
        yield merged
    nodes = grammar.nodes
    functions = nodes.kinds_of("definition.function") | nodes.kinds_of("scope.function")
    for line in dict.fromkeys(_error_lines(root, functions)):
        repaired = blank_block(text, line)
        if repaired != text:
            yield repaired


def blank_matches(text: bytes, pattern: str) -> bytes:
    """Return the text with all matches of a regular expression blanked, or their first group."""
    return re.sub(pattern.encode(), _blanked, text)


def _blanked(found: re.Match[bytes]) -> bytes:
    group = 1 if found.re.groups else 0
    before, after = found.start(group) - found.start(), found.end(group) - found.start()
    whole = found[0]
    return whole[:before] + _VISIBLE.sub(b" ", found[group]) + whole[after:]


def count_definitions(root: ts.Node, grammar: Grammar) -> int:
    """Return the number of nodes whose kind defines something; cheap compared to reading them.

    A query takes time quadratic in the number of sibling tokens in an error node, so it is run only
    on subtrees without errors; the rest is walked.
    """
    kinds = _defining(grammar)
    asked = ts.QueryCursor(_definitions(grammar.manifest.name))
    count = 0
    cursor = root.walk()
    while (node := cursor.node) is not None:
        if node.has_error:
            count += node.kind_id in kinds
            if cursor.goto_first_child():
                continue
        elif node.child_count:
            count += sum(map(len, asked.captures(node).values()))
        while not cursor.goto_next_sibling():
            if not cursor.goto_parent():
                return count
    return count


def _defining(grammar: Grammar) -> frozenset[int]:
    nodes = grammar.nodes
    return nodes.kinds_of("definition.class") | nodes.kinds_of("definition.function")


@cache
def _definitions(language: str) -> ts.Query:
    grammar = load_grammar(language)
    names = sorted({str(grammar.language.node_kind_for_id(one)) for one in _defining(grammar)})
    return ts.Query(grammar.language, f"[{' '.join(f'({name})' for name in names)}] @definition")


def blank_conflict_markers(text: bytes) -> bytes:
    """Return the text with the marker lines of merge conflicts blanked; both sides stay."""
    if _OURS not in text or _THEIRS not in text:
        return text
    return _MARKER.sub(lambda found: b" " * len(found[0]), text)


def blank_block(text: bytes, line: int) -> bytes:
    """Return the text with a line (from 1) blanked, and those after it until its braces close.

    Everything else keeps its position. The text is returned unchanged if the braces close too late.
    """
    lines = text.split(b"\n")
    depth = 0
    for number in range(line - 1, min(len(lines), line - 1 + MOST_LINES)):
        depth += lines[number].count(b"{") - lines[number].count(b"}")
        lines[number] = _VISIBLE.sub(b" ", lines[number])
        if depth <= 0:
            return b"\n".join(lines)
    return text


def syntax_errors(root: ts.Node, *, outside: Collection[int] = ()) -> Iterator[ts.Node]:
    """Yield the outermost ERROR and MISSING nodes; a tree with errors may have none.

    Nodes of the kinds `outside` are not entered. Uses a cursor, since such trees may be deep.
    """
    cursor = root.walk()
    while (node := cursor.node) is not None:
        if node.is_error or node.is_missing:
            yield node
        elif node.has_error and node.kind_id not in outside and cursor.goto_first_child():
            continue
        while not cursor.goto_next_sibling():
            if not cursor.goto_parent():
                return


def _error_lines(root: ts.Node, outside: Collection[int], depth: int = 0) -> Iterator[int]:
    """Yield the lines of errors, inner ones before those around them."""
    for node in syntax_errors(root, outside=outside):
        for child in node.children if depth < DEEPEST else ():
            if child.has_error:
                yield from _error_lines(child, outside, depth + 1)
        yield node.start_point[0] + 1
