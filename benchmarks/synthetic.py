"""A large graph that no repository was needed for, of known shape.

Modules of a class with methods, functions and a constant; ten clusters of modules, within which
definitions call at random, so that the impact of one is nearly its whole cluster; and a last
function, the hub, that something in each cluster calls, so that its impact is nearly the whole
graph. Modules import those before them in their cluster, and a few import one behind them, which
closes cycles of imports. A constant is made by a call of its module; one call in ten is of a name
whose receiver is unknown. The same numbers give the same graph.
"""

import random

from mu.model.graph import Edge, File, Graph, Node, Site
from mu.model.kinds import Category, EdgeKind, NodeKind, Reason, Rule, SiteKind

CLUSTERS = 10
_MODULE = 20  # definitions: the class, its methods, the constant, functions
_METHODS = 9  # places 1 to 8 of a module are methods of the class, place 9 is the constant
_IMPORTS = 10  # of a module, at most

Pair = tuple[int, int]


def make_graph(nodes: int, edges: int) -> Graph:
    """Make a graph of about so many nodes and edges, with a site for each call."""
    modules = max(nodes // (_MODULE + 1), CLUSTERS)
    draw = random.Random(modules)
    rows = [_module(key) for key in range(modules)]
    for key in range(modules, modules * (_MODULE + 1)):
        rows.append(_definition(key, (key - modules) // _MODULE, modules))
    joined = [
        Edge(node.parent, node.key, EdgeKind.CONTAINS, "", node.start_line, Rule.SYNTAX, 1)
        for node in rows[modules:]
    ]
    joined += [
        Edge(source, target, EdgeKind.IMPORTS, "import", 1, Rule.IMPORT, 1)
        for source, target in sorted(_imports(draw, modules))
    ]
    joined += [
        Edge(source, target, EdgeKind.INHERITS, "extends", 1, Rule.IMPORT, 1)
        for source, target in _bases(draw, modules)
    ]
    calls = sorted(_calls(draw, modules, max(edges - len(joined), CLUSTERS)))
    joined += [_reference(rows[source], rows[target]) for source, target in calls]
    sites = [_site(rows[source], rows[target]) for source, target in calls]
    sites += _open_sites(draw, rows[modules:], len(calls) // 10)
    sites += [_held_site(rows[key], rows[key + 1]) for key in _constants(modules)]
    joined.sort(key=lambda edge: (edge.source, edge.target))
    return Graph([_file(key) for key in range(modules)], rows, joined, sites)


def _calls(draw: random.Random, modules: int, count: int) -> set[Pair]:
    definitions = modules * _MODULE
    size = definitions // CLUSTERS
    calls = {(modules + place * size, modules + definitions - 1) for place in range(CLUSTERS)}
    while len(calls) < count:
        source = draw.randrange(definitions - 1)  # the hub calls nothing: it would join clusters
        target = min(source // size * size + draw.randrange(size), definitions - 1)
        calls.add((modules + source, modules + target))
    return calls


def _imports(draw: random.Random, modules: int) -> set[Pair]:
    """Imports of modules before, and of one behind in each fiftieth module."""
    size = modules // CLUSTERS
    found = set()
    for module in range(size * CLUSTERS):
        first = module // size * size
        found |= {
            (module, draw.randrange(first, module))
            for _ in range(_IMPORTS if module > first else 0)
        }
        if module % 50 == 0 and module < first + size - 1:
            found.add((module, draw.randrange(module + 1, first + size)))
    return found


def _bases(draw: random.Random, modules: int) -> list[Pair]:
    """Classes and their bases, which stand in modules before theirs."""
    size = modules // CLUSTERS
    return [
        (modules + module * _MODULE, modules + draw.randrange(first, module) * _MODULE)
        for module in range(size * CLUSTERS)
        if module > (first := module // size * size)
    ]


def _constants(modules: int) -> range:
    return range(modules + _METHODS, modules * (_MODULE + 1), _MODULE)


def _file(key: int) -> File:
    path = f"cluster_{key % CLUSTERS}/module_{key}.py"
    return File(key, path, "python", Category.SOURCE, "indexed", "", f"{key:032x}", 900, 100, ())


def _module(key: int) -> Node:
    path = f"cluster_{key % CLUSTERS}/module_{key}.py"
    name = path.removesuffix(".py").replace("/", ".")
    return _node(key, f"mod:{path}", NodeKind.MODULE, name, parent=-1, file=key, line=1)


def _definition(key: int, module: int, modules: int) -> Node:
    place = (key - modules) % _MODULE
    path = f"cluster_{module % CLUSTERS}/module_{module}.py"
    outer = f"cluster_{module % CLUSTERS}.module_{module}"
    prefix, kind, name, within, parent = "fn", NodeKind.FUNCTION, f"function_{key}", "", module
    if place == 0:
        prefix, kind, name = "cls", NodeKind.CLASS, f"Class_{key}"
    elif place < _METHODS:
        parent = key - place
        name = f"method_{place}"
        within = f"Class_{parent}."
    elif place == _METHODS:
        prefix, kind, name = "var", NodeKind.VARIABLE, f"CONSTANT_{key}"
    return _node(
        key,
        f"{prefix}:{path}:{within}{name}",
        kind,
        f"{outer}.{within}{name}",
        parent=parent,
        file=module,
        line=1 + place * 5,
    )


def _node(
    key: int, node_id: str, kind: NodeKind, qualified: str, *, parent: int, file: int, line: int
) -> Node:
    is_module = kind is NodeKind.MODULE
    module, _, name = ("", "", qualified) if is_module else qualified.rpartition(".")
    return Node(
        key=key,
        id=node_id,
        kind=kind,
        subkind="method" if name.rpartition(".")[2].startswith("method") else kind.value,
        name=name.rpartition(".")[2],
        qualified_name=qualified,
        module=module or qualified,
        language="python",
        file=file,
        parent=parent,
        start_line=line,
        end_line=100 if is_module else line + 4,
        signature=f"def {name}(first, second)" if kind is NodeKind.FUNCTION else "",
        docstring="Does one thing and does it well.",
        visibility="public",
        is_async=False,
        is_static=False,
        is_abstract=False,
        is_test=False,
        is_generated=False,
        decorators=[],
        parameters=["first", "second"] if kind is NodeKind.FUNCTION else [],
        returns="",
        complexity=1 + key % 9,
        lines=5,
        digest=f"{key:032x}",
    )


def _reference(source: Node, target: Node) -> Edge:
    is_value = target.kind is NodeKind.VARIABLE
    kind, role = (EdgeKind.USES, "value") if is_value else (EdgeKind.CALLS, "")
    return Edge(source.key, target.key, kind, role, source.start_line + 1, Rule.IMPORT, 1)


def _site(source: Node, target: Node) -> Site:
    kind = SiteKind.VALUE if target.kind is NodeKind.VARIABLE else SiteKind.CALL
    line, text = source.start_line + 1, f"{target.name}(first)"
    return Site(
        kind, source.key, source.file, line, text, target.name, target.key, 0, Rule.IMPORT, None, 1
    )


def _held_site(constant: Node, function: Node) -> Site:
    """The module's call of the function that stands behind the constant, in the constant's line."""
    line, text = constant.start_line, f"{function.name}()"
    return Site(
        SiteKind.CALL, constant.parent, constant.file, line, text, function.name, function.key, 0,
        Rule.MODULE, None, 1,
    )  # fmt: skip


def _open_sites(draw: random.Random, nodes: list[Node], count: int) -> list[Site]:
    found = []
    for _ in range(count):
        source, name = draw.choice(nodes), draw.choice(nodes).name
        line, text = source.start_line + 2, f"item.{name}"
        found.append(
            Site(
                SiteKind.CALL, source.key, source.file, line, text, name, -1, 0, None,
                Reason.UNKNOWN, 0,
            )
        )  # fmt: skip
    return found
