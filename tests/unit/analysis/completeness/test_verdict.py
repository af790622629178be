"""Which unresolved references make an answer a lower bound."""

from dataclasses import replace
from pathlib import Path

import pytest

from fakes.graphs import make_graph, write
from mu.analysis.completeness.node_references import sites_of
from mu.analysis.completeness.unlinked_overrides import LINKED_OVERRIDES
from mu.analysis.completeness.verdict import possible_sites
from mu.analysis.node_search.node_resolution import resolve_node
from mu.analysis.walks.breadth_first import walk_graph
from mu.analysis.walks.traversal import Direction, Walk
from mu.model.kinds import DEPENDENCY_KINDS, EdgeKind, Rule, SiteKind
from mu.model.relation import Cell
from mu.resolve.limits import MOST_OVERRIDES
from mu.store import GraphFile, open_graph


def possible(graph: GraphFile, walk: Walk) -> tuple[tuple[Cell, ...], ...]:
    """The rows of the sites that could add to a walk."""
    return graph.run(possible_sites(graph, walk_graph(graph, walk))).rows


GRAPH = """
a.py
  def save @ 1-5
  def store @ 6-9
  def outer @ 10-15
  def again @ 16-20
  def lonely @ 21-25
  def caller @ 26-30
a.py:outer -> a.py:store calls 11
a.py:again -> a.py:save calls 17
? a.py:outer call x.save unknown 12
? a.py:caller call y.save ambiguous 27
? a.py:caller call z.outer dynamic 28
? a.py:caller call requests.save external 29
? a.py:again call w.save unknown 18
? a.py:caller value v.lonely unknown 30
? a.py:store call nowhere unknown 7
"""


@pytest.mark.parametrize(
    ("reference", "depth", "kinds", "texts"),
    [
        ("save", 1, (EdgeKind.CALLS,), ["x.save", "y.save"]),
        ("store", 1, (EdgeKind.CALLS,), []),
        ("store", 2, (EdgeKind.CALLS,), ["z.outer"]),
        ("again", 2, (EdgeKind.CALLS,), []),
        ("lonely", 1, (EdgeKind.CALLS,), []),
        ("lonely", 1, DEPENDENCY_KINDS, ["v.lonely"]),
    ],
    ids=["same name", "none", "of a node on the way", "not towards it", "not a call", "any use"],
)
def test_backward_a_site_counts_by_its_name(
    tmp_path: Path, reference: str, depth: int, kinds: tuple[EdgeKind, ...], texts: list[str]
) -> None:
    with open_graph(write(make_graph(GRAPH), tmp_path)) as graph:
        key = resolve_node(graph, reference).key
        rows = possible(graph, Walk(key, Direction.BACKWARD, depth, kinds))
    assert [row[3] for row in rows] == texts


def test_forward_a_site_counts_by_where_it_stands(tmp_path: Path) -> None:
    with open_graph(write(make_graph(GRAPH), tmp_path)) as graph:
        key = resolve_node(graph, "outer").key
        rows = possible(graph, Walk(key, Direction.FORWARD, 2))
    assert [row[1:4] for row in rows] == [("a.py", 12, "x.save"), ("a.py", 7, "nowhere")]


def test_sites_that_concern_the_start_come_first(tmp_path: Path) -> None:
    text = """
a.py
  def goal @ 1-2
  def middle @ 3-4
  def other @ 5-9
a.py:middle -> a.py:goal calls 3
? a.py:other call x.middle unknown 6
? a.py:other call x.goal unknown 7
"""
    with open_graph(write(make_graph(text), tmp_path)) as graph:
        key = resolve_node(graph, "goal").key
        rows = possible(graph, Walk(key, Direction.BACKWARD, 5))
    assert [row[2] for row in rows] == [7, 6]


