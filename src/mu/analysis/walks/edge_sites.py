"""The source sites behind each edge of an answer: call sites, imports and others.

Rows of a walk have an `id`, the node `from_id` they were reached from and the kind of edge between
(`via`). Each has the sites of that edge, the surest first, and of these in the order of the text.

Two small queries fetch them and the rest is done here: one query for all of it takes the engine ten
times as long to plan as to run.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence, Set
from operator import attrgetter
from typing import NamedTuple

from mu.analysis.walks.traversal import Direction
from mu.model.kinds import EdgeKind, Resolution, Rule, SiteKind
from mu.model.relation import Cell, Relation
from mu.store import GraphFile

SITE_COLUMNS = (
    "site_path", "site_line", "site_text", "rule", "resolution", "alternatives", "sites",
    "other_lines",
)  # fmt: skip
"""Path and line of the site, the reference as written, the rule that resolved it, the sort of its
resolution (`Resolution`), how many definitions it may mean, how many sites the edge has, and the
lines of the first of the others."""

MOST_OTHER_LINES = 20
"""Lines of other sites that a row has."""

FEW_ALTERNATIVES = 9
"""How many definitions a site may mean whose receiver is inferred, and still count as direct."""

_RANKS = tuple(Resolution)
_DISPATCHED = frozenset((Rule.VIRTUAL, Rule.CALLBACK, Rule.SHAPE))

_USES = (SiteKind.ANNOTATION, SiteKind.DECORATOR, SiteKind.VALUE, SiteKind.CALL)
_FITTING: Mapping[str, Sequence[SiteKind]] = {
    EdgeKind.CALLS: (SiteKind.CALL, SiteKind.VALUE, SiteKind.DECORATOR),
    EdgeKind.USES: _USES,
    EdgeKind.TESTS: _USES,
    EdgeKind.IMPORTS: (SiteKind.IMPORT,),
    EdgeKind.INHERITS: (SiteKind.BASE,),
    EdgeKind.LINKS: (SiteKind.LINK,),
    EdgeKind.MENTIONS: (SiteKind.MENTION,),
}
"""Which sites an edge of each kind comes from; the others follow from definitions alone."""

_NODES = """
SELECT id, key, coalesce(parent, -1), start_line, end_line FROM node
WHERE id IN (SELECT unnest($1::VARCHAR[]))
"""

_SITES = """
SELECT site.source, site.target, site.kind::VARCHAR, place.path, site.line, site.text,
    site.rule::VARCHAR, site.candidates
FROM site JOIN file AS place ON place.key = site.file
WHERE site.target IN (SELECT unnest($1::INTEGER[]))
    AND site.source IN (SELECT unnest($2::INTEGER[]))
