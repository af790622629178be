"""Layers that the imports of a graph keep already, to start from.

The modules are what lies right below the folder that holds nearly all code that is no test. Those
that import each other in a circle share a layer (a strongly connected component, Tarjan 1972), and
every other one is one layer above the highest that it imports, also through files beside them.
"""

from collections import Counter
from collections.abc import Iterator, Mapping

from mu.analysis.rules.contract import Contract, ContractKind
from mu.analysis.rules.module_imports import ModuleImports
from mu.model.relation import Relation
from mu.store import GraphFile

_SOURCES = """
SELECT file.path FROM node JOIN file ON file.key = node.file
WHERE node.kind = 'module' AND NOT node.is_test AND file.category = 'source' ORDER BY file.path
"""

_NEARLY_ALL = 0.7
"""Share of the files that a folder has to hold to be looked into."""


def suggested_layers(graph: GraphFile, imports: ModuleImports) -> Contract:
    """Give a contract of layers that nothing breaks; one without layers where there is no code."""
    paths = [str(path) for (path,) in graph.run(Relation(_SOURCES), limit=None).rows]
    folder = _folder(paths)
    start = len(folder) + 1 if folder else 0
    inside = [path for path in paths if not folder or path.startswith(f"{folder}/")]
    group = {path: path[:start] + path[start:].partition("/")[0] for path in inside}
    group |= {name: group[path] for path in inside if (name := imports.unit(path)) != path}
    layers = tuple(_layers(group, imports))
    return Contract(f"Layers of {folder or 'the repository'}", ContractKind.LAYERS, layers=layers)


def _folder(paths: list[str]) -> str:
    """Descend to the folder below which nearly all files are, and not in one folder again."""
    folder = ""
    while True:
        start = len(folder) + 1 if folder else 0
        inside = [path for path in paths if not folder or path.startswith(f"{folder}/")]
        parts = Counter(path[start:].partition("/")[0] for path in inside if "/" in path[start:])
        name, count = next(iter(parts.most_common(1)), ("", 0))
        if count < _NEARLY_ALL * len(paths) or count == 0:
            return folder
        folder = f"{folder}/{name}" if folder else name


def _layers(group: Mapping[str, str], imports: ModuleImports) -> Iterator[str]:
    import networkx

    onward: dict[str, list[str]] = {}
    for near, far in sorted(imports.lines):
        if (near, far) not in imports.typed:
            for source in {near, imports.unit(near)}:
                onward.setdefault(source, []).append(far)
    graph: networkx.DiGraph[str, dict[str, object], dict[str, object]] = networkx.DiGraph()
    graph.add_nodes_from(sorted(set(group.values())))
    for path, label in group.items():
        graph.add_edges_from((label, other) for other in _reached(path, group, onward=onward))
    level: dict[str, int] = {}
    alone: dict[int, list[str]] = {}
    circles: dict[int, list[list[str]]] = {}
    for component in networkx.strongly_connected_components(graph):  # what is imported first
        below = [level[far] for near in component for far in graph[near] if far not in component]
        height = 1 + max(below, default=0)
        level.update(dict.fromkeys(component, height))
        if len(component) > 1:
            circles.setdefault(height, []).append(sorted(component))
        else:
            alone.setdefault(height, []).extend(component)
    for height in sorted({*alone, *circles}, reverse=True):
        yield from (" : ".join(circle) for circle in sorted(circles.get(height, ())))
        if height in alone:
            yield " | ".join(sorted(alone[height]))


def _reached(
    path: str, group: Mapping[str, str], *, onward: Mapping[str, list[str]]
) -> Iterator[str]:
    """Give the modules that a file imports, also through files that are in none."""
    pending, seen = [path], {path}
    while pending:
        for far in onward.get(pending.pop(), ()):
            if far in seen:
                continue
            seen.add(far)
            if far not in group:
                pending.append(far)
            elif group[far] != group[path]:
                yield group[far]
