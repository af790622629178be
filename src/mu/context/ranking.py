"""Rank nodes for a question: what its words find, what it names, and what is near to both."""

import re
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, replace
from enum import StrEnum

from mu.analysis.search import Asked, Hit, find, read_question
from mu.context.files import NOTHING, FileScores, Repository, score_files
from mu.context.naming import find_named
from mu.context.nearness import AROUND, spread, spread_to_dependents
from mu.context.texts import TextScores
from mu.errors import MuError
from mu.model.relation import Relation
from mu.store import GraphFile

SEEDS = 40
"""So many of the hits are started from."""

MOST = 200
"""So many nodes are ranked."""

_NEAR = 0.25
"""What nearness counts for beside the words."""

_WORDS = 2
"""Words of which the index and the text of a node count alike.

Who asks in a few words names things, and the index knows names; who tells more describes what
happens, which the text says.
"""

_FILE = 0.45
"""What the best file counts for beside what a node has of its own."""

_TEST = 0.5
"""What a test counts for that was not asked for: it says the words of what it tests."""

_OF_TESTS = re.compile(
    r"\b(?:un)?test(?:s|ed|ing)?\b|\bspecs?\b|\bcover(?:s|ed|age)\b", re.IGNORECASE
)
_DEPENDENTS = re.compile(
    r"\b(?:break|breaks|impact|affects?|affected|callers?|dependents?|used by|depends? on"
    r"|(?:who|what) (?:calls|uses))\b",
    re.IGNORECASE,
)
_LOCATE = re.compile(
    r"^\s*(?:where|which|what (?:handles|is|are|does|computes|sends))\b", re.IGNORECASE
)

_ROWS = """
SELECT node.key, node.id, node.kind::VARCHAR, place.path, node.start_line, node.end_line,
    node.name, node.signature, node.docstring, node.language, node.digest, node.is_test
FROM node JOIN file AS place ON place.key = node.file
WHERE list_contains($1::INTEGER[], node.key) AND node.start_line > 0
"""


class Intent(StrEnum):
    """What a question is after."""

    LOCATE = "locate"  # where something is
    EXPLAIN = "explain"  # how something works
    DEPENDENTS = "dependents"  # what uses something


@dataclass(frozen=True, slots=True)
class Ranked:
    """A node with its place and rank; `score` is at most 1 and compares nodes of one question."""

    key: int
    id: str
    kind: str
    path: str
    line: int
    end_line: int
    title: str
    signature: str
    docstring: str
    language: str
    digest: str
    score: float
    why: str
    is_test: bool = False


@dataclass(frozen=True, slots=True)
class RankedFile:
    """A file and how much it says about a question; `score` is at most 1."""

    path: str
    score: float


@dataclass(frozen=True, slots=True)
class Ranking:
    """What a question is after, and at most MOST nodes and files for it, the best first."""

    intent: Intent
    nodes: tuple[Ranked, ...]
    files: tuple[RankedFile, ...]


def read_intent(question: str) -> Intent:
    """Tell what a question is after, by its words."""
    if _DEPENDENTS.search(question):
        return Intent.DEPENDENTS
    return Intent.LOCATE if _LOCATE.search(question) else Intent.EXPLAIN


def rank(graph: GraphFile, question: str, *, repository: Repository = NOTHING) -> Ranking:
    """Rank nodes and files for a question.

    Only what has a place in the repository is ranked; a test only if words or names lead to it.
    Without the texts and the history of the `repository` the index alone counts.
    Raises MuError (usage) for a question without a word.
    """
    intent = read_intent(question)
    named = find_named(graph, question)
    asked, hits = _found(graph, question, is_needed=not named, intent=intent)
    scores = dict(named)
    reasons = dict.fromkeys(named, "named in the question")
    least = 1.0
    for hit in hits:  # a test of the very name stands below code that says less, and so it shall
        least = min(least, hit.score)
        scores[hit.node] = max(scores.get(hit.node, 0.0), least)
        reasons.setdefault(hit.node, hit.why)
    seeds = {**{hit.node: scores[hit.node] for hit in hits[:SEEDS]}, **named}
    near = spread(graph, seeds, along=AROUND)
    if intent is Intent.DEPENDENTS:
        near = _dependents_first(near, spread_to_dependents(graph, seeds))
    best = max(near.values(), default=1.0)
    total = {
        key: scores.get(key, 0.0) + _NEAR * near.get(key, 0.0) / best for key in {**scores, **near}
    }
    nodes = _placed(graph, total, reasons)
    files = score_files(
        graph,
        asked,
        nodes=[(node.path, node.score) for node in nodes],
        named={node.path: named[node.key] for node in reversed(nodes) if node.key in named},
        repository=repository,
    )
    nodes = [*nodes, *_said(graph, files.texts, known={node.key for node in nodes})]
    ranked = _by_text(nodes, files, named, words=len(asked))
    if not _OF_TESTS.search(question):
        ranked = _tests_later(ranked, named)
    return Ranking(intent, ranked[:MOST], _first(files.scores))


