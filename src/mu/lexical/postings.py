"""The inverted index: for each word the nodes that have it, and its weight in each.

Texts of definitions were weighed with the facts of their files (`file_words`); all other nodes,
whole files and the names used in bodies are weighed here. A build of django makes 860,000 postings.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from mu.lexical.file_words import signature_text
from mu.lexical.weighing import Field, Weighed, Weigher
from mu.model.graph import Graph, Node, NodeProse, NodeWords, Posted
from mu.model.kinds import NodeKind
from mu.model.packed_rows import PackedSites
from mu.model.words import FileWords

_FILES = (NodeKind.MODULE, NodeKind.DOCUMENT)


def index_words(graph: Graph) -> list[Posted]:
    """Index the nodes of `graph` that are in the repository: one row per word, in order of words.

    Of tests, only the names and docstrings of modules, classes and functions are indexed: there
    are many tests, and the code that they test is a better match for their other words.
    """
    weigher = Weigher()
    postings: defaultdict[int, list[int]] = defaultdict(list)  # flat: key, weight, fields, key, ...
    weighed = _Weighed(graph.words, weigher)
    prose = {row.node: row for row in graph.prose}
    paths = {file.key: file.path for file in graph.files}
    used = _used_names(graph)
    external, variable = NodeKind.EXTERNAL, NodeKind.VARIABLE
    for node in graph.nodes:
        key, kind, is_test = node.key, node.kind, node.is_test
        if kind == external or (is_test and kind == variable):
            continue
        row = prose.get(key)
        words = weighed.of(key, is_test=is_test) if row is None else None
        if words is None:
            texts = [*_texts(node, row, paths)]
            if texts:
                words = weigher.node(node.name, texts, is_joined=not is_test)
            else:
                words = weigher.name(node.name, is_joined=not is_test)
        for number, weight, fields in zip(*words, strict=True):
            postings[number] += (key, weight, fields)
        if not is_test and key in used:
            body = weigher.body(used[key], said={*words[0]})
            for number, weight, fields in zip(*body, strict=True):
                postings[number] += (key, weight, fields)
    return _rows(weigher.words, postings)


def _texts(
    node: Node, row: NodeProse | None, paths: Mapping[int, str]
) -> Iterator[tuple[Field, str]]:
    """Yield the texts of a node that was not weighed with the facts of its file."""
    if node.kind in _FILES:
        yield Field.PATH, paths.get(node.file, node.qualified_name).rpartition("/")[0]
    if node.docstring:
        yield Field.DOCSTRING, node.docstring
    if not node.is_test:
        if node.parameters or node.returns:
            yield Field.SIGNATURE, signature_text(node.parameters, node.returns)
        if row is not None:
            yield Field.COMMENT, row.comments
            yield Field.STRING, row.strings


def _used_names(graph: Graph) -> dict[int, set[str]]:
    """Return the distinct names that the code of each node refers to."""
    used: defaultdict[int, set[str]] = defaultdict(set)
    sites = PackedSites.of(graph.sites)
    for source, name in zip(sites.sources, sites.names, strict=True):
        used[source].add(name)
    return used


def _rows(words: Mapping[str, int], postings: Mapping[int, list[int]]) -> list[Posted]:
    """Return the postings by word; slices split them into columns without creating integers."""
    return [
        Posted(word, found[::3], found[1::3], found[2::3])
        for word, number in sorted(words.items())
        if (found := postings.get(number))
    ]


class _Weighed:
    """The words that were weighed with the facts of files, by node."""

    def __init__(self, files: Sequence[NodeWords], weigher: Weigher) -> None:
        self._places: dict[int, tuple[FileWords, Sequence[int], int, int, int]] = {}
        known = weigher.words
        for nodes, words in files:
            numbers = [known.setdefault(word, len(known)) for word in words.words()]
            places = [*map(numbers.__getitem__, words.all_places())]
            for definition, start, middle, end in words.all_spans():
                self._places[nodes[definition]] = words, places, start, middle, end

    def of(self, node: int, *, is_test: bool) -> Weighed | None:
        """Return the weighed name and texts of a node; None if they were not weighed."""
        found = self._places.get(node)
        if found is None:
            return None
        words, places, start, middle, end = found
        if is_test:
            start, middle = middle, end
        if start == middle:
            return None
        return places[start:middle], words.weights[start:middle], words.fields[start:middle]
