"""Ledger: one row for each reference, resolved or not, and the edges that references add up to.

Django has half a million sites, so equal outcomes are built once, and rows are packed a file at a
time. An edge under construction is one number, which sorts as (source, target, kind, role) does.
All sources of a file's edges are nodes of that file, and these are numbered in the order of files,
so sorting the edges of each file sorts all of them. Sites are in the order of their source nodes,
so the rows of one function are adjacent.
"""

from array import array
from collections.abc import Container, Iterable, Sequence
from operator import itemgetter
from typing import Final

from mu.model.graph import Node
from mu.model.kinds import EdgeKind, Reason, Rule, SiteKind
from mu.model.packed_rows import End, PackedEdges, PackedSites

Hit = tuple[int, Rule, bool]
"""What a reference resolved to: (node, rule, whether it is outside the repository)."""

Outcome = tuple[tuple[End, ...], tuple[tuple[int, Rule], ...]]
"""What a reference adds: the ends of its sites, and (target and sort, rule) of its edges."""

Mention = tuple[SiteKind, int, int, Outcome]
"""(kind, source node, line, outcome) of a reference."""

NOTHING: Outcome = ((), ())
"""The outcome of an expression that is not a reference after all."""

_SORTS: tuple[tuple[EdgeKind, str], ...] = (
    (EdgeKind.CALLS, ""),
    (EdgeKind.CONTAINS, ""),
    (EdgeKind.IMPORTS, ""),
    (EdgeKind.IMPORTS, "lazy"),
    (EdgeKind.IMPORTS, "type-only"),
    (EdgeKind.INHERITS, "extends"),
    (EdgeKind.INHERITS, "shape"),
    (EdgeKind.OVERRIDES, ""),
    (EdgeKind.USES, "annotation"),
    (EdgeKind.USES, "decorator"),
    (EdgeKind.USES, "injected"),
    (EdgeKind.USES, "value"),
)
"""The (kind, role) of each sort of edge, in the order in which edges are sorted."""

CALLS: Final = 0
CONTAINS: Final = 1
IMPORTS: Final = 2
IMPORTS_LATE: Final = 3
IMPORTS_TYPES: Final = 4
INHERITS: Final = 5
INHERITS_SHAPE: Final = 6
OVERRIDES: Final = 7
USES_ANNOTATION: Final = 8
USES_DECORATOR: Final = 9
USES_INJECTED: Final = 10
USES_VALUE: Final = 11

_SORT_BITS, _NODE_BITS = 4, 32
_SOURCE_SHIFT = _SORT_BITS + _NODE_BITS
SORT_MASK, _NODE_MASK = (1 << _SORT_BITS) - 1, (1 << _NODE_BITS) - 1

_EXTERNAL, _SYNTAX = Reason.EXTERNAL, Rule.SYNTAX


def resolved(text: str, name: str, *, hits: Sequence[Hit], sort: int) -> Outcome:
    """Return the outcome of a reference with `hits`, each of which adds an edge of one sort."""
    if len(hits) == 1:
        node, rule, is_external = hits[0]
        reason = _EXTERNAL if is_external else None
        return ((text, name, node, 0, rule, reason, 1),), ((node << _SORT_BITS | sort, rule),)
    count = len(hits)
    if sort == CALLS:
        hits = _ordered(hits)
    tails = [
        (text, name, node, choice, rule, _EXTERNAL if is_external else None, count)
        for choice, (node, rule, is_external) in enumerate(hits)
    ]
    ends = [(node << _SORT_BITS | sort, rule) for node, rule, _ in hits]
    return tuple(tails), tuple(ends)


def _ordered(hits: Sequence[Hit]) -> list[Hit]:
    """Return hits in an order that is independent of earlier queries.

    They are ordered by rule, rules as they appear, then internal before external ones; internal
    ones by their node.
    """
    rules = {rule: place for place, rule in enumerate(dict.fromkeys(hit[1] for hit in hits))}
    return sorted(hits, key=lambda hit: (rules[hit[1]], hit[2], 0 if hit[2] else hit[0]))


def unresolved(text: str, name: str, *, reason: Reason, candidates: int = 0) -> Outcome:
    """Return the outcome of a reference without an edge, with the reason."""
    return ((text, name, -1, 0, None, reason, candidates),), ()


def also_open(outcome: Outcome, text: str, *, names: Sequence[str]) -> Outcome:
    """Return an outcome with further rows, one `dynamic` row for each of the members `names`."""
    tails, ends = outcome
    rest = [
        (text, name, -1, choice, None, Reason.DYNAMIC, 0)
        for choice, name in enumerate(names, len(tails))
    ]
    return (*tails, *rest), ends


