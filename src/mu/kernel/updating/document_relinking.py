"""Relink documents against the code in the graph.

Links and mentions are looked up by name among the nodes of the code, so the rows of documents are
made of those nodes and of cached facts; no code is linked. Documents whose rows are unchanged are
not replaced. If nothing but the text below the headings of some documents changed, only these are
relinked.
"""

from collections import defaultdict
from collections.abc import Container, Iterable, Mapping, Sequence, Set
from pathlib import Path
from typing import NamedTuple

import msgspec

from mu.kernel.extraction.file_extraction import document_cache
from mu.kernel.indexing.graph_digest import file_digest, node_hash
from mu.lexical import index_words
from mu.model.documents import DocumentFacts
from mu.model.graph import Edge, File, FileRows, Graph, Node, Posted, Site
from mu.model.kinds import EdgeKind, NodeKind
from mu.resolve import link_documents, link_targets, names_asked, said_by
from mu.store.graph_update import GraphUpdate
from mu.syntax.documents import FORMATS

FORMAT_NAMES = frozenset(FORMATS.values())
"""The languages of files that are documents."""

NodeHashes = Mapping[int, int]
"""The hashes of nodes in the digest, by their keys."""


class ChangedDocuments(NamedTuple):
    """The changed and new documents, their `facts` by key, and the paths of removed ones."""

    files: Sequence[File]
    facts: Mapping[int, DocumentFacts]
    removed: Set[str]


class KnownDocuments(NamedTuple):
    """The documents in the graph before an edit.

    `rows` are by path, `names` the hashes of all nodes in these, by key, and `keys` those of the
    documents' own nodes, by id. `altered` are the keys of the documents whose rows may change; None
    if all may.
    """

    rows: Mapping[str, FileRows]
    names: NodeHashes
    keys: Mapping[str, int]
    altered: Set[int] | None


class DocumentChange(NamedTuple):
    """The rows of a document before and after an edit; None where it does not exist.

    `said` are its postings, and `names` the hashes of nodes for the digest, both before and after.
    """

    before: FileRows | None
    after: FileRows | None
    said: tuple[list[Posted], list[Posted]]
    names: tuple[NodeHashes, NodeHashes]


def known_pages(graph: GraphUpdate, altered: Set[int] | None = None) -> KnownDocuments:
    """Read the rows of all documents, before any row of the code is replaced."""
    files = [file for file in graph.files() if file.language in FORMAT_NAMES and _is_page(file)]
    rows = {one.file.path: one for one in graph.rows_of(files)}
    nodes = {node.id: node.key for one in rows.values() for node in one.nodes}
    used = {key for one in rows.values() for key in _keys(one)}
    names = {key: node_hash(text) for key, text in graph.node_ids(used).items()}
    return KnownDocuments(rows, names, nodes, altered)


def relink_documents(
    graph: GraphUpdate,
    pages: ChangedDocuments,
    *,
    known: KnownDocuments,
    facts: Path,
    has_other_code: bool,
) -> list[DocumentChange] | None:
    """Relink documents, and return those whose rows differ from the `known` ones.

    The rows of the code have been replaced already; `has_other_code` says whether any were. If no
    document changed, only the `altered` ones among the known are relinked. None if the facts of a
    document are not cached, or if one cannot be linked.
    """
    files = _files(graph, known, pages)
    kept = KeptDocuments(facts)
    documents = _documents(files, known, pages, kept)
    if documents is None:
        return None
    linked: Container[int] = documents
    if not has_other_code and _lead_to_the_same(pages, known, kept):
        linked = {_place(files, page.path) for page in pages.files}
    elif known.altered is not None:
        linked = {place for place, file in enumerate(files) if file.key in known.altered}
    asked = (page for place, page in documents.items() if place in linked)
    code, keys = _code(graph, files, names={name for page in asked for name in names_asked(page)})
    found = link_documents(code, documents, linked=linked)
    if found.failures:
        return None
    made = _rows(files, keys, found=found, known=known, first=graph.next_key())
    after_of = {files[place].path: rows for place, rows in made.items() if place in linked}
    ids = {key: node_hash(node.id) for key, node in zip(keys, code.nodes, strict=True)}
    names = ids | {node.key: node_hash(node.id) for one in made.values() for node in one.nodes}
    changes = []
    for path in sorted({*after_of, *(known.rows if linked is documents else ())}):
        before, after = known.rows.get(path), after_of.get(path)
        both = (before, known.names), (after, names)
        old, new = (None if rows is None else file_digest(rows, told) for rows, told in both)
        if old == new:
            continue
        was = None if before is None else kept.find(before.file)
        if before is not None and was is None:
            return None
        now = None if after is None else documents[_place(files, path)]
        said = _postings(before, was), _postings(after, now)
        changes.append(DocumentChange(before, after, said, (known.names, names)))
    return changes


def _lead_to_the_same(
    pages: ChangedDocuments, known: KnownDocuments, kept: "KeptDocuments"
) -> bool:
    """Return whether the changed documents have the same link targets as before."""
    if pages.removed:
        return False
    for page in pages.files:
        rows = known.rows.get(page.path)
        before = rows and kept.find(rows.file)
        if not before or link_targets(before) != link_targets(pages.facts[page.key]):
            return False
    return True


