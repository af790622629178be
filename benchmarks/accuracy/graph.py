"""MU's graph of a traced tree: its nodes by place, its edges, and its ledger.

Code that ran is found by its file, its name and its first line, which for a decorated function is
that of the first decorator. What has no node of its own belongs to what stands around it, as in MU:
a comprehension, a generator expression, a lambda that is bound to no name.
"""

import re
import subprocess
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.accuracy.tracing import Code
from benchmarks.building import MU
from mu.model.relation import Cell, Relation
from mu.store import open_graph

_NUMBER = re.compile(r"~\d+")  # of a definition that is not the first of its name
_BARE = re.compile(rb"\s*@\s*[\w.]+\s*(#|$)")
_BUILT = (0, 5)  # 5: a file is missing that should be in the graph
_NODES = (
    "SELECT n.key, n.id, n.kind::VARCHAR, n.subkind, n.name, n.parent, f.path,"
    " n.start_line, n.end_line, coalesce(f.category = 'test', false)"
    " FROM node n LEFT JOIN file f ON f.key = n.file ORDER BY n.key"
)
_EDGES = (
    "SELECT source, target, kind::VARCHAR, rule::VARCHAR FROM edge"
    " WHERE kind IN ('calls', 'uses', 'overrides')"
)
_SITES = (
    "SELECT kind::VARCHAR, source, line, text, name, coalesce(target, -1),"
    " coalesce(rule::VARCHAR, ''), coalesce(reason::VARCHAR, '') FROM site"
    " WHERE kind IN ('call', 'decorator', 'value')"
)


@dataclass(frozen=True, slots=True)
class Node:
    """A node as the graph has it; `path` is empty outside the repository."""

    key: int
    id: str
    kind: str
    subkind: str
    name: str
    parent: int
    path: str
    start: int
    end: int
    is_test: bool


@dataclass(frozen=True, slots=True)
class Site:
    """A row of the ledger; `target` is -1 where it has none."""

    kind: str
    source: int
    line: int
    text: str
    name: str
    target: int
    rule: str
    reason: str


