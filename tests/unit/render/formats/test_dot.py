"""DOT: what stands in it, and that a name cannot leave its quotes."""

import re

from mu.render.formats.dot import dot_lines
from mu.render.formats.drawing import Arc


def test_nodes_have_labels_and_edges_kinds() -> None:
    lines = dot_lines(
        ["mod:src/a.py", "fn:src/a.py:f"],
        [Arc("mod:src/a.py", "fn:src/a.py:f", "calls"), Arc("fn:src/a.py:f", "fn:src/a.py:f")],
        is_directed=True,
    )

    assert "".join(lines) == (
        "digraph {\n"
        "  rankdir=LR\n"
        '  "mod:src/a.py" [label="src/a.py", shape=folder]\n'
        '  "fn:src/a.py:f" [label="src/a.py:f", shape=ellipse]\n'
        '  "mod:src/a.py" -> "fn:src/a.py:f" [label="calls"]\n'
        '  "fn:src/a.py:f" -> "fn:src/a.py:f"\n'
        "}\n"
    )


def test_edges_of_an_unknown_way_have_no_head() -> None:
    lines = list(dot_lines([], [Arc("a", "b")], is_directed=False))

    assert lines[0] == "graph {\n"
    assert lines[2] == '  "a" -- "b"\n'


def test_a_name_cannot_leave_its_quotes() -> None:
    hostile = 'x"]; } digraph { "\\" \n<b>'

    line = list(dot_lines([hostile], [], is_directed=True))[2]

    quoted = r'"(?:[^"\\]|\\.)*"'
    assert re.fullmatch(rf"  {quoted} \[label={quoted}, shape=box\]\n", line)
