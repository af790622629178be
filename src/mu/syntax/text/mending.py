"""What to leave out of a text that does not parse, so that a mistake costs what it breaks alone.

A parser that recovers from a mistake may take all that follows for something else: a broken head of
a method, and the methods below it are calls and blocks of the file. With the broken lines blanked,
what stands around them is read as it was meant. Which reading is better is for the caller to tell.
"""

import re
from collections.abc import Collection, Iterator
from functools import cache

import tree_sitter as ts

from mu.syntax.grammars.grammar import Grammar, load_grammar

MOST_TRIES = 4
LONGEST = 500_000  # bytes; what is longer is read as it stands
MOST_LINES = 300  # of one region
DEEPEST = 20  # mistakes in mistakes

_OURS, _THEIRS = b"<<<<<<< ", b">>>>>>> "
_MARKER = re.compile(rb"^(?:<{7}|>{7}|\|{7}|={7})(?: .*)?$", re.MULTILINE)
_VISIBLE = re.compile(rb"[^\s]")


def repairs(text: bytes, root: ts.Node, *, grammar: Grammar) -> Iterator[bytes]:
    """The text without marks of a merge, then without what is around each mistake, one by one.

    A mistake inside a function that was recognised costs no definition, and is left alone.
    """
    merged = without_markers(text)
    if merged != text:
        yield merged
    nodes = grammar.nodes
    functions = nodes.kinds_of("definition.function") | nodes.kinds_of("scope.function")
    for line in dict.fromkeys(_innermost(root, functions)):
        repaired = without_line(text, line)
        if repaired != text:
            yield repaired


def without(text: bytes, pattern: str) -> bytes:
    """The text with blanks for all that matches a regular expression, or for its first group."""
    return re.sub(pattern.encode(), _blanked, text)


def _blanked(found: re.Match[bytes]) -> bytes:
    group = 1 if found.re.groups else 0
    before, after = found.start(group) - found.start(), found.end(group) - found.start()
    whole = found[0]
    return whole[:before] + _VISIBLE.sub(b" ", found[group]) + whole[after:]


def count_definitions(root: ts.Node, grammar: Grammar) -> int:
    """How many nodes there are of the kinds that define something; cheap, unlike reading them.

    A query takes time with the square of the tokens side by side in a mistake, so it is asked of
    what has none: the rest is walked.
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


def without_markers(text: bytes) -> bytes:
    """The text with the lines blanked that an unfinished merge left in it: both sides stay."""
    if _OURS not in text or _THEIRS not in text:
        return text
    return _MARKER.sub(lambda found: b" " * len(found[0]), text)


def without_line(text: bytes, line: int) -> bytes:
    """The text with a line (from 1) blanked, and those after it up to where its braces are closed.

    What follows keeps its place. The text itself where the braces are not closed soon.
    """
    lines = text.split(b"\n")
    depth = 0
    for number in range(line - 1, min(len(lines), line - 1 + MOST_LINES)):
        depth += lines[number].count(b"{") - lines[number].count(b"}")
        lines[number] = _VISIBLE.sub(b" ", lines[number])
        if depth <= 0:
            return b"\n".join(lines)
    return text


def mistakes(root: ts.Node, *, outside: Collection[int] = ()) -> Iterator[ts.Node]:
    """The outermost nodes where the parser had to recover; an error may have no such node.

    Those in nodes of the kinds `outside` are left out. By a cursor, for such trees may be deep.
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


def _innermost(root: ts.Node, outside: Collection[int], depth: int = 0) -> Iterator[int]:
    """The lines of mistakes, of those inside of others before those."""
    for node in mistakes(root, outside=outside):
        for child in node.children if depth < DEEPEST else ():
            if child.has_error:
                yield from _innermost(child, outside, depth + 1)
        yield node.start_point[0] + 1
