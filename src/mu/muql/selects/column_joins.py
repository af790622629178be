"""Join the columns that a user added to the relations of nodes, for a query that names them."""

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass

from mu.model.relation import Input, Relation, View
from mu.store import GraphFile

_WORD = re.compile(r"\w+")
_DIGESTS = "SELECT path, digest FROM file WHERE digest <> ''"


@dataclass(frozen=True, slots=True)
class Joined:
    """Views with the columns, the tables they read, and notes on columns that are out of date."""

    inputs: tuple[Input, ...] = ()
    views: tuple[View, ...] = ()
    notes: tuple[str, ...] = ()


NO_COLUMNS = Joined()


def all_columns(graph: GraphFile, text: str) -> Joined:
    """Join every added column, for a query that asks for all; raises MuError for damaged ones."""
    return _join(graph, text, names=graph.added_columns())


def named_columns(graph: GraphFile, text: str, *, missing: str, taken: Collection[str]) -> Joined:
    """Join the added columns that the text names, if `missing` is one of them.

    `taken` are columns of other tables, which keep their meaning. Raises MuError for damaged ones.
    """
    words = {word.lower() for word in _WORD.findall(text)} - set(taken)
    names = [name for name in graph.added_columns() if name in words]
    return _join(graph, text, names=names) if missing.lower() in names else NO_COLUMNS


def _join(graph: GraphFile, text: str, *, names: Collection[str]) -> Joined:
    if not names:
        return NO_COLUMNS
    from mu.store.added_columns import views_with

    known = graph.added_columns()
    columns = {name: known[name][0] for name in names}
    views = views_with(columns, text)
    if not views:
        return NO_COLUMNS
    inputs = tuple(graph.column_values(name) for name in names)
    return Joined(inputs, views, stale_notes(graph, names))


def stale_notes(graph: GraphFile, names: Collection[str]) -> tuple[str, ...]:
    """Say which columns were made from files that have changed since, as the graph has them."""
    from mu.store.added_columns import staleness

    digests, known = graph.once(digests_of), graph.added_columns()
    groups: dict[str, list[str]] = {}
    for name in names:
        reason = staleness(graph.columns_of, known[name][1], digests=digests)
        if reason:
            groups.setdefault(reason, []).append(name)
    return tuple(
        f"{', '.join(columns)} may be out of date: {reason}; `mu columns add` reads it again"
        for reason, columns in groups.items()
    )


def digests_of(graph: GraphFile) -> Mapping[str, str]:
    """Give the digest of each file that was indexed, by path."""
    rows = graph.run(Relation(_DIGESTS), limit=None).rows
    return {str(path): str(digest) for path, digest in rows}
