"""Which calls `callers` and `references` list, and whether these are all."""

from pathlib import Path

import pytest

from fakes.built import built_tree
from mu.model.kinds import Verdict
from mu.operations.answers.call_sites import Sites
from mu.operations.navigation.dependencies import callers, impact
from mu.operations.navigation.members import references
from mu.operations.results import NodeRows
from mu.operations.workspace import Workspace

DECORATED = """
def timed(function):
    def inner(*args):
        return function(*args)
    return inner


@timed
def compute():
    return 1


def report():
    compute()


def again(count):
    def once():
        return again(count - 1)
    return once()
"""

MEMBERS = """
class Cart:
    def add(self, item): ...
    def drop(self, item): ...


def fill(cart: Cart, box):
    cart.add(1)
    cart.drop(1)
    box.add(2)
    cart.add(3)
"""

ABSTRACT = """
from abc import ABC, abstractmethod


class Store(ABC):
    @abstractmethod
    def put(self, item): ...


class Memory:
    def put(self, item): ...


def keep(store: Store):
    store.put(1)
"""


RECORD = """
record Pair(int left, int right) {
    public int right() { return right; }
}
class Use { int sum(Pair pair) { return pair.left() + pair.right(); } }
"""


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    return built_tree(tmp_path, {"timing.py": DECORATED, "cart.py": MEMBERS})


def lines(found: NodeRows) -> list[tuple[object, object]]:
    columns = found.answer.columns
    places = [columns.index("name"), columns.index("site_line")]
    return [(row[places[0]], row[places[1]]) for row in found.answer.rows]


def test_who_calls_a_decorated_function_does_not_call_the_decorator(workspace: Workspace) -> None:
    found = callers(workspace, "timed", sites=Sites.EACH)

    assert lines(found) == [("timing", 8)]
    assert [row[3] for row in references(workspace, "timed").answer.rows] == [8, 8]
    assert lines(callers(workspace, "timed.inner")) == [("report", 14)]
    assert "report" in [row[1] for row in impact(workspace, "timed").answer.rows]


def test_a_function_inside_may_call_the_one_around_it(workspace: Workspace) -> None:
    assert lines(callers(workspace, "again", sites=Sites.FIRST)) == [("once", 19)]


def test_each_call_of_any_member_of_a_class_is_listed(workspace: Workspace) -> None:
    assert lines(callers(workspace, "Cart", sites=Sites.EACH)) == [
        ("fill", 8),
        ("fill", 9),
        ("fill", 11),
    ]


@pytest.mark.parametrize(
    ("sites", "verdict", "possible"),
    [(Sites.FIRST, Verdict.EXACT, []), (Sites.EACH, Verdict.AT_LEAST, [10])],
)
def test_a_call_in_a_known_caller_may_be_one_more_site(
    workspace: Workspace, sites: Sites, verdict: Verdict, possible: list[int]
) -> None:
    found = callers(workspace, "Cart.add", sites=sites)

    assert found.answer.verdict is verdict
    assert found.possible is not None
    assert [row[2] for row in found.possible.rows] == possible


def test_a_call_of_an_abstract_method_does_not_pass_it_on(tmp_path: Path) -> None:
    with built_tree(tmp_path, {"stores.py": ABSTRACT}) as workspace:
        answer = callers(workspace, "Store.put").answer

    assert answer.verdict is Verdict.AT_LEAST
    assert not any("passed on" in note for note in answer.notes)


def test_a_component_of_a_record_is_read_and_not_passed_on(tmp_path: Path) -> None:
    with built_tree(tmp_path, {"Pair.java": RECORD}) as workspace:
        component = callers(workspace, "var:Pair.java:Pair.left").answer
        accessor = callers(workspace, "fn:Pair.java:Pair.right").answer

    assert (component.total, component.verdict) == (0, Verdict.EXACT)
    assert component.notes[1].startswith("read at Pair.java:5: class Use")
    assert (accessor.total, accessor.verdict) == (1, Verdict.EXACT)
