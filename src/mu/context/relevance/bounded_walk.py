"""A bounded personalised walk over calls, overrides and uses from some definitions outward.

As in personalised PageRank by forward push (Andersen, Chung, Lang 2006), a node keeps a part of
what it has and hands on the rest; here in a few rounds, each of which fetches the edges of the
nodes that have most to hand on, so that no array of a large graph is loaded. A call that is
resolved for certain carries more than one that is dispatched to whoever fits, what everybody calls
gets little (as a word that everybody says), and what shares words with the question gets more.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import log, sqrt

from mu.lexical import Meanings
from mu.model.kinds import EdgeKind
from mu.model.relation import Relation
from mu.store import GraphFile

_ROUNDS = 3
_AT_ONCE = 48
"""Rounds of a walk, and nodes that hand on in each."""

_KEPT = 0.2
"""Of what a node has; chains of calls from a public function to what does the work are long."""

_BONUS = 3.0
"""What the words of a question add to the weight of a node whose name says all of them."""

_DISPATCHED = 0.4
"""What an edge counts for that leads to one of those that may be meant."""

_FORWARD = {
    EdgeKind.CALLS.value: 1.0,
    EdgeKind.OVERRIDES.value: 0.3,
    EdgeKind.INHERITS.value: 0.3,
    EdgeKind.USES.value: 0.1,
    EdgeKind.CONTAINS.value: 0.15,
}
_BACKWARD = {
    EdgeKind.CALLS.value: 0.4,
    EdgeKind.OVERRIDES.value: 0.4,
    EdgeKind.INHERITS.value: 0.1,
}
"""What edges weigh; those backward and into classes share it, however many they are."""

_LEADING, _BETWEEN = 0.4, 2.0
"""What it counts for to lead to starts, and to lie between them, beside being led to."""

_OWN = 0.5
"""The part of what a start has of its own that does not count: its words are counted already."""

_OWNER = 0.5
"""What a word counts for that only the owner of a name says."""

_EDGES = """
WITH here AS (SELECT unnest($1::INTEGER[]) AS key),
step AS (
    SELECT source AS here, target AS there, edge.kind, true AS is_forward,
        rule IN ('virtual', 'shape', 'unique-name', 'callback', 'registered') AS is_dispatched
    FROM edge JOIN here ON edge.source = here.key
    WHERE kind IN ('calls', 'overrides', 'inherits', 'uses', 'contains')
    UNION ALL
    SELECT target, source, edge.kind, false,
        rule IN ('virtual', 'shape', 'unique-name', 'callback', 'registered')
    FROM edge JOIN here ON edge.target = here.key
    WHERE kind IN ('calls', 'overrides', 'inherits')
),
popular AS (
    SELECT target, count(*) AS uses FROM edge
    WHERE kind = 'calls' AND target IN (SELECT there FROM step) GROUP BY target
)
SELECT here, there, step.kind::VARCHAR, is_forward, is_dispatched, node.name,
    qualified_name, coalesce(uses, 0)
