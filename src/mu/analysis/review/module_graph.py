"""How modules import each other on both sides: new and lost dependencies, cycles made and broken.

A module counts as the same where it was moved. Imports for type checkers alone make no cycle; those
inside functions do. Cycles are compared as strongly connected components (Tarjan 1972), each shown
by a shortest cycle in it.
"""

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from mu.analysis.review.findings import ChangeKind, CycleChange, CycleStep, DependencyChange
from mu.model.relation import Relation
from mu.store import GraphFile

_IMPORTS = """
SELECT near_file.path, coalesce(far_file.path, ''), far.qualified_name, far.subkind,
    min(edge.line), bool_and(edge.role = 'type-only')
FROM edge
JOIN node AS near ON near.key = edge.source JOIN file AS near_file ON near_file.key = near.file
JOIN node AS far ON far.key = edge.target LEFT JOIN file AS far_file ON far_file.key = far.file
WHERE edge.kind = 'imports' AND near_file.path IS DISTINCT FROM far_file.path
    AND (far_file.path IS NOT NULL OR far.kind = 'external')
GROUP BY ALL ORDER BY ALL
"""

_STARTS = 40  # modules of a component from which its shortest cycle is sought


_Attributes = dict[str, object]


@dataclass(frozen=True, slots=True)
class Imports:
    """The imports of one graph: the line of each by paths, those that run, and packages."""

    lines: Mapping[tuple[str, str], int]
    running: frozenset[tuple[str, str]]
    packages: Mapping[str, tuple[str, int]]


def read_imports(graph: GraphFile, names: Mapping[str, str]) -> Imports:
    """Read which module imports which; `names` are the paths after the change of moved modules."""
    lines: dict[tuple[str, str], int] = {}
    running: set[tuple[str, str]] = set()
    packages: dict[str, tuple[str, int]] = {}
    for path, other, dotted, subkind, line, is_type_only in graph.run(
        Relation(_IMPORTS), limit=None
    ).rows:
        source, number = names.get(str(path), str(path)), int(str(line))
        if not other:
            if subkind == "package":
                packages.setdefault(_package(str(dotted)), (str(path), number))
            continue
        pair = source, names.get(str(other), str(other))
        lines[pair] = min(number, lines.get(pair, number))
        if not is_type_only:
            running.add(pair)
    return Imports(lines, frozenset(running), packages)


def dependency_changes(before: Imports, after: Imports) -> Iterator[DependencyChange]:
    """Give the dependencies between modules, and on packages, that came and went."""
    for change, here, there in (
        (ChangeKind.ADDED, after, before),
        (ChangeKind.REMOVED, before, after),
    ):
        for source, target in sorted(here.lines.keys() - there.lines.keys()):
            line = here.lines[source, target]
            yield DependencyChange(change, f"mod:{source}", f"mod:{target}", source, line)
        for package in sorted(here.packages.keys() - there.packages.keys()):
            path, line = here.packages[package]
            yield DependencyChange(
                change, f"mod:{path}", f"ext:{package}", path, line, is_external=True
            )


def cycle_changes(before: Imports, after: Imports) -> Iterator[CycleChange]:
    """Give the components that were made, grew, shrank or were broken."""
    old, new = _components(before), _components(after)
    for members in new:
        sources = [other for other in old if other & members]
        largest = max(map(len, sources), default=0)
        if any(members <= other for other in old) and members not in old:
            yield CycleChange("shrank", largest, len(members), _shortest(members, after))
        elif members not in old:
            how = "grew" if sources else "made"
            yield CycleChange(how, largest, len(members), _shortest(members, after))
    for members in old:
        if not any(other & members for other in new):
            yield CycleChange("broken", len(members), 0, _shortest(members, before))


def _components(imports: Imports) -> Sequence[frozenset[str]]:
    import networkx

    running = sorted(imports.running)
    graph: networkx.DiGraph[str, _Attributes, _Attributes] = networkx.DiGraph(running)
    found = networkx.strongly_connected_components(graph)
    return sorted((frozenset(one) for one in found if len(one) > 1), key=sorted)


def _shortest(members: frozenset[str], imports: Imports) -> tuple[CycleStep, ...]:
    targets: dict[str, list[str]] = {}
    for source, target in sorted(imports.running):
        if source in members and target in members:
            targets.setdefault(source, []).append(target)
    cycles = [_cycle_from(start, targets) for start in sorted(members)[:_STARTS]]
    best = min(cycles, key=len)
    following = [*best[1:], best[0]]
    return tuple(
        CycleStep(f"mod:{path}", path, imports.lines[path, after])
        for path, after in zip(best, following, strict=True)
    )


def _cycle_from(start: str, targets: Mapping[str, Sequence[str]]) -> list[str]:
    """Give a shortest cycle through a module; in a component there is one."""
    came: dict[str, str] = {}
    pending = deque([start])
    while pending:
        here = pending.popleft()
        for target in targets.get(here, ()):
            if target == start:
                back = [here]
                while back[-1] != start:
                    back.append(came[back[-1]])
                return back[::-1]
            if target not in came:
                came[target] = here
                pending.append(target)
    return []


def _package(dotted: str) -> str:
    """Give the package of a dotted name; a path of a host keeps its slashes."""
    folder, slash, name = dotted.rpartition("/")
    return folder + slash + name.partition(".")[0]