def without(outcome: Outcome, nodes: Container[int]) -> Outcome:
    """Return an outcome without those of its targets that are among some nodes."""
    tails, ends = outcome
    for tail in tails:
        if tail[2] in nodes:
            break
    else:
        return outcome
    count = len(ends)
    hits = [
        (end >> _SORT_BITS, rule, tail[5] is _EXTERNAL)
        for (end, rule), tail in zip(ends, tails[:count], strict=True)
        if tail[2] not in nodes
    ]
    text, name, *_ = tails[0]
    rest = resolved(text, name, hits=hits, sort=ends[0][0] & SORT_MASK)
    return also_open(rest, text, names=[tail[1] for tail in tails[count:]])


def without_loop(outcome: Outcome, source: int) -> Outcome:
    """Return an outcome without an edge from `source` to itself; the row stays."""
    tails, ends = outcome
    if all(end >> _SORT_BITS != source for end, _ in ends):
        return outcome
    return tails, tuple([end for end in ends if end[0] >> _SORT_BITS != source])


def is_use(outcome: Outcome) -> bool:
    """Return whether the outcome of a call is a use of a value."""
    ends = outcome[1]
    return bool(ends) and ends[0][0] & SORT_MASK == USES_VALUE


class Ledger:
    """The ledger rows in order, and one edge for each (source, target, kind, role)."""

    def __init__(self) -> None:
        self.sites = PackedSites()
        self.edges = PackedEdges()
        self._sorts = [self.edges.sort(*sort) for sort in _SORTS]
        self._sites: list[tuple[SiteKind, int, int, int, End]] = []  # of the current file
        self._edges: dict[int, tuple[int, Rule, int]] = {}  # line, rule, number of sites

    def note(self, file: int, mentions: Iterable[Mention]) -> None:
        """Record references of a file with their outcomes."""
        sites, edges = self._sites, self._edges
        for kind, source, line, (tails, ends) in mentions:
            for tail in tails:
                sites.append((kind, source, file, line, tail))
            for end, rule in ends:
                key = source << _SOURCE_SHIFT | end
                first = (line, rule, 1)
                known = edges.setdefault(key, first)
                if known is not first:
                    edges[key] = _joined(known, line, rule)

    def note_parents(self, nodes: Iterable[Node]) -> None:
        """Record a `contains` edge to each node from its parent."""
        for node in nodes:
            key, parent, line = node[0], node[9], node[10]
            if parent >= 0:
                end = key << _SORT_BITS | CONTAINS
                self._edges[parent << _SOURCE_SHIFT | end] = (line, _SYNTAX, 1)

    def edge(self, source: int, target: int, *, sort: int, line: int, rule: Rule) -> None:
        """Record an edge that no reference in the text makes."""
        key = source << _SOURCE_SHIFT | target << _SORT_BITS | sort
        known = self._edges.get(key)
        self._edges[key] = (line, rule, 1) if known is None else _joined(known, line, rule)

    def drop_file(self) -> None:
        """Discard what was recorded of the current file."""
        self._sites.clear()
        self._edges.clear()

    def drop_unmeant(self, first: int, stop: int) -> list[int]:
        """Drop the nodes from `first` up to `stop` that no row targets, and renumber the others.

        Returns the old keys of the nodes that are left, in order.
        """
        meant = {*self.edges.targets, *self.sites.targets}
        left = [key for key in range(first, stop) if key in meant]
        if len(left) < stop - first:
            moved = [*range(first), *(-1 for _ in range(first, stop))]
            for place, key in enumerate(left, first):
                moved[key] = place
            moved.append(-1)  # so that -1 stays -1
            for rows in (self.edges, self.sites):
                rows.targets = array("i", map(moved.__getitem__, rows.targets))
        return left

    def add_part(
        self, sites: PackedSites, edges: PackedEdges, *, first: int, outside: Sequence[int]
    ) -> None:
        """Add the rows of files that follow, with other keys for nodes from `first` on."""
        keys = array("i", [*range(first), *outside, -1])  # -1 stays so
        for rows in (sites, edges):
            rows.targets = array("i", map(keys.__getitem__, rows.targets))
        self.sites.append(sites)
        edges.sort_rows()
        self.edges.append(edges)

    def close_file(self) -> None:
        """Pack the rows of the current file, with sites in the order of their source nodes."""
        self._sites.sort(key=_source)
        self.sites.add(self._sites)
        self._sites.clear()
        edges, packed, sorts = self._edges, self.edges, self._sorts
        ordered = sorted(edges)
        packed.sources.extend([key >> _SOURCE_SHIFT for key in ordered])
        packed.targets.extend([key >> _SORT_BITS & _NODE_MASK for key in ordered])
        packed.sorts.extend([sorts[key & SORT_MASK] for key in ordered])
        packed.add_origins([edges[key] for key in ordered])
        edges.clear()


_source = itemgetter(1)


def _joined(known: tuple[int, Rule, int], line: int, rule: Rule) -> tuple[int, Rule, int]:
    """Return an edge with one more site; the first site in the text determines line and rule."""
    if line < known[0]:
        return line, rule, known[2] + 1
    return known[0], known[1], known[2] + 1