FROM step JOIN node ON node.key = there LEFT JOIN popular ON popular.target = there
WHERE NOT node.is_test AND node.kind IN ('function', 'class') AND there <> here
QUALIFY count(*) OVER (PARTITION BY here, step.kind, is_forward) <= 200
"""


@dataclass(frozen=True, slots=True)
class _Ways:
    """Where edges lead from a node, with what each carries: at most 1 in all, in each direction."""

    onward: tuple[tuple[int, float], ...] = ()
    back: tuple[tuple[int, float], ...] = ()


def walk(
    graph: GraphFile, starts: Mapping[int, float], *, asked: Sequence[tuple[str, float]] = ()
) -> dict[int, float]:
    """Give what arrives at each node when `starts` is handed on.

    What lies on the way from one start to another is reached from some and leads to some, and
    counts most. `asked` are the words of the question with their rarities.
    """
    likeness = _Likeness(asked)
    whole = sum(starts.values()) or 1.0
    onward = defaultdict(float, {key: amount / whole for key, amount in starts.items()})
    back = defaultdict(float, onward)
    found: tuple[defaultdict[int, float], ...] = (defaultdict(float), defaultdict(float))
    ways: dict[int, _Ways] = {}
    for _ in range(_ROUNDS):
        left = {key: onward.get(key, 0.0) + back.get(key, 0.0) for key in {**onward, **back}}
        chosen = sorted(left, key=lambda key: (-left[key], key))[:_AT_ONCE]
        new = [key for key in chosen if key not in ways]
        if new:
            ways |= _ways(graph, new, likeness)
        for key in chosen:
            for amounts, kept, to in (
                (onward, found[0], ways[key].onward),
                (back, found[1], ways[key].back),
            ):
                amount = amounts.pop(key, 0.0)
                kept[key] += _KEPT * amount
                for there, weight in to:
                    amounts[there] += (1 - _KEPT) * amount * weight
    for amounts, kept in zip((onward, back), found, strict=True):
        for key, amount in amounts.items():
            kept[key] += _KEPT * amount
    own = {key: _KEPT * _OWN * amount / whole for key, amount in starts.items()}
    return {
        key: found[0][key]
        + _LEADING * found[1][key]
        + _BETWEEN * sqrt(found[0][key] * found[1][key])
        - (1 + _LEADING + _BETWEEN) * own.get(key, 0.0)
        for key in {**found[0], **found[1]}
    }


class _Likeness(dict[tuple[str, str], float]):
    """How much of a question the name of a node says: its own, and in part that of its owner."""

    def __init__(self, asked: Sequence[tuple[str, float]]) -> None:
        super().__init__()
        self._meanings = Meanings([word for word, _ in asked])
        self._rarities = [rarity for _, rarity in asked]
        self._whole = sum(self._rarities) or 1.0

    def __missing__(self, names: tuple[str, str]) -> float:
        name, owner = names
        said: dict[int, float] = {}
        for text, share in ((owner, _OWNER), (name, 1.0)):
            for place, factor in self._meanings[text]:
                said[place] = max(said.get(place, 0.0), share * factor)
        amount = sum(self._rarities[place] * factor for place, factor in said.items())
        self[names] = found = amount / self._whole
        return found


def _ways(graph: GraphFile, keys: Sequence[int], likeness: _Likeness) -> dict[int, _Ways]:
    """Fetch the ways out of some nodes."""
    rows = graph.run(Relation(_EDGES, (list(keys),)), limit=None).rows
    groups: defaultdict[tuple[int, str, bool], list[tuple[int, float]]] = defaultdict(list)
    for here, there, kind, is_forward, is_dispatched, name, qualified, uses in rows:
        owner = str(qualified).removesuffix(str(name)).rstrip(".").rpartition(".")[2]
        weight = 1 + _BONUS * likeness[str(name), owner]
        if kind == "calls" and is_forward:
            weight /= 1 + log(max(1, int(str(uses))))
        weight *= _DISPATCHED if is_dispatched else 1.0
        groups[int(str(here)), str(kind), bool(is_forward)].append((int(str(there)), weight))
    onward: defaultdict[int, defaultdict[int, float]] = defaultdict(lambda: defaultdict(float))
    back: defaultdict[int, defaultdict[int, float]] = defaultdict(lambda: defaultdict(float))
    for (here, kind, is_forward), members in groups.items():
        factor = (_FORWARD if is_forward else _BACKWARD)[kind]
        if not is_forward or kind != EdgeKind.CALLS.value:
            factor /= sum(weight for _, weight in members)
        for there, weight in members:
            for to, is_meant in (
                (onward, is_forward or kind == "overrides"),
                (back, not is_forward or kind == "overrides"),
            ):
                if is_meant:
                    to[here][there] += factor * weight
    return {key: _Ways(_shares(onward[key]), _shares(back[key])) for key in keys}


def _shares(weights: Mapping[int, float]) -> tuple[tuple[int, float], ...]:
    whole = max(sum(weights.values()), 0.5)
    return tuple((key, weight / whole) for key, weight in weights.items())
