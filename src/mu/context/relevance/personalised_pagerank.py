"""How near nodes are to some others: personalised PageRank by forward push.

What a node has is kept in part and handed on along edges, until what is left anywhere is less than
a threshold (Andersen, Chung, Lang 2006, "Local graph partitioning using PageRank vectors"); so the
work depends on the threshold and not on the size of the graph. Edges weigh by their kind and by
their direction.
"""

import math
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence

from mu.analysis.walks.adjacency import Adjacency
from mu.analysis.walks.traversal import Direction
from mu.model.kinds import EdgeKind
from mu.store import GraphFile

_KEPT = 0.5  # of what a node has; the rest goes on. Two steps away an eighth arrives.
_LEAST = 2e-4  # less than that of what was given is not handed on

_WEIGHTS = {
    EdgeKind.CALLS: 1.0,
    EdgeKind.INHERITS: 0.8,
    EdgeKind.OVERRIDES: 0.8,
    EdgeKind.MENTIONS: 0.6,
    EdgeKind.USES: 0.5,
    EdgeKind.IMPORTS: 0.3,
    EdgeKind.CONTAINS: 0.2,
}


_OPPOSITE = {Direction.FORWARD: Direction.BACKWARD, Direction.BACKWARD: Direction.FORWARD}

Share = tuple[Sequence[int], float]
"""Some nodes, and the share that each of them is handed."""

Ways = Mapping[tuple[EdgeKind, Direction], float]
"""What edges weigh, by their kind and the direction in which they are followed."""

DEPENDENTS: Ways = {
    **{(kind, Direction.BACKWARD): weight for kind, weight in _WEIGHTS.items()},
    (EdgeKind.OVERRIDES, Direction.FORWARD): _WEIGHTS[EdgeKind.OVERRIDES],
    (EdgeKind.CONTAINS, Direction.FORWARD): 0.1,
    (EdgeKind.CONTAINS, Direction.BACKWARD): 0.0,
    (EdgeKind.MENTIONS, Direction.BACKWARD): 0.1,
}
"""What uses a node, its members, or what it overrides: not what it stands beside or uses itself.
A page that mentions it does not break."""


def spread_to_dependents(graph: GraphFile, given: Mapping[int, float]) -> dict[int, float]:
    """Give what arrives at each node when `given` is handed on along what depends on a node.

    It adds up to at most 1, and each edge has its part.

    What uses hundreds of things depends less on one of them: as much less as the root of their
    number, which is how the symmetric normalisation of an adjacency matrix weighs degrees.
    """
    adjacency = graph.once(Adjacency)
    ways = [
        (
            *adjacency.neighbours(direction, kind),
            adjacency.neighbours(_OPPOSITE[direction], kind)[0],
            weight,
        )
        for (kind, direction), weight in DEPENDENTS.items()
        if weight
    ]

    def handed_on(key: int) -> list[Share]:
        edges = [
            (node, weight / math.sqrt(back[node + 1] - back[node]))
            for first, nodes, back, weight in ways
            for node in nodes[first[key] : first[key + 1]]
        ]
        whole = sum(weight for _, weight in edges)
        return [((node,), weight / whole) for node, weight in edges]

    return _pushed(given, handed_on)


def _pushed(
    given: Mapping[int, float], handed_on: Callable[[int], Iterable[Share]]
) -> dict[int, float]:
    whole = sum(given.values()) or 1.0
    left = {key: amount / whole for key, amount in given.items()}
    found: dict[int, float] = {}
    waiting = deque(left)
    while waiting:
        key = waiting.popleft()
        amount = left.pop(key, 0.0)
        if not amount:
            continue
        found[key] = found.get(key, 0.0) + _KEPT * amount
        for nodes, share in handed_on(key):
            handed = (1 - _KEPT) * amount * share
            if handed < _LEAST:
                continue
            for node in nodes:
                before = left.get(node, 0.0)
                left[node] = before + handed
                if before < _LEAST <= left[node]:
                    waiting.append(node)
    return found
