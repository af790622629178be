"""A graph together with what linking found, so that a part of it can be linked again.

What is kept lives in memory, for a watcher or a server: answers refer to definitions by numbers
that hold for one numbering of the files. Whatever was linked again, the graph is the one that
`link` makes of the same files, row for row; so what cannot be shown to reach no further than the
files that changed is linked anew as a whole.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain

from mu.model.facts import FileFacts
from mu.model.graph import Edge, Entry, File, Graph, NodeProse, Site
from mu.resolve.likeness import is_alike
from mu.resolve.linking import Linker
from mu.resolve.program import Program
from mu.resolve.rules import Declared, LanguageRules
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
    """The rows that linking one file gave."""

    edges: list[Edge]
    sites: list[Site]
    entries: set[Entry]
    prose: list[NodeProse]


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
        changed = self._changed(sources)
        if changed is None:
            self.close()
            self.graph = self._link_all(sources)
        else:
            self.graph = self._link_again(sources, changed)
        return self.graph

    def close(self) -> None:
        """Let go of what was found: nothing can be linked again after that."""
        self._linker.dissolve()

    def _changed(self, sources: Sources) -> list[int] | None:
        """The files to link again, by key; None where that may reach further than them."""
        old = self._sources
        if not _are_same_files(old, sources):
            return None
        changed = []
        for file in sources.files:
            before, after = old.facts.get(file.key), sources.facts.get(file.key)
            if before is None or after is None:
                continue
            if before is not after and before != after:
                if not is_alike(before, after):
                    return None
                changed.append(file.key)
            elif file != old.files[file.key]:
                changed.append(file.key)
        return changed

    def _link_all(self, sources: Sources) -> Graph:
        self._sources = sources
        self._program = Program(
            sources.files,
            sources.facts,
            rules=sources.rules,
            roots=sources.roots,
            manifests=sources.manifests,
        )
        self._linker = Linker(self._program)
        self._linker.gather()
        self._scanned = self._linker.entries.take()
        self._linked = {unit.file.key: self._link(unit) for unit in self._program.units.values()}
        self.relinked = tuple(self._linked)
        return self._put_together()

    def _link_again(self, sources: Sources, changed: Sequence[int]) -> Graph:
        """Link files again whose answers hold, as do those of all others."""
        self._sources = sources
        renewed = [self._program.renew(sources.files[key], sources.facts[key]) for key in changed]
        for unit in renewed:
            self._linker.nodes.renew(unit)
        if renewed:
            self._linker.scan()
            self._scanned = self._linker.entries.take()
        for unit in renewed:
            self._linked[unit.file.key] = self._link(unit)
        self.relinked = tuple(changed)
        return self._put_together()

    def _link(self, unit: Unit) -> _Linked:
        self._linker.link(unit)
        edges, sites = self._linker.ledger.take()
        prose = list(self._linker.nodes.prose(unit))
        return _Linked(edges, sites, self._linker.entries.take(), prose)

    def _put_together(self) -> Graph:
        linker, linked = self._linker, self._linked.values()
        linker.entries.note_declared(self._sources.declared)
        entries = linker.entries.take().union(self._scanned, *(part.entries for part in linked))
        return Graph(
            self._sources.files,
            linker.nodes.rows,
            list(chain.from_iterable(part.edges for part in linked)),
            list(chain.from_iterable(part.sites for part in linked)),
            tuple(sorted(entries)),
            linker.limits(),
            list(chain.from_iterable(part.prose for part in linked)),
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
