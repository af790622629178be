"""Writes grimp's imports between the modules of packages as `[dotted name, dotted name, line]`.

Run by the environment of the tool: adapter.py TREE OUTPUT FILE... Every package whose folder lies
at the top of the tree, or in its `src`, is taken.
"""

import json
import sys
from pathlib import Path


def main(tree: Path, output: Path) -> None:
    sys.path.pop(0)  # this folder, where this file has the name of the tool
    import grimp

    root = tree / "src" if (tree / "src").is_dir() else tree
    sys.path.insert(0, str(root))
    names = [
        folder.name
        for folder in sorted(root.iterdir())
        if (folder / "__init__.py").is_file() and folder.name != "tests"
    ]
    graph = grimp.build_graph(*names, cache_dir=None)
    rows = [
        (importer, imported, detail["line_number"])
        for importer in graph.modules
        for imported in graph.find_modules_directly_imported_by(importer)
        for detail in graph.get_import_details(importer=importer, imported=imported)
    ]
    output.write_text(json.dumps(sorted(rows)), encoding="utf-8")


main(Path(sys.argv[1]), Path(sys.argv[2]))
