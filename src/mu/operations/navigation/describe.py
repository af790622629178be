"""Describe one node."""

from collections import Counter
from dataclasses import dataclass

from mu.analysis.node_search.node_resolution import resolve_node
from mu.model.found import FoundNode
from mu.model.kinds import NodeKind, Verdict
from mu.model.relation import Cell, Relation
from mu.operations.answers.call_sites import Sites
from mu.operations.navigation.dependencies import dependents, deps, impact
from mu.operations.results import MAX_LIMIT, NodeRows
from mu.operations.workspace import Workspace
from mu.render.shown import Shown

_DETAILS = """
SELECT subkind, language, end_line, visibility, signature, docstring, decorators, complexity,
    is_test, is_generated, is_async, is_static, is_abstract
FROM nodes WHERE id = ?
"""
_CONTAINED = """
SELECT nodes.kind, count(*) FROM contains JOIN nodes ON nodes.id = contains.target
WHERE contains.source = ? GROUP BY ALL ORDER BY ALL
"""
_CONSTRUCTORS = """
SELECT signature FROM nodes JOIN contains ON contains.target = nodes.id
WHERE contains.source = ? AND subkind = 'constructor' AND signature <> ''
ORDER BY start_line LIMIT 3
"""
_CONTAINER = "SELECT source FROM contains WHERE target = ?"


@dataclass(frozen=True, slots=True)
class KindCount:
    """How many there are of a kind."""

    kind: str
    count: int


@dataclass(frozen=True, slots=True)
class NodeDescription(Shown):
    """What is known of `node`.

    `words` are what it is beside its kind, such as `async` or `test`. `contains` counts what is
    defined in it by kind of node; `uses` and `used_by` count the nodes at the other end by the kind
    of the edge, of the node and what it contains; `used_by_tests` counts those of the latter that
    are test functions, `affected` all that use it directly or through others. `open_references`
    could add to `used_by`, which is exact without one. `parent` is the id of what it is defined in.
    `constructors` are the signatures of the first three constructors in a class. `notes` say what
    changed since the graph was built.
    """

    node: FoundNode
    subkind: str
    words: tuple[str, ...]
    language: str
    visibility: str
    parent: str | None
    start_line: int
    end_line: int
    signature: str
    constructors: tuple[str, ...]
    docstring: str
    decorators: tuple[str, ...]
    complexity: int
    contains: tuple[KindCount, ...]
    uses: tuple[KindCount, ...]
    used_by: tuple[KindCount, ...]
    used_by_tests: int
    affected: int
    open_references: int
    verdict: Verdict
    notes: tuple[str, ...] = ()


def describe(workspace: Workspace, node: str) -> NodeDescription:
    """Describe a node: what it is and where, and counts of what it uses and what uses it.

    `mu deps`, `dependents`, `impact`, `read` and `why` list what is counted here.
    """
    graph = workspace.graph
    found = resolve_node(graph, node)
    answer = graph.run(Relation(_DETAILS, (found.id,)))
    details: dict[str, Cell] = dict(zip(answer.columns, answer.rows[0], strict=True))
    container = graph.run(Relation(_CONTAINER, (found.id,))).rows
    contained = graph.run(Relation(_CONTAINED, (found.id,))).rows
    made = Relation(_CONSTRUCTORS, (found.id,))
    users = dependents(workspace, found.id, sites=Sites.NONE, limit=MAX_LIMIT)
    reached = impact(workspace, found.id, sites=Sites.NONE, limit=MAX_LIMIT)
    return NodeDescription(
        node=found,
        subkind=str(details["subkind"]),
        words=tuple(n[3:] for n, value in details.items() if n.startswith("is_") and value),
        language=str(details["language"]),
        visibility=str(details["visibility"]),
        parent=str(container[0][0]) if container else None,
        start_line=found.line,
        end_line=int(str(details["end_line"])),
        signature=str(details["signature"]),
        constructors=tuple(str(row[0]) for row in graph.run(made).rows),
        docstring=str(details["docstring"]),
        decorators=_texts(details["decorators"]),
        complexity=int(str(details["complexity"])),
        contains=tuple(KindCount(str(kind), int(str(count))) for kind, count in contained),
        uses=_by_kind(deps(workspace, found.id, sites=Sites.NONE, limit=MAX_LIMIT)),
        used_by=_by_kind(users),
        used_by_tests=_near_tests(reached),
        affected=reached.answer.total,
        open_references=users.possible.total if users.possible else 0,
        verdict=users.answer.verdict,
        notes=workspace.freshness.notes,
    )


def _by_kind(result: NodeRows) -> tuple[KindCount, ...]:
    """Count the nodes by the kind of edge they were reached by, the most first."""
    via = result.answer.columns.index("via")
    counts = Counter(str(row[via]) for row in result.answer.rows)
    return tuple(KindCount(kind, count) for kind, count in counts.most_common())


def _near_tests(result: NodeRows) -> int:
    """Count the test functions among what uses the node directly."""
    places = [result.answer.columns.index(name) for name in ("is_test", "distance", "kind")]
    near = [tuple(row[place] for place in places) for row in result.answer.rows]
    return near.count((True, 1, NodeKind.FUNCTION.value))


def _texts(cell: Cell) -> tuple[str, ...]:
    return tuple(map(str, cell)) if isinstance(cell, list | tuple) else ()
