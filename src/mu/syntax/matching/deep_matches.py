"""A cache of the matches of patterns that look below the children of a node.

Such a match depends on the kinds of nodes in some of the children, and on the texts of some nodes
as far as the pattern compares them with words. Nodes that agree in both have the same matches.
"""

from collections.abc import Iterator, Mapping, Sequence
from operator import attrgetter
from typing import Generic, TypeVar

import msgspec
import tree_sitter as ts

Shape = TypeVar("Shape")

MOST_ENTRIES = 5_000  # of one shape

KindTree = tuple[object, ...]
"""The kind of a node, and the kind trees of its children down to some depth."""

Path = tuple[int, ...]
"""Child indices that lead down to a node, starting among the children of the matched node."""

ComparedTexts = Mapping[Path, frozenset[bytes]]
"""The paths of nodes whose texts are compared, with the words they are compared with."""

DeepResult = tuple[Shape | None, tuple[Path, ...]]
"""A shape, and the paths of the nodes that its indices refer to.

The shape is None if there are no deep matches, the paths are empty if the nodes are the children.
"""

kind_of = attrgetter("kind_id")


class CachedMatches(msgspec.Struct, Generic[Shape], array_like=True):
    """The results for nodes with equal kind trees, by the compared texts.

    A text that is none of the words is None in the key.
    """

    compared: tuple[tuple[Path, frozenset[bytes]], ...]
    results: dict[tuple[bytes | None, ...], DeepResult[Shape]] = {}  # msgspec copies it


class DeepMatchCache(msgspec.Struct, Generic[Shape], frozen=True, array_like=True):
    """The cached matches for nodes of one shape, by their kind trees.

    `child_depths` are the child indices that patterns look into, each with the number of levels.
    """

    child_depths: tuple[tuple[int, int], ...]
    entries: dict[KindTree, CachedMatches[Shape]] = {}

    def entry(self, children: Sequence[ts.Node]) -> CachedMatches[Shape] | None:
        """Return the entry for a node with these children, or None."""
        return self.entries.get(self._key(children))

    def add_entry(
        self, children: Sequence[ts.Node], compared: ComparedTexts
    ) -> CachedMatches[Shape]:
        """Add an entry for a node with these children."""
        entry: CachedMatches[Shape] = CachedMatches(tuple(compared.items()))
        if len(self.entries) < MOST_ENTRIES:
            self.entries[self._key(children)] = entry
        return entry

    def _key(self, children: Sequence[ts.Node]) -> KindTree:
        return tuple([_kind_tree(children[index], depth) for index, depth in self.child_depths])


def compared_texts(
    entry: CachedMatches[Shape], children: Sequence[ts.Node]
) -> tuple[bytes | None, ...]:
    """Return the key of a node in an entry: its compared texts, None for other words."""
    texts = [(node_at(children, path).text, words) for path, words in entry.compared]
    return tuple([text if text in words else None for text, words in texts])


def resolve_result(
    known: DeepResult[Shape], children: Sequence[ts.Node]
) -> tuple[Shape | None, Sequence[ts.Node]]:
    """Return a cached result with its paths resolved to the nodes of another match."""
    shape, paths = known
    return shape, [node_at(children, path) for path in paths] if paths else children


def path_to(node: ts.Node, part: ts.Node) -> Path:
    """Return the path from a node to one of its descendants."""
    (path,) = _paths(node, (part,))
    return path


def paths_to(node: ts.Node, parts: Sequence[ts.Node]) -> tuple[Path, ...]:
    """Return the paths to several descendants; an empty tuple if they are the children."""
    paths = tuple(_paths(node, parts))
    is_children = paths == tuple((index,) for index in range(node.child_count))
    return () if is_children else paths


def _paths(node: ts.Node, parts: Sequence[ts.Node]) -> Iterator[Path]:
    known: dict[int, dict[int, int]] = {}  # by node id: child id -> index
    for part in parts:
        path: list[int] = []
        ancestor = node
        while ancestor.id != part.id:
            indices = known.get(ancestor.id)
            if indices is None:
                indices = {one.id: index for index, one in enumerate(ancestor.children)}
                known[ancestor.id] = indices
            index = indices.get(part.id)
            if index is None:
                child = ancestor.child_with_descendant(part)
                index = indices[part.id if child is None else child.id]
            path.append(index)
            ancestor = ancestor.children[index]
        yield tuple(path)


def node_at(children: Sequence[ts.Node], path: Path) -> ts.Node:
    """Return the node at the end of a path."""
    node = children[path[0]]
    for index in path[1:]:
        node = node.children[index]
    return node


def _kind_tree(node: ts.Node, depth: int) -> KindTree:
    if depth == 1:
        return (node.kind_id, *map(kind_of, node.children))
    return (node.kind_id, *[_kind_tree(child, depth - 1) for child in node.children])
