"""A large graph that no repository was needed for, of known shape.

Modules of twenty functions; ten clusters of modules, within which functions call at random, so that
the impact of one is nearly its whole cluster; and a last function, the hub, that something in each
cluster calls, so that its impact is nearly the whole graph. The same numbers give the same graph.
"""

import random

from mu.model.graph import Edge, File, Graph, Node, Site
from mu.model.kinds import Category, EdgeKind, NodeKind, Rule, SiteKind

CLUSTERS = 10
_MODULE = 20  # functions


def make_graph(nodes: int, edges: int) -> Graph:
    """Make a graph of about so many nodes and edges, with a site for each call."""
    modules = max(nodes // (_MODULE + 1), CLUSTERS)
    files = [_file(key) for key in range(modules)]
    rows = [_module(key) for key in range(modules)]
    for key in range(modules, modules * (_MODULE + 1)):
        rows.append(_function(key, (key - modules) // _MODULE))
    contains = [
        Edge(node.parent, node.key, EdgeKind.CONTAINS, "", node.start_line, Rule.SYNTAX, 1)
        for node in rows[modules:]
    ]
    calls = sorted(_calls(modules, edges - len(contains)))
    joined = contains + [
        Edge(source, target, EdgeKind.CALLS, "", rows[source].start_line + 1, Rule.IMPORT, 1)
        for source, target in calls
    ]
    sites = [_site(rows[source], rows[target]) for source, target in calls]
    return Graph(files, rows, joined, sites)


def _calls(modules: int, count: int) -> set[tuple[int, int]]:
    draw = random.Random(modules)
    functions = modules * _MODULE
    size = functions // CLUSTERS
    calls = {(modules + place * size, modules + functions - 1) for place in range(CLUSTERS)}
    while len(calls) < count:
        source = draw.randrange(functions - 1)  # the hub calls nothing: it would join clusters
        target = min(source // size * size + draw.randrange(size), functions - 1)
        calls.add((modules + source, modules + target))
    return calls


def _file(key: int) -> File:
    path = f"cluster_{key % CLUSTERS}/module_{key}.py"
    return File(key, path, "python", Category.SOURCE, "indexed", "", f"{key:032x}", 900, 100, ())


def _module(key: int) -> Node:
    path = f"cluster_{key % CLUSTERS}/module_{key}.py"
    name = path.removesuffix(".py").replace("/", ".")
    return _node(key, f"mod:{path}", NodeKind.MODULE, name, parent=-1, file=key, line=1)


def _function(key: int, module: int) -> Node:
    path = f"cluster_{module % CLUSTERS}/module_{module}.py"
    name = f"function_{key}"
    qualified = f"cluster_{module % CLUSTERS}.module_{module}.{name}"
    line = 1 + key % _MODULE * 5
    return _node(
        key,
        f"fn:{path}:{name}",
        NodeKind.FUNCTION,
        qualified,
        parent=module,
        file=module,
        line=line,
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
        subkind=kind.value,
        name=name.rpartition(".")[2],
        qualified_name=qualified,
        module=module or qualified,
        language="python",
        file=file,
        parent=parent,
        start_line=line,
        end_line=100 if is_module else line + 4,
        signature="" if is_module else f"def {name}(first, second)",
        docstring="Does one thing and does it well.",
        visibility="public",
        is_async=False,
        is_static=False,
        is_abstract=False,
        is_test=False,
        is_generated=False,
        decorators=[],
        parameters=[] if is_module else ["first", "second"],
        returns="",
        complexity=1 + key % 9,
        lines=5,
        digest=f"{key:032x}",
    )


def _site(source: Node, target: Node) -> Site:
    return Site(
        kind=SiteKind.CALL,
        source=source.key,
        file=source.file,
        line=source.start_line + 1,
        text=f"{target.name}(first)",
        name=target.name,
        target=target.key,
        choice=0,
        rule=Rule.IMPORT,
        reason=None,
        candidates=1,
    )
