"""The reader and the judge of the corpora, held against pages and graphs written by hand."""

import pytest
from judging.cases import Case
from judging.format import FormatError, parse_page
from judging.judge import Outcome, judge
from judging.score import measured, summary

from mu.model.graph import Edge, File, Graph, Node, Site
from mu.model.kinds import Category, EdgeKind, NodeKind, Reason, Rule, SiteKind

SOURCE = """\
def first():
    return 1


def second():
    return first()
"""
FILE = f"```python a.py\n{SOURCE}```\n"
CALL = "calls fn:a.py:second -> fn:a.py:first"


def page(*blocks: str) -> Case:
    (case,) = parse_page("\n".join(["## A case", *blocks]), language="python", feature="page")
    return case


def block(info: str, *lines: str) -> str:
    return "\n".join([f"```{info}", *lines, "```"])


def node(key: int, identity: str, kind: NodeKind = NodeKind.FUNCTION) -> Node:
    name = identity.rpartition(":")[2]
    return Node(
        key=key, id=identity, kind=kind, subkind="function", name=name, qualified_name=name,
        module="a", language="python", file=0, parent=-1, start_line=1, end_line=2, signature="",
        docstring="", visibility="public", is_async=False, is_static=False, is_abstract=False,
        is_test=False, is_generated=False, decorators=[], parameters=[], returns="", complexity=1,
        lines=2, digest="",
    )  # fmt: skip


def graph(*, is_resolved: bool) -> Graph:
    file = File(0, "a.py", "python", Category.SOURCE, "indexed", "", "", 1, 6, ())
    nodes = [node(0, "fn:a.py:first"), node(1, "fn:a.py:second")]
    edge = Edge(1, 0, EdgeKind.CALLS, "", 6, Rule.MODULE, 1)
    target, rule = (0, Rule.MODULE) if is_resolved else (-1, None)
    reason = None if is_resolved else Reason.UNKNOWN
    site = Site(SiteKind.CALL, 1, 0, 6, "first", "first", target, 0, rule, reason, 1)
    return Graph([file], nodes, [edge] if is_resolved else [], [site])


def outcome_of(*blocks: str, is_resolved: bool = True) -> Outcome:
    return judge(page(*blocks), graph(is_resolved=is_resolved))


def span(words: str) -> str:
    return f"```python a.py\n{SOURCE}#          ^^^^^ {words}\n```\n"


@pytest.mark.parametrize(
    "blocks",
    [
        [FILE, block("edges", CALL)],
        [FILE, block("edges", f"{CALL} (rule: module; line: 6; sites: 1)")],
        [FILE, block("exactly calls", CALL)],
        [FILE, block("exactly nodes", "fn:a.py:first (lines: 2)", "fn:a.py:second")],
        [FILE, block("no edges", "calls fn:a.py:first -> fn:a.py:second")],
        [FILE, block("no nodes", "fn:a.py:third")],
        [span("calls a.py:first")],
        [span("calls fn:a.py:first (rule: module)")],
    ],
)
def test_expectation_that_holds_does_not_fail(blocks: list[str]) -> None:
    assert outcome_of(*blocks).failures == []


@pytest.mark.parametrize(
    "blocks",
    [
        [FILE, block("edges", "calls fn:a.py:first -> fn:a.py:second")],
        [FILE, block("edges", f"{CALL} (rule: import)")],
        [FILE, block("exactly calls")],
        [FILE, block("exactly nodes", "fn:a.py:first")],
        [FILE, block("nodes", "fn:a.py:first (lines: 3)")],
        [FILE, block("nodes", "fn:a.py:third")],
        [FILE, block("no edges", CALL)],
        [FILE, block("no nodes", "fn:a.py:first")],
        [span("calls nothing")],
        [span("calls a.py:second")],
        [span("calls a.py:first (rule: import)")],
        [span("inherits nothing")],
        [span("defines a.py:first")],
    ],
)
def test_expectation_that_does_not_hold_fails(blocks: list[str]) -> None:
    assert outcome_of(*blocks).failures


def test_unresolved_span_is_held_against_its_reason() -> None:
    assert not outcome_of(span("calls nothing (unknown)"), is_resolved=False).failures
    assert outcome_of(span("calls nothing (dynamic)"), is_resolved=False).failures
    assert outcome_of(span("calls a.py:first"), is_resolved=False).failures


def test_known_gap_is_counted_and_does_not_fail() -> None:
    outcome = outcome_of(FILE, block("edges", f"{CALL}  # gap: flow"), is_resolved=False)

    assert (outcome.failures, outcome.gaps) == ([], 1)
    assert [edge.is_found for edge in outcome.expected] == [False]


def test_gap_that_holds_fails() -> None:
    assert outcome_of(FILE, block("edges", f"{CALL}  # gap: flow")).failures


def test_wrong_edge_lowers_the_precision_of_its_rule() -> None:
    right = outcome_of(FILE, block("exactly calls", CALL))
    wrong = outcome_of(FILE, block("exactly calls"))

    assert measured([right, wrong]) == [("python", Rule.MODULE, 1, 2)]
    assert any("50.0%" in line for line in summary([right, wrong]))


@pytest.mark.parametrize(
    "text",
    [
        "## Case\n```python a.py\n```\n",
        "## Case\n```edges\n```\n",
        "## Case\n```python a.py\n",
        f"## Case\n{FILE}```edge\n{CALL}\n```\n",
        f"## Case\n{FILE}```edges\ncalls a b\n```\n",
        f"## Case\n{FILE}```edges\n{CALL} (colour: red)\n```\n",
        f"## Case\n{FILE}```exactly inherits\n{CALL}\n```\n",
        "## Case\n```python a.py\nfirst()\n# ^^^^^ calls\n```\n",
        "## Case\n```python a.py\nfirst()\n#  ^^^^^^^^^^ calls a.py:b\n```\n",
        f"## Case\n{FILE}```exactly calls\n```\n## Case\n{FILE}```exactly calls\n```\n",
    ],
)
def test_page_with_a_mistake_is_refused(text: str) -> None:
    with pytest.raises(FormatError):
        parse_page(text, language="python", feature="page")
