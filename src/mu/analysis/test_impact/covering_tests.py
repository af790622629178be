"""Which tests can execute a definition, and how likely: by all steps, for every test at once.

Tests are bits of a number. Each node has the number of the tests that reach it, and steps carry it
on until nothing changes; a step with conditions carries the tests that meet one. The ranks come
from a second walk, backward from what changed, that looks for the path with the largest product of
weights (Dijkstra).
"""

import heapq
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from mu.analysis.test_impact.change_reach import Reached
from mu.analysis.test_impact.collected_tests import Test
from mu.analysis.test_impact.execution_steps import Node, Step, read_nodes, read_steps
from mu.model.relation import Relation
from mu.store import GraphFile

_FILE_IMPORTS = """
SELECT DISTINCT near.file, far.file
FROM edge JOIN node AS near ON near.key = edge.source JOIN node AS far ON far.key = edge.target
WHERE edge.kind = 'imports' AND far.file IS NOT NULL AND near.file <> far.file
"""

_CERTAIN = 0.95  # weight of what is inherited or imported: a test runs it
_AROUND = 0.5  # weight of what runs around a test: automatic fixtures, its class and module
_LEAST = 1e-5


class Around(NamedTuple):
    """A node that the runner executes around tests: their module, or an automatic fixture."""

    node: int
    tests: Sequence[int]


@dataclass(frozen=True, slots=True)
class Way:
    """How what changed is reached from a node: `score` is from 0 to 1, `distance` in steps.

    `origin` is the key of the next node on the way, -1 at what changed itself; `change` its id.
    """

    key: int
    score: float
    distance: int
    origin: int
    change: str


class TestReach:
    """The tests of a graph and the steps they take; `around` runs beside them."""

    def __init__(self, graph: GraphFile, tests: Sequence[Test], around: Sequence[Around]) -> None:
        nodes = read_nodes(graph)
        others = [Step(test.key, test.method, _CERTAIN) for test in tests if test.key < 0]
        self._steps = [*read_steps(graph, nodes, tests={test.method for test in tests}), *others]
        self._bits = {test.key: 1 << place for place, test in enumerate(tests)}
        self._around = [*around, *_holders(nodes, tests)]
        importing: defaultdict[int, int] = defaultdict(int)
        for test in tests:
            importing[test.file] |= self._bits[test.key]
        for node, served in around:
            for key in served:
                importing[nodes[node].file] |= self._bits[key]
        self._reaching = self._carry(_importing(graph, importing))

    def reaching(self, keys: Iterable[int]) -> frozenset[int]:
        """Give the tests that can reach one of some nodes; none is left out by its weight."""
        found = 0
        for key in keys:
            found |= self._reaching.get(key, 0)
        return frozenset(test for test, bit in self._bits.items() if found & bit)

    def ways(self, starts: Iterable[Reached]) -> dict[int, Way]:
        """Give the most likely way from each node to one of `starts`, by the node's key."""
        back: defaultdict[int, list[tuple[int, float]]] = defaultdict(list)
        for step in self._steps:
            back[step.target].append((step.source, step.weight))
        for node, tests in self._around:
            back[node].extend((test, _AROUND) for test in tests)
        found: dict[int, Way] = {}
        pending = [
            (-(0.8**row.distance), row.distance, row.key, row.origin, row.change) for row in starts
        ]
        heapq.heapify(pending)
        while pending:
            score, distance, key, origin, change = heapq.heappop(pending)
            if key in found:
                continue
            found[key] = Way(key, -score, distance, origin, change)
            for source, weight in back[key]:
                if source not in found and -score * weight > _LEAST:
                    heapq.heappush(pending, (score * weight, distance + 1, source, key, change))
        return found

    def _carry(self, importing: Mapping[int, int]) -> dict[int, int]:
        """Carry the tests along the steps until nothing changes; `importing` is by file."""
        steps: defaultdict[int, list[Step]] = defaultdict(list)
        waiting: defaultdict[int, list[int]] = defaultdict(list)
        for step in self._steps:
            steps[step.source].append(step)
            for condition in step.conditions:
                if condition >= 0:
                    waiting[condition].append(step.source)
        reaching = dict(self._bits)
        for node, tests in self._around:
            for test in tests:
                reaching[node] = reaching.get(node, 0) | self._bits[test]
        pending = list(reaching)
        while pending:
            here = pending.pop()
            for step in steps[here]:
                carried = reaching[here]
                if step.conditions:
                    met = 0
                    for one in step.conditions:
                        met |= reaching.get(one, 0) if one >= 0 else importing.get(~one, 0)
                    carried &= met
                known = reaching.get(step.target, 0)
                if carried & ~known:
                    reaching[step.target] = known | carried
                    pending.append(step.target)
                    pending.extend(one for one in waiting[step.target] if one in reaching)
        return reaching


def _holders(nodes: Mapping[int, Node], tests: Sequence[Test]) -> list[Around]:
    """Give the modules and classes of tests with the tests in them."""
    found: defaultdict[int, list[int]] = defaultdict(list)
    by_file: defaultdict[int, list[int]] = defaultdict(list)
    for test in tests:
        by_file[test.file].append(test.key)
        if test.holder in nodes and nodes[test.holder].kind == "class":
            found[test.holder].append(test.key)
    for key, node in nodes.items():
        if node.kind == "module" and node.file in by_file:
            found[key] = by_file[node.file]
    return [Around(key, served) for key, served in found.items()]


def _importing(graph: GraphFile, importing: dict[int, int]) -> Mapping[int, int]:
    """Carry the tests of files on to the files that these import, at any distance."""
    imported: defaultdict[int, list[int]] = defaultdict(list)
    for near, far in graph.run(Relation(_FILE_IMPORTS), limit=None).rows:
        imported[int(str(near))].append(int(str(far)))
    pending = list(importing)
    while pending:
        here = pending.pop()
        for far in imported[here]:
            known = importing.get(far, 0)
            if importing[here] & ~known:
                importing[far] = known | importing[here]
                pending.append(far)
    return importing
