"""The fewest edges whose removal leaves no cycle: a minimum feedback arc set.

The problem is NP-hard (Karp 1972). Up to `_MOST_EXACT` edges it is solved exactly, by iterative
deepening: every set has to have an edge of each cycle, so the search takes a shortest cycle and
tries its edges in turn. Where that takes too long, the order of Eades, Lin and Smyth (1993) gives
a set that is small, and edges are put back from which no cycle comes.
"""

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

Edge = tuple[int, int]

_MOST_EXACT = 6
_BUDGET = 4_000
"""Searches for a cycle, after which the heuristic takes over."""


class CutSet(NamedTuple):
    """Edges to remove, in order; and whether no smaller set does."""

    edges: tuple[Edge, ...]
    is_minimum: bool


class _OutOfBudgetError(Exception):
    pass


def cut_set(edges: Iterable[Edge]) -> CutSet:
    """Find the fewest edges whose removal leaves no cycle; the same ones for the same edges."""
    ordered = sorted(edges)
    budget = iter(range(_BUDGET))
    try:
        for size in range(_MOST_EXACT + 1):
            found = _exact(ordered, size, budget)
            if found is not None:
                return CutSet(tuple(sorted(found)), True)
    except _OutOfBudgetError:
        pass
    return CutSet(_heuristic(ordered), False)


def _exact(edges: Sequence[Edge], size: int, budget: Iterator[int]) -> list[Edge] | None:
    if next(budget, None) is None:
        raise _OutOfBudgetError
    cycle = _shortest_cycle(edges)
    if not cycle:
        return []
    if size == 0:
        return None
    for edge in cycle:
        rest = _exact([other for other in edges if other != edge], size - 1, budget)
        if rest is not None:
            return [edge, *rest]
    return None


def _heuristic(edges: Sequence[Edge]) -> tuple[Edge, ...]:
    """Take the edges that lead back in a good order of the nodes, as far as they are needed."""
    place = {node: number for number, node in enumerate(_order(edges))}
    kept = [edge for edge in edges if place[edge[0]] < place[edge[1]]]
    cut = []
    for edge in edges:
        if place[edge[0]] >= place[edge[1]]:
            if _reaches(kept, edge[1], edge[0]):
                cut.append(edge)
            else:
                kept.append(edge)
    return tuple(cut)


def _order(edges: Sequence[Edge]) -> list[int]:
    """Order nodes: sources first, sinks last, then what has most edges out and fewest in."""
    out: dict[int, set[int]] = {node: set() for edge in edges for node in edge}
    into: dict[int, set[int]] = {node: set() for node in out}
    for source, target in edges:
        out[source].add(target)
        into[target].add(source)
    first: list[int] = []
    last: deque[int] = deque()
    while out:
        sinks = [node for node in out if not out[node]]
        sources = [node for node in out if not into[node] and out[node]]
        chosen = sinks or sources or [max(out, key=lambda node: len(out[node]) - len(into[node]))]
        for node in chosen:
            for other in out.pop(node):
                into[other].discard(node)
            for other in into.pop(node):
                if other in out:
                    out[other].discard(node)
        if sinks:
            last.extendleft(chosen)
        else:
            first.extend(chosen)
    return [*first, *last]


def _shortest_cycle(edges: Sequence[Edge]) -> list[Edge]:
    """Give the edges of a shortest cycle; none where there is no cycle."""
    onward = _onward(edges)
    best: list[Edge] = []
    for start in onward:
        found = _way(onward, start, start)
        if found and (not best or len(found) < len(best)):
            best = found
        if len(best) == 2:
            break
    return best


def _reaches(edges: Sequence[Edge], start: int, goal: int) -> bool:
    return bool(_way(_onward(edges), start, goal))


def _onward(edges: Sequence[Edge]) -> dict[int, list[int]]:
    onward: dict[int, list[int]] = {}
    for source, target in edges:
        onward.setdefault(source, []).append(target)
    return onward


def _way(onward: dict[int, list[int]], start: int, goal: int) -> list[Edge]:
    """Search breadth-first for a shortest way of at least one edge."""
    origin: dict[int, int] = {}
    waiting = deque([start])
    while waiting:
        node = waiting.popleft()
        for target in onward.get(node, ()):
            if target == goal:
                way = [(node, goal)]
                while node != start:
                    way.append((origin[node], node))
                    node = origin[node]
                return way[::-1]
            if target not in origin and target != start:
                origin[target] = node
                waiting.append(target)
    return []
