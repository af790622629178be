"""What a change set reaches: a walk backward from all that it changed, the nearest first.

A change of documentation or comments alone reaches nothing. What was added, moved or renamed counts
with all in it, and so does a class whose bases changed; users of what is gone are reached at once.
Where the code of a module outside of definitions changed, in more than its imports, whoever imports
the module is reached; where its imports did, its definitions that refer to something else now.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from mu.analysis.review.findings import Aspect, Change, ChangeKind, Difference
from mu.analysis.review.sides import ReadLines, Side
from mu.analysis.walks.adjacency import Adjacency
from mu.analysis.walks.traversal import Direction
from mu.model.kinds import EdgeKind
from mu.model.relation import Relation
from mu.store import GraphFile

_KEYS = "SELECT id, key FROM node WHERE list_contains($1::VARCHAR[], id)"

_USERS = """
SELECT DISTINCT source.id, gone.id
FROM edge
JOIN node AS source ON source.key = edge.source
JOIN node AS gone ON gone.key = edge.target
WHERE edge.kind <> 'contains' AND list_contains($1::INTEGER[], edge.target)
"""

_TARGETS = """
SELECT source.id, list(DISTINCT target.id ORDER BY target.id)
FROM edge
JOIN node AS source ON source.key = edge.source JOIN file ON file.key = source.file
JOIN node AS target ON target.key = edge.target
WHERE edge.kind IN ('calls', 'uses', 'inherits') AND list_contains($1::VARCHAR[], file.path)
    AND source.kind <> 'module'
