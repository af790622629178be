"""What patterns that look deeper come to at the nodes of one shape, remembered by what they see.

They see the kinds of what stands in some of the children, and of some nodes whether they are
spelled as one of a few words. A node that looks and is spelled like one that has been asked about
is known.
"""

from collections.abc import Iterator, Mapping, Sequence
from operator import attrgetter
from typing import Generic, TypeVar

import msgspec
import tree_sitter as ts

Shape = TypeVar("Shape")

MOST_ANSWERS = 5_000  # of one shape

Kinds = tuple[object, ...]
"""The kind of a node, and the same of each of its children."""

Path = tuple[int, ...]
"""The places to go down by, from the children of a node."""

Watched = Mapping[Path, frozenset[bytes]]
"""Where nodes are that are compared with words, and the words."""

Answer = tuple[Shape | None, tuple[Path, ...]]
"""A shape with what looks deeper, None where it is the shape that asked, and where the nodes are
that its places refer to; no paths where those are the children as they stand.
"""

kind_of = attrgetter("kind_id")


class Likes(msgspec.Struct, Generic[Shape], array_like=True):
    """The answers for nodes that look alike, by how what is `watched` is spelled: None where it is
    none of the words.
    """

    watched: tuple[tuple[Path, frozenset[bytes]], ...]
    answers: dict[tuple[bytes | None, ...], Answer[Shape]] = {}  # msgspec copies it


class Deeper(msgspec.Struct, Generic[Shape], frozen=True, array_like=True):
    """For one shape, the `places` of the children that are looked into, with how many levels; and
    what has been asked so far.
    """

    places: tuple[tuple[int, int], ...]
    known: dict[Kinds, Likes[Shape]] = {}

    def likes(self, children: Sequence[ts.Node]) -> Likes[Shape] | None:
        """What is known of nodes that look like the one with these children."""
        return self.known.get(self._key(children))

    def look_like(self, children: Sequence[ts.Node], watched: Watched) -> Likes[Shape]:
        """The same of one that is the first to look so."""
        likes: Likes[Shape] = Likes(tuple(watched.items()))
        if len(self.known) < MOST_ANSWERS:
            self.known[self._key(children)] = likes
        return likes

    def _key(self, children: Sequence[ts.Node]) -> Kinds:
        return tuple([_kinds(children[place], depth) for place, depth in self.places])


def spelling(likes: Likes[Shape], children: Sequence[ts.Node]) -> tuple[bytes | None, ...]:
    """How what is watched is spelled among these children."""
    texts = [(follow(children, path).text, words) for path, words in likes.watched]
    return tuple([text if text in words else None for text, words in texts])


def answer_of(
    known: Answer[Shape], children: Sequence[ts.Node]
) -> tuple[Shape | None, Sequence[ts.Node]]:
    """What was answered for a node with other children."""
    shape, paths = known
    return shape, [follow(children, path) for path in paths] if paths else children


def path_to(node: ts.Node, part: ts.Node) -> Path:
    """The way down from a node to a part of it."""
    (path,) = _paths(node, (part,))
    return path


def paths_to(node: ts.Node, parts: Sequence[ts.Node]) -> tuple[Path, ...]:
    """The ways to several; none where they are its children."""
    paths = tuple(_paths(node, parts))
    is_children = paths == tuple((place,) for place in range(node.child_count))
    return () if is_children else paths


def _paths(node: ts.Node, parts: Sequence[ts.Node]) -> Iterator[Path]:
    known: dict[int, dict[int, int]] = {}  # by the ids of nodes, the places of their children
    for part in parts:
        path: list[int] = []
        around = node
        while around.id != part.id:
            places = known.get(around.id)
            if places is None:
                places = {one.id: place for place, one in enumerate(around.children)}
                known[around.id] = places
            place = places.get(part.id)
            if place is None:
                child = around.child_with_descendant(part)
                place = places[part.id if child is None else child.id]
            path.append(place)
            around = around.children[place]
        yield tuple(path)


def follow(children: Sequence[ts.Node], path: Path) -> ts.Node:
    """The node at the end of a way."""
    node = children[path[0]]
    for place in path[1:]:
        node = node.children[place]
    return node


def _kinds(node: ts.Node, depth: int) -> Kinds:
    if depth == 1:
        return (node.kind_id, *map(kind_of, node.children))
    return (node.kind_id, *[_kinds(child, depth - 1) for child in node.children])
