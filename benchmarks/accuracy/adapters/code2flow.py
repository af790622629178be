"""Writes the edges of code2flow as `[path, line of the definition, path, line]`, 0 for a module.

Run by the environment of the tool: adapter.py TREE OUTPUT FILE...
"""

import json
import sys
from pathlib import Path


def main(tree: Path, output: Path, files: list[str]) -> None:
    sys.path.pop(0)  # this folder, where this file has the name of the tool
    from code2flow.engine import LanguageParams, map_it

    groups, _, edges = map_it(
        [str(tree / file) for file in files], "py", True, [], [], [], [], True,
        LanguageParams("script", "27"),
    )  # fmt: skip
    places = {}
    for file, group in zip(files, groups, strict=True):
        for node in group.all_nodes():
            is_module = node.token == "(global)"  # noqa: S105 - the name of a node
            places[node.uid] = (file, 0 if is_module else node.line_number)
    rows = {(*places[edge.node0.uid], *places[edge.node1.uid]) for edge in edges}
    output.write_text(json.dumps(sorted(rows)), encoding="utf-8")


main(Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3:])
