"""How running code comes from one definition to the next: the steps that a test may take.

A step is a call, the use of a value, or one that no reference shows: methods that nothing in the
sources calls are called by others on instances of their class. Each step has a weight, which ranks
tests, and may have conditions, which rule tests out. That is rapid type analysis (Bacon and
Sweeney, 1996) for each test apart: a call runs an override only in a test that makes an instance of
its class, and a callback only in one that hands it over or imports the module that does.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Set
from typing import NamedTuple

from mu.model.kinds import Rule
from mu.model.relation import Relation
from mu.store import GraphFile
from mu.syntax import load_manifests

_NODES = """
SELECT key, kind::VARCHAR, parent, is_test, file, name FROM node
WHERE kind IN ('module', 'class', 'function', 'variable') AND file IS NOT NULL
"""

_EDGES = """
SELECT edge.source, edge.target, edge.kind::VARCHAR, edge.rule::VARCHAR
FROM edge JOIN node AS far ON far.key = edge.target
WHERE edge.kind IN ('calls', 'uses', 'inherits') AND edge.role <> 'annotation'
    AND far.file IS NOT NULL AND edge.source <> edge.target
"""

_EXTENDING = """
WITH RECURSIVE extending(class) AS (
    SELECT edge.source FROM edge JOIN node AS base ON base.key = edge.target
    WHERE edge.kind = 'inherits' AND base.kind = 'external'
        AND NOT list_contains($1::VARCHAR[], regexp_replace(base.id, '^ext:|[.][^.]*$', '', 'g'))
    UNION
    SELECT edge.source FROM extending JOIN edge
        ON edge.target = extending.class AND edge.kind = 'inherits'
)
SELECT class FROM extending
"""

_UNRESOLVED = """
SELECT DISTINCT source, name FROM site
WHERE kind = 'call' AND reason IN ('unknown', 'dynamic', 'ambiguous') AND name <> ''
ORDER BY source, name
"""

_CALLBACK = frozenset({Rule.CALLBACK.value, Rule.REGISTERED.value})
_VIRTUAL = Rule.VIRTUAL.value

_CERTAIN = 0.8
_BY_NAME = 0.5  # a call that is not resolved, for all methods of its name
_UNCALLED = 0.4  # a method that nothing in the sources calls
_OTHERS = 0.01  # what is called by its name, for those who do not: most likely none of them
_IMPLICIT = 0.3  # a special method, or one of a class that extends what is outside
"""Weights of a step, chosen by which tests of four Python projects really enter each function."""


class Step(NamedTuple):
    """From the node `source` to the node `target`, both by key.

    `weight` is from 0 to 1. It is taken only by tests that meet one of the `conditions`, if there
    are any: that reach a node with this key, or import a file with the key `~condition`.
    """

    source: int
    target: int
    weight: float
    conditions: tuple[int, ...] = ()


class Node(NamedTuple):
    """What steps need to know of a node; `parent` is -1 at the top."""

    kind: str
    parent: int
    is_test: bool
    file: int
    name: str


def read_nodes(graph: GraphFile) -> dict[int, Node]:
    """Read the definitions and modules of a graph, by key."""
    rows = graph.run(Relation(_NODES), limit=None).rows
    return {
        int(str(key)): Node(
            str(kind),
            -1 if parent is None else int(str(parent)),
            bool(is_test),
            int(str(file)),
            str(name),
        )
        for key, kind, parent, is_test, file, name in rows
    }


def read_steps(graph: GraphFile, nodes: dict[int, Node], *, tests: Set[int]) -> Iterator[Step]:
    """Give all steps between `nodes`, the definitions of the graph, of which some are `tests`.

    What the code of a module outside of tests does when it is imported is none.
    """
    rows = graph.run(Relation(_EDGES), limit=None).rows
    edges = [
        (int(str(near)), int(str(far)), str(kind), str(rule))
        for near, far, kind, rule in rows
        if near in nodes and far in nodes
    ]
    yield from _references(nodes, edges)
    passive = sorted({name for one in load_manifests().values() for name in one.passive_modules})
    rows = graph.run(Relation(_EXTENDING, (passive,)), limit=None).rows
    extending = {int(str(key)) for (key,) in rows}
    yield from _unreferenced(nodes, edges, extending, tests)
    sites = graph.run(Relation(_UNRESOLVED), limit=None).rows
    yield from _unresolved(nodes, [(int(str(near)), str(name)) for near, name in sites])


_Edge = tuple[int, int, str, str]


def _references(nodes: dict[int, Node], edges: list[_Edge]) -> Iterator[Step]:
    users: defaultdict[int, list[int]] = defaultdict(list)
    choices = Counter[tuple[int, str]]()
    made, direct = set(), set()
    for near, far, kind, rule in edges:
        made.add(far)
        if kind == "uses" and rule not in _CALLBACK:
            users[far].append(near)
        if kind == "calls" and (rule == _VIRTUAL or rule in _CALLBACK):
            choices[near, nodes[far].name if rule == _VIRTUAL else ""] += 1
        if kind == "calls" and rule not in _CALLBACK and nodes[near].kind != "module":
            direct.add(far)
    for near, far, kind, rule in edges:
        source, target = nodes[near], nodes[far]
        if source.kind == "module" and not source.is_test:
            continue
        weight, conditions = _CERTAIN, tuple[int, ...]()
        if kind == "calls" and rule == _VIRTUAL:
            weight /= choices[near, target.name] ** 0.5
            conditions = (target.parent,) if target.parent in made else ()
        elif kind == "calls" and rule in _CALLBACK:
            weight /= choices[near, ""] ** 0.5
            conditions = _handing(nodes, users[far]) or (~target.file,)
            weight *= _OTHERS if far in direct else 1
        elif target.is_test and not source.is_test:
            conditions = (~target.file,)
        yield Step(near, far, weight, conditions)


def _handing(nodes: dict[int, Node], users: list[int]) -> tuple[int, ...]:
    """Give the conditions under which a callback was handed over by one of its users."""
    return tuple(
        ~nodes[user].file if nodes[user].kind in ("module", "class") else user for user in users
    )


def _unreferenced(
    nodes: dict[int, Node], edges: list[_Edge], extending: set[int], tests: Set[int]
) -> Iterator[Step]:
    """Give the steps from a class, or a function, to what is in it and called by others.

    Tests are called by the runner, not by each other.
    """
    named = [
        (far, nodes[far].is_test or not nodes[near].is_test)
        for near, far, kind, _ in edges
        if kind != "inherits" and nodes[near].kind != "module"
    ]
    called = {far for far, is_own in named if is_own}
    tested = {far for far, _ in named} - called
    for key, node in nodes.items():
        parent = nodes.get(node.parent)
        if node.kind != "function" or parent is None or parent.kind == "module" or key in tests:
            continue
        is_special = node.name.startswith("__") and node.name.endswith("__")
        is_inside = parent.kind == "class" and node.parent not in extending and not is_special
        if key in tested and is_inside:
            yield Step(node.parent, key, _OTHERS)
        elif key not in called:
            yield Step(node.parent, key, _UNCALLED)
        elif parent.kind == "class" and (
            is_special or (node.parent in extending and not node.name.startswith("_"))
        ):
            yield Step(node.parent, key, _IMPLICIT)


def _unresolved(nodes: dict[int, Node], sites: list[tuple[int, str]]) -> Iterator[Step]:
    """Give the steps from unresolved calls to the methods of their name, if their class is met."""
    named: defaultdict[str, list[int]] = defaultdict(list)
    for key, node in nodes.items():
        if node.kind == "function" and node.parent in nodes and nodes[node.parent].kind == "class":
            named[node.name].append(key)
    for source, name in sites:
        found = named.get(name, ())
        if source in nodes and (nodes[source].kind != "module" or nodes[source].is_test):
            for far in found:
                if nodes[source].is_test or not nodes[far].is_test:
                    yield Step(source, far, _BY_NAME / len(found) ** 0.5, (nodes[far].parent,))
