"""Which rows have edges, and which way they go."""

import pytest

from mu.errors import MuError
from mu.model.relation import Answer, Cell
from mu.render.formats.drawing import Arc, Drawing, drawing_of, kind_of, label_of


def answer(columns: str, *rows: tuple[Cell, ...]) -> Answer:
    return Answer(tuple(columns.split()), rows, len(rows))


REACHED = answer(
    "id via from_id",
    ("fn:b", "calls", "fn:a"),
    ("fn:c", "uses", "fn:b"),
    ("fn:c", "uses", "fn:b"),
)


def test_rows_that_were_reached_forward_lead_from_where_they_were_reached() -> None:
    assert drawing_of(REACHED, is_backward=False) == Drawing(
        ("fn:a", "fn:b", "fn:c"), (Arc("fn:a", "fn:b", "calls"), Arc("fn:b", "fn:c", "uses"))
    )


def test_rows_that_were_reached_backward_lead_to_where_they_were_reached_from() -> None:
    assert drawing_of(REACHED, is_backward=True).arcs == (
        Arc("fn:b", "fn:a", "calls"),
        Arc("fn:c", "fn:b", "uses"),
    )


def test_rows_of_an_unknown_way_are_drawn_without_one() -> None:
    assert not drawing_of(REACHED, is_backward=None).is_directed


def test_edges_are_drawn_once_and_only_where_both_ends_are_known() -> None:
    rows = answer(
        "source target kind", ("a", "b", "calls"), ("a", "b", "calls"), ("a", None, "calls")
    )

    assert drawing_of(rows, is_backward=None) == Drawing(("a", "b"), (Arc("a", "b", "calls"),))


def test_steps_lead_to_the_next() -> None:
    rows = answer("step id via", (0, "a", "calls"), (1, "b", "uses"), (2, "c", None))

    assert drawing_of(rows, is_backward=None) == Drawing(
        ("a", "b", "c"), (Arc("a", "b", "calls"), Arc("b", "c", "uses"))
    )


def test_each_cycle_leads_back_to_its_start() -> None:
    rows = answer("cycle_id step id", (1, 0, "a"), (1, 1, "b"), (2, 0, "c"), (2, 1, "d"))

    assert drawing_of(rows, is_backward=None).arcs == (
        *(Arc("a", "b"), Arc("b", "a")),
        *(Arc("c", "d"), Arc("d", "c")),
    )


def test_a_step_alone_is_a_node_without_edges() -> None:
    assert drawing_of(answer("step id", (0, "a")), is_backward=None) == Drawing(("a",), ())


def test_rows_without_edges_cannot_be_drawn() -> None:
    with pytest.raises(MuError, match="no edges to draw") as raised:
        drawing_of(answer("id name", ("a", "b")), is_backward=None)

    assert "`from_id`" in raised.value.hint


@pytest.mark.parametrize(
    ("node", "kind", "label"),
    [
        ("mod:src/app/auth.py", "module", "app/auth.py"),
        ("fn:src/app/auth.py:Auth.login", "function", "app/auth.py:Auth.login"),
        ("cls:auth.py:Auth", "class", "auth.py:Auth"),
        ("ext:requests.Session", "external", "requests.Session"),
        ("odd", "", "odd"),
    ],
)
def test_an_id_gives_a_kind_and_a_short_label(node: str, kind: str, label: str) -> None:
    assert (kind_of(node), label_of(node)) == (kind, label)
