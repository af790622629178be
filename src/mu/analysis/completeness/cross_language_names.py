"""Pairs of languages between which names never refer: most pairs."""

from collections.abc import Sequence
from typing import Final

from mu.model.relation import Input, Relation
from mu.store import GraphFile

APART: Final = "apart"
"""The table of the pairs of languages of which a name in `near` never means a node of `far`."""

_LANGUAGES = "SELECT DISTINCT language FROM file WHERE status = 'indexed' AND language <> ''"


def languages_apart(graph: GraphFile) -> Input:
    """Give the table `apart(near, far)`; it has no row where the graph has one language."""
    return graph.once(_apart)


def can_mean(near: str, far: str) -> str:
    """Write the condition that a name in the language `near` can mean a node of `far`.

    Both are SQL expressions; the query needs the table of `languages_apart` among its inputs.
    """
    return f"({near}, {far}) NOT IN (SELECT near, far FROM {APART})"


def _apart(graph: GraphFile) -> Input:
    languages = [str(row[0]) for row in graph.run(Relation(_LANGUAGES), limit=None).rows]
    return Input(APART, ("near", "far"), ("VARCHAR", "VARCHAR"), _pairs(languages))


def _pairs(languages: Sequence[str]) -> tuple[tuple[str, str], ...]:
    if len(languages) < 2:
        return ()
    from mu.languages.interoperability import isolated_pairs

    return isolated_pairs(languages)
