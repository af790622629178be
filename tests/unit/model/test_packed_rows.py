"""Packed rows are the rows they were made of."""

import pytest

from mu.model.graph import Edge, Site
from mu.model.kinds import EdgeKind, Reason, Rule, SiteKind
from mu.model.packed_rows import PackedEdges, PackedSites

EDGES = [
    Edge(0, 1, EdgeKind.CALLS, "", 4, Rule.SELF, 3),
    Edge(0, 2, EdgeKind.USES, "value", 5, Rule.IMPORT, 1),
    Edge(1, 2, EdgeKind.USES, "decorator", 6, Rule.IMPORT, 1),
]
SITES = [
    Site(SiteKind.CALL, 0, 0, 4, "self.f", "f", 1, 0, Rule.SELF, None, 1),
    Site(SiteKind.VALUE, 0, 0, 5, "é", "é", -1, 0, None, Reason.UNKNOWN, 0),
    Site(SiteKind.LINK, 7, 3, 6, "é", "é", 2, 1, Rule.SYNTAX, Reason.EXTERNAL, 2),
]


@pytest.mark.parametrize(
    ("packed", "rows"), [(PackedEdges.of(EDGES), EDGES), (PackedSites.of(SITES), SITES)]
)
def test_packed_rows_are_a_sequence_of_the_rows(
    packed: PackedEdges | PackedSites, rows: list[Edge] | list[Site]
) -> None:
    assert list(packed) == rows
    assert packed == rows
    assert [type(row) for row in packed] == [type(row) for row in rows]
    assert (packed[-1], packed[1:], packed[::-1]) == (rows[-1], rows[1:], rows[::-1])
    assert packed != rows[1:]
    with pytest.raises(IndexError):
        packed[3]


def test_joining_rows_leaves_the_first_ones_as_they_were() -> None:
    edges, sites = PackedEdges.of(EDGES[:2]), PackedSites.of(SITES[:2])

    assert edges.joined(EDGES[2:]) == EDGES
    assert sites.joined(SITES[2:]) == SITES
    assert (edges, sites) == (EDGES[:2], SITES[:2])


def test_values_of_enumerations_are_packed_as_their_members() -> None:
    plain = Edge(0, 1, "calls", "", 4, "self", 3)  # type: ignore[arg-type]

    assert list(PackedEdges.of([plain])) == EDGES[:1]
    assert PackedEdges.of([plain])[0].kind is EdgeKind.CALLS


def test_the_ends_of_edges_are_those_of_a_kind() -> None:
    assert list(PackedEdges.of(EDGES).ends(EdgeKind.USES)) == [(0, 2), (1, 2)]
