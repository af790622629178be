"""Adjacency arrays of the graph in memory, over which walks run.

The nodes next to the node n are those from place `first[n]` to `first[n + 1]` of an array, which is
the usual form of compressed sparse rows; there is one for each kind of edge and each direction. An
array is loaded when a walk first needs it and stays while the graph is open: 4 bytes an edge and 4
a node, and 0.14 s for a million edges. The engine hands the numbers over as one JSON text, because
its lists cost twice as much; and a window of nodes at a time, so that no text is very large.
"""

from array import array
from collections.abc import Mapping
from itertools import accumulate
from typing import NamedTuple

from mu.analysis.walks.traversal import Direction, steps
from mu.model.kinds import EdgeKind, NodeKind
from mu.model.relation import Relation
from mu.store import DamagedGraphError, GraphFile

_WINDOW = 131_072
"""Nodes whose neighbours are handed over in one text; a few million edges."""

_ROWS = """
SELECT '[' || string_agg(near, ',') || ']', '[' || string_agg(total, ',') || ']',
    '[' || string_agg(following, ',') || ']'
FROM (
    SELECT near, count(*) AS total, string_agg(next, ',') AS following
    FROM ({steps}) WHERE near BETWEEN ? AND ? AND next BETWEEN 0 AND ?
    GROUP BY near ORDER BY near
)
"""

_MOST_FREE = 1_000
"""Keys that may be free, beside as many as there are nodes: updates of a graph leave some."""

_SIZE = "SELECT count(*), coalesce(min(key), 0), coalesce(max(key), -1) FROM node"

_INSIDE = "SELECT parent AS near, key AS next FROM node WHERE parent IS NOT NULL"

_OF_KIND = "SELECT list(key) FROM node WHERE kind = ?"

_TWINS = """
SELECT list(key ORDER BY key) FROM node WHERE parent IS NOT NULL
GROUP BY parent, qualified_name, kind HAVING count(*) > 1
"""


class Neighbours(NamedTuple):
    """The `nodes` next to each node, from place `first[node]` to before `first[node + 1]`."""

    first: "array[int]"
    nodes: "array[int]"


class Adjacency:
    """The arrays of one open graph, each loaded when it is first asked for.

    Threads may share it: two that load the same array at once do the work twice.
    """

    def __init__(self, graph: GraphFile) -> None:
        self._graph = graph
        self._next: dict[tuple[Direction, EdgeKind], Neighbours] = {}
        self._inside: Neighbours | None = None
        self._twins: Mapping[int, list[int]] | None = None
        self._of_kind: dict[NodeKind, frozenset[int]] = {}
        self._size: int | None = None
        self._is_new = True

    def begin(self) -> bool:
        """Note that a walk begins, and tell whether it is the first."""
        was_new, self._is_new = self._is_new, False
        return was_new

    @property
    def size(self) -> int:
        """One more than the greatest key of a node; keys are from 0, and few of them are free.

        Raises DamagedGraphError for others.
        """
        if self._size is None:
            import msgspec  # a graph's first walk does without all this

            (row,) = self._graph.run(Relation(_SIZE)).rows
            total, lowest, highest = msgspec.convert(row, tuple[int, int, int])
            if lowest < 0 or highest >= _MOST_FREE + 2 * total:
                raise DamagedGraphError(self._graph.path.name, "is damaged")
            self._size = highest + 1
        return self._size

    def neighbours(self, direction: Direction, kind: EdgeKind) -> Neighbours:
        """Give the nodes one step away from each node, along one kind of edge."""
        found = self._next.get((direction, kind))
        if found is None:
            part = steps(direction, kind)
            found = self._load(Relation(part.sql, part.parameters))
            self._next[direction, kind] = found
        return found

    def whole(
        self, key: int, *, closed: NodeKind | None = None, is_alone: bool = False
    ) -> list[int]:
        """Give a node, its other definitions, and all that is inside them, in order.

        A node of the kind `closed` stands without what is inside it; with `is_alone` a node stands
        without its other definitions.
        """
        if self._inside is None or self._twins is None:
            self._inside = self._load(Relation(_INSIDE))
            import msgspec

            groups = self._graph.run(Relation(_TWINS), limit=None).rows
            listed = msgspec.convert(groups, list[tuple[list[int]]])
            self._twins = {key: twins for (twins,) in listed for key in twins}
        first, nodes = self._inside
        found = dict.fromkeys((key,) if is_alone else self._twins.get(key, (key,)))
        if closed is not None and key in self._all_of(closed):
            return sorted(found)
        waiting = list(found)
        for node in waiting:  # it grows on the way
            inner = [child for child in nodes[first[node] : first[node + 1]] if child not in found]
            found.update(dict.fromkeys(inner))
            waiting.extend(inner)
        return sorted(found)

    def _all_of(self, kind: NodeKind) -> frozenset[int]:
        found = self._of_kind.get(kind)
        if found is None:
            import msgspec

            (row,) = self._graph.run(Relation(_OF_KIND, (kind.value,))).rows
            found = self._of_kind[kind] = frozenset(msgspec.convert(row[0] or [], list[int]))
        return found

    def _load(self, pairs: Relation) -> Neighbours:
        """Fetch pairs (near, next) and put the second ones in the order of the first."""
        import msgspec

        numbers = msgspec.json.Decoder(list[int])
        counts = array("i", bytes(4 * (self.size + 1)))
        nodes = array("i")
        sql = _ROWS.format(steps=pairs.sql)
        for low in range(0, self.size, _WINDOW):
            values = (*pairs.parameters, low, low + _WINDOW - 1, self.size - 1)
            (row,) = self._graph.run(Relation(sql, values)).rows
            near, totals, following = (numbers.decode(str(text or "[]")) for text in row)
            for node, total in zip(near, totals, strict=True):
                counts[node + 1] = total
            nodes.extend(array("i", following))
        return Neighbours(array("i", accumulate(counts)), nodes)
