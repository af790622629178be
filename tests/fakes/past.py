"""A history in which every revision is one graph, for queries that are compiled or run on it."""

from dataclasses import dataclass

from mu.analysis.node_search.node_resolution import resolve_node
from mu.muql.repository_history import Beyond, State, Told
from mu.store import GraphFile


@dataclass
class Unchanging:
    """The past of a graph that was always the same; each line of a file is `text`."""

    graph: GraphFile
    timeout: float = 30.0

    def at(self, revision: str) -> State:
        """Give the graph under the name of the revision."""
        return State(revision, self.graph, lambda paths: [["text"] * 100] * len(paths))

    def diff(self, before: str, after: str) -> Told:
        """Say that nothing changed."""
        return Told((), (f"from {before} to {after}",))

    def history(self, node: str, most: int) -> Told:
        """Say that no commit changed a node that is there."""
        resolve_node(self.graph, node)
        return Told(()[:most])

    def blame(self, node: str) -> Told:
        """Say that no line of a node that is there came with any commit."""
        resolve_node(self.graph, node)
        return Told(())


def everything(graph: GraphFile) -> Beyond:
    """Give lines for every file, and a history in which nothing changes."""
    past = Unchanging(graph)
    return Beyond(past.at("HEAD").read_source, past)
