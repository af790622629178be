"""Nodes of documents and their sections, and the targets of links among them."""

import posixpath
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from urllib.parse import unquote

from mu.model.documents import (
    LONGEST_EXCERPT,
    DocumentFacts,
    PointerKind,
    Section,
    text_digest,
)
from mu.model.graph import Edge, File, Graph, Node, NodeProse, NodeWords
from mu.model.kinds import Category, EdgeKind, NodeKind, Reason, Rule
from mu.resolve.documents.symbol_index import Outcome, only

_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+:|//")
_NOT_A_WORD = re.compile(r"[^\w\- ]", re.UNICODE)
_OF_SPHINX = frozenset(("genindex", "modindex", "py-modindex", "search"))
_PAGE_ENDS = (".md", ".markdown", ".mdx", ".rst", ".txt", ".adoc", ".asciidoc")
_INDEXES = ("README.md", "index.md", "readme.md", "index.rst", "README.rst", "index.txt")
_BY_NAME = {
    "readme": "readme", "changelog": "changelog", "changes": "changelog", "history": "changelog",
    "news": "changelog", "agents": "agent", "claude": "agent", "gemini": "agent",
    "copilot-instructions": "agent", "contributing": "guide", "license": "license",
}  # fmt: skip
_BY_FOLDER = {
    "adr": "adr", "adrs": "adr", "decisions": "adr", "decision": "adr", "concept": "concept",
    "concepts": "concept", "component": "component", "components": "component", "guide": "guide",
    "guides": "guide", "howto": "guide", "tutorial": "guide", "tutorials": "guide",
    "meta": "meta", "releases": "changelog", "reference": "reference", "ref": "reference",
}  # fmt: skip


class DocumentNodes:
    """The nodes of all documents and sections, and the targets of links among them."""

    def __init__(self, graph: Graph, documents: Mapping[int, DocumentFacts]) -> None:
        self.nodes: list[Node] = []
        self.contained: list[Edge] = []
        self.prose: list[NodeProse] = []
        self.words: list[NodeWords] = []
        self._next = len(graph.nodes)
        self._places: dict[int, list[int]] = {}  # by file: nodes of the document, its sections
        self._anchors: dict[tuple[int, str], int] = {}
        self._labels: dict[str, list[int]] = defaultdict(list)
        self._files = {file.path: file for file in graph.files if file.status == "indexed"}
        self._indexes = _index_pages(self._files)
        self._paths = {file.key: file.path for file in graph.files}
        modules = [n for n in graph.nodes if n.kind == NodeKind.MODULE and n.file >= 0]
        self._modules = {node.file: node.key for node in modules}
        self._tails: dict[str, list[int]] = defaultdict(list)
        for path, file in self._files.items():
            self._tails[path.rpartition("/")[2]].append(file.key)
        ends = {posixpath.splitext(file.path)[1] for file in graph.files}
        self.ends = tuple(end for end in sorted(ends) if end)
        for key, page in documents.items():
            self._add(graph.files[key], page)

    def place(self, file: int, section: int) -> int:
        """Return the node of a section of a document, or of the document for -1."""
        return self._places[file][section + 1]

    def linked(self, kind: PointerKind, text: str, *, path: str) -> Outcome | None:
        """Return the outcome of a link in document `path`; None if it is not one to resolve."""
        if kind == PointerKind.LABEL:
            if text in _OF_SPHINX:
                return None
            found = self._labels.get(text, [])
            return only(found, Rule.SYNTAX) if found or ":" not in text else None
        if _SCHEME.match(text):
            return None
        target, anchor = link_parts(text.removeprefix("@site"))
        if kind == PointerKind.PAGE:
            ends = [f"{target.rstrip('/')}{end}" for end in _PAGE_ENDS]
            here = [self._at(end, path, is_page=True) for end in ends]
            found_page = next((file for file in here if file is not None), None)
            return self._target(found_page, "")
        if not target:
            return self._anchored(path, anchor)
        file = self._at(target, path, is_page=target.endswith(_PAGE_ENDS))
        if file is None and not target.endswith(self.ends):
            return None  # an image, a folder without an index, a page of a website
        return self._target(file, anchor)

    def _anchored(self, path: str, anchor: str) -> Outcome:
        """Find an anchor of a document, else, as in MyST, a label of any document."""
        here = self._target(self._files[path], anchor)
        elsewhere = self._labels.get(anchor, [])
        return only(elsewhere, Rule.SYNTAX) if here[0] < 0 and elsewhere else here

    def file(self, text: str, path: str) -> Outcome | None:
        """Return the outcome of a path written as code; None if no file has it."""
        text = text.removeprefix("./")
        found = self._at(text, path)
        if found is not None:
            return self._target(found, "")
        name = text.rpartition("/")[2]
        ending = [key for key in self._tails.get(name, ()) if self._ends(key, text)]
        if ending:
            targets = [self._node(key) for key in ending]
            return only([target for target in targets if target >= 0], Rule.UNIQUE_NAME)
        return None

    def _ends(self, key: int, text: str) -> bool:
        return f"/{self._paths[key]}".endswith(f"/{text}")

    def _at(self, target: str, path: str, *, is_page: bool = False) -> File | None:
        """Find the file that a path refers to, from the document's folder or from the root."""
        folder = posixpath.dirname(path)
        tried = paths_meant(target, path)
        if is_page and target.startswith("/"):  # from the root of the documents, any folder above
            above = folder
            while above:
                tried.append(posixpath.join(above, target.lstrip("/")))
                above = posixpath.dirname(above)
        for normal in map(posixpath.normpath, tried):
            file = self._files.get(normal) or self._indexes.get(normal)
            if file is not None:
                return file
        return None

    def _target(self, file: File | None, anchor: str) -> Outcome:
        if file is None:
            return -1, None, Reason.UNKNOWN, 0
        node = self._anchors.get((file.key, anchor.lower()), -1) if anchor else -1
        is_page = file.key in self._places
        if anchor and is_page and node < 0:
            return -1, None, Reason.UNKNOWN, 0
        node = node if node >= 0 else self._node(file.key)
        return (node, Rule.SYNTAX, None, 1) if node >= 0 else (-1, None, Reason.UNKNOWN, 0)

    def _node(self, file: int) -> int:
        return self._places[file][0] if file in self._places else self._modules.get(file, -1)

    def _add(self, file: File, page: DocumentFacts) -> None:
        name = posixpath.splitext(file.path.rpartition("/")[2])[0]
        end, digest = max(page.lines, 1), text_digest(page.text)
        whole = Section(page.title or name, 0, -1, 1, end, (), page.text, digest)
        category = page.category or page_category(file.path)
        top = self._append(file, whole, node_id=f"doc:{file.path}", parent=-1, subkind=category)
        places = self._places[file.key] = [top]
        taken: dict[str, int] = {}
        for section in page.sections:
            anchor = _anchor(section.title, taken)
            node_id = f"sec:{file.path}#{anchor}"
            parent = places[section.parent + 1]
            key = self._append(file, section, node_id=node_id, parent=parent, subkind="")
            places.append(key)
            self._anchors.setdefault((file.key, anchor), key)
            for label in section.labels:
                self._labels[label].append(key)
                self._anchors.setdefault((file.key, label.lower()), key)
        prose, words = said_by(page, places)
        self.prose += prose
        self.words += words

    def _append(
        self, file: File, section: Section, *, node_id: str, parent: int, subkind: str
    ) -> int:
        key = self._next
        self._next += 1
        is_page = parent < 0
        self.nodes.append(
            Node(
                key=key,
                id=node_id,
                kind=NodeKind.DOCUMENT if is_page else NodeKind.SECTION,
                subkind=subkind,
                name=section.title,
                qualified_name=node_id.partition(":")[2],
                module="",
                language=file.language,
                file=file.key,
                parent=parent,
                start_line=section.start_line,
                end_line=section.end_line,
                signature="",
                docstring=section.text[:LONGEST_EXCERPT],
                visibility="public",
                is_async=False,
                is_static=False,
                is_abstract=False,
                is_test=file.category == Category.TEST,
                is_generated=file.category == Category.GENERATED,
                decorators=[],
                parameters=[],
                returns="",
                complexity=0,
                lines=section.end_line - section.start_line + 1,
                digest=section.digest,
            )
        )
        if not is_page:
            line = section.start_line
            self.contained.append(Edge(parent, key, EdgeKind.CONTAINS, "", line, Rule.SYNTAX, 1))
        return key


