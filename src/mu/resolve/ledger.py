"""Edges and the ledger, gathered: one row for each reference and what became of it.

This is written to half a million times for django, so references and targets are plain tuples and
rows are made without going through their constructors (0.2 us each instead of 0.5).
"""

from collections.abc import Sequence

from mu.model.graph import Edge, Site
from mu.model.kinds import EdgeKind, Reason, Rule, SiteKind

Mention = tuple[SiteKind, int, int, int, str, str]
"""(kind, source node, file, line, text, name): the first columns of a `Site`."""

Hit = tuple[int, Rule, bool]
"""What a reference resolved to: (node, rule, whether it is outside the repository)."""

_new = tuple.__new__


class Ledger:
    """Collects sites as they come, and edges once for each (source, target, kind, role)."""

    def __init__(self) -> None:
        self.sites: list[Site] = []
        self._edges: dict[tuple[int, int, EdgeKind, str], tuple[int, Rule, int]] = {}

    def resolved(self, mention: Mention, hits: Sequence[Hit], edge: EdgeKind, role: str) -> None:
        """Note a reference with all it resolved to, and an edge to each."""
        source, line = mention[1], mention[3]
        count = len(hits)
        for choice, (target, rule, is_external) in enumerate(hits):
            reason = Reason.EXTERNAL if is_external else None
            self.sites.append(_new(Site, (*mention, target, choice, rule, reason, count)))
            self.edge((source, target, edge, role), line, rule)

    def unresolved(self, mention: Mention, reason: Reason, candidates: int = 0) -> None:
        """Note a reference that gave no edge, and why."""
        self.sites.append(_new(Site, (*mention, -1, 0, None, reason, candidates)))

    def edge(self, key: tuple[int, int, EdgeKind, str], line: int, rule: Rule) -> None:
        """Add one site to an edge (source, target, kind, role); the first in the text names it."""
        known = self._edges.get(key)
        if known is None:
            self._edges[key] = (line, rule, 1)
        elif line < known[0]:
            self._edges[key] = (line, rule, known[2] + 1)
        else:
            self._edges[key] = (known[0], known[1], known[2] + 1)

    def edges(self) -> list[Edge]:
        """All edges, in order of source, target, kind and role."""
        return [_new(Edge, (*key, *rest)) for key, rest in sorted(self._edges.items())]
