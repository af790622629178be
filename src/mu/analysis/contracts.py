"""Contracts on what may import what, checked on the imports between files as they are written.

`from package import name` is an import of `package`, wherever `name` is defined. A chain of imports
through modules that a contract does not name breaks it, too. The kinds of contracts, and what
breaks them, are those of import-linter; a module is meant with all below it, and may be written as
a path or as a dotted name.
"""

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise

import msgspec

from mu.analysis.cut import cut_set
from mu.model.relation import Relation
from mu.store import GraphFile

_IMPORTS = """
WITH written AS (
    SELECT site.file, site.line, site.target, node.kind = 'module' AS is_module
    FROM site JOIN node ON node.key = site.target
    WHERE site.kind = 'import' AND site.choice = 0
),
typed AS (
    SELECT near.file AS near, coalesce(far.file, -far.key) AS far,
        bool_and(edge.role = 'type-only') AS is_typed
    FROM edge JOIN node AS near ON near.key = edge.source JOIN node AS far ON far.key = edge.target
    WHERE edge.kind = 'imports' GROUP BY ALL
)
SELECT near_file.path, coalesce(far_file.path, ''), far.id, far.qualified_name,
    min(written.line), coalesce(bool_and(typed.is_typed), false)
FROM written
JOIN node AS far ON far.key = written.target
JOIN file AS near_file ON near_file.key = written.file
LEFT JOIN file AS far_file ON far_file.key = far.file
LEFT JOIN typed ON typed.near = written.file AND typed.far = coalesce(far.file, -far.key)
WHERE far.file IS DISTINCT FROM written.file AND (written.is_module OR NOT EXISTS (
    FROM written AS other
    WHERE other.file = written.file AND other.line = written.line AND other.is_module))
GROUP BY ALL ORDER BY ALL
"""

_MODULES = """
SELECT file.path, min_by(node.qualified_name, node.key) FROM node
JOIN file ON file.key = node.file WHERE node.kind = 'module' GROUP BY file.path ORDER BY file.path
"""

_Attributes = dict[str, object]


class ContractKind(StrEnum):
    """What a contract demands."""

    LAYERS = "layers"
    INDEPENDENCE = "independence"
    FORBIDDEN = "forbidden"
    ACYCLIC = "acyclic"


