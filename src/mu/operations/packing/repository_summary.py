"""Summarise a repository on one screen: size, entry points, packages, cycles, hotspots."""

from dataclasses import dataclass

from mu.analysis.metrics.maintained_code import left_out
from mu.context.codebase import Part, find_part
from mu.model.kinds import Category
from mu.model.relation import Relation
from mu.operations.packing.part_overview import overview
from mu.operations.workspace import Workspace

MOST_ITEMS = 4
"""Items that are shown of each list."""

_SIZE = """
SELECT count(*), coalesce(sum(lines), 0)::BIGINT, (SELECT count(*) FROM node),
    (SELECT count(*) FROM edge)
FROM file WHERE status = 'indexed'
"""

_SHOWN = {
    "entry points": "Entry points",
    "packages": "Main packages",
    "hubs": "Most used",
    "cycles": "Import cycles",
    "hot spots": "Hotspots (complex and much used)",
}
_ROUTES_FIRST = ("route", "command", "script", "main", "task")


@dataclass(frozen=True, slots=True)
class SummaryList:
    """A list with its first `items` of `total`."""

    title: str
    items: tuple[str, ...]
    total: int


@dataclass(frozen=True, slots=True)
class RepositorySummary:
    """A repository in numbers and lists; `notes` say what changed since the graph was built."""

    name: str
    files: int
    lines: int
    nodes: int
    edges: int
    lists: tuple[SummaryList, ...]
    notes: tuple[str, ...] = ()


def summary(workspace: Workspace) -> RepositorySummary:
    """Summarise the repository's own code: tests, generated and vendored files left out.

    Entry points come with routes first; of each list the first few, and how many there are.
    """
    graph = workspace.graph
    files, lines, nodes, edges = (int(str(cell)) for cell in graph.run(Relation(_SIZE)).rows[0])
    skipped = {row[0] for row in left_out(graph).rows}
    whole = find_part(graph, "")
    own = [
        file
        for file in whole.files
        if file.category == Category.SOURCE and not file.is_page and file.key not in skipped
    ]
    lists = dict(overview(graph, Part(tuple(own), {}), prefix=""))
    return RepositorySummary(
        workspace.root.name,
        files,
        lines,
        nodes,
        edges,
        tuple(
            SummaryList(title, _ordered(name, items)[:MOST_ITEMS], len(items))
            for name, title in _SHOWN.items()
            if (items := lists.get(name))
        ),
        workspace.freshness.notes,
    )


def _ordered(name: str, items: tuple[str, ...]) -> tuple[str, ...]:
    if name != "entry points":
        return tuple(item.removeprefix("# ").removeprefix("$ ") for item in items)
    ranks = {role: place for place, role in enumerate(_ROUTES_FIRST)}
    return tuple(sorted(items, key=lambda item: ranks.get(item.partition(" ")[0], len(ranks))))
