"""Count the unresolved references that could add edges of given kinds anywhere in the graph."""

from collections.abc import Iterable

from mu.analysis.completeness.cross_language_names import can_mean, languages_apart
from mu.analysis.completeness.verdict import SITE_KINDS
from mu.model.kinds import EdgeKind
from mu.model.relation import Cell, Relation
from mu.store import GraphFile

_OPEN = f"""
WITH open AS (
    SELECT site.name, place.language, count(*) AS total
    FROM site JOIN file AS place ON place.key = site.file
    WHERE site.reason IN ('unknown', 'ambiguous', 'dynamic') AND choice = 0
        AND list_contains($kinds::VARCHAR[], site.kind::VARCHAR)
        AND NOT ($between_files AND site.kind = 'import' AND EXISTS (
            FROM site AS whole WHERE whole.file = site.file AND whole.line = site.line
                AND whole.kind = 'import' AND whole.target IS NOT NULL
                AND starts_with(site.text, whole.text || '.')
        ))
    GROUP BY ALL
),
named AS (SELECT DISTINCT name, language FROM node WHERE kind <> 'external')
SELECT coalesce(sum(total), 0)::BIGINT FROM open WHERE EXISTS (
    FROM named WHERE named.name = open.name
        AND {can_mean("open.language", "named.language")}
)
"""


def count_open(graph: GraphFile, kinds: Iterable[EdgeKind], *, between_files: bool = False) -> int:
    """Count the references that are not resolved and could give edges of `kinds`.

    They are of a sort that gives such edges, and have the name of something in the repository.
    Between files, a name that is imported from a file of the repository adds nothing to that.
    """
    sites = [site.value for kind in kinds for site in SITE_KINDS.get(kind, ())]
    values: dict[str, Cell] = {"kinds": sites, "between_files": between_files}
    relation = Relation(_OPEN, values, ("total",), (languages_apart(graph),))
    return int(str(graph.run(relation).rows[0][0]))


def open_doubts(graph: GraphFile, kinds: Iterable[EdgeKind]) -> tuple[str, ...]:
    """Say that references which are not resolved could add to what follows from all edges."""
    total = count_open(graph, kinds, between_files=True)
    if not total:
        return ()
    found = "1 reference is" if total == 1 else f"{total} references are"
    return (f"{found} not resolved, and could change this",)