OVERRIDES = """
a.py
  class Base @ 1-9
    def step @ 2-3
    def run @ 4-5
  class Sub < Base @ 10-19
    def step @ 11-12
  class Low < Sub @ 20-29
  def main @ 30-35
a.py:Sub.step -> a.py:Base.step overrides 11 inherited
a.py:Base.run -> a.py:Base.step calls 5 {rule}
a.py:Sub.step -> a.py:Base.step calls 12 super
"""


def virtual_calls(folder: Path, text: str, reference: str) -> list[int]:
    """The lines of the calls that an override may receive."""
    place = folder / reference
    place.mkdir()
    with open_graph(write(make_graph(text), place)) as graph:
        key = resolve_node(graph, reference).key
        walk = Walk(key, Direction.BACKWARD, 1, (EdgeKind.CALLS,))
        rows = possible(graph, walk)
    assert {row[4] for row in rows} <= {"virtual"}
    return [int(str(row[2])) for row in rows]


def test_an_override_may_receive_a_call_when_nothing_is_seen_to_make_its_class(
    tmp_path: Path,
) -> None:
    text = OVERRIDES.format(rule="self")
    assert virtual_calls(tmp_path, text, "Sub.step") == [5]
    assert virtual_calls(tmp_path, text, "Base.step") == []


@pytest.mark.parametrize("made", ["Sub", "Low"])
def test_linking_knows_the_calls_of_an_override_whose_class_is_made(
    tmp_path: Path, made: str
) -> None:
    text = OVERRIDES.format(rule="self") + f"a.py:main -> a.py:{made} calls 31 module"
    assert virtual_calls(tmp_path, text, "Sub.step") == []


def test_a_function_that_is_handed_on_may_be_the_override(tmp_path: Path) -> None:
    text = OVERRIDES.format(rule="callback") + "a.py:main -> a.py:Sub calls 31 module"
    assert virtual_calls(tmp_path, text, "Sub.step") == [5]


@pytest.mark.parametrize(
    ("passed", "lines"),
    [("self", [5]), ("super", []), ("module", [])],
    ids=["bound to the receiver", "bound to the base alone", "not bound"],
)
def test_a_bound_method_that_is_called_by_another_name_may_be_the_override(
    tmp_path: Path, passed: str, lines: list[int]
) -> None:
    text = OVERRIDES.format(rule="returned") + "a.py:main -> a.py:Sub calls 31 module"
    graph = make_graph(text)
    sites = [
        site._replace(text="self.table[]", name="self.table[]") if site.line == 5 else site
        for site in graph.sites
    ]
    call = next(site for site in sites if site.line == 5)
    held = call._replace(
        kind=SiteKind.VALUE, line=4, text="self.step", name="step", rule=Rule(passed)
    )
    place = write(replace(graph, sites=[*sites, held]), tmp_path)
    with open_graph(place) as opened:
        walk = Walk(resolve_node(opened, "Sub.step").key, Direction.BACKWARD, 1, (EdgeKind.CALLS,))
        rows = possible(opened, walk)
    assert [row[2] for row in rows] == lines


@pytest.mark.parametrize(("classes", "lines"), [(64, []), (65, [3])])
def test_more_subclasses_than_linking_follows_leave_a_call_of_the_class_open(
    tmp_path: Path, classes: int, lines: list[int]
) -> None:
    text = "a.py\n  class Base @ 1-9\n    def create @ 2-3\n"
    for number in range(classes):
        text += f"  class Sub{number} < Base @ 10-19\n"
    text += "a.py:Base.create -> a.py:Base calls 3 self\na.py -> a.py:Base calls 20 module"
    assert virtual_calls(tmp_path, text, "Sub0") == lines
    assert virtual_calls(tmp_path, text, "Base") == []


