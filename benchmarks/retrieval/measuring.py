"""Asks for the files and functions that fixes changed, of MU and of what it is held against."""

import io
import subprocess
import tarfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from benchmarks.retrieval.cases import Case, is_source, make_cases
from benchmarks.retrieval.rivals import Bm25, RepositoryMap, grep
from mu.config import load
from mu.context import rank
from mu.model.relation import Relation
from mu.operations.build import build
from mu.operations.workspace import GRAPH_NAME, Workspace

OURS = "MU"

_FUNCTIONS = """
SELECT substr(node.id, 4), place.path, node.start_line, node.end_line
FROM node JOIN file AS place ON place.key = node.file
WHERE node.kind = 'function' AND NOT node.is_test
"""


@dataclass(frozen=True, slots=True)
class Score:
    """How well one ranking did on some cases: shares of cases, and the mean reciprocal rank.

    A case counts for a hit when any of what its fix changed is among the first so many.
    """

    cases: int
    hit_1: float
    hit_5: float
    hit_10: float
    mean_reciprocal_rank: float


@dataclass(frozen=True, slots=True)
class Measured:
    """The scores on one repository, by the name of the ranking."""

    repository: str
    snapshot: str
    files: Mapping[str, Score]
    functions: Mapping[str, Score]


def measure(clone: Path, scratch: Path, *, most: int, skip: int = 0) -> Measured:
    """Make the cases of a clone, build the graph of its snapshot in `scratch`, and ask all."""
    found = make_cases(clone, most=most, skip=skip)
    root = scratch / found.snapshot
    if not (root / GRAPH_NAME).is_file():
        _unpack(clone, found.snapshot, root)
        loaded = load(root, environment={}, user_folder=root, flags={"build.jobs": 1})
        build(root, loaded, on_event=lambda _: None)
    with Workspace(root) as workspace:
        files, functions = ask(workspace, found.cases)
    name = clone.parent.name.replace("+", "/")
    return Measured(name, found.snapshot, files, functions)


def report(found: Sequence[Measured]) -> str:
    """Write a table for files and one for functions, with all cases together at the end."""
    return "\n\n".join(
        (
            _table("files", [(each.repository, each.files) for each in found]),
            _table("functions", [(each.repository, each.functions) for each in found]),
        )
    )


def _table(title: str, scores: Sequence[tuple[str, Mapping[str, Score]]]) -> str:
    together = {name: _together([of[name] for _, of in scores]) for name in scores[0][1]}
    rows = [
        f"| {repository} | {score.cases} | {name} | {score.hit_1:.2f} | {score.hit_5:.2f} "
        f"| {score.hit_10:.2f} | {score.mean_reciprocal_rank:.2f} |"
        for repository, of in [*scores, ("**all**", together)]
        for name, score in of.items()
    ]
    head = f"| {title} of | cases | ranked by | hit@1 | hit@5 | hit@10 | MRR |"
    return "\n".join([head, f"|{' --- |' * 7}", *rows])


def _together(scores: Sequence[Score]) -> Score:
    """Give the score over the cases of several repositories."""
    cases = sum(score.cases for score in scores)

    def mean(of: Callable[[Score], float]) -> float:
        return sum(of(score) * score.cases for score in scores) / (cases or 1)

    return Score(
        cases,
        mean(lambda score: score.hit_1),
        mean(lambda score: score.hit_5),
        mean(lambda score: score.hit_10),
        mean(lambda score: score.mean_reciprocal_rank),
    )


def ask(workspace: Workspace, cases: Sequence[Case]) -> tuple[dict[str, Score], dict[str, Score]]:
    """Give the scores of all rankings for files, and for functions."""
    texts = _texts(workspace)
    bodies = _bodies(workspace, texts)
    whole, parts = Bm25(texts), Bm25(bodies)
    by_map = RepositoryMap(workspace, list(texts))
    rankings: dict[str, Callable[[str], Sequence[str]]] = {
        OURS: lambda text: _our_files(workspace, text, texts),
        "BM25": whole.rank,
        "grep": lambda text: grep(texts, text),
        "PageRank": by_map.rank,
    }
    of_functions: dict[str, Callable[[str], Sequence[str]]] = {
        OURS: lambda text: _our_functions(workspace, text),
        "BM25": parts.rank,
    }
    with_functions = [
        replace(case, functions=tuple(f for f in case.functions if f in bodies)) for case in cases
    ]
    with_functions = [case for case in with_functions if case.functions]
    return (
        {
            name: _score([(each(case.text), case.files) for case in cases])
            for name, each in rankings.items()
        },
        {
            name: _score([(each(case.text), case.functions) for case in with_functions])
            for name, each in of_functions.items()
        },
    )


def _our_files(workspace: Workspace, text: str, known: Mapping[str, str]) -> list[str]:
    return [file.path for file in rank(workspace.graph, text).files if file.path in known]


def _our_functions(workspace: Workspace, text: str) -> list[str]:
    return [
        node.id.partition(":")[2]
        for node in rank(workspace.graph, text).nodes
        if node.kind == "function" and is_source(node.path)
    ]


def _score(ranked: Sequence[tuple[Sequence[str], Sequence[str]]]) -> Score:
    places = [
        next((place for place, name in enumerate(names, 1) if name in set(right)), 0)
        for names, right in ranked
    ]
    count = len(places) or 1
    hits = [sum(1 <= place <= most for place in places) / count for most in (1, 5, 10)]
    return Score(len(places), *hits, sum(1 / place for place in places if place) / count)


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


def _unpack(clone: Path, commit: str, root: Path) -> None:
    command = ["git", "-C", str(clone), "archive", commit]
    result = subprocess.run(command, capture_output=True, check=True)
    with tarfile.open(fileobj=io.BytesIO(result.stdout)) as archive:
        archive.extractall(root, filter="data")