def _dependents_first(
    near: Mapping[int, float], dependents: Mapping[int, float]
) -> dict[int, float]:
    """Put what depends on the seeds above all else that is near: that is for room that is left."""
    least = min(dependents.values(), default=1.0)
    most = max(near.values(), default=1.0)
    others = {key: 0.5 * least * amount / most for key, amount in near.items()}
    return {**others, **dependents}


def _found(
    graph: GraphFile, question: str, *, is_needed: bool, intent: Intent
) -> tuple[Sequence[Asked], Sequence[Hit]]:
    """Give the words of a question, and what they find.

    Nothing, where the question is who uses what it names: its words would only lead astray.
    """
    if not is_needed and intent is Intent.DEPENDENTS:
        return (), ()
    try:
        asked = read_question(graph, question, is_text=True)
    except MuError:
        if is_needed:
            raise
        return (), ()
    return asked, find(graph, question, asked=asked)


def _said(graph: GraphFile, texts: TextScores, *, known: Set[int]) -> list[Ranked]:
    """Fetch the nodes that say most by their text and are not known yet."""
    said = {key: score for key, score in texts.nodes.items() if score}
    first = sorted(said, key=lambda key: (-said[key], key))[:SEEDS]
    others = dict.fromkeys(set(first) - known, 0.0)
    return _placed(graph, others, dict.fromkeys(others, "its text says the words"))


def _by_text(
    nodes: Sequence[Ranked], files: FileScores, named: Mapping[int, float], *, words: int
) -> tuple[Ranked, ...]:
    """Rank nodes by what the index and their text say, and by what their file does.

    What is named counts as it is, and so does what no text was read of. Where no words were looked
    for, what uses a name is asked for, and what stands around that name is not meant.
    """
    texts = files.texts
    best = max(texts.nodes.values(), default=0.0) or 1.0
    share = words / (words + _WORDS)

    def score(node: Ranked) -> float:
        own = node.score
        if node.path in texts.parts and node.key not in named:
            own += share * (texts.nodes.get(node.key, 0.0) / best - own)
        return own + (_FILE * files.scores.get(node.path, 0.0) if words else 0.0)

    scores = {node.key: score(node) for node in nodes}
    most = max(scores.values(), default=1.0) or 1.0
    ranked = [replace(node, score=round(scores[node.key] / most, 4)) for node in nodes]
    return tuple(sorted(ranked, key=lambda node: -node.score))


def _tests_later(ranked: Sequence[Ranked], named: Mapping[int, float]) -> tuple[Ranked, ...]:
    """Put tests that are not named below what says as much, as far as half their score."""
    scored = [
        replace(node, score=round(_TEST * node.score, 4))
        if node.is_test and node.key not in named
        else node
        for node in ranked
    ]
    return tuple(sorted(scored, key=lambda node: -node.score))


def _first(files: Mapping[str, float]) -> tuple[RankedFile, ...]:
    """Give the files with a score, the best first."""
    best = max(files.values(), default=1.0)
    ordered = sorted(files, key=lambda path: (-files[path], path))[:MOST]
    return tuple(RankedFile(path, round(files[path] / best, 4)) for path in ordered)


def _placed(
    graph: GraphFile, total: Mapping[int, float], reasons: Mapping[int, str]
) -> list[Ranked]:
    """Fetch what is known of the best nodes; those merely near that are tests are left out."""
    chosen = sorted(total, key=lambda key: (-total[key], key))[: 3 * MOST]
    rows = graph.run(Relation(_ROWS, (chosen,)), limit=None).rows
    by_key = {int(str(row[0])): row for row in rows}
    most = max(total.values(), default=1.0) or 1.0
    ranked = []
    for key in chosen:
        if key not in by_key:
            continue
        _, node_id, kind, path, line, end, *texts, is_test = by_key[key]
        if is_test and key not in reasons:
            continue
        title, signature, docstring, language, digest = map(str, texts)
        ranked.append(
            Ranked(
                key, str(node_id), str(kind), str(path), int(str(line)), int(str(end)),
                _title(str(node_id), str(kind), title), signature, docstring, language, digest,
                round(total[key] / most, 4), reasons.get(key, "near what was found"),
                bool(is_test),
            )
        )  # fmt: skip
    return ranked


def _title(node_id: str, kind: str, name: str) -> str:
    """Give what a node is called within its file: `Flask.run`, or a page's heading."""
    if kind in {"class", "function", "variable"}:
        return node_id.rpartition(":")[2]
    return name
