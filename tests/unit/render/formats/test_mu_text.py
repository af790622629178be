"""MU text: a line for each node, ending in its place."""

from mu.model.relation import Answer, Cell
from mu.render.formats.mu_text import mu_lines


def lines(columns: str, *rows: tuple[Cell, ...]) -> list[str]:
    return list(mu_lines(Answer(tuple(columns.split()), rows, len(rows))))


def test_a_node_has_a_sigil_a_name_and_its_place_at_the_end() -> None:
    assert lines(
        "id kind path line",
        ("mod:shop/db.py", "module", "shop/db.py", 1),
        ("cls:shop/db.py:Store", "class", "shop/db.py", 3),
        ("fn:shop/db.py:Store.save", "function", "shop/db.py", 10),
        ("var:shop/db.py:LIMIT", "variable", "shop/db.py", 2),
        ("ext:requests.get", "external", None, None),
    ) == [
        "! shop/db.py",
        "$ Store  shop/db.py:3",
        "# Store.save  shop/db.py:10",
        "% LIMIT  shop/db.py:2",
        "~ requests.get",
    ]


def test_a_kind_that_no_column_tells_is_that_of_the_id() -> None:
    assert lines("id", ("fn:a.py:f",), ("what:a.py:f",)) == ["# f", "? f"]


def test_a_signature_stands_behind_the_name_as_written() -> None:
    assert lines(
        "id signature path start_line end_line",
        ("fn:a.py:Store.save", "def save(self, item: Item) -> bool", "a.py", 10, 24),
        ("fn:a.py:<lambda>", "lambda x: x", "a.py", 30, 30),
    ) == ["# Store.save(self, item: Item) -> bool  a.py:10-24", "# <lambda>  a.py:30"]


def test_what_else_is_known_stands_behind_two_colons_and_empty_cells_are_left_out() -> None:
    assert lines(
        "id via distance is_test complexity decorators docstring is_async path line",
        ("fn:a.py:f", "calls", 2, True, 0, ["cached", "retry(3)"], "", False, "a.py", 1),
        ("fn:a.py:g", None, None, False, None, [], None, None, "a.py", 5),
    ) == [
        "# f :: calls, distance 2, test, complexity 0, decorators cached, retry(3)  a.py:1",
        "# g  a.py:5",
    ]


def test_nodes_stand_below_what_they_were_reached_from_and_are_opened_once() -> None:
    assert lines(
        "id via distance from_id path line",
        ("fn:a.py:b", "calls", 1, "fn:a.py:a", "a.py", 2),
        ("fn:a.py:c", "uses", 1, "fn:a.py:a", "a.py", 3),
        ("fn:a.py:d", "calls", 2, "fn:a.py:b", "a.py", 4),
        ("fn:a.py:d", "calls", 2, "fn:a.py:c", "a.py", 4),
        ("fn:a.py:e", "calls", 3, "fn:a.py:d", "a.py", 5),
    ) == [
        "# a",
        "  # b :: calls  a.py:2",
        "    # d :: calls  a.py:4",
        "      # e :: calls  a.py:5",
        "  # c :: uses  a.py:3",
        "    # d :: calls  a.py:4",
    ]


def test_a_circle_is_opened_once() -> None:
    assert lines(
        "id via from_id", ("fn:a.py:f", "calls", "fn:a.py:g"), ("fn:a.py:g", "calls", "fn:a.py:f")
    ) == ["# g", "  # f :: calls", "    # g :: calls"]


def test_rows_that_are_no_nodes_are_metadata() -> None:
    assert lines("path functions share", ("a.py", 4, 0.123456), (None, 0, 1.0)) == [
        "@ path=a.py functions=4 share=0.1235",
        "@ path= functions=0 share=1",
    ]


def test_nothing_of_the_repository_acts_on_a_terminal() -> None:
    assert lines("id path line", ("fn:a\x1b[31m.py:f", "a\x1b[31m.py", 1)) == [
        "# f  a\\x1b[31m.py:1"
    ]
