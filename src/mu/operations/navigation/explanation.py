"""Explain why one node depends on another, or why it does not."""

from collections.abc import Iterable
from dataclasses import replace

import msgspec

from mu.analysis.node_search.node_resolution import resolve_node
from mu.analysis.paths import edge_evidence
from mu.analysis.paths.edge_evidence import EDGE_OF, OPEN_REASONS, Link, LinkSite, NamedSite
from mu.analysis.paths.shortest_path import path as path_relation
from mu.analysis.walks.breadth_first import walk_graph
from mu.analysis.walks.traversal import Direction, Walk
from mu.errors import ExitCode, MuError
from mu.model.kinds import Reason, Rule, SiteKind, Verdict
from mu.operations.navigation.explanation_results import (
    HELD,
    REASONS,
    RULES,
    Absence,
    EdgeReason,
    Hop,
    Line,
    OtherSite,
    Why,
)
from mu.operations.navigation.site_explanation import SiteReasons
from mu.operations.results import check_page
from mu.operations.workspace import Workspace

DEFAULT_SITES = 20

_ROLES = {SiteKind.ANNOTATION: "annotation", SiteKind.DECORATOR: "decorator"}

_EdgeKey = tuple[str, str, str, str]
"""(source, target, kind, role), the last for `uses` alone."""


def why(workspace: Workspace, start: str, *, goal: str, limit: int = DEFAULT_SITES) -> Why:
    """Explain how the edges from one node to another were found, or why there are none.

    Of each edge the sites in the text are shown, `limit` of them at most in all: the rule that
    resolved them, the import or the classes on the way, and what else they may mean. A class stands
    for its members, a module for its definitions.
    """
    return _aged(
        workspace, _Question(workspace, start, goal=goal, limit=limit).answer(always=False)
    )


def why_not(workspace: Workspace, start: str, *, goal: str, limit: int = DEFAULT_SITES) -> Why:
    """Explain why one node has no edge to another, and show the edges that it has all the same.

    What became of the sites that have the name, whether one of them could mean the node after all,
    how the two files are related, and the shortest way over other nodes.
    """
    return _aged(workspace, _Question(workspace, start, goal=goal, limit=limit).answer(always=True))


def _aged(workspace: Workspace, result: Why) -> Why:
    fresh = workspace.freshness
    verdict = Verdict.UNKNOWN if fresh.is_changed else result.verdict
    return replace(result, verdict=verdict, notes=fresh.notes)


