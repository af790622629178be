"""What breaks a contract, checked on the imports between files as they are written.

A chain of imports through modules that a contract does not name breaks it, too. What breaks the
kinds that import-linter has is what breaks them there.
"""

from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from mu.analysis.rules.contract import Contract, ContractKind
from mu.analysis.rules.module_imports import ModuleImports, Pair
from mu.analysis.rules.module_sets import ModuleSet, ModuleSets


@dataclass(frozen=True, slots=True)
class ImportStep:
    """One import: the file, its line, and the path or dotted name of what it imports."""

    path: str
    line: int
    target: str


@dataclass(frozen=True, slots=True)
class Breach:
    """What breaks a contract: in words, where, and by which imports.

    `steps` are a chain or a cycle, `cut` the imports to remove so that there is none, of which
    fewer might do unless `is_minimum`, and `many` the imports of which there are too many. `line`
    is 0 where a module as a whole breaks it.
    """

    message: str
    path: str
    line: int
    steps: tuple[ImportStep, ...] = ()
    cut: tuple[ImportStep, ...] = ()
    is_minimum: bool = True
    many: tuple[ImportStep, ...] = ()


def breaches(contract: Contract, imports: ModuleImports) -> Iterator[Breach]:
    """Find what breaks a contract on imports, which are all kinds but `dead_code`.

    Raises LookupError with a module that does not exist, or an ignored import that there is not.
    """
    sets = ModuleSets(imports)
    ignored: set[Pair] = set()
    for text in contract.ignore_imports:
        pairs = sets.pairs(text)
        if not pairs and not contract.allow_unmatched:
            raise LookupError(f"the import {text}")
        ignored |= pairs
    if not contract.type_only:
        ignored |= imports.typed
    checker = _Checker(contract, imports.without(frozenset(ignored)), sets)
    yield from {
        ContractKind.LAYERS: checker.layers,
        ContractKind.INDEPENDENCE: checker.independent,
        ContractKind.FORBIDDEN: checker.forbidden,
        ContractKind.PROTECTED: checker.protected,
        ContractKind.INTERFACE: checker.interface,
        ContractKind.ACYCLIC: checker.cycles,
        ContractKind.ACYCLIC_SIBLINGS: checker.sibling_cycles,
        ContractKind.DEPENDENTS: checker.counts,
        ContractKind.DEPENDENCIES: checker.counts,
    }[contract.type]()


