"""Let what is there once already count for less: overloads, overrides, wrappers of one function."""

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import replace

from mu.context.relevance.ranked import Ranked
from mu.model.relation import Relation
from mu.store import GraphFile

_LOOKED_AT = 60
"""So many of the best are looked at for wrappers."""

_WRAPPER = 0.6
"""What a wrapper counts for that stands below what it calls."""

_DELEGATE = 0.95
"""What the only function that a wrapper calls counts for beside it, at least."""

_SAME_NAME = 0.15
"""By how much each function of the same name makes the next count less."""

_OVERLOAD = 0.5
"""What an overload counts for beside the one before it."""

_DELEGATES = """
SELECT source, any_value(target) FROM edge JOIN node ON node.key = edge.source
WHERE edge.kind = 'calls' AND source IN (SELECT unnest($1::INTEGER[]))
    AND node.kind = 'function' AND node.lines <= 10 AND node.complexity <= 1
GROUP BY source HAVING count(*) = 1 AND any_value(target) <> source
"""


def join_wrappers(
    graph: GraphFile, ranked: Sequence[Ranked], *, named: Collection[int] = ()
) -> list[Ranked]:
    """Put the only function that a short one calls right after it; the two count as one.

    Where it stands before it already the wrapper has nothing to add, if it is not named.
    """
    first = sorted(ranked, key=lambda node: -node.score)[:_LOOKED_AT]
    known = {node.key: node.score for node in ranked}
    scores = dict(known)
    rows = graph.run(Relation(_DELEGATES, ([node.key for node in first],)), limit=None).rows
    for wrapper, delegate in sorted((int(str(one)), int(str(other))) for one, other in rows):
        if delegate not in known:
            continue
        if known[delegate] < known[wrapper]:
            scores[delegate] = max(scores[delegate], _DELEGATE * known[wrapper])
        elif wrapper not in named:
            scores[wrapper] = _WRAPPER * known[wrapper]
    return [replace(node, score=scores[node.key]) for node in ranked]


def count_once(ranked: Sequence[Ranked]) -> tuple[Ranked, ...]:
    """Let functions of one name count for less each, and overloads for half of the one before."""
    names: Counter[str] = Counter()
    overloads: Counter[tuple[str, str]] = Counter()
    told = []
    for node in sorted(ranked, key=lambda node: -node.score):
        if node.kind != "function":
            told.append(node)
            continue
        title = node.title.partition("~")[0]
        name = title.rpartition(".")[2]
        factor = _OVERLOAD ** overloads[node.path, title] / (1 + _SAME_NAME * names[name])
        told.append(replace(node, score=round(node.score * factor, 4)))
        overloads[node.path, title] += 1
        names[name] += 1
    return tuple(sorted(told, key=lambda node: -node.score))
