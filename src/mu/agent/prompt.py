"""What a model is told before the question: the fixed text, and what the graph at hand holds.

The fixed text is the same bytes in every session, so that a server can cache it; what differs from
one graph to another stands behind it.
"""

from dataclasses import dataclass
from functools import cache
from importlib.resources import files

import msgspec

from mu.agent.toolbox import framed
from mu.agent.values import Record
from mu.errors import MuError
from mu.model.relation import Relation
from mu.muql.grammar import card
from mu.operations.workspace import Workspace
from mu.render.redaction import redact

_TOP = 12
_SUMMARY = "{graph_summary}"

_COUNTS = """
SELECT kind::VARCHAR, count(*) FROM node WHERE kind <> 'external' GROUP BY kind ORDER BY 2 DESC, 1
"""
_LANGUAGES = """
SELECT language, count(*) FROM file WHERE status = 'indexed' GROUP BY language ORDER BY 2 DESC, 1
"""
_MODULES = """
SELECT place.path, count(*) FROM edge
JOIN node AS far ON far.key = edge.target JOIN file AS place ON place.key = far.file
JOIN node AS near ON near.key = edge.source
WHERE edge.kind <> 'contains' AND near.file <> far.file AND NOT near.is_test AND NOT far.is_test
GROUP BY place.path ORDER BY 2 DESC, 1 LIMIT ?
"""
_SITES = """
SELECT count(*), count(*) FILTER (reason IN ('ambiguous', 'dynamic', 'unknown'))
FROM site WHERE choice = 0
"""
_EDGES = "SELECT count(*) FROM edge"
_ENTRIES = """
SELECT role || ' ' || CASE WHEN label = '' THEN path || ':' || line ELSE label END, count(*)
FROM entry WHERE role IN ('main', 'script', 'route', 'command', 'task')
GROUP BY 1 ORDER BY 1 LIMIT ?
"""


@dataclass(frozen=True, slots=True)
class GraphSummary(Record):
    """A graph in a few lines.

    `nodes` and `languages` are counts by name, most first; `top_modules` are the files that others
    depend on most; `unresolved` is the share of references whose meaning is not known, from 0 to 1;
    `added_columns` are those that a user added, with what they mean.
    """

    nodes: tuple[tuple[str, int], ...]
    edges: int
    languages: tuple[tuple[str, int], ...]
    top_modules: tuple[str, ...]
    entry_points: tuple[str, ...]
    unresolved: float
    added_columns: tuple[tuple[str, str], ...] = ()

    def to_text(self) -> str:
        """Write it for a model."""
        nodes = ", ".join(f"{count:,} {kind}" for kind, count in self.nodes)
        languages = ", ".join(f"{name} ({count:,} files)" for name, count in self.languages)
        lines = [
            f"nodes: {nodes}; edges: {self.edges:,}",
            f"languages: {languages}",
            f"most depended on: {', '.join(self.top_modules) or 'nothing'}",
            f"entry points: {', '.join(self.entry_points) or 'none found'}",
            f"references whose meaning is not known: {self.unresolved:.1%}",
        ]
        if self.added_columns:
            columns = "; ".join(f"{name} ({meaning})" for name, meaning in self.added_columns)
            lines.append(f"more columns of functions, classes and modules: {columns}")
        return "\n".join(lines)


def summarise(workspace: Workspace) -> GraphSummary:
    """Sum the graph of a workspace up."""

    def ask(sql: str, *values: int) -> list[tuple[object, ...]]:
        return list(workspace.graph.run(Relation(sql, values), limit=None).rows)

    counts = list[tuple[str, int]]
    ((total, opened),) = msgspec.convert(ask(_SITES), list[tuple[int, int]])
    ((edges,),) = msgspec.convert(ask(_EDGES), list[tuple[int]])
    return GraphSummary(
        nodes=tuple(msgspec.convert(ask(_COUNTS), counts)),
        edges=edges,
        languages=tuple(msgspec.convert(ask(_LANGUAGES), counts)),
        top_modules=tuple(path for path, _ in msgspec.convert(ask(_MODULES, _TOP), counts)),
        entry_points=tuple(label for label, _ in msgspec.convert(ask(_ENTRIES, _TOP), counts)),
        unresolved=opened / total if total else 0.0,
        added_columns=_added_columns(workspace),
    )


def _added_columns(workspace: Workspace) -> tuple[tuple[str, str], ...]:
    """Give name and meaning of the columns that a user added; damaged ones stop no question."""
    try:
        added = workspace.graph.added_columns().values()
    except MuError:
        return ()
    return tuple((column.name, column.comment) for column, _ in added)


@cache
def system_prompt() -> str:
    """Give the fixed text: what stands before the part that tells of the repository."""
    return _parts()[0].replace("{muql_card}", card())


def summary_text(summary: GraphSummary) -> str:
    """Give what stands behind the fixed text; names of the repository in it are data."""
    told = framed(redact(summary.to_text()), "graph_summary")
    return _parts()[1].replace(_SUMMARY, told)


def _parts() -> tuple[str, str]:
    """The prompt, cut before the heading under which the summary stands."""
    text = files("mu.agent").joinpath("prompts", "system.md").read_text(encoding="utf-8")
    place = text.rindex("## ", 0, text.index(_SUMMARY))
    return text[:place], text[place:].rstrip("\n")
