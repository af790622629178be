"""Relink the files that an edit can affect, without the rest of the program.

All facts and the whole-program state are read from the cache. There is no result if `resolve`
cannot show that other files are unaffected, or if it finds other rows for the old text than those
in the graph.
"""

import logging
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence, Set
from pathlib import Path
from typing import NamedTuple

from mu.kernel.settings import BuildSettings
from mu.kernel.updating.edited_program import (
    BuiltProgram,
    ChangedFiles,
    EditedProgram,
    edited_program,
)
from mu.kernel.updating.kept_rows import are_same, ends_of, joined, parted, with_known_rows
from mu.kernel.updating.line_shifts import words_of_extension_blocks
from mu.kernel.updating.mentioning_documents import (
    MentionedChanges,
    documents_in,
    mentioning_documents,
)
from mu.languages.stub_cache import stubs_cached_in
from mu.lexical import index_words
from mu.model.facts import FileFacts
from mu.model.graph import Entry, File, FileRows, Graph, Limits, Node, Posted, Site
from mu.model.kinds import Category, EdgeKind
from mu.resolve import (
    Declared,
    FileFinder,
    FileLinks,
    NeedsBuildError,
    NodesOfFile,
    ProgramLinks,
    Relinked,
    WholeProgramState,
    relink,
)
from mu.store.graph_update import GraphUpdate, Placed
from mu.syntax.documents import FORMATS

_logger = logging.getLogger(__name__)

_PAGES = frozenset(FORMATS.values())
_NEW = -2  # the key of a node that is not in the graph yet
_NO_ROWS = FileRows(File(-1, "", "", Category.SOURCE, "", "", "", 0, 0, ()))
_INHERITS, _IMPORTS = EdgeKind.INHERITS, EdgeKind.IMPORTS


class FileChange(NamedTuple):
    """The rows, entries and postings of a file before and after an edit.

    Rows are None where the file does not exist. `placed` are the entries before, `entries` those
    after, and `said` the postings of both.
    """

    before: FileRows | None
    after: FileRows | None
    placed: Sequence[Placed]
    entries: Sequence[Entry]
    said: tuple[list[Posted], list[Posted]]


class ProgramChange(NamedTuple):
    """What an edit changes in the graph.

    `outside` are nodes without a file that were added, `unused` those that were removed, and `said`
    the postings of the removed and of the added. `state` is to be cached. `documents` are those, by
    key, that may resolve differently now, and `limits` is how much more often each bound is
    reached.
    """

    files: Sequence[FileChange]
    outside: Sequence[Node]
    unused: Sequence[Node]
    said: tuple[list[Posted], list[Posted]]
    state: WholeProgramState
    documents: Set[int]
    limits: Limits


def relink_files(
    root: Path,
    graph: GraphUpdate,
    *,
    known: BuiltProgram,
    edit: ChangedFiles,
    settings: BuildSettings,
) -> ProgramChange | None:
    """Relink the files that an edit of the `known` program can affect.

    None if all files may have to be relinked.
    """
    rows = edit.known
    after = edited_program(known, edit)
    if _changes_extensions_elsewhere(known, after):
        _logger.debug("not relinked: a block says something else of a type in another file")
        return None
    found = graph.referring
    with stubs_cached_in(settings.facts, is_read=True):
        try:
            relinked = relink(
                *(known.version, after.text),
                changed=after.changed,
                state=known.state,
                find=FileFinder(
                    *(found.using, found.sources_using, found.calling, found.sources_unresolved_in),
                    *(found.referring, found.sharing),
                    *(found.homes_by_name, found.asking),
                ),
            )
        except NeedsBuildError as error:
            _logger.debug("not relinked: %s", error)
            return None
    made = _Rows(graph, relinked)
    there = {row.key for row in rows}
    linked = {
        row.key: row
        for row in after.text.files
        if row.key in relinked.after.files
        and (row.key in after.changed or row.key not in there or made.is_altered(row.key))
    }
    linked.update((row.key, row) for row in rows if row.path in edit.removed)
    every_page = [row.key for row in rows if row.language in _PAGES]
    files = made.of(linked, rows, pages=every_page)
    if files is None:
        return None
    paths = edit.removed | ({file.path for file in edit.files} - {row.path for row in rows})
    declared = known.manifests.declared
    if _are_declared(declared, made.other_names, has_other_files=bool(paths)):
        _logger.debug("not relinked: a manifest may name what came or went")
        return None
    documents = {*every_page}
    if (
        not edit.has_pages
        and not made.has_bases_of_others
        and _ends(rows) == _ends(after.text.files)
    ):
        told = made.told(paths)
        documents = mentioning_documents(root, documents_in(rows), told=told, facts=settings.facts)
    return made.change(files, [*linked, *documents], documents=documents)


