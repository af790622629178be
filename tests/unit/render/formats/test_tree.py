"""Trees: what was reached below what it was reached from."""

import pytest

from mu.errors import MuError
from mu.model.relation import Answer, Cell
from mu.render.formats.tree import tree_lines


def lines(columns: str, *rows: tuple[Cell, ...]) -> list[str]:
    return list(tree_lines(Answer(tuple(columns.split()), rows, len(rows))))


def test_rows_stand_below_what_they_were_reached_from() -> None:
    assert lines(
        "id via from_id",
        ("b", "calls", "a"),
        ("c", "uses", "a"),
        ("d", "calls", "b"),
        ("e", "calls", "d"),
        ("f", "calls", "b"),
        ("g", "imports", "other"),
    ) == [
        "a",
        "├─ b  (calls)",
        "│  ├─ d  (calls)",
        "│  │  └─ e  (calls)",
        "│  └─ f  (calls)",
        "└─ c  (uses)",
        "other",
        "└─ g  (imports)",
    ]


def test_a_node_that_was_reached_twice_is_opened_once() -> None:
    assert lines(
        "id via from_id", ("b", "calls", "a"), ("b", "uses", "a"), ("c", "calls", "b")
    ) == ["a", "├─ b  (calls)", "│  └─ c  (calls)", "└─ b  (uses)"]


def test_steps_follow_each_other_downwards() -> None:
    assert lines("step id via", (0, "a", "calls"), (1, "b", "uses"), (2, "c", None)) == [
        "a",
        "└─ b  (calls)",
        "   └─ c  (uses)",
    ]


def test_each_cycle_begins_at_the_left() -> None:
    assert lines("cycle_id step id", (1, 0, "a"), (1, 1, "b"), (2, 0, "c"), (2, 1, "d")) == [
        *("a", "└─ b", "c", "└─ d"),
    ]


def test_deep_trees_need_no_recursion() -> None:
    chain: list[tuple[Cell, ...]] = [(f"n{n + 1}", "calls", f"n{n}") for n in range(3_000)]

    assert len(lines("id via from_id", *chain)) == 3_001


def test_no_rows_are_no_lines() -> None:
    assert lines("id via from_id") == []


def test_names_are_escaped() -> None:
    assert lines("id via from_id", ("b\x1b[2J", "calls", "a\n"))[1] == "└─ b\\x1b[2J  (calls)"


def test_rows_that_lead_nowhere_are_no_tree() -> None:
    with pytest.raises(MuError, match="these rows are no tree"):
        lines("id name", ("a", "b"))


def test_a_circle_is_opened_once() -> None:
    assert lines("id via from_id", ("a", "calls", "b"), ("b", "calls", "a")) == [
        "b",
        "└─ a  (calls)",
        "   └─ b  (calls)",
    ]
