from mu.model.graph import Edge, Node, Site
from mu.model.kinds import EdgeKind, NodeKind, Reason, Rule, SiteKind
from mu.resolve.emit import ledger as sorts
from mu.resolve.emit.ledger import (
    NOTHING,
    Hit,
    Ledger,
    Outcome,
    also_open,
    resolved,
    unresolved,
    without,
)

HIT: Hit = (2, Rule.LOCAL, False)
OUTSIDE: Hit = (3, Rule.IMPORT, True)


def node(key: int, *, parent: int = -1, line: int = 1) -> Node:
    return Node(
        key,
        f"fn:a.py:f{key}",
        NodeKind.FUNCTION,
        "function",
        f"f{key}",
        f"a.f{key}",
        "a",
        "python",
        *(0, parent, line, line, "", ""),
        "public",
        *(False, False, False, False, False),
        *([], [], "", 1, 1, ""),
    )


NODES = [node(0), *(node(key, parent=0, line=key) for key in (1, 2, 3))]


def closed(*mentions: tuple[int, int, Outcome]) -> Ledger:
    """A ledger after one file with calls (source, line, outcome)."""
    ledger = Ledger()
    ledger.note(7, ((SiteKind.CALL, source, line, found) for source, line, found in mentions))
    ledger.close_file()
    return ledger


def test_a_reference_with_one_answer_is_a_site_and_an_edge() -> None:
    ledger = closed((1, 4, resolved("m.f", "f", hits=[HIT], sort=sorts.CALLS)))

    assert ledger.sites == [Site(SiteKind.CALL, 1, 7, 4, "m.f", "f", 2, 0, Rule.LOCAL, None, 1)]
    assert ledger.edges == [Edge(1, 2, EdgeKind.CALLS, "", 4, Rule.LOCAL, 1)]
    assert (type(ledger.sites[0]), type(ledger.edges[0])) == (Site, Edge)


def test_each_answer_is_a_choice_with_its_own_edge() -> None:
    ledger = closed((1, 4, resolved("f", "f", hits=[HIT, OUTSIDE], sort=sorts.CALLS)))

    assert [(s.target, s.choice, s.reason, s.candidates) for s in ledger.sites] == [
        (2, 0, None, 2),
        (3, 1, Reason.EXTERNAL, 2),
    ]
    assert [edge.target for edge in ledger.edges] == [2, 3]


def test_a_reference_without_an_answer_has_its_reason_and_no_edge() -> None:
    found = unresolved("x.f", "f", reason=Reason.AMBIGUOUS, candidates=5)

    ledger = closed((1, 4, found))

    assert ledger.sites == [
        Site(SiteKind.CALL, 1, 7, 4, "x.f", "f", -1, 0, None, Reason.AMBIGUOUS, 5)
    ]
    assert ledger.edges == []


def test_what_is_no_reference_leaves_no_site() -> None:
    assert closed((1, 4, NOTHING)).sites == []


def test_an_edge_counts_its_sites_and_is_named_by_the_first_in_the_text() -> None:
    later = resolved("f", "f", hits=[HIT], sort=sorts.CALLS)
    first = resolved("g", "g", hits=[(2, Rule.SELF, False)], sort=sorts.CALLS)

    ledger = closed((1, 9, later), (1, 4, first), (1, 6, later))

    assert ledger.edges == [Edge(1, 2, EdgeKind.CALLS, "", 4, Rule.SELF, 3)]


def test_edges_come_in_order_of_source_target_kind_and_role() -> None:
    sources = [(source, sort) for source in (3, 1, 0) for sort in range(sorts.USES_VALUE, -1, -1)]
    ledger = closed(
        *(
            (source, 1, resolved("f", "f", hits=[OUTSIDE, HIT], sort=sort))
            for source, sort in sources
        )
    )

    keys = [edge[:4] for edge in ledger.edges]

    assert len(keys) == 2 * len(sources)
    assert keys == sorted(keys)


def test_a_parent_contains_its_nodes_from_the_line_they_begin() -> None:
    ledger = Ledger()

    ledger.note_parents(NODES)
    ledger.close_file()

    assert ledger.edges == [
        Edge(0, key, EdgeKind.CONTAINS, "", key, Rule.SYNTAX, 1) for key in (1, 2, 3)
    ]


def test_a_reference_of_a_node_to_itself_is_taken_out() -> None:
    found = resolved("f", "f", hits=[HIT, OUTSIDE], sort=sorts.USES_VALUE)

    assert without(found, {2}) == resolved("f", "f", hits=[OUTSIDE], sort=sorts.USES_VALUE)
    assert without(found, {1}) == found


def test_what_stays_open_beside_a_target_stays_when_that_is_taken_out() -> None:
    found = also_open(
        resolved("f", "f", hits=[HIT, OUTSIDE], sort=sorts.CALLS), "f", names=["visit_a"]
    )

    rest = resolved("f", "f", hits=[OUTSIDE], sort=sorts.CALLS)
    assert without(found, {2}) == also_open(rest, "f", names=["visit_a"])


def test_nothing_is_left_of_a_reference_to_nothing_but_itself() -> None:
    assert without(resolved("f", "f", hits=[HIT], sort=sorts.CALLS), {2}) == NOTHING
