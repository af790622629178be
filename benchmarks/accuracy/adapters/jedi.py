"""Asks jedi what is called at every call; writes `[path, line, path, line of the definition]`.

Run by the environment of the tool: adapter.py TREE OUTPUT FILE... A line is that of a definition,
0 for a module.
"""

import ast
import json
import sys
from pathlib import Path


def main(tree: Path, output: Path, files: list[str]) -> None:
    sys.path.pop(0)  # this folder, where this file has the name of the tool
    import jedi

    project = jedi.Project(str(tree), added_sys_path=[str(tree / "src"), str(tree)])
    rows = set()
    for file in files:
        text = (tree / file).read_text(encoding="utf-8")
        script = jedi.Script(text, path=str(tree / file), project=project)
        for caller, line, column in _calls(ast.parse(text), 0):
            try:
                found = script.infer(line, column)
            except Exception:  # noqa: BLE001, S112 - a crash of the tool is an answer it does not give
                continue
            for name in found:
                path = name.module_path
                if path and path.is_relative_to(tree) and name.type in ("function", "class"):
                    rows.add((file, caller, str(path.relative_to(tree)), name.line))
    output.write_text(json.dumps(sorted(rows)), encoding="utf-8")


def _calls(node, caller):
    """(line of the definition around, line, column) of the name of each call."""
    for child in ast.iter_child_nodes(node):
        inside = caller
        if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            inside = child.lineno
        elif isinstance(child, ast.Call):
            function = child.func
            if isinstance(function, ast.Attribute):
                yield caller, function.end_lineno, function.end_col_offset - 1
            elif isinstance(function, ast.Name):
                yield caller, function.lineno, function.col_offset
        yield from _calls(child, inside)


main(Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3:])
