"""Mermaid charts: what stands in them, what is escaped, where they are cut."""

import re

from mu.render.formats.drawing import Arc
from mu.render.formats.mermaid import MAX_CHARACTERS, MAX_EDGES, mermaid

LABEL = r'"[^"#&<>`%|\\]*(?:#\d+;[^"#&<>`%|\\]*)*"'
LINE = re.compile(
    r"  (?:%% .+"
    rf"|n\d+(?:\[\[|\[|\(|\[/|\{{\{{){LABEL}(?:\]\]|\]|\)|/\]|\}}\}})"
    r"|n\d+ (?:-->|---)(?:\|\"[a-z]+\"\|)? n\d+)"
)


def test_edges_come_with_their_ends_and_nodes_without_edges_last() -> None:
    text, note = mermaid(
        ["mod:a.py", "cls:b.py:B"], [Arc("mod:a.py", "fn:a.py:f", "calls")], is_directed=True
    )

    assert text.splitlines() == [
        "flowchart LR",
        '  n0[["a.py"]]',
        '  n1("a.py:f")',
        '  n0 -->|"calls"| n1',
        '  n2["b.py:B"]',
    ]
    assert note == ""


def test_edges_of_an_unknown_way_have_no_head() -> None:
    text, _ = mermaid([], [Arc("a", "b")], is_directed=False)

    assert text.splitlines()[-1] == "  n0 --- n1"


def test_an_edge_to_itself_has_one_end() -> None:
    text, _ = mermaid([], [Arc("a", "a")], is_directed=True)

    assert text.splitlines() == ["flowchart LR", '  n0["a"]', "  n0 --> n0"]


def test_signs_that_mean_something_to_mermaid_are_escaped() -> None:
    hostile = 'fn:x.py:"]; click n0 href "javascript:x"\n%%{init}%% <b>`#'

    text, _ = mermaid([hostile], [], is_directed=True)

    lines = text.splitlines()
    assert len(lines) == 2
    assert LINE.fullmatch(lines[1]), lines[1]
    assert "#34;" in lines[1]


def test_more_edges_than_mermaid_draws_are_left_out_and_counted() -> None:
    arcs = [Arc(f"fn:a.py:f{n}", "fn:a.py:g", "calls") for n in range(MAX_EDGES + 20)]

    text, note = mermaid(["mod:a.py"], arcs, is_directed=True)

    assert text.count("-->") == MAX_EDGES
    assert "20 of 520 edges and 0 nodes are left out" in note
    assert text.splitlines()[1] == f"  %% {note}"


def test_a_chart_is_cut_before_it_is_too_long_for_mermaid() -> None:
    nodes = [f"fn:a.py:{'f' * 500}{n}" for n in range(200)]

    text, note = mermaid(nodes, [Arc(nodes[-1], nodes[-2])], is_directed=True)

    assert MAX_CHARACTERS - 1_000 < len(text) <= MAX_CHARACTERS
    assert text.count("-->") == 1
    assert re.search(r"0 of 1 edges and 1\d\d nodes are left out", note)
    assert all(LINE.fullmatch(line) for line in text.splitlines()[1:])