def _ends(rows: Iterable[File]) -> set[str]:
    """Return the endings of file names, by which documents recognise what may be a file."""
    return {row.path.rpartition("/")[2].rpartition(".")[2] for row in rows}


def _changes_extensions_elsewhere(known: BuiltProgram, edited: EditedProgram) -> bool:
    """Return whether words of extension blocks changed whose types are defined in other files."""
    before, after = known.facts, edited.facts
    return any(
        _words_of_other_types(before.get(key)) != _words_of_other_types(after.get(key))
        for key in {*edited.changed} | (before.keys() ^ after.keys())
    )


def _words_of_other_types(facts: FileFacts | None) -> list[object]:
    """Return the words of a file's extension blocks for types that it does not define."""
    if facts is None:
        return []
    own = {row.name for row in facts.definitions if row.kind == "class"}
    return [said for name, said in words_of_extension_blocks(facts) if name not in own]


def _are_declared(declared: Iterable[Declared], names: Set[str], *, has_other_files: bool) -> bool:
    """Return whether a manifest may refer to any of some names.

    By an attribute that it names; by a module if it names no attribute, or if files were added or
    removed.
    """
    texts = (
        text
        for row in declared
        for text in (row.attribute, row.module if has_other_files or not row.attribute else "")
    )
    return any(not names.isdisjoint(re.split(r"\W+", text)) for text in texts if text)


