"""A graph as the expectations of a page speak of it: by id, by path, by line."""

from mu.model.graph import Edge, Graph, Node, Site

from .cases import EdgeLine, SpanLine

_SITE_KINDS = {
    "calls": ("call",),
    "imports": ("import",),
    "inherits": ("base",),
    "uses": ("annotation", "decorator", "value"),
}

EdgeKey = tuple[str, str, str, str]  # kind, source id, target id, role


class View:
    """The graph by id, as the expectations speak of it."""

    def __init__(self, graph: Graph) -> None:
        self.nodes = {node.id: node for node in graph.nodes}
        self.by_key = {node.key: node for node in graph.nodes}
        self.paths = {file.key: file.path for file in graph.files}
        self.edges: dict[EdgeKey, Edge] = {}
        for edge in graph.edges:
            source, target = self.by_key[edge.source].id, self.by_key[edge.target].id
            self.edges[(str(edge.kind), source, target, edge.role)] = edge
        self.sites = graph.sites
        self._entries = graph.entries

    def path(self, node: Node) -> str:
        return self.paths.get(node.file, "")

    def entries(self, roles: tuple[str, ...]) -> set[str]:
        """The ways in of these roles, as a page writes them."""
        found = (entry for entry in self._entries if entry.role in roles)
        return {
            " ".join(filter(None, (e.role, self.by_key[e.node].id, e.method, e.label)))
            for e in found
        }

    def matching(self, line: EdgeLine) -> list[EdgeKey]:
        """The edges of the line's kind between its two ends, whatever their role."""
        return [key for key in self.edges if key[:3] == (line.kind, line.source, line.target)]

    def is_internal(self, identity: str) -> bool:
        return not identity.startswith("ext:")

    def at(self, span: SpanLine) -> list[Site]:
        """The rows of the ledger that a span points at: its line, its verb's kinds, its text."""
        kinds = _SITE_KINDS.get(span.verb, ())
        return [
            site
            for site in self.sites
            if self.paths.get(site.file) == span.path
            and site.line == span.line
            and site.kind in kinds
            and span.text in (site.name, site.text)
        ]
