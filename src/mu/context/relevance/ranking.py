"""Rank nodes for a question: what its words find, what it names, and what is near to both."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, replace
from enum import StrEnum

from mu.analysis.node_search.peripheral_paths import is_peripheral
from mu.analysis.node_search.word_search import Asked, Hit, find, read_question
from mu.context.relevance.bounded_walk import walk
from mu.context.relevance.file_scores import NOTHING, FileScores, Repository, add_nodes, score_files
from mu.context.relevance.named_nodes import find_named
from mu.context.relevance.personalised_pagerank import spread_to_dependents
from mu.context.relevance.ranked import MOST, Ranked, fetch
from mu.context.relevance.repeats import count_once, join_wrappers
from mu.context.relevance.text_scores import TextScores
from mu.errors import MuError
from mu.store import GraphFile

SEEDS = 40
"""So many of the hits are started from."""

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
"""What a test or an example counts for that was not asked for: it says the words of what it is
made for."""

_STARTS = 24
"""So many of the best are followed outward."""

_NAMED_START = 2.0
"""What a node that is named starts with beside the best of the others, which have 1."""

_WORDS_START = 0.5
"""What the others start with where a node is named."""

_REFERENCE = 10
"""Of what arrives at nodes, the so manieth counts as much as all above it: few that lead to each
other would make all others look small."""

_ARRIVED = 0.4
"""The power that is taken of what arrives at a node, beside that of the reference."""

_NAMED = 1.0
"""What a node that is named counts for at least; twice as much where the name is its alone."""

_BESIDE_NAMES = 0.7
"""What words count for in a question that names something."""

_ANYWHERE = 0.3
"""The share of a name that a node has in a file that says none of the words."""

_FEW_WORDS = 4
"""Words of which the text of a node and what leads to it count alike."""

_REACHED = 80
"""So many of those that only edges lead to are ranked."""

_CODE = frozenset(("class", "function", "variable"))

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


class Intent(StrEnum):
    """What a question is after."""

    LOCATE = "locate"  # where something is
    EXPLAIN = "explain"  # how something works
    DEPENDENTS = "dependents"  # what uses something


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
    total = scores
    if intent is Intent.DEPENDENTS:
        seeds = {**{hit.node: scores[hit.node] for hit in hits[:SEEDS]}, **named}
        near = _dependents_first(walk(graph, seeds), spread_to_dependents(graph, seeds))
        best = max(near.values(), default=1.0)
        keys = {**scores, **near}
        total = {key: scores.get(key, 0.0) + _NEAR * near.get(key, 0.0) / best for key in keys}
    nodes = fetch(graph, total, reasons=reasons)
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
        ranked = _peripheral_last(ranked, named)
    if intent is not Intent.DEPENDENTS:
        ranked = _outward(graph, ranked, asked, named, files=files)
    scores_of_files = add_nodes(files.scores, [(node.path, node.score) for node in ranked[:MOST]])
    return Ranking(intent, ranked[:MOST], _first(scores_of_files))


def _outward(
    graph: GraphFile,
    ranked: Sequence[Ranked],
    asked: Sequence[Asked],
    named: Mapping[int, float],
    *,
    files: FileScores,
) -> tuple[Ranked, ...]:
    """Follow calls, overrides and types outward from the best, and rank what is on the way.

    What the question names comes before what only says its words. The more words it has, the more
    they count.
    """
    fitting = {
        node.key: named[node.key] * (_ANYWHERE + (1 - _ANYWHERE) * files.scores.get(node.path, 0.0))
        for node in ranked
        if node.key in named
    }
    starts = starts_of(ranked, is_named=bool(fitting))
    starts |= {key: _NAMED_START * share for key, share in fitting.items()}
    near = walk(graph, starts, asked=[(word.word, word.rarity) for word in asked])
    reached = _shares_of(near)
    known = {node.key for node in ranked}
    chosen = sorted(reached.keys() - known, key=lambda key: (-reached[key], key))[:_REACHED]
    found = [
        replace(node, score=_FILE * files.scores.get(node.path, 0.0))
        for node in fetch(graph, {key: reached[key] for key in chosen}, reasons={})
        if not is_peripheral(node.path)
    ]
    words = _BESIDE_NAMES if named else 1.0
    share = _FEW_WORDS / (_FEW_WORDS + len(asked))

    def score(node: Ranked) -> float:
        own = words * node.score
        if node.key in fitting:
            own = _NAMED * (1 + fitting[node.key])
        return own + share * reached.get(node.key, 0.0)

    scores = {node.key: score(node) for node in (*ranked, *found)}
    top = max(scores.values(), default=1.0) or 1.0
    told = [replace(n, score=round(scores[n.key] / top, 4)) for n in (*ranked, *found)]
    return count_once(join_wrappers(graph, told, named=named))


def starts_of(ranked: Sequence[Ranked], *, is_named: bool) -> dict[int, float]:
    """Give what the best are started with: members of one class, and of one name, share it.

    Where the question names something its words count for less.
    """
    starts: dict[int, float] = {}
    before: Counter[tuple[str, str]] = Counter()
    for node in ranked[:_STARTS]:
        if node.kind not in _CODE or _is_peripheral(node):
            continue
        owner, _, name = node.title.partition("~")[0].rpartition(".")
        alike = before[node.path, owner] + before["", name]
        whole = _WORDS_START if is_named else 1.0
        starts[node.key] = whole * node.score**2 / (1 + alike)
        before[node.path, owner] += 1
        before["", name] += 1
    return starts


def _shares_of(near: Mapping[int, float]) -> dict[int, float]:
    """Give what arrives at each node as a number of at most 1."""
    first = sorted(near.values(), reverse=True)[:_REFERENCE]
    most = first[-1] if first and first[-1] > 0 else 1.0
    return {key: min(max(amount, 0.0) / most, 1.0) ** _ARRIVED for key, amount in near.items()}


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
    return fetch(graph, others, reasons=dict.fromkeys(others, "its text says the words"))


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


def _peripheral_last(ranked: Sequence[Ranked], named: Mapping[int, float]) -> tuple[Ranked, ...]:
    """Rank tests and peripheral files below others of the same score, unless they are named."""
    scored = [
        replace(node, score=round(_TEST * node.score, 4))
        if _is_peripheral(node) and node.key not in named
        else node
        for node in ranked
    ]
    return tuple(sorted(scored, key=lambda node: -node.score))


def _is_peripheral(node: Ranked) -> bool:
    return node.is_test or is_peripheral(node.path)


def _first(files: Mapping[str, float]) -> tuple[RankedFile, ...]:
    """Give the files with a score, the best first."""
    best = max(files.values(), default=1.0)
    ordered = sorted(files, key=lambda path: (-files[path], path))[:MOST]
    return tuple(RankedFile(path, round(files[path] / best, 4)) for path in ordered)