class _Rows:
    """A converter of relinked files to rows with the keys of the graph."""

    def __init__(self, graph: GraphUpdate, relinked: Relinked) -> None:
        self._graph = graph
        self._relinked = relinked
        self._keys: dict[str, int] = {}
        self._learn_keys(relinked.before)
        self._learn_keys(relinked.after)
        self._shared = _shared_by(relinked.before) | _shared_by(relinked.after)
        self._next = graph.next_key()
        self.outside: list[Node] = []  # nodes without a file that are new
        self.other_names: set[str] = set()  # of nodes added to the files or removed
        self.outside_names: set[str] = set()  # of nodes without a file, added or removed
        self.other_imports: set[tuple[str, str]] = set()  # names of the importing and the imported
        self.rebased = relinked.rebased
        self.has_bases_of_others = False  # of classes not in `rebased` or `other_names`
        self._gone: set[int] = set()
        self._left: set[int] = set()  # nodes that rows no longer refer to

    def of(
        self, files: Mapping[int, File], before: Sequence[File], *, pages: Sequence[int]
    ) -> list[FileChange] | None:
        """Return the changes of files, by key; None if the graph has other rows for the old text.

        `before` are all files of the old program, `pages` the keys of those that are documents.
        """
        known: dict[int, FileRows | None] = dict.fromkeys(files)
        there = self._graph.rows_of([row for row in before if row.key in files])
        known.update((rows.file.key, rows) for rows in there)
        both = self._relinked.before, self._relinked.after
        come = self._add_outside()
        self._gone = self._change_inside(files, known.values())
        was = {k: self._keyed(both[0], both[0].files[k]) for k, rows in known.items() if rows}
        now = {k: self._keyed(both[1], both[1].files[k]) for k in files if k in both[1].files}
        made = {
            key: FileRows(
                file._replace(key=key),
                self._nodes(both[1], key),
                [*now[key].edges],
                [*now[key].sites],
            )
            for key, file in files.items()
            if key in now
        }
        linked = dict(known)  # rows of what was relinked: without the kept rows of a file
        for key in self._relinked.kept.keys() & files.keys():
            lines = self._relinked.kept[key]
            kept, linked[key] = parted(known[key] or _NO_ROWS, lines)
            if not self._gone.isdisjoint(ends_of(kept)):
                _logger.debug("not relinked: text that is kept has rows of what is gone")
                return None
            made[key] = joined(made[key], kept)
        for key, rows in linked.items():
            if rows is None or key not in now or are_same(was[key], rows):
                continue
            links = was[key], now[key]
            settled = with_known_rows(made[key], rows, links=links, gone=self._gone)
            if settled is None:
                path = files[key].path
                _logger.debug("not relinked: %s has other rows than a build gave it", path)
                return None
            made[key] = settled
        self._note_outside(come, known.values(), made.values())
        self._note_names([*files, *pages])
        was_told, told = _sites_in_other_files(known.values()), _sites_in_other_files(made.values())
        found = []
        for key, file in files.items():
            rows, placed, new = known[key], self._graph.entries(file.path), made.get(key)
            entries = sorted(one.entry for one in placed)
            if rows and new and list(was[key].entries) != entries:
                _logger.debug("not relinked: %s has other entry points than before", file.path)
                return None
            said = (
                _postings(rows, was[key].said, was_told[key]) if rows else [],
                _postings(new, now[key].said, told[key]) if new else [],
            )
            found.append(FileChange(rows, new, placed, now[key].entries if new else (), said))
        return found

    def change(
        self, found: Sequence[FileChange], files: Sequence[int], *, documents: Set[int]
    ) -> ProgramChange | None:
        """Return all changes; None if rows of other files refer to removed nodes.

        `files` are the keys of the files whose rows change.
        """
        unused = self._graph.unused(self._left, files)
        if self._gone and self._graph.has_users(self._gone, files):
            _logger.debug("not relinked: other files have rows of what is gone")
            return None
        gone, come = (index_words(Graph((), nodes, (), ())) for nodes in (unused, self.outside))
        nodes = self.outside, unused, (gone, come)
        relinked = self._relinked
        return ProgramChange(found, *nodes, relinked.state, documents, relinked.limits)

    def told(self, paths: Set[str]) -> MentionedChanges:
        """Return the changes that documents may mention; files at `paths` were added or removed."""
        names = self.other_names | self.outside_names
        files = {path.rpartition("/")[2] for path in paths}
        return MentionedChanges(names, files, self.other_imports, self.rebased)

    def _note_names(self, files: Sequence[int]) -> None:
        """Record the changed names, imports and bases that documents may depend on.

        The names include those of nodes without a file that only `files` referred to, or refer to
        now.
        """
        before, after = self._relinked[:2]
        met = [*self.outside, *self._graph.unused(self._left, files)]
        self.outside_names.update(node.name for node in met)
        bases = _ends_of(before, _INHERITS) ^ _ends_of(after, _INHERITS)
        told = self.rebased | self.other_names
        self.has_bases_of_others = not {names[0] for _, names in bases} <= told
        other = _ends_of(before, _IMPORTS) ^ _ends_of(after, _IMPORTS)
        self.other_imports = {names for (_, end), names in other if not end.startswith("ext:")}
        self.other_names |= {name for *_, name in _named(before) ^ _named(after)}

    def _learn_keys(self, links: ProgramLinks) -> None:
        """Look up the keys of all nodes in some links, and of all nodes without a file."""
        used = {node.id for node in links.nodes.outside()}
        for file in links.files.values():
            places = {place for edge in file.edges for place in edge[:2]}
            places |= {place for site in file.sites for place in (site.source, site.target)}
            places |= {entry.node for entry in file.entries}
            places |= {node.parent for node in file.said.nodes}
            used |= {links.nodes.node(place).id for place in places - {-1}}
            used |= {node.id for node in file.said.nodes}
        self._keys.update(self._graph.node_keys(used - self._keys.keys()))

    def _add_outside(self) -> list[Node]:
        """Assign keys to the new nodes without a file, referred to or not, and return them."""
        found = []
        for node in self._relinked.after.nodes.outside():
            if node.id not in self._keys:
                self._keys[node.id] = self._next
                found.append(node._replace(key=self._next))
                self._next += 1
        return found

    def _note_outside(
        self, come: Sequence[Node], before: Iterable[FileRows | None], after: Iterable[FileRows]
    ) -> None:
        """Record the new nodes without a file that rows refer to, and nodes they no longer refer
        to.
        """
        were = {end for rows in before if rows for end in ends_of(rows)}
        ends = {end for rows in after for end in ends_of(rows)}
        self.outside = [node for node in come if node.key in ends]
        self._left = were - ends

    def _change_inside(self, keys: Iterable[int], known: Iterable[FileRows | None]) -> set[int]:
        """Assign keys to the new nodes of some files; return the keys of the removed ones.

        Keys of removed nodes of the same file are reused first. Files are replaced one by one, so
        none may have the keys of another meanwhile.
        """
        files = self._relinked.after.files
        there = {n.id: n for key in keys if key in files for n in files[key].said.nodes}
        before = {node.id: node for rows in known if rows for node in rows.nodes}
        gone = [node for name, node in before.items() if name not in there]
        free: defaultdict[int, list[int]] = defaultdict(list)
        for node in sorted(gone, key=lambda node: -node.key):
            free[node.file].append(node.key)
        self.other_names.update(node.name for node in gone)
        for name, node in there.items():
            if name in before:
                continue
            self.other_names.add(node.name)
            if free[node.file]:
                self._keys[name] = free[node.file].pop()
            else:
                self._keys[name] = self._next
                self._next += 1
        return {node.key for node in gone}

    def _nodes(self, links: ProgramLinks, file: int) -> list[Node]:
        """Return the nodes of a file, with the keys of the graph."""
        return [
            node._replace(
                key=self._keys[node.id],
                parent=self._keys[links.nodes.node(node.parent).id] if node.parent >= 0 else -1,
            )
            for node in links.files[file].said.nodes
        ]

    def is_altered(self, key: int) -> bool:
        """Return whether relinking changes the rows of a file whose text is unchanged.

        If not, the file keeps its rows.
        """
        before, after = self._relinked[:2]
        if key in self._shared or key not in before.files:
            return True
        was, now = (self._keyed(one, one.files[key], new=_NEW) for one in (before, after))
        nodes = [self._unnumbered_nodes(one, key) for one in (before, after)]
        return was[:3] != now[:3] or nodes[0] != nodes[1]

    def _unnumbered_nodes(self, links: ProgramLinks, key: int) -> list[Node]:
        """Return the nodes of a file without their own keys, with graph keys for parents."""
        return [
            node._replace(key=-1, parent=self._key(links, node.parent, new=_NEW))
            for node in links.files[key].said.nodes
        ]

    def _key(self, links: ProgramLinks, place: int, *, new: int = -1) -> int:
        """Return the key of a node in the graph, `new` if it has none, -1 for no node."""
        return self._keys.get(links.nodes.node(place).id, new) if place >= 0 else -1

    def _keyed(self, links: ProgramLinks, file: FileLinks, *, new: int = -1) -> FileLinks:
        """Return links with the keys of the graph, in the order of a build."""

        def key(place: int) -> int:
            return self._key(links, place, new=new)

        edges = [row._replace(source=key(row.source), target=key(row.target)) for row in file.edges]
        sites = [row._replace(source=key(row.source), target=key(row.target)) for row in file.sites]
        entries = [row._replace(node=key(row.node)) for row in file.entries]
        return FileLinks(sorted(edges), sites, sorted(entries), file.said.keyed(key))