def _is_page(file: File) -> bool:
    return file.status == "indexed"


def _files(graph: GraphUpdate, known: KnownDocuments, pages: ChangedDocuments) -> list[File]:
    """Return the files as they are now, in the order of paths, with the keys of the graph."""
    there = graph.files()
    rows = {file.path: file for file in there if file.path not in pages.removed}
    last = max(file.key for file in there)
    new = sorted(file.path for file in pages.files if file.path not in known.rows)
    keys = {path: last + count for count, path in enumerate(new, 1)}
    keys |= {path: one.file.key for path, one in known.rows.items()}
    rows |= {file.path: file._replace(key=keys[file.path]) for file in pages.files}
    return [file for _, file in sorted(rows.items())]


def _documents(
    files: Sequence[File], known: KnownDocuments, pages: ChangedDocuments, kept: "KeptDocuments"
) -> dict[int, DocumentFacts] | None:
    """Return the facts of all documents, by index among the files; None if any are not cached."""
    changed = {file.path: pages.facts[file.key] for file in pages.files}
    found: dict[int, DocumentFacts] = {}
    for place, file in enumerate(files):
        if file.path in changed:
            found[place] = changed[file.path]
        elif file.path in known.rows:
            page = kept.find(file)
            if page is None:
                return None
            found[place] = page
    return found


class KeptDocuments:
    """The cached facts of documents, from an earlier build, in a folder."""

    def __init__(self, folder: Path) -> None:
        self._caches = {name: document_cache(name, folder) for name in FORMAT_NAMES}
        self._decode = msgspec.msgpack.Decoder(DocumentFacts).decode

    def find(self, file: File) -> DocumentFacts | None:
        """Return the facts of a document; None if they are not cached."""
        data = self._caches[file.language].find(file.digest)
        return None if data is None else self._decode(data)


def _code(graph: GraphUpdate, files: Sequence[File], *, names: Set[str]) -> tuple[Graph, list[int]]:
    """Return the code that documents with some names are linked against, and the keys of its nodes.

    In that graph, nodes and files have their indexes for keys.
    """
    places = {file.key: place for place, file in enumerate(files)}
    rows = graph.named(names, without=FORMAT_NAMES)
    keys = [row.key for row in rows]
    numbers = {key: number for number, key in enumerate(keys)}
    nodes = [
        row._replace(key=number, file=places.get(row.file, -1), parent=numbers.get(row.parent, -1))
        for number, row in enumerate(rows)
    ]
    named = {row.key for row in rows if {row.name, row.qualified_name.rpartition(".")[2]} & names}
    sources = [row.key for row in rows if row.kind != NodeKind.MODULE or row.key in named]
    edges = sorted(
        edge._replace(source=numbers[edge.source], target=numbers[edge.target])
        for edge in (
            *graph.edges_between(keys, keys, kind=EdgeKind.INHERITS),
            *graph.edges_between(sources, named, kind=EdgeKind.IMPORTS),
        )
    )
    numbered = [file._replace(key=place) for place, file in enumerate(files)]
    return Graph(numbered, nodes, edges, ()), keys


def _rows(
    files: Sequence[File],
    keys: list[int],
    *,
    found: Graph,
    known: KnownDocuments,
    first: int,
) -> dict[int, FileRows]:
    """Return the rows of all documents, by index among the files, with the keys of the graph.

    New nodes get the keys from `first` on.
    """
    every = [*keys]
    for node in found.nodes:
        key = known.keys.get(node.id)
        if key is None:
            key, first = first, first + 1
        every.append(key)
    nodes: defaultdict[int, list[Node]] = defaultdict(list)
    homes = {node.key: node.file for node in found.nodes}
    for node in found.nodes:
        parent = every[node.parent] if node.parent >= 0 else -1
        nodes[node.file].append(
            node._replace(key=every[node.key], file=files[node.file].key, parent=parent)
        )
    edges: defaultdict[int, list[Edge]] = defaultdict(list)
    for edge in found.edges:
        row = edge._replace(source=every[edge.source], target=every[edge.target])
        edges[homes[edge.source]].append(row)
    sites: defaultdict[int, list[Site]] = defaultdict(list)
    for site in found.sites:
        target = every[site.target] if site.target >= 0 else -1
        sites[site.file].append(
            site._replace(source=every[site.source], file=files[site.file].key, target=target)
        )
    return {
        place: FileRows(files[place], nodes[place], sorted(edges[place]), sites[place])
        for place in nodes
    }


def _place(files: Sequence[File], path: str) -> int:
    return next(place for place, file in enumerate(files) if file.path == path)


def _keys(rows: FileRows) -> Iterable[int]:
    """Yield the keys of all nodes that the rows of a document name."""
    for node in rows.nodes:
        yield node.key
        yield node.parent
    for edge in rows.edges:
        yield edge.target
    for site in rows.sites:
        yield site.target


def _postings(rows: FileRows | None, page: DocumentFacts | None) -> list[Posted]:
    """Return the postings of a document."""
    if rows is None or page is None:
        return []
    prose, words = said_by(page, [node.key for node in rows.nodes])
    return index_words(Graph((rows.file,), rows.nodes, (), rows.sites, prose=prose, words=words))
