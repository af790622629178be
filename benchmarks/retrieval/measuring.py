"""Asks for the files and functions that fixes changed, of MU and of what it is held against."""

import subprocess
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.retrieval.cases import Case, is_source, make_cases
from benchmarks.retrieval.rivals import Bm25, RepositoryMap, grep
from mu.config import load
from mu.context import rank
from mu.model.relation import Relation
from mu.operations.graph_file.build import build
from mu.operations.packing.ranking_inputs import repository_of
from mu.operations.source_lines import SourceLines
from mu.operations.workspace import GRAPH_NAME, Workspace

OURS = "MU"

_FUNCTIONS = """
SELECT substr(node.id, 4), place.path, node.start_line, node.end_line
FROM node JOIN file AS place ON place.key = node.file
WHERE node.kind = 'function' AND NOT node.is_test
"""


Places = tuple[int, ...]
"""The place of the first right item, from 1, 0 where none is: one for each case."""


@dataclass(frozen=True, slots=True)
class Measured:
    """How the rankings did on the cases of one repository, by their names."""

    repository: str
    snapshots: tuple[str, ...]
    files: Mapping[str, Places]
    functions: Mapping[str, Places]


def measure(clone: Path, scratch: Path, *, most: int, windows: int = 1) -> Measured:
    """Make the cases of a clone, build the graphs of its snapshots in `scratch`, and ask all."""
    found = make_cases(clone, most=most, windows=windows)
    files: dict[str, Places] = {}
    functions: dict[str, Places] = {}
    for each in found:
        root = scratch / each.snapshot
        if not (root / GRAPH_NAME).is_file():
            _check_out(clone, each.snapshot, root)
            loaded = load(root, environment={}, user_folder=root, flags={"build.jobs": 1})
            build(root, loaded, on_event=lambda _: None)
        with Workspace(root) as workspace:
            for places, of in zip(ask(workspace, each.cases), (files, functions), strict=True):
                of.update({name: of.get(name, ()) + more for name, more in places.items()})
    name = clone.parent.name.replace("+", "/")
    return Measured(name, tuple(each.snapshot for each in found), files, functions)


def ask(workspace: Workspace, cases: Sequence[Case]) -> tuple[dict[str, Places], dict[str, Places]]:
    """Give the places of what is right in all rankings of files, and of functions."""
    texts = _texts(workspace)
    bodies = _bodies(workspace, texts)
    whole, parts = Bm25(texts), Bm25(bodies)
    by_map = RepositoryMap(workspace, list(texts))
    files: defaultdict[str, Places] = defaultdict(tuple)
    functions: defaultdict[str, Places] = defaultdict(tuple)
    for case in cases:
        ours = rank(
            workspace.graph, case.text, repository=repository_of(workspace, SourceLines(workspace))
        )
        of_files = {
            OURS: [file.path for file in ours.files if file.path in texts],
            "BM25": whole.rank(case.text),
            "grep": grep(texts, case.text),
            "PageRank": by_map.rank(case.text),
        }
        for name, ranked in of_files.items():
            files[name] += (_place(ranked, case.files),)
        right = [function for function in case.functions if function in bodies]
        if right:
            ids = (node.id.partition(":")[2] for node in ours.nodes)
            of_functions = {OURS: [i for i in ids if i in bodies], "BM25": parts.rank(case.text)}
            for name, ranked in of_functions.items():
                functions[name] += (_place(ranked, right),)
    return dict(files), dict(functions)


def _place(ranked: Sequence[str], right: Collection[str]) -> int:
    return next((place for place, name in enumerate(ranked, 1) if name in right), 0)


def _texts(workspace: Workspace) -> dict[str, str]:
    relation = Relation("SELECT path FROM file WHERE status = 'indexed' ORDER BY path")
    paths = [str(row[0]) for row in workspace.graph.run(relation, limit=None).rows]
    return {
        path: (workspace.root / path).read_text(encoding="utf-8", errors="replace")
        for path in paths
        if is_source(path)
    }


def _bodies(workspace: Workspace, texts: Mapping[str, str]) -> dict[str, str]:
    found = {}
    for name, path, first, last in workspace.graph.run(Relation(_FUNCTIONS), limit=None).rows:
        if path in texts:
            lines = texts[str(path)].split("\n")[int(str(first)) - 1 : int(str(last))]
            found[str(name)] = f"{name}\n" + "\n".join(lines)
    return found


def _check_out(clone: Path, commit: str, root: Path) -> None:
    """Put a commit into `root`, with the history before it."""
    subprocess.run(["git", "clone", "-qsn", str(clone.absolute()), str(root)], check=True)
    subprocess.run(["git", "-C", str(root), "checkout", "-q", "--detach", commit], check=True)
