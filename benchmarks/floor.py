"""The floor of a build: read and parse the same files with tree-sitter, one process, nothing kept.

Run as a process of its own. The start of the interpreter is not counted, which makes the floor as
low as it can be. The argument is a file of NUL-separated pairs, the grammar's module and a path;
the output is JSON.
"""

import json
import os
import sys
import time
from importlib import import_module
from pathlib import Path

import tree_sitter


def _language(grammar: str) -> tree_sitter.Language:
    """Load a grammar by its module and, behind a colon, the function in it."""
    module, _, function = grammar.partition(":")
    return tree_sitter.Language(getattr(import_module(module), function or "language")())


def main() -> None:
    """Parse what the argument lists and print the seconds it took, wall and CPU."""
    words = Path(sys.argv[1]).read_bytes().split(b"\0")
    jobs = [
        (module.decode(), os.fsdecode(path))
        for module, path in zip(words[::2], words[1::2], strict=False)
    ]
    parsers = {
        module: tree_sitter.Parser(_language(module)) for module in {module for module, _ in jobs}
    }
    wall, cpu = time.perf_counter(), time.process_time()
    for module, path in jobs:
        with open(path, "rb") as file:  # noqa: PTH123 - the least that can be done
            parsers[module].parse(file.read())
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    json.dump({"wall": wall, "cpu": cpu}, sys.stdout)


if __name__ == "__main__":
    main()
