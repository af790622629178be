"""How many methods further down a call is linked to."""

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
