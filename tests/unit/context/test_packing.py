"""Budgets are kept whatever is packed, and used; what is shown is shown once."""

from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mu.context import Packed, Ranked, Sources, Style, estimate_tokens, pack
from mu.context.layout import write_place

KINDS = ("class", "function", "module", "section", "variable")


def node(key: int, lines: int = 10, kind: str = "function", **other: object) -> Ranked:
    """Make a node of a file of its own."""
    return Ranked(
        key=key,
        id=f"fn:f{key}.py:f{key}",
        kind=kind,
        path=str(other.get("path", f"f{key}.py")),
        line=int(str(other.get("line", 1))),
        end_line=int(str(other.get("line", 1))) + lines - 1,
        title=f"f{key}",
        signature=f"def f{key}(a, b)",
        docstring=str(other.get("docstring", "")),
        language="python",
        digest=str(other.get("digest", key)),
        score=1.0,
        why="because",
    )


def text_of(found: Ranked) -> Sequence[str]:
    return [
        f"    line {number} of {found.title}" for number in range(found.line, found.end_line + 1)
    ]


SOURCES = Sources(lines=text_of, outline=lambda found: [f"  {found.line}: member"])


def packed(nodes: Sequence[Ranked], budget: int, *, style: Style = Style.MU) -> Packed:
    return pack(nodes, SOURCES, budget=budget, style=style)


@given(
    lengths=st.lists(st.tuples(st.integers(1, 400), st.sampled_from(KINDS)), max_size=60),
    budget=st.sampled_from((200, 500, 2_000, 8_000, 32_000)),
    style=st.sampled_from(Style),
    is_explained=st.booleans(),
)
def test_a_budget_is_never_passed_and_used_where_there_is_material(
    lengths: list[tuple[int, str]], budget: int, style: Style, is_explained: bool
) -> None:
    nodes = [node(key, lines, kind) for key, (lines, kind) in enumerate(lengths)]
    found = pack(nodes, SOURCES, budget=budget, style=style, is_explained=is_explained)
    assert len(found.text) <= budget * 4
    assert found.tokens == estimate_tokens(found.text) <= budget
    whole = sum(len("\n".join(text_of(each))) for each in nodes if each.kind == "function")
    if whole > 8 * budget:
        assert found.tokens >= 0.7 * budget


def test_sources_come_before_places() -> None:
    found = packed([node(key, 30) for key in range(20)], 1_000)
    kinds = [bool(piece.lines) for piece in found.pieces]
    assert kinds == sorted(kinds, reverse=True)
    assert set(kinds) == {True, False}
    assert found.text.count("# f19(a, b)  f19.py:1-30\n") == 1


def test_a_source_that_does_not_fit_is_cut_at_a_line_and_says_so() -> None:
    [piece] = packed([node(1, 500)], 400).pieces
    assert piece.is_cut
    assert piece.lines[-2].endswith("of f1")
    shown = len(piece.lines) - 1
    assert piece.lines[-1] == f"... {500 - shown} more lines"


def test_what_lies_in_lines_that_are_shown_is_left_out() -> None:
    outer = node(1, 20, path="a.py")
    inner = node(2, 5, path="a.py", line=3)
    other = node(3, 5, path="a.py", line=30)
    assert [piece.node.key for piece in packed([outer, inner, other], 2_000).pieces] == [1, 3]


def test_a_body_that_was_shown_is_not_shown_again() -> None:
    twins = [node(1, digest="same"), node(2, digest="same"), node(3, digest=""), node(4, digest="")]
    assert [piece.node.key for piece in packed(twins, 2_000).pieces] == [1, 3, 4]


def test_a_long_class_is_shown_by_its_members_and_they_by_themselves() -> None:
    holder = node(1, 300, kind="class", path="a.py")
    member = node(2, 8, path="a.py", line=10)
    found = packed([holder, member], 2_000)
    assert found.pieces[0].lines == ("  1: member",)
    assert found.pieces[1].lines == tuple(text_of(member))


def test_pages_take_no_more_than_their_share_while_there_is_code() -> None:
    pages = [node(key, 40, kind="section") for key in range(10)]
    code = [node(key, 40) for key in range(10, 20)]
    found = packed([*pages, *code], 2_000)
    of_pages = sum(len(p.text) for p in found.pieces if p.node.kind == "section" and p.lines)
    assert of_pages <= 0.3 * 2_000 * 4
    assert any(piece.node.kind == "function" and piece.lines for piece in found.pieces)


@pytest.mark.parametrize("style", Style)
def test_a_file_that_has_changed_gives_places_alone(style: Style) -> None:
    gone = Sources(lines=lambda _: (), outline=lambda _: ())
    found = pack([node(1)], gone, budget=500, style=style)
    assert [piece.lines for piece in found.pieces] == [()]
    assert "f1.py:1-10" in found.text


def test_of_what_is_said_about_a_function_the_first_paragraph_is_shown() -> None:
    docstring = "Pay.\n\nOften.\n\nAnd\nmore."
    text = [
        "def pay():",
        '    """Pay.',
        "",
        "    Often.",
        "",
        "    And",
        '    more."""',
        "    go()",
    ]
    sources = Sources(lines=lambda _: text, outline=lambda _: ())
    [piece] = pack(
        [node(1, len(text), docstring=docstring)], sources, budget=500, style=Style.MU
    ).pieces
    assert piece.lines == ("def pay():", '    """Pay.', "    ...", '    """', "    go()")


def test_a_fence_is_longer_than_those_in_the_text() -> None:
    sources = Sources(lines=lambda _: ["````", "x", "````"], outline=lambda _: ())
    [piece] = pack([node(1, 3, kind="section")], sources, budget=500, style=Style.MARKDOWN).pieces
    assert piece.text == "## `f1.py:1-3` f1\n`````python\n````\nx\n````\n`````\n\n"


@pytest.mark.parametrize("style", Style)
def test_a_heading_that_ends_with_a_dot_is_written_as_it_is(style: Style) -> None:
    heading = replace(node(1, kind="section"), title="Hashing, e.g.", signature="")
    assert "Hashing, e.g." in write_place(heading, style=style)