class TracedGraph:
    """One graph, held in memory; the dictionaries are by keys of nodes."""

    def __init__(
        self, nodes: Sequence[Node], sites: Sequence[Site], bare: Collection[tuple[str, int]] = ()
    ) -> None:
        """Take all nodes in the order of keys, and the places of decorators without arguments."""
        self.nodes = nodes
        self._bare = frozenset(bare)
        self.rules: dict[tuple[str, int, int], str] = {}  # by kind, source and target
        self.overridden: dict[int, list[int]] = defaultdict(list)
        self.sites: dict[int, list[Site]] = defaultdict(list)
        self._named: dict[tuple[str, str], list[Node]] = defaultdict(list)
        self._holders: dict[str, list[Node]] = defaultdict(list)  # in the order of their starts
        self.decorated: set[int] = set()
        self._decorators: dict[tuple[str, int], list[int]] = defaultdict(list)  # by place
        for site in sites:
            self.sites[site.source].append(site)
            if site.kind == "decorator":
                self.decorated.add(site.source)
                self._decorators[nodes[site.source].path, site.line].append(site.target)
        for node in sorted(nodes, key=lambda node: (node.start, -node.end)):
            if node.kind == "function":
                name = "<lambda>" if node.subkind == "lambda" else node.name
                self._named[node.path, name].append(node)
            if node.kind == "class":
                self._named[node.path, node.name].append(node)
            if node.path and node.kind in ("module", "class", "function"):
                self._holders[node.path].append(node)

    def find(self, code: Code) -> Node | None:
        """Find the node of what ran; None for a file or a function that the graph has not."""
        if code.name == "<module>":
            return self._around(code)
        if code.name == "<lambda>":
            own = [n for n in self._named[code.path, "<lambda>"] if n.start <= code.line <= n.end]
            return own[-1] if own else self._around(code)
        if code.name.startswith("<"):
            return self._around(code)
        plain = code.qualified_name.replace(".<locals>", "")
        named = self._named[code.path, code.name]
        place = bisect_right(named, code.line - 1, key=lambda node: node.start)
        found = named[place] if place < len(named) else None
        if found is None or "<" in plain:
            return found
        path = _NUMBER.sub("", found.id.partition(":")[2])
        return found if path == f"{code.path}:{plain}" else None

    def owns(self, code: Code) -> bool:
        """Whether the code has a node of its own and is not counted to what stands around it."""
        node = self.find(code)
        return node is not None and (
            not code.name.startswith("<") or (code.name == "<lambda>" and node.subkind == "lambda")
        )

    def on(self, node: Node, line: int) -> tuple[Site, ...]:
        """The calls and decorators in the ledger on a line of a node."""
        return tuple(s for s in self.sites[node.key] if s.line == line and s.kind != "value")

    def is_decorator(self, caller: Node, line: int, node: Node) -> bool:
        """Whether a decorator on the line of the caller's file is this node, or its class."""
        own = node.key, node.parent if node.name in ("__init__", "__new__") else node.key
        return any(target in own for target in self._decorators.get((caller.path, line), ()))

    def decorates(self, caller: Node, line: int, node: Node) -> bool:
        """Whether a decorator on the line is applied, and not the call `@name(...)` that gives it.

        It is told by names, since what the graph makes of decorators is what is measured.
        """
        names = {node.name}
        if node.name in ("__init__", "__new__"):
            names.add(self.nodes[node.parent].name)
        place = caller.path, line
        called = {site.name for site in self.on(caller, line) if site.kind == "call"}
        return place in self._decorators and (place in self._bare or not names & called)

    def _around(self, code: Code) -> Node | None:
        outer = code.qualified_name.removesuffix(code.name).removesuffix(".")
        outer = outer.removesuffix(".<locals>").rpartition(".")[2]
        around = [node for node in self._holders[code.path] if node.start <= code.line <= node.end]
        if outer and not outer.startswith("<"):
            named = [node for node in around if node.name == outer]
            return named[-1] if named else None
        if code.name == "<module>" or (not outer and code.qualified_name == code.name):
            return next((n for n in self._holders[code.path] if n.kind == "module"), None)
        return around[-1] if around else None


def build_graph(tree: Path) -> TracedGraph:
    """Build the graph of a tree as a user would, in its folder, and read it."""
    command = [MU, "kernel", "build", str(tree)]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    if done.returncode not in _BUILT:
        raise RuntimeError(f"{' '.join(command)}: {done.stderr or done.stdout}")
    return read_graph(tree / ".mubase", tree)


def read_graph(path: Path, tree: Path) -> TracedGraph:
    """Read what recall and precision need of a graph and of the tree that it was built of."""
    with open_graph(path) as opened:
        nodes = [Node(*_plain(row)) for row in opened.run(Relation(_NODES), limit=None).rows]
        sites = [Site(*row) for row in opened.run(Relation(_SITES), limit=None).rows]
        edges = opened.run(Relation(_EDGES), limit=None).rows
    graph = TracedGraph(nodes, sites, _bare_decorators(nodes, sites, tree))
    for source, target, kind, rule in edges:
        graph.rules[str(kind), int(source), int(target)] = str(rule)
        if kind == "overrides":
            graph.overridden[int(source)].append(int(target))
    return graph


def _bare_decorators(
    nodes: Sequence[Node], sites: Sequence[Site], tree: Path
) -> set[tuple[str, int]]:
    lines: dict[str, set[int]] = defaultdict(set)
    for site in sites:
        if site.kind == "decorator":
            lines[nodes[site.source].path].add(site.line)
    found = set()
    for path, numbers in lines.items():
        texts = (tree / path).read_bytes().splitlines()
        found.update((path, number) for number in numbers if _BARE.match(texts[number - 1]))
    return found


def _plain(row: Sequence[Cell]) -> tuple[Cell, ...]:
    key, node_id, kind, subkind, name, parent, path, *rest = row
    return key, node_id, kind, subkind, name, -1 if parent is None else parent, path or "", *rest
