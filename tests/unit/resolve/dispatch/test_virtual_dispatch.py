"""How many methods further down a call is linked to."""

from pathlib import Path

import pytest
from judging.pipeline import index_folder, write_files

from mu.model.graph import Graph
from mu.model.kinds import EdgeKind

MOST = 64
"""As the guide to what may be trusted says."""

BASE = """\
class Base:
    def run(self): pass
    @property
    def size(self): return 0
    def __len__(self): return 0

def call(it: Base): it.run()
def read(it: Base): it.size
def measure(it: Base): len(it)
"""
BELOW = """
class Below{0}(Base):
    def run(self): pass
    @property
    def size(self): return {0}
    def __len__(self): return {0}

Below{0}()
"""


@pytest.fixture(scope="module", params=[MOST, MOST + 1])
def found(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Graph:
    """The graph of a class with so many below it, which have all it has anew."""
    folder = tmp_path_factory.mktemp("below")
    write_files({"app.py": BASE + "".join(map(BELOW.format, range(request.param)))}, folder)
    return index_folder(folder)


@pytest.mark.parametrize("caller", ["call", "read", "measure"])
def test_up_to_64_methods_further_down_are_linked_and_none_of_more(
    found: Graph, caller: str
) -> None:
    ids = {node.key: node.id for node in found.nodes}
    below = sum(one.startswith("cls:app.py:Below") for one in ids.values())

    run = [
        ids[edge.target]
        for edge in found.edges
        if ids[edge.source] == f"fn:app.py:{caller}" and edge.kind == EdgeKind.CALLS
    ]
    linked = [one for one in run if one.startswith("fn:app.py:Below")]

    assert len(linked) == (below if below <= MOST else 0)


TWO_BASES = """
class One:
    def run(self): pass
class Other:
    def run(self): pass

def call(it: One | Other): it.run()
"""
BELOW_EACH = """
class Below{0}(One):
    def run(self): pass
class Beside{0}(Other):
    def run(self): pass

Below{0}(), Beside{0}()
"""


def test_the_bound_is_that_of_each_method_a_call_may_mean(tmp_path: Path) -> None:
    below = "".join(BELOW_EACH.format(number) for number in range(MOST // 2 + 1))
    write_files({"app.py": TWO_BASES + below}, tmp_path)

    graph = index_folder(tmp_path)

    ids = {node.key: node.id for node in graph.nodes}
    run = [
        ids[edge.target]
        for edge in graph.edges
        if ids[edge.source] == "fn:app.py:call" and edge.kind == EdgeKind.CALLS
    ]
    assert sum(".run" in one and ":Be" in one for one in run) == 2 * (MOST // 2 + 1)
