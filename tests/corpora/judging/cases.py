"""What a corpus page says: cases, their files, and what must be true of the graph of these."""

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Attributes:
    """What stands in parentheses behind an expectation: words, and `key: value` pairs."""

    words: tuple[str, ...] = ()
    pairs: tuple[tuple[str, str], ...] = ()

    def get(self, key: str) -> str | None:
        return dict(self.pairs).get(key)


@dataclass(frozen=True, slots=True)
class SpanLine:
    """What a span of a source line must mean; no targets means that it must resolve to nothing."""

    path: str
    line: int
    text: str
    verb: str
    targets: tuple[str, ...]
    attributes: Attributes
    gap: str
    place: str


@dataclass(frozen=True, slots=True)
class EdgeLine:
    kind: str
    source: str
    target: str
    attributes: Attributes
    gap: str
    place: str


@dataclass(frozen=True, slots=True)
class NodeLine:
    id: str
    attributes: Attributes
    gap: str
    place: str


@dataclass(frozen=True, slots=True)
class Exactly:
    """All internal edges of these kinds (or, for the kind `nodes`, all internal nodes).

    `paths` narrows it to what stands in these files; empty means every file of the case.
    """

    kinds: tuple[str, ...]
    paths: tuple[str, ...]
    edges: tuple[EdgeLine, ...]
    nodes: tuple[NodeLine, ...]
    place: str


@dataclass(frozen=True, slots=True)
class EntryLine:
    """One way in, as `ROLE ID [METHODS] [LABEL]`."""

    text: str
    gap: str
    place: str


@dataclass(frozen=True, slots=True)
class Entries:
    """All the ways in that have one of these roles."""

    roles: tuple[str, ...]
    lines: tuple[EntryLine, ...]
    place: str


@dataclass(slots=True)
class Case:
    """One heading of a page: a small repository and what must be true of its graph."""

    language: str
    feature: str
    name: str
    place: str
    files: dict[str, str] = field(default_factory=dict)
    roots: tuple[str, ...] = ()
    spans: list[SpanLine] = field(default_factory=list)
    edges: list[EdgeLine] = field(default_factory=list)
    absent_edges: list[EdgeLine] = field(default_factory=list)
    exactly: list[Exactly] = field(default_factory=list)
    nodes: list[NodeLine] = field(default_factory=list)
    absent_nodes: list[NodeLine] = field(default_factory=list)
    entries: list[Entries] = field(default_factory=list)

    @property
    def is_judged(self) -> bool:
        """Whether the case expects anything at all."""
        lists = (self.spans, self.edges, self.absent_edges, self.exactly, self.nodes)
        return any(lists) or bool(self.absent_nodes or self.entries)