class _Checker:
    """Checks one contract on the imports that count for it."""

    def __init__(self, contract: Contract, imports: ModuleImports, sets: ModuleSets) -> None:
        self._contract = contract
        self._imports = imports
        self._sets = sets
        self._pairs = sorted(imports.lines)
        self._onward: dict[str, list[str]] = {}
        self._places: dict[Pair, ImportStep] = {}
        for path, far in self._pairs:
            step = ImportStep(path, imports.lines[path, far], far)
            for near in dict.fromkeys((path, imports.unit(path))):
                self._onward.setdefault(near, []).append(far)
                self._places.setdefault((near, far), step)

    def layers(self) -> Iterator[Breach]:
        """Find chains from a layer to a higher one, and between those of one layer."""
        for text in self._contract.containers or ("",):
            containers = self._sets.every(text) if text else (ModuleSet("", frozenset()),)
            for container in containers:
                levels = [list(self._level(container, layer)) for layer in self._contract.layers]
                yield from self._between(levels)
                if self._contract.exhaustive and container.label:
                    known = {one.members for level in levels for one in level}
                    yield from self._unlisted(container, known)

    def _level(self, container: ModuleSet, layer: str) -> Iterator[ModuleSet]:
        for text in layer.replace(":", "|").split("|"):
            name = text.strip()
            found = self._sets.below(container.label, name.strip("()").strip())
            if not found and not name.startswith("("):
                raise LookupError(f"{container.label}.{name}" if container.label else name)
            yield from found

    def _between(self, levels: Sequence[Sequence[ModuleSet]]) -> Iterator[Breach]:
        every = [one for level in levels for one in level]
        for number, level in enumerate(levels):
            if ":" not in self._contract.layers[number]:
                yield from self._apart(level, every)
            for higher in levels[:number]:
                for source in level:
                    for target in higher:
                        yield from self._chains(
                            source, target, avoided=_others(every, source, target)
                        )

    def _unlisted(self, container: ModuleSet, known: set[frozenset[str]]) -> Iterator[Breach]:
        entry = self._sets.itself(container)
        for child in self._sets.children(container):
            name = child.label.removeprefix(container.label)[1:]
            is_ignored = name.partition(".")[0] in self._contract.exhaustive_ignores
            is_listed = any(one <= child.members for one in known)
            if not is_listed and not is_ignored and not child.members <= entry:
                yield Breach(f"{child.label} is in no layer", min(child.members), 0)

    def independent(self) -> Iterator[Breach]:
        """Find chains between any two modules."""
        every = self._named(self._contract.modules)
        yield from self._apart(every, every)

    def _apart(self, some: Sequence[ModuleSet], every: Sequence[ModuleSet]) -> Iterator[Breach]:
        """Find chains between any two of some modules, through none of the others."""
        for source in some:
            for target in some:
                if source is not target:
                    yield from self._chains(source, target, avoided=_others(every, source, target))

    def forbidden(self) -> Iterator[Breach]:
        """Find chains from a source to a target; a target need not exist, nor may they overlap."""
        whole = self._contract.as_packages
        targets = [one for text in self._contract.target for one in self._sets.find(text)]
        for source in self._named(self._contract.source):
            for target in targets:
                if whole and (source.members <= target.members or target.members <= source.members):
                    continue
                yield from self._chains(self._meant(source), self._meant(target))

    def protected(self) -> Iterator[Breach]:
        """Find imports of a module by others than its importers and itself."""
        allowed = frozenset().union(
            *(
                self._meant(one).members
                for text in self._contract.importers
                for one in self._sets.find(text)
            )
        )
        for module in map(self._meant, self._named(self._contract.modules)):
            for near, far in self._into(module):
                if near not in allowed:
                    text = f"{module.label} is protected from {self._imports.names[near]}"
                    yield self._direct(text, near, far)

    def interface(self) -> Iterator[Breach]:
        """Find imports from outside of what is not public in a module."""
        allowed = frozenset().union(
            *(one.members for text in self._contract.importers for one in self._sets.find(text))
        )
        for module in self._named(self._contract.modules):
            entry = self._sets.itself(module)
            modules, names = self._public(module)
            for near, far in self._into(module):
                if near in allowed or far in modules:
                    continue
                hidden = self._hidden((near, far), names, is_entry=far in entry)
                if hidden:
                    yield self._direct(f"{hidden} is not public in {module.label}", near, far)

    def _public(self, module: ModuleSet) -> tuple[frozenset[str], frozenset[str]]:
        """Give the files that are public as a whole, and the dotted names that are."""
        files: frozenset[str] = frozenset()
        names: set[str] = set()
        for text in self._contract.public:
            found = self._sets.below(module.label, text) or self._sets.find(text)
            files = files.union(*(one.members & module.members for one in found))
            if not found:
                names |= {text, *(f"{self._imports.names[path]}.{text}" for path in module.members)}
        return files, frozenset(names)

    def _hidden(self, pair: Pair, names: frozenset[str], *, is_entry: bool) -> str:
        """Name what an import takes and is not public: a name, or the module; empty without."""
        taken = self._imports.imported.get(pair, ())
        dotted = self._imports.names[pair[1]]
        if is_entry and not any(name.rpartition(".")[0] == dotted for name in names):
            hidden = [name for name in taken if name[0] == "_" and name[-1] != "_"]
        else:
            hidden = [name for name in taken if f"{dotted}.{name}" not in names]
        if hidden:
            return f"{dotted}.{hidden[0]}"
        return "" if taken or is_entry else dotted

    def _into(self, module: ModuleSet) -> Iterator[Pair]:
        members = module.members
        return (pair for pair in self._pairs if pair[1] in members and pair[0] not in members)

    def counts(self) -> Iterator[Breach]:
        """Find modules that more modules import, or that import more modules, than may."""
        contract, outside, unit = self._contract, self._imports.outside, self._imports.unit
        of_dependents = contract.type is ContractKind.DEPENDENTS
        if contract.modules:
            modules = self._named(contract.modules)
        else:
            units = dict.fromkeys(map(unit, self._imports.names))
            modules = [ModuleSet(one, frozenset((one,))) for one in units if one not in outside]
        into: dict[str, list[Pair]] = {}
        for pair in self._pairs:
            if pair[1] not in outside:
                into.setdefault(pair[1] if of_dependents else unit(pair[0]), []).append(pair)
        for module in modules:
            pairs = [
                pair
                for path in sorted(module.members)
                for pair in into.get(path, ())
                if not module.members.issuperset(pair)
            ]
            count = len({unit(pair[0]) if of_dependents else pair[1] for pair in pairs})
            if count > contract.most:
                many = tuple(self._step(*pair) for pair in pairs)
                text = f"{module.label} has {count} {contract.type}, more than {contract.most}"
                yield Breach(text, min(module.members), 0, many=many)

    def cycles(self) -> Iterator[Breach]:
        """Find the strongly connected components, each with the fewest imports to remove."""
        inside = frozenset(self._imports.names) - self._imports.outside
        if self._contract.modules:
            modules = self._named(self._contract.modules)
            inside = frozenset().union(*(one.members for one in modules))
        nodes = {path: self._imports.unit(path) for path in inside}
        yield from self._circles(nodes, "{} modules import each other in a circle")

    def sibling_cycles(self) -> Iterator[Breach]:
        """Find cycles between the modules right below each one, at some depth."""
        skipped = {one.members for text in self._contract.skip for one in self._sets.every(text)}
        done: set[frozenset[str]] = set()
        pending = [(one, 0) for one in self._named(self._contract.modules)]
        while pending:
            module, depth = pending.pop(0)
            if module.members in done or module.members in skipped:
                continue
            done.add(module.members)
            children = self._sets.children(module)
            nodes = {path: child.label for child in children for path in child.members}
            text = f"{{}} modules right below {module.label} import each other in a circle"
            yield from self._circles(nodes, text)
            if depth < self._contract.depth:
                pending += [(child, depth + 1) for child in children]

    def _circles(self, nodes: Mapping[str, str], text: str) -> Iterator[Breach]:
        """Find the cycles between groups of files, given by the group of each."""
        import networkx

        from mu.analysis.metrics.feedback_arc_set import cut_set

        pairs: dict[Pair, list[Pair]] = {}
        for near, far in self._pairs:
            ends = nodes.get(near, ""), nodes.get(far, "")
            if ends[0] != ends[1] and all(ends):
                pairs.setdefault(ends, []).append((near, far))
        graph: networkx.DiGraph[str, dict[str, object], dict[str, object]]
        graph = networkx.DiGraph(list(pairs))
        found = networkx.strongly_connected_components(graph)
        for members in sorted(sorted(one) for one in found if len(one) > 1):
            keys = {name: number for number, name in enumerate(members)}
            edges = [(keys[one], keys[two]) for one, two in pairs if one in keys and two in keys]
            cut = cut_set(edges)
            cuts = [(members[one], members[two]) for one, two in cut.edges]
            removed = tuple(self._step(*pair) for one in cuts for pair in pairs[one])
            first, second = cuts[0]
            onward = {one: list(graph[one]) for one in members}
            circle = (first, *_chain(onward, second, {first}))
            steps = tuple(self._step(*pairs[one][0]) for one in pairwise(circle))
            yield Breach(
                text.format(len(members)), steps[0].path, steps[0].line, steps, removed,
                cut.is_minimum,
            )  # fmt: skip

    def _chains(
        self, source: ModuleSet, target: ModuleSet, *, avoided: frozenset[str] = frozenset()
    ) -> Iterator[Breach]:
        """Find all imports from one module to another, and a shortest chain from each file."""
        goals = target.members - source.members
        starts = source.members - target.members - self._imports.packages
        text = f"{source.label} may not import {target.label}"
        for start in sorted(starts):
            for onward in self._onward.get(start, ()):
                if onward in goals:
                    yield self._direct(text, start, onward)
            if not self._contract.allow_indirect:
                chain = _chain(self._onward, start, goals, avoided=source.members | avoided)
                if chain:
                    steps = tuple(self._step(*pair) for pair in pairwise(chain))
                    message = f"{text}, not even through others"
                    yield Breach(message, steps[0].path, steps[0].line, steps)

    def _named(self, texts: Iterable[str]) -> list[ModuleSet]:
        return [one for text in texts for one in self._sets.every(text)]

    def _meant(self, module: ModuleSet) -> ModuleSet:
        """Give a module with what is below it, or without where the contract says so."""
        if self._contract.as_packages or module.members <= self._imports.outside:
            return module
        return ModuleSet(module.label, self._sets.itself(module))

    def _direct(self, message: str, near: str, far: str) -> Breach:
        step = self._step(near, far)
        return Breach(message, step.path, step.line, (step,))

    def _step(self, near: str, far: str) -> ImportStep:
        return self._places[near, far]


def _chain(
    onward: Mapping[str, Sequence[str]],
    start: str,
    goals: frozenset[str] | set[str],
    *,
    avoided: frozenset[str] | None = None,
) -> tuple[str, ...]:
    """Search breadth-first for a shortest chain; with `avoided`, one of at least two imports."""
    came: dict[str, str] = {}
    pending = deque([start])
    while pending:
        here = pending.popleft()
        for target in onward.get(here, ()):
            if target in goals and (here != start or avoided is None):
                chain = [target, here]
                while chain[-1] != start:
                    chain.append(came[chain[-1]])
                return tuple(reversed(chain))
            if target not in came and target not in (avoided or ()) and target not in goals:
                came[target] = here
                pending.append(target)
    return ()


def _others(every: Sequence[ModuleSet], source: ModuleSet, target: ModuleSet) -> frozenset[str]:
    """Give the files of all modules but two."""
    rest: frozenset[str] = frozenset()
    others = (one for one in every if one is not source and one is not target)
    return rest.union(*(one.members for one in others))
