"""Writes the edges of pyan3 as `[path, line of the definition, path, line]`, 0 for a module.

Run by the environment of the tool: adapter.py TREE OUTPUT FILE...
"""

import json
import sys
from pathlib import Path


def main(tree: Path, output: Path, files: list[str]) -> None:
    sys.path.pop(0)  # this folder, where this file has the name of the tool
    from pyan.analyzer import CallGraphVisitor

    root = tree / "src" if (tree / "src").is_dir() else tree
    visitor = CallGraphVisitor([str(tree / file) for file in files], root=str(root))
    places = {node: _place(node, tree) for node in {*visitor.uses_edges, *_targets(visitor)}}
    edges = [
        (*places[source], *places[target])
        for source, targets in visitor.uses_edges.items()
        for target in targets
        if places[source] and places[target]
    ]
    output.write_text(json.dumps(sorted(set(edges))), encoding="utf-8")


def _targets(visitor):
    return {target for targets in visitor.uses_edges.values() for target in targets}


def _place(node, tree: Path):
    """Where the definition of a node is; None for a name that is none."""
    kind = node.flavor.name
    if not node.filename or not node.defined:
        return None
    path = str(Path(node.filename).relative_to(tree))
    if kind == "MODULE":
        return path, 0
    is_definition = kind in ("CLASS", "FUNCTION", "METHOD", "STATICMETHOD", "CLASSMETHOD")
    line = getattr(node.ast_node, "lineno", 0)
    return (path, line) if is_definition and line else None


main(Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3:])
