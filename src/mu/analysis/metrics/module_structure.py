"""Dependency structure of modules and folders: cycles, levels, visibility fan-in.

- circular: a row for each set of modules that import one another (a strongly connected component,
  Tarjan 1972), with one shortest cycle in it.
- layers: levels of folders as Lakos, Large-Scale C++ Software Design (1996), gives them: 1 for one
  that depends on no other, else one more than the highest it depends on; folders that depend on one
  another in a circle share a level.
- impact: visibility fan-in of MacCormack, Rusnak and Baldwin, Exploring the Structure of Complex
  Software Designs (2006): how many modules depend on one, directly or through others.

Tests are left out. What depends on what is the same as for the coupling in `code_metrics`.
"""

from collections.abc import Iterable

from mu.analysis.metrics.code_metrics import MODULE_PAIRS, Columns
from mu.analysis.metrics.dependency_cycles import cycles
from mu.model.relation import Cell, Derived, Input, Relation
from mu.store import GraphFile

CIRCULAR_COLUMNS: Columns = (
    ("cycle_id", "INTEGER"),
    ("size", "INTEGER"),
    ("length", "BIGINT"),
    ("cycle", "VARCHAR[]"),
    ("path", "VARCHAR"),
    ("line", "INTEGER"),
)
LAYERS_COLUMNS: Columns = (
    ("path", "VARCHAR"),
    ("level", "INTEGER"),
    ("files", "INTEGER"),
    ("depends_on", "INTEGER"),
    ("used_by", "INTEGER"),
    ("cycle", "INTEGER"),
)
IMPACT_COLUMNS: Columns = (
    ("id", "VARCHAR"),
    ("name", "VARCHAR"),
    ("kind", "VARCHAR"),
    ("path", "VARCHAR"),
    ("fan_in", "INTEGER"),
    ("share", "DOUBLE"),
    ("fan_out", "INTEGER"),
)

_CIRCULAR = """
SELECT cycle_id, any_value(size) AS size, count(*) AS length, list(id ORDER BY step) AS cycle,
    arg_min(path, step) AS path, arg_min(line, step) AS line
FROM cycle GROUP BY cycle_id ORDER BY cycle_id
"""

_MODULES = """
SELECT module.key, file.path FROM node AS module JOIN file ON file.key = module.file
WHERE module.kind = 'module' AND NOT module.is_test ORDER BY module.key
"""

_PAIRS = f"WITH {MODULE_PAIRS} SELECT source, target FROM module_pair ORDER BY source, target"

_IMPACT = """
SELECT module.id AS id, module.name AS name, module.kind::VARCHAR AS kind, file.path AS path,
    spread.fan_in AS fan_in, spread.share AS share, spread.fan_out AS fan_out
FROM spread JOIN node AS module ON module.key = spread.module JOIN file ON file.key = module.file
ORDER BY spread.fan_in DESC, spread.fan_out DESC, file.path
"""

_Attributes = dict[str, object]


def circular(graph: GraphFile, *, below: str = "") -> Relation:
    """Give the import cycles, the largest component first; with a path, those below it."""
    return Relation(_CIRCULAR, inputs=(Derived("cycle", cycles(graph, below=below)),))


def layers(graph: GraphFile) -> Relation:
    """Give the level of each folder; those in a circle come first, then the highest.

    `cycle` numbers the circles, and is NULL for a folder in none.
    """
    folder_of = {key: path.rpartition("/")[0] or "." for key, path in _modules(graph)}
    files: dict[str, int] = {}
    for folder in folder_of.values():
        files[folder] = files.get(folder, 0) + 1
    pairs = {
        (folder_of[source], folder_of[target])
        for source, target in _pairs(graph)
        if folder_of[source] != folder_of[target]
    }
    rows = list(_levels(files, pairs))
    rows.sort(key=lambda row: (row[5] is None, -int(str(row[1])), str(row[0])))
    names, types = zip(*LAYERS_COLUMNS, strict=True)
    return Relation("FROM layer", inputs=(Input("layer", names, types, rows),))


def spread(graph: GraphFile) -> Relation:
    """Give for each module how many depend on it at any distance, the most first."""
    modules = [key for key, _ in _modules(graph)]
    pairs = _pairs(graph)
    backward = _reached(modules, [(target, source) for source, target in pairs])
    forward = _reached(modules, pairs)
    others = max(1, len(modules) - 1)
    rows = [(key, backward[key], round(backward[key] / others, 3), forward[key]) for key in modules]
    names = ("module", "fan_in", "share", "fan_out")
    types = ("INTEGER", "INTEGER", "DOUBLE", "INTEGER")
    return Relation(_IMPACT, inputs=(Input("spread", names, types, rows),))


def _modules(graph: GraphFile) -> list[tuple[int, str]]:
    rows = graph.run(Relation(_MODULES), limit=None).rows
    return [(int(str(key)), str(path)) for key, path in rows]


def _pairs(graph: GraphFile) -> list[tuple[int, int]]:
    rows = graph.run(Relation(_PAIRS), limit=None).rows
    return [(int(str(source)), int(str(target))) for source, target in rows]


def _levels(files: dict[str, int], pairs: Iterable[tuple[str, str]]) -> Iterable[tuple[Cell, ...]]:
    import networkx

    graph: networkx.DiGraph[str, _Attributes, _Attributes] = networkx.DiGraph()
    graph.add_nodes_from(sorted(files))
    graph.add_edges_from(sorted(pairs))
    level: dict[str, int] = {}
    circles = 0
    for component in networkx.strongly_connected_components(graph):  # what is depended on first
        below = [level[far] for near in component for far in graph[near] if far not in component]
        circles += len(component) > 1
        for folder in sorted(component):
            level[folder] = 1 + max(below, default=0)
            yield (
                folder,
                level[folder],
                files[folder],
                graph.out_degree(folder),
                graph.in_degree(folder),
                circles if len(component) > 1 else None,
            )


def _reached(nodes: Iterable[int], pairs: Iterable[tuple[int, int]]) -> dict[int, int]:
    """Count for each node the others that it leads to, however far.

    Components come after all they lead to, so each one's set is made of finished ones; a set is
    the bits of a number.
    """
    import networkx

    graph: networkx.DiGraph[int, _Attributes, _Attributes] = networkx.DiGraph()
    graph.add_nodes_from(nodes)
    graph.add_edges_from(pairs)
    place = {node: number for number, node in enumerate(graph)}
    bits: dict[int, int] = {}
    for component in networkx.strongly_connected_components(graph):
        own = sum(1 << place[node] for node in component)
        for node in component:
            for onward in graph[node]:
                own |= bits.get(onward, 0)
        bits.update(dict.fromkeys(component, own))
    return {node: found.bit_count() - 1 for node, found in bits.items()}
