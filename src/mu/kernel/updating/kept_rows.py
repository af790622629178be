"""Combine rows that are kept from the graph with those of relinked text."""

from collections.abc import Mapping, Set
from dataclasses import replace

from mu.model.graph import Edge, FileRows, Site
from mu.resolve import FileLinks

_Links = tuple[list[Edge], list[Site]]
_NOTHING: _Links = ([], [])


def are_same(links: FileLinks, known: FileRows) -> bool:
    """Return whether the edges and sites of a file are those in the graph."""
    edges: list[Edge] = sorted(known.edges)
    sites: list[Site] = known.sites
    return list(links.edges) == edges and list(links.sites) == sites


def ends_of(rows: FileRows) -> list[int]:
    """Return the keys of the nodes that rows refer to."""
    return [*(row.target for row in rows.edges), *(row.target for row in rows.sites)]


def with_known_rows(
    new: FileRows, known: FileRows, *, links: tuple[FileLinks, FileLinks], gone: Set[int]
) -> FileRows | None:
    """Return the new rows of a file, with known ones where relinking does not reproduce them.

    Rows can depend on the order of queries, so relinking the old text may return other rows for a
    definition than the graph has. Such a definition keeps its known rows, with moved lines, if its
    links are the same in the old and the new program (`links`). None if they differ for any such
    definition, or if known rows refer to a node that is `gone`.
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
    """Split off the rows that start at some nodes; return these, and all others.

    `lines` says by how many lines each node moved, by id; the rows that are split off move along.
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
    """Return the rows of a file together with `kept` ones, in the order of a build."""
    places = {node.key: place for place, node in enumerate(rows.nodes)}
    sites = sorted([*rows.sites, *kept.sites], key=lambda row: places[row.source])
    return replace(rows, edges=sorted([*rows.edges, *kept.edges]), sites=sites)


def _by_source(rows: FileLinks | FileRows) -> dict[int, _Links]:
    """Return the edges and the sites that start at each node, in order."""
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