class _Question:
    """The two nodes, and what is known of them."""

    def __init__(self, workspace: Workspace, start: str, *, goal: str, limit: int) -> None:
        check_page(limit, 0)
        self._graph = workspace.graph
        self._start = resolve_node(self._graph, start)
        self._goal = resolve_node(self._graph, goal)
        self._limit = limit
        if self._start.key == self._goal.key:
            raise MuError(
                f"'{start}' and '{goal}' are the same node, {self._goal.id}",
                "name two nodes",
                ExitCode.USAGE,
            )
        self._reasons = SiteReasons(workspace)
        self._ends = (self._start.key, self._goal.key)

    def answer(self, *, always: bool) -> Why:
        """Explain the edges, and their absence when there are none or it is `always` asked."""
        edges = self._edges()
        absence = self._absence() if always or not edges else None
        in_doubt = absence is not None and any(site.could_be for site in absence.sites)
        return Why(
            start=self._start,
            goal=self._goal,
            verdict=Verdict.UNKNOWN if in_doubt and not edges else Verdict.EXACT,
            total_edges=len(edges),
            edges=tuple(edges[: self._limit]),
            absence=absence,
        )

    def _edges(self) -> list[EdgeReason]:
        rows = self._graph.run(edge_evidence.links(*self._ends), limit=None).rows
        links = msgspec.convert(rows, tuple[Link, ...])
        rows = self._graph.run(edge_evidence.link_sites(*self._ends), limit=None).rows
        sites: dict[_EdgeKey, list[LinkSite]] = {}
        for site in msgspec.convert(rows, tuple[LinkSite, ...]):
            sites.setdefault(_edge_key(site), []).append(site)
        found = []
        left = self._limit
        for link in (*links, *_held(sites)):
            role = link.role if link.kind == "uses" else ""
            own = sites.get((link.source, link.target, link.kind, role), [])
            # Imports of several roles have one list, and the line of the first of each.
            shown = [site for site in own if site.line >= link.line][: min(link.sites, left)]
            found.append(self._edge(link, shown))
            left -= len(shown)
        return found

    def _edge(self, link: Link, sites: list[LinkSite]) -> EdgeReason:
        return EdgeReason(
            source=link.source,
            target=link.target,
            kind=link.kind,
            role=link.role,
            rule=link.rule,
            says=RULES[Rule(link.rule)],
            confidence=link.confidence,
            path=link.path,
            line=link.line,
            total_sites=link.sites,
            sites=tuple(self._reasons.of(site) for site in sites),
        )

    def _absence(self) -> Absence:
        start, goal = self._ends
        relation = edge_evidence.named_sites(self._graph, start, goal=goal)
        named = self._graph.run(relation, limit=self._limit)
        sites = msgspec.convert(named.rows, tuple[NamedSite, ...])
        back = self._graph.run(edge_evidence.links(*reversed(self._ends)), limit=None).rows
        return Absence(
            sites=tuple(map(self._other, sites)),
            total_sites=named.total,
            same_file=bool(self._start.path) and self._start.path == self._goal.path,
            imported=self._import(),
            reverse=tuple(dict.fromkeys(str(row[2]) for row in back)),
            route=self._route(),
        )

    def _other(self, site: NamedSite) -> OtherSite:
        if site.reason is not None:
            says = REASONS[Reason(site.reason)]
        else:
            says = RULES[Rule(site.rule or Rule.SYNTAX)]
        return OtherSite(
            place=self._reasons.line(site.path, site.line),
            source=site.source,
            kind=site.kind,
            text=site.text,
            name=site.name,
            says=says,
            reason=site.reason,
            candidates=site.candidates,
            could_be=site.reason in OPEN_REASONS and not site.is_foreign,
            means=tuple(site.targets or ()),
        )

    def _import(self) -> Line | None:
        if self._start.path == self._goal.path or not self._goal.path:
            return None
        rows = self._graph.run(edge_evidence.import_line(*self._ends)).rows
        [(line,)] = msgspec.convert(rows, tuple[tuple[int | None], ...])
        return None if line is None else self._reasons.line(self._start.path, line)

    def _route(self) -> tuple[Hop, ...]:
        start, goal = self._ends
        walked = walk_graph(self._graph, Walk(start, Direction.FORWARD))
        rows = self._graph.run(path_relation(self._graph, walked, goal=goal)).rows
        hops = msgspec.convert(
            [(row[1], row[3], row[4], row[5]) for row in rows],
            list[tuple[str, str | None, str | None, int | None]],
        )
        return tuple(Hop(*hop) for hop in hops) if len(hops) > 2 else ()


def _edge_key(site: LinkSite) -> _EdgeKey:
    kind = SiteKind(site.kind)
    if site.holder:
        return site.holder, site.target, "uses", HELD
    role = _ROLES.get(kind, "value") if EDGE_OF[kind] == "uses" else ""
    return site.source, site.target, EDGE_OF[kind].value, role


def _held(sites: dict[_EdgeKey, list[LinkSite]]) -> Iterable[Link]:
    """Give as edges what definitions use that hold the text that the body around them runs."""
    for (source, target, kind, role), own in sites.items():
        if role == HELD:
            first = own[0]
            yield Link(
                source, target, kind, role, first.rule, None, len(own), first.path, first.line
            )