class Contract(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A contract as `mu.toml` has it.

    `layers` are the highest first, each one module or several with `|` between that must not import
    each other. `modules` are independent of each other, or those in which no cycle may be; `source`
    may not import `target`. `type_only` counts imports for type checkers, too.
    """

    name: str
    type: ContractKind
    layers: tuple[str, ...] = ()
    modules: tuple[str, ...] = ()
    source: tuple[str, ...] = ()
    target: tuple[str, ...] = ()
    allow_indirect: bool = False
    type_only: bool = False

    def missing(self) -> str:
        """Name the key that this kind of contract cannot do without; empty when it is there."""
        needed = {
            ContractKind.LAYERS: ("layers",),
            ContractKind.INDEPENDENCE: ("modules",),
            ContractKind.FORBIDDEN: ("source", "target"),
            ContractKind.ACYCLIC: (),
        }[self.type]
        return next((key for key in needed if not getattr(self, key)), "")


@dataclass(frozen=True, slots=True)
class ImportStep:
    """One import: the file, its line, and the path or dotted name of what it imports."""

    path: str
    line: int
    target: str


@dataclass(frozen=True, slots=True)
class Breach:
    """What breaks a contract: in words, and by which imports; `cut` are those to remove.

    `is_minimum` is false where fewer removals might do.
    """

    message: str
    steps: tuple[ImportStep, ...]
    cut: tuple[ImportStep, ...] = ()
    is_minimum: bool = True


@dataclass(frozen=True, slots=True)
class ModuleImports:
    """The imports of a graph: dotted names of modules by path, and imported ones with the line.

    What lies outside of the repository goes by its dotted name. `typed` are for type checkers only.
    """

    names: Mapping[str, str]
    lines: Mapping[tuple[str, str], int]
    typed: frozenset[tuple[str, str]]


def read_module_imports(graph: GraphFile) -> ModuleImports:
    """Read which file imports which, as it is written."""
    modules = graph.run(Relation(_MODULES), limit=None).rows
    names = {str(path): str(name) for path, name in modules}
    lines: dict[tuple[str, str], int] = {}
    typed: dict[tuple[str, str], bool] = {}
    for path, other, id_, dotted, line, is_typed in graph.run(Relation(_IMPORTS), limit=None).rows:
        target = str(other) or str(dotted)
        if str(id_).startswith("pkg:"):
            target = str(id_).removeprefix("pkg:")
        names.setdefault(target, str(dotted))
        pair = str(path), target
        lines[pair] = min(int(str(line)), lines.get(pair, int(str(line))))
        typed[pair] = bool(is_typed) and typed.get(pair, True)
    return ModuleImports(names, lines, frozenset(pair for pair, only in typed.items() if only))


def breaches(contract: Contract, imports: ModuleImports) -> Iterator[Breach]:
    """Find what breaks a contract. Raises LookupError with a module that does not exist."""
    checker = _Checker(contract, imports)
    if contract.type is ContractKind.ACYCLIC:
        yield from checker.cycles()
    elif contract.type is ContractKind.LAYERS:
        yield from checker.layers()
    elif contract.type is ContractKind.INDEPENDENCE:
        groups = [(text, checker.members(text)) for text in contract.modules]
        yield from checker.apart(groups, groups)
    else:
        sources = [(text, checker.members(text)) for text in contract.source]
        targets = [(text, checker.members(text, may_lack=True)) for text in contract.target]
        for source in sources:
            for target in targets:
                yield from checker.chains(source, target)


_Group = tuple[str, frozenset[str]]


class _Checker:
    """Checks one contract on the imports that count for it."""

    def __init__(self, contract: Contract, imports: ModuleImports) -> None:
        self._contract = contract
        self._imports = imports
        self._onward: dict[str, list[str]] = {}
        for pair in sorted(imports.lines):
            if contract.type_only or pair not in imports.typed:
                self._onward.setdefault(pair[0], []).append(pair[1])

    def members(self, text: str, *, may_lack: bool = False) -> frozenset[str]:
        """Give the modules that a path or a dotted name means, with all below it."""
        wanted = text.strip().removeprefix("./").rstrip("/")
        found = frozenset(
            path
            for path, name in self._imports.names.items()
            if path == wanted
            or path.startswith(f"{wanted}/")
            or name == wanted
            or name.startswith(f"{wanted}.")
        )
        if not found and not may_lack:
            raise LookupError(wanted)
        return found

    def layers(self) -> Iterator[Breach]:
        """Find chains from a layer to a higher one, and between those of one layer."""
        levels = [
            [(text.strip(), self.members(text)) for text in layer.split("|")]
            for layer in self._contract.layers
        ]
        every = [group for level in levels for group in level]
        for number, level in enumerate(levels):
            yield from self.apart(level, every)
            for higher in levels[:number]:
                for source in level:
                    for target in higher:
                        yield from self.chains(
                            source, target, avoided=_others(every, source, target)
                        )

    def apart(self, groups: Sequence[_Group], every: Sequence[_Group]) -> Iterator[Breach]:
        """Find chains between any two of some groups, through none of the others."""
        for source in groups:
            for target in groups:
                if source is not target:
                    yield from self.chains(source, target, avoided=_others(every, source, target))

    def chains(
        self, source: _Group, target: _Group, *, avoided: frozenset[str] = frozenset()
    ) -> Iterator[Breach]:
        """Find all imports from one group to another, and a shortest chain from each module."""
        goals = target[1] - source[1]
        starts = source[1] - target[1]
        text = f"{source[0]} may not import {target[0]}"
        for start in sorted(starts):
            for onward in self._onward.get(start, ()):
                if onward in goals:
                    yield Breach(text, self._steps((start, onward)))
            if not self._contract.allow_indirect:
                chain = self._chain(start, goals, starts | avoided)
                if chain:
                    yield Breach(f"{text}, not even through others", self._steps(chain))

    def cycles(self) -> Iterator[Breach]:
        """Find the strongly connected components, each with the fewest imports to remove."""
        import networkx

        inside = frozenset(self._imports.names)
        if self._contract.modules:
            inside = frozenset().union(*map(self.members, self._contract.modules))
        pairs = [
            (near, far)
            for near, targets in self._onward.items()
            for far in targets
            if near in inside and far in inside
        ]
        graph: networkx.DiGraph[str, _Attributes, _Attributes] = networkx.DiGraph(pairs)
        found = networkx.strongly_connected_components(graph)
        for members in sorted(sorted(one) for one in found if len(one) > 1):
            keys = {path: number for number, path in enumerate(members)}
            edges = [(keys[near], keys[far]) for near, far in pairs if near in keys and far in keys]
            cut = cut_set(edges)
            removed = tuple(self._step(members[near], members[far]) for near, far in cut.edges)
            text = f"{len(members)} modules import each other in a circle"
            first = removed[0]
            back = self._chain(first.target, {first.path}, frozenset(), is_direct_too=True)
            steps = self._steps((first.path, *back))
            yield Breach(text, steps, removed, cut.is_minimum)

    def _chain(
        self,
        start: str,
        goals: frozenset[str] | set[str],
        avoided: frozenset[str],
        *,
        is_direct_too: bool = False,
    ) -> tuple[str, ...]:
        """Search breadth-first for a shortest chain through modules that are not avoided."""
        came: dict[str, str] = {}
        pending = deque([start])
        while pending:
            here = pending.popleft()
            for onward in self._onward.get(here, ()):
                if onward in goals and (here != start or is_direct_too):
                    chain = [onward, here]
                    while chain[-1] != start:
                        chain.append(came[chain[-1]])
                    return tuple(reversed(chain))
                if onward not in came and onward not in avoided and onward not in goals:
                    came[onward] = here
                    pending.append(onward)
        return ()

    def _steps(self, chain: Sequence[str]) -> tuple[ImportStep, ...]:
        return tuple(self._step(*pair) for pair in pairwise(chain))

    def _step(self, near: str, far: str) -> ImportStep:
        return ImportStep(near, self._imports.lines[near, far], far)


def _others(every: Sequence[_Group], source: _Group, target: _Group) -> frozenset[str]:
    """Give the modules of all groups but two."""
    rest: frozenset[str] = frozenset()
    return rest.union(*(group[1] for group in every if group is not source and group is not target))
