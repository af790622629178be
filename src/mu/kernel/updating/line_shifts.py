"""Derive the rows of a file from its old rows, where only positions and prose changed.

Edits of comments, docstrings, blank lines and the layout of statements move code and change the
words for search, but every reference resolves as before, here and in other files. So lines are
changed in the rows, and nothing is linked.
"""

from collections.abc import Container, Mapping
from typing import NamedTuple

from mu.lexical import Field, index_words
from mu.model.facts import FileFacts
from mu.model.graph import Edge, Entry, File, FileRows, Graph, Node, Posted
from mu.model.kinds import EdgeKind
from mu.resolve import (
    EXTENSION,
    LanguageRules,
    NodesOfFile,
    file_nodes,
    is_alike,
    moved_lines,
)

_IN_PLACES = frozenset(
    Node._fields.index(name)
    for name in ("start_line", "end_line", "docstring", "complexity", "lines", "digest")
)


_NAME = Field.NAME
"""The fields of a word that occurs in a name alone."""


class ShiftedFile(NamedTuple):
    """A shifted file: its rows, its new lines by old line, and its postings before and after."""

    rows: FileRows
    lines: Mapping[int, int]
    said: tuple[list[Posted], list[Posted]]

    def entry(self, entry: Entry) -> Entry:
        """Return an entry with its new line."""
        return entry._replace(line=self.lines[entry.line])


def can_shift_lines(old: FileFacts, new: FileFacts) -> bool:
    """Return whether the rows of a file may be derived from its old ones.

    Not if an extension block has words of its own, or makes its type implement another: these
    belong to the type, which the file alone does not identify.
    """
    if not is_alike(old, new) or words_of_extension_blocks(old) or words_of_extension_blocks(new):
        return False
    return all(row.kind != EXTENSION or len(row.bases) < 2 for row in new.definitions)


def words_of_extension_blocks(facts: FileFacts) -> list[tuple[str, object]]:
    """Return the own words and prose of extension blocks, each with the name of the type."""
    rows, words = facts.definitions, facts.words
    found: list[tuple[str, object]] = [
        (rows[number].name, tuple(rest))
        for number, *rest in facts.prose
        if number >= 0 and rows[number].kind == EXTENSION
    ]
    if words is None or all(row.kind != EXTENSION for row in rows):
        return found
    texts, places = words.words(), [*words.all_places()]
    for number, start, _, end in words.all_spans():
        if 0 <= number < len(rows) and rows[number].kind == EXTENSION:
            cells = zip(
                *(places[start:end], words.weights[start:end], words.fields[start:end]), strict=True
            )
            said = [(texts[place], *rest) for place, *rest in cells if rest[1] != _NAME]
            if said:
                found.append((rows[number].name, said))
    return found


def shift_lines(
    before: FileRows, file: File, *, old: FileFacts, new: FileFacts, rules: LanguageRules
) -> ShiftedFile | None:
    """Return the rows of a file with the facts `new`, derived from the rows `before`.

    Those were made of the facts `old`; `file` is the row of the file as it is now. None if more
    than positions and prose changed, or if lines of old rows are not in the facts.
    """
    lines = moved_lines(old, new)
    if lines is None or file.category != before.file.category:
        return None
    moved = move_nodes(before, file, old=old, new=new, rules=rules)
    if moved is None:
        return None
    own = {row.key for row in before.nodes}
    try:
        edges = [_edge(row, lines, own) for row in before.edges]
        sites = [row._replace(line=lines[row.line]) for row in before.sites]
    except KeyError:
        return None
    rows = FileRows(file._replace(key=before.file.key), moved.nodes, edges, sites)
    return ShiftedFile(rows, lines, moved.said(before, rows))


class MovedNodes(NamedTuple):
    """The new nodes of a file, and its nodes with words and prose before and after.

    The keys in `old` and `new` count from 0.
    """

    nodes: list[Node]
    old: NodesOfFile
    new: NodesOfFile

    def said(self, before: FileRows, after: FileRows) -> tuple[list[Posted], list[Posted]]:
        """Return the postings of the file before and after."""
        return _postings(before, self.old), _postings(after, self.new)


def move_nodes(
    before: FileRows, file: File, *, old: FileFacts, new: FileFacts, rules: LanguageRules
) -> MovedNodes | None:
    """Return the new nodes of a file; None if they differ in more than positions and prose."""
    was, now = file_nodes(before.file, old, rules=rules), file_nodes(file, new, rules=rules)
    nodes = _nodes(before.nodes, was.nodes, now.nodes)
    return None if nodes is None else MovedNodes(nodes, was, now)


def _edge(edge: Edge, lines: Mapping[int, int], own: Container[int]) -> Edge:
    """Return an edge with its new line; one to a member in another file keeps its line."""
    if edge.kind == EdgeKind.CONTAINS and edge.target not in own:
        return edge
    return edge._replace(line=lines[edge.line])


def _nodes(before: list[Node], was: list[Node], now: list[Node]) -> list[Node] | None:
    """Update the nodes of a file in the cells in which `was` and `now` differ.

    Those are made of the file alone. None if any other cells differ than those of positions and
    prose.
    """
    if not len(before) == len(was) == len(now):
        return None
    found = []
    for row, old, new in zip(before, was, now, strict=True):
        cells = [*row]
        for place, (one, other) in enumerate(zip(old, new, strict=True)):
            if one != other:
                if place not in _IN_PLACES or cells[place] != one:
                    return None
                cells[place] = other
        found.append(Node._make(cells))
    return found


def _postings(rows: FileRows, said: NodesOfFile) -> list[Posted]:
    """Return the postings of a file's nodes."""
    keys = [*(node.key for node in rows.nodes), -1]
    moved = said.keyed(keys.__getitem__)
    prose, words = moved.prose, moved.words
    return index_words(Graph((rows.file,), rows.nodes, (), rows.sites, prose=prose, words=words))