@pytest.mark.parametrize(("overrides", "lines"), [(64, []), (65, [5])])
def test_more_overrides_than_linking_follows_leave_a_call_open(
    tmp_path: Path, overrides: int, lines: list[int]
) -> None:
    text = "a.py\n  class Base @ 1-9\n    def step @ 2-3\n    def run @ 4-5\n"
    for number in range(overrides):
        text += f"  class Sub{number} < Base @ 10-19\n    def step @ 11-12\n"
    for number in range(overrides):
        text += f"a.py:Sub{number}.step -> a.py:Base.step overrides 11 inherited\n"
        text += f"a.py -> a.py:Sub{number} calls 31 module\n"
    text += "a.py:Base.run -> a.py:Base.step calls 5 self"
    assert virtual_calls(tmp_path, text, "Sub0.step") == lines


def test_linking_follows_as_many_overrides_as_is_thought_here() -> None:
    assert LINKED_OVERRIDES == MOST_OVERRIDES


def test_a_call_of_the_class_may_be_one_of_its_constructor(tmp_path: Path) -> None:
    text = """
a.py
  class Cart @ 1-9
    def __init__ @ 2-3
  def main @ 10-15
  def other @ 16-19
? a.py:main call x.Cart unknown 11
? a.py:other call x.__init__ unknown 17
"""
    graph = make_graph(text)
    nodes = [n._replace(subkind="constructor") if n.name == "__init__" else n for n in graph.nodes]
    with open_graph(write(replace(graph, nodes=nodes), tmp_path)) as opened:
        walk = Walk(resolve_node(opened, "Cart.__init__").key, Direction.BACKWARD, 1)
        rows = possible(opened, walk)
    assert [row[2] for row in rows] == [11, 17]


def test_no_call_means_a_module(tmp_path: Path) -> None:
    text = "a.py\nb.py\n  def main @ 1-2\n? b.py:main call x.a unknown 2\n? b.py import a unknown 1"
    with open_graph(write(make_graph(text), tmp_path)) as graph:
        walk = Walk(resolve_node(graph, "a.py").key, Direction.BACKWARD, 1)
        rows = possible(graph, walk)
    assert [row[3] for row in rows] == ["a"]


LANGUAGES = """
api.py
  def handle @ 1-5
native.rs
  def grow @ 1-5
page.ts
  def show @ 1-5
  def main @ 6-9
widget.vue
  def mount @ 1-9
notes.md
work.py
  def run @ 1-9
? page.ts:main call t.handle unknown 7
? work.py:run call t.handle unknown 2
? work.py:run call t.show unknown 3
? work.py:run call t.grow unknown 4
? widget.vue:mount call t.show unknown 5
? notes.md call handle unknown 6
"""


@pytest.mark.parametrize(
    ("reference", "places"),
    [
        ("handle", ["notes.md:6", "work.py:2"]),
        ("show", ["widget.vue:5"]),
        ("grow", ["work.py:4"]),
    ],
    ids=["no other language", "one of the same modules", "one that has symbols"],
)
def test_a_site_of_a_language_that_cannot_mean_the_node_adds_nothing(
    tmp_path: Path, reference: str, places: list[str]
) -> None:
    with open_graph(write(make_graph(LANGUAGES), tmp_path)) as graph:
        key = resolve_node(graph, reference).key
        backward = possible(graph, Walk(key, Direction.BACKWARD, 1, (EdgeKind.CALLS,)))
        named = graph.run(sites_of(graph, key)).rows
    assert [f"{row[1]}:{row[2]}" for row in backward] == places
    assert [f"{row[2]}:{row[3]}" for row in named] == places


def test_what_a_node_uses_may_be_of_its_own_language(tmp_path: Path) -> None:
    with open_graph(write(make_graph(LANGUAGES), tmp_path)) as graph:
        script, worker = (resolve_node(graph, name).key for name in ("main", "run"))
        in_script = possible(graph, Walk(script, Direction.FORWARD, 1))
        in_worker = possible(graph, Walk(worker, Direction.FORWARD, 1))
    assert [row[3] for row in in_script] == []
    assert [row[3] for row in in_worker] == ["t.handle", "t.grow"]