GROUP BY source.id
"""

_IMPORTS = """
SELECT site.text FROM site JOIN file ON file.key = site.file
WHERE site.kind = 'import' AND file.path = $1
"""

_WORD = re.compile(r"\w+")
_IMPORTING = frozenset({"import", "from", "as", "use", "require", "const", "pub", "crate", "type"})
_TEXT = frozenset({Aspect.DOCSTRING, Aspect.COMMENTS})
_WHOLE = frozenset({ChangeKind.ADDED, ChangeKind.REMOVED, ChangeKind.MOVED, ChangeKind.RENAMED})


@dataclass(frozen=True, slots=True)
class Reached:
    """A node that a change set reaches.

    `distance` is 0 for what changed itself. `via` is the kind of edge it was reached by, from the
    node with the key `origin`, -1 at the start; `change` is the id of the changed definition.
    """

    key: int
    distance: int
    via: str
    origin: int
    change: str


@dataclass(frozen=True, slots=True)
class State:
    """A state of the repository: its graph, and the lines of its files."""

    graph: GraphFile
    lines: ReadLines


def reached_by(
    found: Difference, states: tuple[State, State], *, kinds: Sequence[EdgeKind]
) -> tuple[Reached, ...]:
    """Walk backward along `kinds` from all that changed; nodes of the graph after the change.

    `states` are those before and after.

    Rows are in the order of distance and key; each node is reached once, from the nearest change.
    """
    starts = starts_of(found, states)
    return tuple(_spread(states[1].graph.once(Adjacency), starts, kinds))


def starts_of(found: Difference, states: tuple[State, State]) -> dict[int, Reached]:
    """Give the nodes after the change at which the walk begins, by key.

    They are what changed itself, at distance 0, and users of what is gone, at distance 1.
    """
    before, after = states
    changes = [one for one in found.changes if _counts(one)]
    starts: dict[int, Reached] = {}

    def begin(keys: Iterable[int], change: str, distance: int = 0) -> None:
        for key in keys:
            starts.setdefault(key, Reached(key, distance, "", -1, change))

    here = _keys(after.graph, [one.id for one in changes])
    whole = after.graph.once(Adjacency).whole
    for one in changes:
        if one.change is ChangeKind.REMOVED or one.id not in here:
            continue
        if one.kind == "module" and one.change is ChangeKind.CHANGED:
            if _is_import_alone(one, before, after):
                continue
            begin([here[one.id]], one.id)
        elif one.change in _WHOLE or Aspect.BASES in one.aspects:
            begin(whole(here[one.id]), one.id)
        else:
            begin([here[one.id]], one.id)
    for user, gone in _users(before.graph, changes, after.graph):
        begin([user], gone, 1)
    for key, id_ in _rewired(changes, before.graph, after.graph):
        begin([key], id_)
    return starts


def _spread(
    adjacency: Adjacency, starts: Mapping[int, Reached], kinds: Sequence[EdgeKind]
) -> Iterator[Reached]:
    ways = [(kind, adjacency.neighbours(Direction.BACKWARD, kind)) for kind in kinds]
    seen = dict(starts)
    front = sorted(starts.values(), key=lambda row: (row.distance, row.key))
    yield from front
    while front:
        level: dict[int, Reached] = {}
        for row in front:
            for kind, (first, nodes) in ways:
                for node in nodes[first[row.key] : first[row.key + 1]]:
                    if node not in seen and node not in level:
                        level[node] = Reached(
                            node, row.distance + 1, kind.value, row.key, row.change
                        )
        seen |= level
        front = sorted(level.values(), key=lambda row: row.key)
        yield from front


def _counts(change: Change) -> bool:
    """Tell whether a change can alter behaviour at run time."""
    is_text = change.change is ChangeKind.CHANGED and set(change.aspects) <= _TEXT
    return change.kind != "document" and not is_text


def _users(
    before: GraphFile, changes: Sequence[Change], after: GraphFile
) -> Iterator[tuple[int, str]]:
    """Give the nodes after the change that used what is gone, with its id."""
    gone = [
        one.before_id
        for one in changes
        if one.change in _WHOLE and one.change is not ChangeKind.ADDED
    ]
    whole = before.once(Adjacency).whole
    keys = {inner: id_ for id_, key in _keys(before, gone).items() for inner in whole(key)}
    rows = before.run(Relation(_USERS, (sorted(keys),)), limit=None).rows
    there = _keys(after, [str(source) for source, _ in rows])
    for source, id_ in sorted((str(source), str(gone)) for source, gone in rows):
        if source in there:
            yield there[source], id_


def _rewired(
    changes: Sequence[Change], before: GraphFile, after: GraphFile
) -> Iterator[tuple[int, str]]:
    """Give definitions in modules with another text that refer to something else now."""
    paths = sorted({one.path for one in changes if one.kind == "module" and one.before_id})
    changed = {one.id for one in changes}
    old, new = _targets(before, paths), _targets(after, paths)
    differ = [id_ for id_, targets in new.items() if id_ in old and old[id_] != targets]
    keys = _keys(after, [id_ for id_ in differ if id_ not in changed])
    yield from ((key, id_) for id_, key in sorted(keys.items()))


def _is_import_alone(change: Change, before: State, after: State) -> bool:
    """Tell whether the lines that differ contain only names that are imported."""
    known = set(_IMPORTING)
    for graph, path in ((before.graph, change.before_path), (after.graph, change.path)):
        for (text,) in graph.run(Relation(_IMPORTS, (path,)), limit=None).rows:
            known.update(_WORD.findall(str(text)))
    old = _outer_lines(before, change.before_path)
    new = _outer_lines(after, change.path)
    return all(known.issuperset(_WORD.findall(line.partition("#")[0])) for line in old ^ new)


def _outer_lines(state: State, path: str) -> frozenset[str]:
    """Give the lines of a module outside of what it defines, without space around them."""
    side = Side(state.graph, state.lines, frozenset({path}))
    inner = {
        number
        for one in side.definitions.values()
        if one.kind not in ("module", "document")
        for number in range(one.line, one.end_line + 1)
    }
    lines = enumerate(state.lines(path), 1)
    return frozenset(line.strip() for number, line in lines if number not in inner)


def _targets(graph: GraphFile, paths: Sequence[str]) -> dict[str, object]:
    rows = graph.run(Relation(_TARGETS, (paths,)), limit=None).rows
    return {str(source): targets for source, targets in rows}


def _keys(graph: GraphFile, ids: Iterable[str]) -> dict[str, int]:
    rows = graph.run(Relation(_KEYS, (sorted(set(ids)),)), limit=None).rows
    return {str(id_): int(str(key)) for id_, key in rows}
