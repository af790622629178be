import gc
from pathlib import Path

from tests.corpora.judging.pipeline import index_folder, write_files

from mu.model.graph import Graph
from mu.model.kinds import EdgeKind, Reason, SiteKind

VISITOR = """
class Visitor:
    def visit(self, node):
        visit = getattr(self, f"visit_{node.kind}", self.generic)
        return visit(node)

    def handle(self, node):
        return getattr(self, "visit_" + node.kind)(node)

    def visit_name(self, node): ...
    def generic(self, node): ...


class Printer(Visitor):
    def visit_call(self, node): ...


class Other:
    def visit_other(self, node): ...
"""


def index(folder: Path, text: str) -> Graph:
    write_files({"visit.py": text}, folder)
    return index_folder(folder)


def open_names(graph: Graph, line: int) -> list[tuple[str, Reason | None]]:
    """The names of the unresolved calls on a line, with the reason of each."""
    return [
        (site.name, site.reason)
        for site in graph.sites
        if site.line == line and site.kind == SiteKind.CALL and site.target < 0
    ]


def test_member_by_a_name_put_together_is_open_for_each_method_that_begins_so(
    tmp_path: Path,
) -> None:
    graph = index(tmp_path, VISITOR)

    expected = [("visit_call", Reason.DYNAMIC), ("visit_name", Reason.DYNAMIC)]
    assert open_names(graph, 5) == expected
    assert open_names(graph, 8) == expected


def test_member_by_a_name_put_together_is_an_edge_to_the_default_alone(tmp_path: Path) -> None:
    graph = index(tmp_path, VISITOR)

    ids = {node.key: node.id for node in graph.nodes}
    targets = {
        ids[edge.target]
        for edge in graph.edges
        if edge.kind == EdgeKind.CALLS and not ids[edge.target].startswith("ext:")
    }
    assert targets == {"fn:visit.py:Visitor.generic"}


CYCLE = """
class Found:
    def told(self): ...


def first(n):
    return second(n) or Found()


def second(n):
    return first(n - 1)


second(2).told()
"""


def test_linking_leaves_nothing_for_the_collector(tmp_path: Path) -> None:
    shapes = (
        "from typing import Protocol\nclass Visits(Protocol):\n    def visit(self, node): ...\n"
    )
    write_files({"shapes.py": shapes, "cycle.py": CYCLE}, tmp_path)
    index(tmp_path, VISITOR)  # what is kept of a language is made by the first graph
    gc.collect()
    gc.disable()  # as it is while a build runs
    try:
        graph = index(tmp_path, VISITOR)
        assert gc.collect() == 0
    finally:
        gc.enable()
    assert graph.edges


def test_call_of_what_an_operator_gives_is_a_row(tmp_path: Path) -> None:
    graph = index(tmp_path, "def made(kind, n):\n    return (kind * n)()\n")

    assert open_names(graph, 2) == [("*", Reason.UNKNOWN)]


CLOCK = """
class Clock:
    def now(self): ...


class App:
    def time(self):
        return self.clock.now()


app = App()
app.clock = Clock()
"""


def test_attributes_that_another_language_sets_are_others(tmp_path: Path) -> None:
    script = "".join(f"const part{n} = {{}};\npart{n}.clock = {n};\n" for n in range(100))
    write_files({"app.py": CLOCK, "parts.js": script}, tmp_path)

    graph = index_folder(tmp_path)

    ids = {node.key: node.id for node in graph.nodes}
    calls = {
        (ids[row.source], ids[row.target]) for row in graph.edges if row.kind == EdgeKind.CALLS
    }
    assert ("fn:app.py:App.time", "fn:app.py:Clock.now") in calls
