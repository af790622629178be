"""Link and mention edges of documents, and ledger rows of their broken references.

They are resolved against the finished graph of the code. A link refers to a document, a heading or
a file of the repository that a build reads; images are not read, so a link to one is not broken. A
mention names code: the name is looked up as written, then in the scope that the document is about,
then as the unique end of a qualified name. Code spans that need not be names (`true`, `name`) are
mentions only if there is one such definition; a span that is clearly a name and resolves to nothing
is a ledger row.
"""

import re
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import replace

from mu.model.documents import DocumentFacts, Pointer, PointerKind
from mu.model.graph import Edge, File, Graph, Site
from mu.model.kinds import EdgeKind, SiteKind
from mu.model.packed_rows import PackedEdges, PackedSites
from mu.resolve.documents.document_nodes import DocumentNodes
from mu.resolve.documents.symbol_index import CLEAR, Outcome, SymbolIndex
from mu.resolve.program.fault_isolation import Fence, with_failures

_DOTTED = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*")
_CALL = re.compile(r"\((?:[^()]*)\)$")
_WORD = re.compile(r"\w+")


def add_documents(graph: Graph, documents: Mapping[int, DocumentFacts]) -> Graph:
    """Return `graph` with the nodes, edges and sites of `documents`, by the keys of their files.

    They are appended: nodes by document and place. An error of MU in one document costs the
    references of that one. Costs some 20 us a pointer.
    """
    if not documents:
        return graph
    made = link_documents(graph, documents)
    return replace(
        graph,
        files=with_failures(graph.files, made.failures),
        failures={**graph.failures, **made.failures},
        nodes=[*graph.nodes, *made.nodes],
        edges=PackedEdges.of(graph.edges).joined(made.edges),
        sites=PackedSites.of(graph.sites).joined(made.sites),
        prose=[*graph.prose, *made.prose],
        words=[*graph.words, *made.words],
    )


def link_documents(
    graph: Graph, documents: Mapping[int, DocumentFacts], *, linked: Container[int] | None = None
) -> Graph:
    """Return what `documents` add to `graph`, without files; keys follow those of the graph.

    Of `graph` it reads files and nodes, by their keys, and edges for inheritance and imports. Of
    the nodes it needs modules, and those with a name of `names_asked`. Pointers are resolved for
    all documents, or for those `linked` alone, by the keys of their files.
    """
    pages = DocumentNodes(graph, documents)
    names, fence = SymbolIndex(graph), Fence()
    sites: list[Site] = []
    for file, page in documents.items():
        if linked is not None and file not in linked:
            continue
        sites += fence.run(
            graph.files[file], _sites, page, graph.files[file], pages, names, otherwise=()
        )
    edges = [*pages.contained, *_edges(sites, first_page=len(graph.nodes))]
    edges.sort(key=lambda edge: (edge.source, edge.target, edge.kind))
    return Graph(
        (),
        pages.nodes,
        edges,
        sites,
        prose=pages.prose,
        words=pages.words,
        failures=fence.failures,
    )


def names_asked(page: DocumentFacts) -> set[str]:
    """Return the names, without dots, by which the pointers of a document look up definitions."""
    texts = {text for pointer in page.pointers for text in (pointer.text, pointer.scope)}
    return {name for text in texts for name in (*_WORD.findall(text), *text.split("."))}


def _sites(
    page: DocumentFacts, file: File, pages: DocumentNodes, names: SymbolIndex
) -> Sequence[Site]:
    """Return the ledger rows of the pointers of a document."""
    sites = []
    for pointer in page.pointers:
        source = pages.place(file.key, pointer.section)
        found = _resolve(pointer, pages, names, file.path)
        if found is None:
            continue
        kind, name, (target, rule, reason, candidates) = found
        if target != source:
            place = kind, source, file.key, pointer.line, pointer.text, name
            sites.append(Site(*place, target, 0, rule, reason, candidates))
    return sites


def _edges(sites: Sequence[Site], *, first_page: int) -> Iterable[Edge]:
    """Return one edge for all references between two nodes.

    Nodes from `first_page` on are documents.
    """
    found: dict[tuple[int, int], Edge] = {}
    for site in sites:
        if site.rule is not None:
            kind = EdgeKind.LINKS if site.target >= first_page else EdgeKind.MENTIONS
            pair = site.source, site.target
            edge = found.get(pair) or Edge(*pair, kind, "", site.line, site.rule, 0)
            found[pair] = edge._replace(sites=edge.sites + 1)
    return found.values()


def _resolve(
    pointer: Pointer, pages: DocumentNodes, names: SymbolIndex, path: str
) -> tuple[SiteKind, str, Outcome] | None:
    """Return (kind, name, outcome) of a pointer; None if it cannot refer to anything here."""
    kind, text = pointer.kind, pointer.text
    if kind in (PointerKind.LINK, PointerKind.PAGE, PointerKind.LABEL):
        found = pages.linked(kind, text, path=path)
        return found and (SiteKind.LINK, text.rpartition("/")[2], found)
    if kind == PointerKind.CODE:
        if "/" in text or text.endswith(pages.ends):
            found = pages.file(text, path)
            return found and (SiteKind.MENTION, text.rpartition("/")[2], found)
        text = _CALL.sub("", text)
    if not _DOTTED.fullmatch(text):
        return None
    is_clear = kind != PointerKind.CODE or bool(CLEAR.search(text)) or text != pointer.text
    outcome = names.find(text, pointer.scope, is_import=kind == PointerKind.IMPORT)
    if outcome[1] is None and (not is_clear or kind == PointerKind.IMPORT):
        return None
    return SiteKind.MENTION, text.rpartition(".")[2], outcome
