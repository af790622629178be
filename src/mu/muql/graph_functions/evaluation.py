"""Evaluate calls of graph functions: each gives the relation of the analysis of that name."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from mu.analysis.completeness.open_references import count_open, open_doubts
from mu.analysis.node_search.node_resolution import resolve_node
from mu.analysis.walks import dependency_walks
from mu.analysis.walks.adjacent_pairs import pairs
from mu.analysis.walks.breadth_first import WalkResult, depth_limit_note, walk_graph
from mu.analysis.walks.traversal import Direction, Walk
from mu.model.kinds import EdgeKind
from mu.model.relation import Derived, Input, Relation
from mu.muql.compiled_query import Grounds
from mu.muql.errors import MuqlError
from mu.muql.graph_functions.function_calls import GraphCall, RowId
from mu.muql.repository_history import Past, asking
from mu.store import GraphFile


@dataclass(frozen=True, slots=True)
class Evaluated:
    """The rows of a call, and what they rest on."""

    relation: Relation
    grounds: Grounds


_Evaluate = Callable[[GraphCall, GraphFile], Evaluated]

_BACKWARD = ("dependents", "callers", "impact", "subclasses")
_ONE_KIND = {
    "callers": EdgeKind.CALLS,
    "callees": EdgeKind.CALLS,
    "subclasses": EdgeKind.INHERITS,
    "superclasses": EdgeKind.INHERITS,
}
_STEPPING = ("deps", "dependents", "callers", "callees", "neighbors")
_ONE_STEP = ("deps", "dependents", "callers", "callees")


def evaluate(call: GraphCall, graph: GraphFile, *, past: Past | None = None) -> Evaluated:
    """Give what a call stands for; the `past` is for `diff`.

    Raises AmbiguousNodeError or UnknownNodeError when a node is not one node of the graph.
    """
    if call.function.name == "diff":
        return _diff(call, past)
    return _EVALUATIONS.get(call.function.name, _walked)(call, graph)


def evaluate_rows(call: GraphCall, graph: GraphFile) -> Evaluated:
    """Give the rows of a call for all nodes at once, `of_id` saying whose they are.

    Raises MuqlError for a function that takes one written node only.
    """
    name = call.function.name
    if name not in _ONE_STEP or call.depth() != 1:
        what = f"{name} of the node of each row is not possible"
        names = ", ".join(_ONE_STEP)
        hint = (
            f"{names} take a column of ids, one step deep; else name the node: {call.function.call}"
        )
        raise MuqlError(what, call.place, hint)
    open_sites = count_open(graph, _kinds(call))
    doubt = f"{open_sites} references in the graph are not resolved, and could add to {name}(...)"
    grounds = Grounds(doubts=(doubt,) if open_sites else ())
    return Evaluated(pairs(_direction(name), _kinds(call)), grounds)


def row_id(call: GraphCall) -> RowId | None:
    """Give the column that a call takes its node from, if it does."""
    return next((v for v in call.arguments.values() if isinstance(v, RowId)), None)


def _walked(call: GraphCall, graph: GraphFile) -> Evaluated:
    walked = _walk(call, graph, _direction(call.function.name))
    relation = dependency_walks.reach(walked, with_tests=call.function.name == "impact")
    return Evaluated(relation, _grounds(call, graph, walked))


def _grounds(call: GraphCall, graph: GraphFile, *walked: WalkResult) -> Grounds:
    """Give the walks, and that the depth of one cut it; one step of `deps` is all it is to be."""
    if call.function.name in _STEPPING and call.depth() == 1:
        return Grounds(walked)
    doubts = (_cut(call, depth_limit_note(graph, each)) for each in walked)
    return Grounds(walked, doubts=tuple(filter(None, doubts)))


def _cut(call: GraphCall, note: str) -> str:
    return f"{call.function.name}(...) {note}" if note else ""


def _walk(call: GraphCall, graph: GraphFile, direction: Direction) -> WalkResult:
    node = resolve_node(graph, call.node("node"))
    return walk_graph(graph, Walk(node.key, direction, call.depth(), _kinds(call), node.is_alone))


def _direction(name: str) -> Direction:
    return Direction.BACKWARD if name in _BACKWARD else Direction.FORWARD


def _kinds(call: GraphCall) -> tuple[EdgeKind, ...]:
    only = _ONE_KIND.get(call.function.name)
    return (only,) if only else call.kinds()


def _neighbors(call: GraphCall, graph: GraphFile) -> Evaluated:
    sides = (_walk(call, graph, Direction.FORWARD), _walk(call, graph, Direction.BACKWARD))
    inputs = tuple(
        Derived(name, dependency_walks.reach(walked))
        for name, walked in zip(("uses_near", "used_near"), sides, strict=True)
    )
    sql = "SELECT *, 'out' AS direction FROM uses_near UNION ALL SELECT *, 'in' FROM used_near"
    return Evaluated(Relation(sql, inputs=inputs), _grounds(call, graph, *sides))


def _path(call: GraphCall, graph: GraphFile) -> Evaluated:
    from mu.analysis.paths.shortest_path import path
    from mu.analysis.paths.simple_paths import with_evidence

    walked, goal = _way(call, graph)
    way = with_evidence(path(graph, walked, goal=goal))
    return Evaluated(way, _unless_found(call, graph, walked, goal))


def _paths(call: GraphCall, graph: GraphFile) -> Evaluated:
    from mu.analysis.paths.simple_paths import LONGER, paths, with_evidence

    walked, goal = _way(call, graph)
    limit = call.number("limit")
    ways = paths(graph, walked, goal=goal, limit=limit)
    grounds = _unless_found(call, graph, walked, goal)
    if not grounds.sought:
        cut = f"at most {limit} ways, none longer than the shortest by more than {LONGER} edges"
        grounds = Grounds(doubts=(cut,))
    return Evaluated(with_evidence(ways, is_one=False), grounds)


def _unless_found(call: GraphCall, graph: GraphFile, walked: WalkResult, goal: int) -> Grounds:
    """Give the walk when it did not come to the goal, and that its depth cut it."""
    from mu.analysis.paths.shortest_path import is_reached

    if is_reached(graph, walked, goal=goal):
        return Grounds()
    note = _cut(call, depth_limit_note(graph, walked))
    return Grounds(sought=(walked,), doubts=(note,) if note else ())


def _way(call: GraphCall, graph: GraphFile) -> tuple[WalkResult, int]:
    """Walk from the first node; gives the key of the second, too."""
    start, goal = (resolve_node(graph, call.node(end)) for end in ("a", "b"))
    depth, kinds = call.depth("max_depth"), call.kinds()
    walk = Walk(start.key, Direction.FORWARD, depth, kinds, start.is_alone)
    return walk_graph(graph, walk), goal.key


def _cycles(call: GraphCall, graph: GraphFile) -> Evaluated:
    from mu.analysis.metrics.dependency_cycles import cycles

    kinds = call.kinds()
    return Evaluated(cycles(graph, kinds=kinds), Grounds(doubts=open_doubts(graph, kinds)))


def _sites_of(call: GraphCall, graph: GraphFile) -> Evaluated:
    from mu.analysis.references import references_to

    node = resolve_node(graph, call.node("node"))
    return Evaluated(references_to(graph, node.key, is_alone=node.is_alone), Grounds())


def _search(call: GraphCall, graph: GraphFile) -> Evaluated:
    from mu.analysis.node_search.word_search import RANKED, search

    kinds, limit = call.node_kinds(), call.number("limit")
    found = search(graph, call.text("words"), kinds=kinds, limit=limit)
    return Evaluated(found, Grounds(doubts=(RANKED,)))


def _diff(call: GraphCall, past: Past | None) -> Evaluated:
    with asking(past, call.place) as known:
        told = known.diff(call.text("a"), call.text("b"))
    columns = call.function.columns
    names, types = (tuple(getattr(c, part) for c in columns) for part in ("name", "type"))
    table = Input("differences", names, types, told.rows)
    relation = Relation("FROM differences ORDER BY rowid", columns=names, inputs=(table,))
    return Evaluated(relation, Grounds(notes=told.notes, doubts=told.doubts))


_EVALUATIONS: Mapping[str, _Evaluate] = {
    "neighbors": _neighbors,
    "path": _path,
    "paths": _paths,
    "cycles": _cycles,
    "sites_of": _sites_of,
    "search": _search,
}
