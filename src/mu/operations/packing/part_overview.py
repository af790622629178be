"""Summarise a part of a repository in lists: contents, entry points, most used definitions."""

import posixpath
from collections import Counter
from collections.abc import Sequence

import msgspec

from mu.analysis.metrics.dependency_cycles import cycles
from mu.context.codebase import Part, PartFile
from mu.model.kinds import DEPENDENCY_KINDS
from mu.model.relation import Cell, Relation
from mu.render.formats.mu_text import SIGILS
from mu.render.redaction import redact
from mu.render.text import printable
from mu.store import GraphFile

MOST_LISTED = 60
"""Items of a list at most."""

_KINDS = ", ".join(f"'{kind.value}'" for kind in DEPENDENCY_KINDS)

_ENTRIES = """
SELECT entry.role::VARCHAR, entry.method, entry.label, entry.path, entry.line
FROM entry JOIN node ON node.key = entry.node
WHERE role IN ('main', 'script', 'route', 'command', 'task') AND NOT node.is_test
    AND list_contains($files::INTEGER[], node.file)
ORDER BY entry.role, entry.path, entry.line LIMIT $most
"""
_USED = f"""
WITH used AS (
    SELECT edge.target AS key, count(DISTINCT edge.source) AS total
    FROM edge JOIN node AS near ON near.key = edge.source
    WHERE edge.kind IN ({_KINDS}) AND edge.source <> edge.target AND NOT near.is_test
    GROUP BY edge.target
)
SELECT node.kind::VARCHAR, node.id, file.path, node.start_line, node.complexity, node.lines,
    coalesce(used.total, 0)
FROM node JOIN file ON file.key = node.file LEFT JOIN used ON used.key = node.key
WHERE list_contains($files::INTEGER[], node.file) AND NOT node.is_test
    AND node.kind IN ('class', 'function') AND {{where}}
ORDER BY {{order}} DESC, node.key LIMIT $most
"""
_HUBS = _USED.format(where="used.total > 1", order="used.total")
_HOT = _USED.format(
    where="node.complexity > 5", order="node.complexity * ln(2 + coalesce(used.total, 0))"
)
"""Complexity alone finds parsers that nobody touches; what is used matters more."""

Lists = tuple[tuple[str, tuple[str, ...]], ...]


class _Used(msgspec.Struct, array_like=True):
    kind: str
    id: str
    path: str
    line: int
    complexity: int
    lines: int
    total: int

    @property
    def place(self) -> str:
        name = self.id.rpartition(":")[2]
        return f"{SIGILS[self.kind]} {name}  {self.path}:{self.line}"


def overview(graph: GraphFile, part: Part, *, prefix: str) -> Lists:
    """Give the lists that describe a part, each with at most 60 items, without secrets."""
    lists = (
        ("languages", _languages(part.files)),
        ("packages", _packages(part.files)),
        ("entry points", _entries(graph, part)),
        ("hubs", tuple(f"{row.place}  used by {row.total}" for row in _used(graph, part, _HUBS))),
        ("cycles", _cycles(graph, prefix)),
        (
            "hot spots",
            tuple(
                f"{row.place}  complexity {row.complexity}, {row.lines} lines, used by {row.total}"
                for row in _used(graph, part, _HOT)
            ),
        ),
    )
    return tuple((name, tuple(map(_safe, items))) for name, items in lists if items)


def _safe(text: str) -> str:
    return printable(redact(text))


def _languages(files: Sequence[PartFile]) -> tuple[str, ...]:
    count = Counter(file.language for file in files)
    lines: Counter[str] = Counter()
    for file in files:
        lines[file.language] += file.lines
    return tuple(
        f"{name} {_files(count[name])} {total:,} lines" for name, total in lines.most_common()
    )


def _packages(files: Sequence[PartFile]) -> tuple[str, ...]:
    """Give the folders with their files and lines, those of sources first, then by lines."""
    groups: dict[str, list[PartFile]] = {}
    for file in files:
        groups.setdefault(posixpath.dirname(file.path), []).append(file)

    def rank(folder: str) -> tuple[bool, int, str]:
        members = groups[folder]
        is_source = any(file.category == "source" for file in members)
        return (not is_source, -sum(file.lines for file in members), folder)

    return tuple(
        f"{folder or '.'}/  {_files(len(groups[folder]))} "
        f"{sum(file.lines for file in groups[folder]):,} lines"
        for folder in sorted(groups, key=rank)[:MOST_LISTED]
    )


def _files(count: int) -> str:
    return "1 file" if count == 1 else f"{count:,} files"


def _entries(graph: GraphFile, part: Part) -> tuple[str, ...]:
    rows = graph.run(Relation(_ENTRIES, _asked(part)), limit=None).rows
    return tuple(_entry(row) for row in rows)


def _entry(row: tuple[Cell, ...]) -> str:
    role, method, label, path, line = map(str, row)
    return " ".join(word for word in (role, method, label, f" {path}:{line}") if word)


def _used(graph: GraphFile, part: Part, sql: str) -> list[_Used]:
    rows = graph.run(Relation(sql, _asked(part)), limit=None).rows
    return msgspec.convert(rows, list[_Used])


def _asked(part: Part) -> dict[str, Cell]:
    return {"files": [file.key for file in part.files], "most": MOST_LISTED}


def _cycles(graph: GraphFile, prefix: str) -> tuple[str, ...]:
    answer = graph.run(cycles(graph, below=prefix), limit=None)
    found: dict[Cell, list[dict[str, Cell]]] = {}
    for row in answer.rows:
        named = dict(zip(answer.columns, row, strict=True))
        found.setdefault(named["cycle_id"], []).append(named)
    return tuple(
        " -> ".join([*(f"{step['path']}:{step['line']}" for step in steps), str(steps[0]["path"])])
        + f" ({steps[0]['size']} modules)"
        for steps in list(found.values())[:MOST_LISTED]
    )