"""


class EdgeSite(NamedTuple):
    """A site of an edge: where it is, the reference as written, and how it was resolved."""

    path: str
    line: int
    text: str
    rule: str
    resolution: Resolution
    alternatives: int

    @property
    def rank(self) -> int:
        """The place of its resolution among all, the surest first."""
        return _RANKS.index(self.resolution)


class EdgeOfRow(NamedTuple):
    """The edge behind a row: the ids of the node that depends and of the other, and its kind."""

    source: str
    target: str
    kind: str


class _Node(NamedTuple):
    key: int
    parent: int
    first: int
    last: int


class _Site(NamedTuple):
    kind: str
    path: str
    line: int
    text: str
    rule: str
    candidates: int


def edges_of_rows(
    columns: Sequence[str], rows: Iterable[Sequence[Cell]], *, direction: Direction
) -> list[EdgeOfRow]:
    """Give the edge behind each row of a walk."""
    near, far = ("from_id", "id") if direction is Direction.FORWARD else ("id", "from_id")
    places = [columns.index(name) for name in (near, far, "via")]
    return [EdgeOfRow(*(str(row[place]) for place in places)) for row in rows]


def sites_of_edges(
    graph: GraphFile, edges: Sequence[EdgeOfRow], *, starts: Set[int] = frozenset()
) -> list[tuple[EdgeSite, ...]]:
    """Give the sites of each edge; none for one that is in no text, as that of an override.

    An edge that begins or ends at one of the nodes `starts`, which a walk began at, has the sites
    of all of these: a caller of one method of a class may call others.
    """
    nodes = _nodes(graph, edges)
    ends = [(nodes.get(each.source), nodes.get(each.target)) for each in edges]
    sources = {key for near, _ in ends if near for key in (near.key, near.parent)} | starts
    targets = {far.key for _, far in ends if far} | starts
    rows = graph.run(Relation(_SITES, (sorted(targets), sorted(sources))), limit=None).rows
    sites = _Sites(starts)
    for source, target, *rest in rows:
        sites.add(int(str(source)), int(str(target)), site=_Site._make(rest))
    return [
        _sites_of(each.kind, near, far, sites) if near and far else ()
        for each, (near, far) in zip(edges, ends, strict=True)
    ]


class _Sites:
    """Sites by their ends; a node that a walk began at stands for all these."""

    def __init__(self, starts: Set[int]) -> None:
        self._starts = starts
        self._by_source: defaultdict[int, defaultdict[int, list[_Site]]]
        self._by_source = defaultdict(lambda: defaultdict(list))
        self._of_starts: defaultdict[int, list[_Site]] = defaultdict(list)

    def add(self, source: int, target: int, *, site: _Site) -> None:
        """Add a site."""
        self._by_source[source][target].append(site)
        if source in self._starts:
            self._of_starts[target].append(site)

    def between(self, source: int, target: int) -> list[_Site]:
        """Give the sites between two nodes, in no order."""
        if source in self._starts:
            return self._of_starts[target]
        found = self._by_source[source]
        if target not in self._starts:
            return found[target]
        return [site for far, sites in found.items() if far in self._starts for site in sites]


def _nodes(graph: GraphFile, edges: Iterable[EdgeOfRow]) -> Mapping[str, _Node]:
    ids = sorted({end for each in edges for end in each[:2]})
    rows = graph.run(Relation(_NODES, (ids,)), limit=None).rows
    return {str(row[0]): _Node._make(row[1:]) for row in rows}


def _sites_of(kind: str, near: _Node, far: _Node, sites: _Sites) -> tuple[EdgeSite, ...]:
    found = list(sites.between(near.key, far.key))
    if kind in {EdgeKind.USES, EdgeKind.TESTS}:  # what its text computes is the scope's around
        found += [
            site
            for site in sites.between(near.parent, far.key)
            if near.first <= site.line <= near.last and site.kind != SiteKind.IMPORT
        ]
    fitting = [site for site in found if site.kind in _FITTING.get(kind, ())]
    if kind == EdgeKind.CALLS:
        fitting = [site for site in fitting if site.kind == SiteKind.CALL] or fitting
    return _distinct(map(_resolved, fitting))


def _resolved(site: _Site) -> EdgeSite:
    resolution = Resolution.DIRECT
    if site.rule == Rule.REGISTERED:
        resolution = Resolution.REGISTRATION
    elif site.rule in _DISPATCHED or site.candidates > FEW_ALTERNATIVES:
        resolution = Resolution.DISPATCH
    return EdgeSite(site.path, site.line, site.text, site.rule, resolution, site.candidates)


def _distinct(sites: Iterable[EdgeSite]) -> tuple[EdgeSite, ...]:
    """Order sites, and keep of those that look the same the surest."""
    kept: dict[tuple[str, int, str], EdgeSite] = {}
    for site in sorted(sites, key=attrgetter("rank", "path", "line", "text", "rule")):
        kept.setdefault((site.path, site.line, site.text), site)
    return tuple(kept.values())


def site_cells(sites: Sequence[EdgeSite]) -> tuple[Cell, ...]:
    """Give the cells of SITE_COLUMNS for the first of some sites, and how many there are."""
    if not sites:
        return None, None, None, Rule.SYNTAX.value, Resolution.DIRECT.value, 1, 0, ()
    path, line, text, rule, resolution, alternatives = sites[0]
    others = tuple(dict.fromkeys(site.line for site in sites[1 : 1 + MOST_OTHER_LINES]))
    return path, line, text, rule, resolution.value, alternatives, len(sites), others
