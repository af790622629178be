"""Rows of a file that are taken from the graph, beside those that linking gives anew."""

from collections.abc import Mapping, Set
from dataclasses import replace

from mu.model.graph import Edge, FileRows, Site
from mu.resolve import FileLinks

_Links = tuple[list[Edge], list[Site]]
_NOTHING: _Links = ([], [])


def are_same(links: FileLinks, known: FileRows) -> bool:
    """Tell whether the edges and sites of a file are those that the graph has."""
    edges: list[Edge] = sorted(known.edges)
    sites: list[Site] = known.sites
    return list(links.edges) == edges and list(links.sites) == sites


def ends_of(rows: FileRows) -> list[int]:
    """The keys of the nodes that rows lead to."""
    return [*(row.target for row in rows.edges), *(row.target for row in rows.sites)]


def with_known_rows(
    new: FileRows, known: FileRows, *, links: tuple[FileLinks, FileLinks], gone: Set[int]
) -> FileRows | None:
    """Give the new rows of a file, with the known ones for definitions of which linking gives
    others, as they depend on the order of questions, and the same before a change and after it.

    `links` are those of both programs. None where they differ for any of these definitions, or
    where known rows lead to a node that is `gone`.
    """
    was, has, now = (_by_source(rows) for rows in (links[0], known, links[1]))
    odd = {place for place in was.keys() | has.keys() if was.get(place) != has.get(place)}
    lines = {node.key: node.start_line for node in known.nodes}
    further = {
        node.id: node.start_line - lines[node.key]
        for node in new.nodes
        if node.key in odd and node.key in lines
    }
    places = {node.key: further[node.id] for node in new.nodes if node.id in further}
    if places.keys() != odd or any(
        _moved(was.get(place, _NOTHING), by) != now.get(place, _NOTHING)
        for place, by in places.items()
    ):
        return None
    kept, _ = parted(known, further)
    _, rest = parted(new, further)
    return joined(rest, kept) if gone.isdisjoint(ends_of(kept)) else None


def parted(rows: FileRows, lines: Mapping[str, int]) -> tuple[FileRows, FileRows]:
    """Split off the rows that start at some nodes, by id, with the number of lines that each moved
    by added; give these, and all others.
    """
    further = {node.key: lines[node.id] for node in rows.nodes if node.id in lines}
    edges = [
        row._replace(line=row.line + further[row[0]]) for row in rows.edges if row[0] in further
    ]
    sites = [
        row._replace(line=row.line + further[row.source])
        for row in rows.sites
        if row.source in further
    ]
    rest = replace(
        rows,
        edges=[row for row in rows.edges if row.source not in further],
        sites=[row for row in rows.sites if row.source not in further],
    )
    return replace(rows, edges=edges, sites=sites), rest


def joined(rows: FileRows, kept: FileRows) -> FileRows:
    """The rows of a file with some that were kept, in the order of a build."""
    places = {node.key: place for place, node in enumerate(rows.nodes)}
    sites = sorted([*rows.sites, *kept.sites], key=lambda row: places[row.source])
    return replace(rows, edges=sorted([*rows.edges, *kept.edges]), sites=sites)


def _by_source(rows: FileLinks | FileRows) -> dict[int, _Links]:
    """The edges and the sites that start at each node, in order."""
    found: dict[int, _Links] = {}
    for edge in sorted(rows.edges):
        found.setdefault(edge.source, ([], []))[0].append(edge)
    for site in rows.sites:
        found.setdefault(site.source, ([], []))[1].append(site)
    return found


def _moved(links: _Links, lines: int) -> _Links:
    """Add a number of lines to the line of each edge and site."""
    edges, sites = links
    return (
        [edge._replace(line=edge.line + lines) for edge in edges],
        [site._replace(line=site.line + lines) for site in sites],
    )
