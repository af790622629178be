"""The rows of files whose bodies changed, linked anew without the rest of the program.

All facts are read from where they are kept; what linking found of the whole program is, too. Where
`resolve` cannot tell that other files stay as they are, or finds other rows for the old text than
those in the graph, nothing is given.
"""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec

from mu.kernel.manifests import read_manifests
from mu.kernel.program_state import ProgramStates
from mu.kernel.relining import move_nodes
from mu.kernel.settings import BuildSettings
from mu.languages.loading import load_rules
from mu.languages.stub_cache import stubs_kept_in
from mu.model.facts import FileFacts
from mu.model.graph import Edge, Entry, File, FileRows, Node, Posted, Site
from mu.resolve import (
    FileLinks,
    ProgramLinks,
    ProgramText,
    Relinked,
    decode_state,
    encode_state,
    relink,
)
from mu.store.updating import GraphUpdate, Placed
from mu.syntax import decode_facts, load_manifests
from mu.syntax.facts_cache import FactsCache


class FileChange(NamedTuple):
    """The rows, entries and postings of a file, before an edit and after it."""

    before: FileRows
    after: FileRows
    placed: Sequence[Placed]
    entries: Sequence[Entry]
    said: tuple[list[Posted], list[Posted]]


class ProgramChange(NamedTuple):
    """The changes of files, new nodes outside the repository, and the state to keep."""

    files: Sequence[FileChange]
    outside: Sequence[Node]
    state: bytes


def relink_files(
    root: Path,
    graph: GraphUpdate,
    *,
    files: Sequence[File],
    facts: Mapping[int, FileFacts],
    digest: str,
    settings: BuildSettings,
) -> ProgramChange | None:
    """Link the changed `files` again, given with their `facts` by key.

    `digest` is that of the graph as it is. None where other files may have to be linked again.
    """
    kept = ProgramStates(settings.facts).find(digest)
    rows = {file.path: file for file in graph.files()}
    changed = {rows[file.path].key: file for file in files if file.path in rows}
    old = _kept_facts(rows.values(), settings.facts) if kept else None
    if kept is None or old is None or len(changed) < len(files):
        return None
    after = [
        changed[row.key]._replace(key=row.key) if row.key in changed else row
        for row in rows.values()
    ]
    new = {**old, **{key: facts[file.key] for key, file in changed.items()}}
    rules = load_rules({file.language for file in after if file.key in new})
    manifests = read_manifests(
        root,
        (file for file in after if file.key in new),
        rules=rules,
        max_file_size=settings.walk.max_file_size,
    )
    shared = rules, settings.roots, manifests.texts
    try:
        state = decode_state(kept)
    except msgspec.DecodeError:
        return None
    with stubs_kept_in(settings.facts, is_read=True):
        relinked = relink(
            ProgramText([*rows.values()], old, *shared),
            ProgramText(after, new, *shared),
            changed=[*changed],
            state=state,
        )
    if relinked is None:
        return None
    return _Rows(graph, relinked).of(changed, old=old, new=new)


def _kept_facts(files: Iterable[File], folder: Path | None) -> dict[int, FileFacts] | None:
    """The facts of all files that were indexed and are no pages; None where one's are not kept."""
    caches = {language: FactsCache(language, folder) for language in load_manifests()}
    found: dict[int, FileFacts] = {}
    for file in files:
        if file.status == "indexed" and file.language in caches:
            data = caches[file.language].find(file.digest)
            if data is None:
                return None
            found[file.key] = decode_facts(data)
    return found


class _Rows:
    """Makes rows with the keys of the graph of what was linked."""

    def __init__(self, graph: GraphUpdate, relinked: Relinked) -> None:
        self._graph = graph
        self._relinked = relinked
        self._keys: dict[str, int] = {}
        self.outside: list[Node] = []  # what is new of it

    def of(
        self,
        changed: Mapping[int, File],
        *,
        old: Mapping[int, FileFacts],
        new: Mapping[int, FileFacts],
    ) -> ProgramChange | None:
        """The change; None where the graph has other rows for the old text."""
        before, after, state = self._relinked
        self._learn_keys(before, changed)
        self._learn_keys(after, changed)
        self._add_outside()
        rules = load_rules({file.language for file in changed.values()})
        found = []
        for key, file in changed.items():
            known = self._graph.file_rows(file.path)
            if known is None:
                return None
            placed = self._graph.entries(file.path)
            links = self._keyed(before, before.files[key])
            if not _are_same(links, known, placed):
                return None
            own = rules[file.language]
            moved = move_nodes(known, file, old=old[key], new=new[key], rules=own)
            links = self._keyed(after, after.files[key])
            if moved is None or len(links.entries) != len(placed):
                return None
            if (links.sites and not known.sites) or (links.edges and not known.edges):
                return None  # the graph does not tell where they would stand
            rows = FileRows(file._replace(key=key), moved.nodes, [*links.edges], [*links.sites])
            found.append(FileChange(known, rows, placed, links.entries, moved.said(known, rows)))
        if self._graph.has_unused(self._no_more_met(), [*changed]):
            return None
        return ProgramChange(found, self.outside, encode_state(state))

    def _learn_keys(self, links: ProgramLinks, changed: Mapping[int, File]) -> None:
        """Find the keys of the nodes that links are of, and of all that is met outside."""
        used = {node.id for node in links.nodes if node.file < 0}
        for key in changed:
            file = links.files[key]
            places = {place for edge in file.edges for place in edge[:2]}
            places |= {place for site in file.sites for place in (site.source, site.target)}
            places |= {entry.node for entry in file.entries}
            used |= {links.nodes[place].id for place in places - {-1}}
        self._keys.update(self._graph.node_keys(used - self._keys.keys()))

    def _add_outside(self) -> None:
        """Give keys to what is met outside now and was not before, whether or not it is meant."""
        before = _outside(self._relinked.before)
        for name, node in _outside(self._relinked.after).items():
            if name not in before and name not in self._keys:
                key = self._keys[name] = self._graph.next_key() + len(self.outside)
                self.outside.append(node._replace(key=key))

    def _keyed(self, links: ProgramLinks, file: FileLinks) -> FileLinks:
        """Links with the keys of the graph, in the order of a build."""

        def key(place: int) -> int:
            return self._keys.get(links.nodes[place].id, -1) if place >= 0 else -1

        edges = [row._replace(source=key(row.source), target=key(row.target)) for row in file.edges]
        sites = [row._replace(source=key(row.source), target=key(row.target)) for row in file.sites]
        entries = [row._replace(node=key(row.node)) for row in file.entries]
        return FileLinks(sorted(edges), sites, sorted(entries))

    def _no_more_met(self) -> set[int]:
        """The nodes outside that the files do not lead to any more."""
        before, after = _outside(self._relinked.before), _outside(self._relinked.after)
        return {self._keys[name] for name in before.keys() - after.keys() if name in self._keys}


def _outside(links: ProgramLinks) -> dict[str, Node]:
    """The nodes outside the repository that linking met, by id."""
    return {node.id: node for node in links.nodes if node.file < 0}


def _are_same(links: FileLinks, known: FileRows, placed: Sequence[Placed]) -> bool:
    """Whether links are those that the graph has."""
    own: list[Edge] = sorted(known.edges)
    sites: list[Site] = known.sites
    return (
        list(links.edges) == own
        and list(links.sites) == sites
        and list(links.entries) == sorted(one.entry for one in placed)
    )
