"""Edges and the ledger, gathered: one row for each reference and what became of it."""

from dataclasses import dataclass, field

from mu.model.graph import Edge, Site
from mu.model.kinds import EdgeKind, Reason, Rule, SiteKind


@dataclass(frozen=True, slots=True)
class Mention:
    """One reference in the text: where it is and what it says."""

    kind: SiteKind
    source: int
    file: int
    line: int
    text: str
    name: str


@dataclass(frozen=True, slots=True)
class Hit:
    """One thing a reference resolved to. `kind` None: it stands in the ledger without an edge."""

    target: int
    rule: Rule
    kind: EdgeKind | None
    role: str = ""
    is_external: bool = False


@dataclass(slots=True)
class Ledger:
    """Collects sites as they come, and edges once for each (source, target, kind, role)."""

    sites: list[Site] = field(default_factory=list)
    _edges: dict[tuple[int, int, EdgeKind, str], list[int]] = field(default_factory=dict)
    _rules: dict[tuple[int, int, EdgeKind, str], Rule] = field(default_factory=dict)

    def resolved(self, mention: Mention, hits: list[Hit]) -> None:
        """Note a reference with all it resolved to, what is inside the repository first."""
        kind, source, file, line, text, name = (
            mention.kind,
            mention.source,
            mention.file,
            mention.line,
            mention.text,
            mention.name,
        )
        count = len(hits)
        for choice, hit in enumerate(hits):
            reason = Reason.EXTERNAL if hit.is_external else None
            self.sites.append(
                Site(
                    kind,
                    source,
                    file,
                    line,
                    text,
                    name,
                    hit.target,
                    choice,
                    hit.rule,
                    reason,
                    count,
                )
            )
            if hit.kind is not None:
                self.edge(source, hit.target, hit.kind, role=hit.role, line=line, rule=hit.rule)

    def unresolved(self, mention: Mention, reason: Reason, candidates: int = 0) -> None:
        """Note a reference that gave no edge, and why."""
        self.sites.append(
            Site(
                mention.kind,
                mention.source,
                mention.file,
                mention.line,
                mention.text,
                mention.name,
                -1,
                0,
                None,
                reason,
                candidates,
            )
        )

    def edge(
        self, source: int, target: int, kind: EdgeKind, *, role: str, line: int, rule: Rule
    ) -> None:
        """Add one site to an edge, making the edge when it is the first."""
        key = (source, target, kind, role)
        counted = self._edges.get(key)
        if counted is None:
            self._edges[key] = [line, 1]
            self._rules[key] = rule
            return
        counted[1] += 1
        if line < counted[0]:
            counted[0] = line
            self._rules[key] = rule

    def edges(self) -> list[Edge]:
        """All edges, in order of source, kind, target and role."""
        return [
            Edge(*key, line, self._rules[key], sites)
            for key, (line, sites) in sorted(self._edges.items())
        ]