def said_by(page: DocumentFacts, nodes: Sequence[int]) -> tuple[list[NodeProse], list[NodeWords]]:
    """Return the prose and words of a document and its sections, by their `nodes` in order."""
    texts = [page.text, *(section.text for section in page.sections)]
    prose = [
        NodeProse(node, text[LONGEST_EXCERPT:], "")
        for node, text in zip(nodes, texts, strict=True)
        if len(text) > LONGEST_EXCERPT
    ]
    words = [] if page.words is None else [NodeWords([*nodes[1:]], page.words)]
    return prose, words


def link_targets(page: DocumentFacts) -> list[tuple[str, tuple[str, ...]]]:
    """Return what links may refer to in a document: the headings, and their labels."""
    return [(section.title, section.labels) for section in page.sections]


def _index_pages(files: Mapping[str, File]) -> dict[str, File]:
    """Return the index document of each folder that has one; `.` is the root."""
    found: dict[str, tuple[int, File]] = {}
    for path, file in files.items():
        folder, _, name = path.rpartition("/")
        if name in _INDEXES:
            here = _INDEXES.index(name), file
            found[folder or "."] = min(found.get(folder or ".", here), here)
    return {folder: file for folder, (_, file) in found.items()}


def link_parts(text: str) -> tuple[str, str]:
    """Return the path and the anchor of a link, both empty for one with a scheme."""
    if _SCHEME.match(text):
        return "", ""
    target, _, anchor = text.partition("#")
    return unquote(target.partition("?")[0]), anchor


def paths_meant(target: str, page: str) -> list[str]:
    """Return what a path in a document may refer to: from its folder, then from the root."""
    here = [] if target.startswith("/") else [posixpath.join(posixpath.dirname(page), target)]
    return [posixpath.normpath(path) for path in (*here, target.lstrip("/"))]


def page_anchors(titles: Iterable[str]) -> Iterator[str]:
    """Return the anchors of a document's headings, in order."""
    taken: dict[str, int] = {}
    return (_anchor(title, taken) for title in titles)


def _anchor(title: str, taken: dict[str, int]) -> str:
    """Return GitHub's anchor of a heading: its words with hyphens, numbered if repeated."""
    plain = _NOT_A_WORD.sub("", title.lower()).strip().replace(" ", "-") or "section"
    count = taken[plain] = taken.get(plain, -1) + 1
    return f"{plain}-{count}" if count else plain


def page_category(path: str) -> str:
    """Return the category of a document by its name, else by the nearest folder that has one."""
    *folders, name = path.lower().split("/")
    stem = name.partition(".")[0]
    if stem in _BY_NAME:
        return _BY_NAME[stem]
    return next((_BY_FOLDER[f] for f in reversed(folders) if f in _BY_FOLDER), "other")