def _shared_by(links: ProgramLinks) -> set[int]:
    """Return the files with references from nodes of other files, and these other files."""
    found: set[int] = set()
    for key, file in links.files.items():
        sources = {row.source for row in file.edges} | {row.source for row in file.sites}
        homes = {links.nodes.node(source).file for source in sources}
        if homes - {key}:
            found |= homes | {key}
    return found


def _ends_of(links: ProgramLinks, kind: EdgeKind) -> set[tuple[tuple[str, str], tuple[str, str]]]:
    """Return the ids and the names of both ends of each edge of a kind, as two pairs."""
    nodes = links.nodes
    return {
        ((source.id, target.id), (source.name, target.name))
        for file in links.files.values()
        for edge in file.edges
        if edge.kind == kind
        for source, target in ((nodes.node(edge.source), nodes.node(edge.target)),)
    }


def _named(links: ProgramLinks) -> set[tuple[str, str, bool, str]]:
    """Return what identifies the nodes of the files: ids, dotted names, `is_test`, and names."""
    return {
        (node.id, node.qualified_name, node.is_test, node.name)
        for file in links.files.values()
        for node in file.said.nodes
    }


def _sites_in_other_files(files: Iterable[FileRows | None]) -> defaultdict[int, list[Site]]:
    """Return the references from nodes of each file that are in the text of another one."""
    there = [rows for rows in files if rows is not None]
    homes = {node.key: node.file for rows in there for node in rows.nodes}
    found: defaultdict[int, list[Site]] = defaultdict(list)
    for rows in there:
        key = rows.file.key
        for site in rows.sites:
            home = homes.get(site.source, key)
            if home != key:
                found[home].append(site)
    return found


def _postings(rows: FileRows, said: NodesOfFile, told: Sequence[Site]) -> list[Posted]:
    """Return the postings of a file's nodes, with their references in other files (`told`)."""
    prose, words, sites = said.prose, said.words, [*rows.sites, *told]
    return index_words(Graph((rows.file,), rows.nodes, (), sites, prose=prose, words=words))
