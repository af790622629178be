"""Edges and the ledger, gathered: one row for each reference and what became of it.

Django has a third of a million references, so the same outcome is put together once and rows are
made a file at a time without going through their constructors (0.1 us each instead of 0.5). An edge
in the making is one number, which sorts as (source, target, kind, role) does. All sources of a
file's edges are nodes of that file, which are numbered in the order of files, so sorting the edges
of each file on their own leaves all of them sorted.
"""

from collections.abc import Sequence
from functools import partial
from typing import Final

from mu.model.graph import Edge, Node, Site
from mu.model.kinds import EdgeKind, Reason, Rule, SiteKind

Mention = tuple[SiteKind, int, int, int]
"""(kind, source node, file, line): the first columns of a `Site`."""

Hit = tuple[int, Rule, bool]
"""What a reference resolved to: (node, rule, whether it is outside the repository)."""

_Tail = tuple[str, str, int, int, Rule | None, Reason | None, int]
"""(text, name, target, choice, rule, reason, candidates): the other columns of a `Site`."""

Outcome = tuple[tuple[_Tail, ...], tuple[tuple[int, Rule], ...]]
"""What became of a reference: the ends of its sites, and (target and sort, rule) of its edges."""

_SORTS: tuple[tuple[EdgeKind, str], ...] = (
    (EdgeKind.CALLS, ""),
    (EdgeKind.CONTAINS, ""),
    (EdgeKind.IMPORTS, ""),
    (EdgeKind.IMPORTS, "lazy"),
    (EdgeKind.IMPORTS, "type-only"),
    (EdgeKind.INHERITS, "extends"),
    (EdgeKind.OVERRIDES, ""),
    (EdgeKind.USES, "annotation"),
    (EdgeKind.USES, "decorator"),
    (EdgeKind.USES, "value"),
)
"""(kind, role) of every sort of edge, in the order of edges."""

CALLS: Final = 0
CONTAINS: Final = 1
IMPORTS: Final = 2
IMPORTS_LATE: Final = 3
IMPORTS_TYPES: Final = 4
INHERITS: Final = 5
OVERRIDES: Final = 6
USES_ANNOTATION: Final = 7
USES_DECORATOR: Final = 8
USES_VALUE: Final = 9

_SORT_BITS, _NODE_BITS = 4, 32
_SOURCE_SHIFT = _SORT_BITS + _NODE_BITS
_SORT_MASK, _NODE_MASK = (1 << _SORT_BITS) - 1, (1 << _NODE_BITS) - 1

_as_site = partial(tuple.__new__, Site)
_as_edge = partial(tuple.__new__, Edge)


def resolved(text: str, name: str, *, hits: Sequence[Hit], sort: int) -> Outcome:
    """The outcome of a reference that has `hits`, each of which gets an edge of a sort."""
    count = len(hits)
    tails = [
        (text, name, node, choice, rule, Reason.EXTERNAL if is_external else None, count)
        for choice, (node, rule, is_external) in enumerate(hits)
    ]
    ends = [(node << _SORT_BITS | sort, rule) for node, rule, _ in hits]
    return tuple(tails), tuple(ends)


def unresolved(text: str, name: str, *, reason: Reason, candidates: int = 0) -> Outcome:
    """The outcome of a reference that gave no edge, and why."""
    return ((text, name, -1, 0, None, reason, candidates),), ()


class Ledger:
    """Collects sites as they come, and edges once for each (source, target, kind, role)."""

    def __init__(self) -> None:
        self.sites: list[Site] = []
        self.edges: list[Edge] = []
        self._sites: list[tuple[object, ...]] = []  # of the file at hand, as are the edges
        self._edges: dict[int, tuple[int, Rule, int]] = {}  # line, rule, sites

    def note(self, mention: Mention, outcome: Outcome) -> None:
        """Note a reference and what became of it."""
        tails, ends = outcome
        for tail in tails:
            self._sites.append(mention + tail)
        if ends:
            source, line = mention[1] << _SOURCE_SHIFT, mention[3]
            edges = self._edges
            for end, rule in ends:
                first = (line, rule, 1)
                known = edges.setdefault(source | end, first)
                if known is not first:
                    edges[source | end] = _joined(known, line, rule)

    def edge(self, source: int, target: int, *, sort: int, line: int, rule: Rule) -> None:
        """Note an edge that no reference in the text gives."""
        key = source << _SOURCE_SHIFT | target << _SORT_BITS | sort
        known = self._edges.get(key)
        self._edges[key] = (line, rule, 1) if known is None else _joined(known, line, rule)

    def close_file(self, nodes: Sequence[Node]) -> None:
        """Make the rows of the file at hand; `nodes` are all nodes by key."""
        self.sites += map(_as_site, self._sites)
        self._sites.clear()
        rows = []
        for key in sorted(self._edges):
            # The keys out of the nodes are the numbers that are there already.
            source = nodes[key >> _SOURCE_SHIFT][0]
            target = nodes[key >> _SORT_BITS & _NODE_MASK][0]
            rows.append((source, target, *_SORTS[key & _SORT_MASK], *self._edges[key]))
        self.edges += map(_as_edge, rows)
        self._edges.clear()


def _joined(known: tuple[int, Rule, int], line: int, rule: Rule) -> tuple[int, Rule, int]:
    """One more site of an edge; the first in the text names it."""
    if line < known[0]:
        return line, rule, known[2] + 1
    return known[0], known[1], known[2] + 1
