"""A graph together with what linking found, so that a part of it can be linked again.

What is kept lives in memory, for a watcher or a server: answers refer to definitions by numbers
that hold for one numbering of the files. Whatever was linked again, the graph is the one that
`link` makes of the same files, row for row; so what cannot be shown to keep the answers of other
files is linked anew as a whole.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain

from mu.model.facts import FileFacts
from mu.model.graph import Edge, Entry, File, Graph, Limits, NodeProse, Site
from mu.resolve.containing import fills_nothing
from mu.resolve.fence import with_failures
from mu.resolve.ledger import Mention
from mu.resolve.likeness import has_same_face, is_alike, matched
from mu.resolve.linking import Asked, Linker
from mu.resolve.program import Program
from mu.resolve.renumbering import renumbered
from mu.resolve.rules import Declared, LanguageRules
from mu.resolve.search import CROWDED, OVERRIDES, Needs
from mu.resolve.unit import Unit


@dataclass(frozen=True, slots=True)
class Sources:
    """What is linked: see `link` for what each of them is."""

    files: Sequence[File]
    facts: Mapping[int, FileFacts]
    rules: Mapping[str, LanguageRules]
    roots: Sequence[str] = ()
    declared: Sequence[Declared] = ()
    manifests: Mapping[str, Mapping[str, str]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Linked:
    """What linking one file gave, what that needs, and the nodes outside that it asked for."""

    edges: list[Edge]
    sites: list[Site]
    entries: set[Entry]
    prose: list[NodeProse]
    mentions: list[Mention]
    needs: Needs
    asked: Sequence[int]


@dataclass(frozen=True, slots=True)
class _Change:
    """The files to link again, by key; `has_calls`: whether they may make other calls."""

    files: frozenset[int]
    has_calls: bool


class Linking:
    """Holds a `graph`, and links again what changes.

    `relinked` are the keys of the files that were linked for the graph at hand. Takes the memory of
    a whole linking for as long as it lives; `close` lets go of it.
    """

    def __init__(self, sources: Sources) -> None:
        self.graph = self._link_all(sources)

    def relink(self, sources: Sources) -> Graph:
        """Make the graph of `sources`, which is what `link` gives for them.

        Files are told apart by their keys. Facts that did not change are best the same objects as
        before, since others are compared. The graph that was there before stays as it is.
        """
        change = self._change(sources)
        graph = None if change is None else self._link_again(sources, change)
        if graph is None:
            self.close()
            graph = self._link_all(sources)
        self.graph = graph
        return graph

    def close(self) -> None:
        """Let go of what was found: nothing can be linked again after that."""
        self._linker.dissolve()

    def _change(self, sources: Sources) -> _Change | None:
        """What to link again; None where other files may see the change, or an error may show no
        longer.
        """
        old = self._sources
        if self.graph.failures or not _are_same_files(old, sources):
            return None
        changed: set[int] = set()
        calling: set[int] = set()
        for key, after in sources.facts.items():
            before = old.facts[key]
            if before is not after and before != after:
                changed.add(key)
                if not is_alike(before, after):
                    calling.add(key)
            elif sources.files[key] != old.files[key]:
                changed.add(key)
        if calling and not self._only_calls_change(calling, sources):
            return None
        return _Change(frozenset(changed), has_calls=bool(calling))

    def _only_calls_change(self, files: set[int], sources: Sources) -> bool:
        """Whether files that changed differ for others in nothing but the calls they make."""
        if self._linker.evaluator.search.is_exhausted or self._linker.has_foreign:
            return False
        program, evaluator = self._program, self._linker.evaluator
        return all(
            program.units[key].prototypes is None
            and has_same_face(program.units[key].facts, sources.facts[key])
            and fills_nothing(program, evaluator, key=key, facts=sources.facts[key])
            for key in files
        )

    def _link_all(self, sources: Sources) -> Graph:
        self._sources = sources
        self._program = Program(
            sources.files,
            sources.facts,
            rules=sources.rules,
            roots=sources.roots,
            manifests=sources.manifests,
        )
        self._linker = Linker(self._program, is_kept=True)
        self._linker.nodes.asked = {}
        self._linker.gathering.gather()
        self._take_scanned()
        self._linked = {unit.file.key: self._link(unit) for unit in self._program.units.values()}
        self.relinked = tuple(self._linked)
        return self._put_together()

    def _link_again(self, sources: Sources, change: _Change) -> Graph | None:
        """Link files again; None where a bound was reached that depends on where asking began."""
        search, before = self._linker.evaluator.search, self._sources.facts
        self._sources = sources
        asked = self._linker.asked_above(change.files) if change.has_calls else {}
        for key in change.files:
            if change.has_calls and before[key].expressions != sources.facts[key].expressions:
                search.renumber_cuts(key, matched(before[key], sources.facts[key]))
            unit = self._program.renew(sources.files[key], sources.facts[key])
            self._linker.nodes.renew(unit)
        linked = change.files.union(*map(self._linker.nodes.homes, change.files))
        if change.has_calls:
            linked |= self._gather_again(change.files, asked=asked)
        elif linked:
            self._linker.gathering.scan()
            self._take_scanned()
        if search.is_exhausted:
            return None
        self.relinked = tuple(sorted(linked))
        for key in self.relinked:
            self._linked[key] = self._link(self._program.units[key])
        return None if self._program.fence.failures else self._put_together()

    def _gather_again(self, renewed: frozenset[int], *, asked: Asked) -> set[int]:
        """Gather what calls pass, and give the other files that have to be linked for it."""
        linker = self._linker
        linker.evaluator.forget(renewed)
        changed, is_otherwise = linker.gather_again(renewed, asked=asked)
        self._take_scanned()
        if is_otherwise:
            return set(self._linked)
        found = set()
        for key, part in self._linked.items():
            if key not in renewed:
                unit = self._program.units[key]
                if not part.needs.isdisjoint(changed) or linker.mentions(unit) != part.mentions:
                    found.add(key)
        self._take_asked()
        return found

    def _take_scanned(self) -> None:
        self._scanned = self._linker.gathering.entries.take()
        self._asked = self._take_asked()

    def _take_asked(self) -> Sequence[int]:
        nodes = self._linker.nodes
        asked, nodes.asked = nodes.asked or {}, {}
        return tuple(asked)

    def _link(self, unit: Unit) -> _Linked:
        linker, search = self._linker, self._linker.evaluator.search
        search.needs.clear()
        mentions = linker.link(unit)
        edges, sites = linker.ledger.take()
        prose = list(linker.nodes.prose(unit))
        return _Linked(
            edges,
            sites,
            linker.gathering.entries.take(),
            prose,
            mentions,
            search.needed(),
            self._take_asked(),
        )

    def _put_together(self) -> Graph:
        linker, linked = self._linker, self._linked.values()
        search = linker.evaluator.search
        search.needs.clear()
        linker.gathering.entries.note_declared(self._sources.declared)
        declared = linker.gathering.entries.take()
        limits = self._limits(search.needed())
        asked = chain(self._asked, *(part.asked for part in linked), self._take_asked())
        failures = self._program.fence.failures
        graph = Graph(
            with_failures(self._sources.files, failures),
            linker.nodes.rows,
            list(chain.from_iterable(part.edges for part in linked)),
            list(chain.from_iterable(part.sites for part in linked)),
            tuple(sorted(declared.union(self._scanned, *(part.entries for part in linked)))),
            limits,
            list(chain.from_iterable(part.prose for part in linked)),
            failures,
        )
        return renumbered(graph, linker.nodes.size, asked=tuple(dict.fromkeys(asked)))

    def _limits(self, declared: Needs) -> Limits:
        """How often a bound was reached, by what all that was asked for the graph needs."""
        evaluator = self._linker.evaluator
        steps = evaluator.arguments.steps
        needs = set(declared | self._linker.gathering.needs).union(
            steps.needs() if steps is not None else (),
            *{part.needs for part in self._linked.values()},
        )
        return Limits(
            values=evaluator.search.count_cuts(needs, CROWDED),
            arguments=len(evaluator.arguments.limited),
            overrides=evaluator.search.count_cuts(needs, OVERRIDES),
            depth=evaluator.search.limited,
            rounds=evaluator.arguments.unfinished,
        )


def _are_same_files(old: Sources, new: Sources) -> bool:
    """Whether the same files are linked, under the same keys and by the same rules."""
    is_same = old.rules.keys() == new.rules.keys() and list(old.roots) == list(new.roots)
    if not is_same or old.manifests != new.manifests:
        return False
    return old.facts.keys() == new.facts.keys() and all(
        _identity(old.files[key]) == _identity(new.files[key]) for key in new.facts
    )


def _identity(file: File) -> tuple[object, ...]:
    return file.key, file.path, file.language, file.category
