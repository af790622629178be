"""The imports of a graph as they would be after a change that nobody made: an overlay.

Whole files are renamed or left out. Where a definition moves, a file keeps an import of its old
module as long as it takes something else from there; what the definition refers to is imported by
its new module, and its old module imports the new one where what stays behind refers to it.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from mu.analysis.rules.module_imports import ModuleImports, Pair
from mu.model.relation import Relation
from mu.store import GraphFile

Place = Callable[[str], str]
"""The path that a file would have; empty where it would be gone."""


@dataclass(frozen=True, slots=True)
class Affected:
    """A reference that a change would break: where it stands, what it refers to, and how."""

    path: str
    line: int
    source: str
    via: str
    target: str


def relocated(imports: ModuleImports, place: Place) -> ModuleImports:
    """Give the imports with files renamed or gone; an import between files that merge is gone."""
    names: dict[str, str] = {}
    for path, name in imports.names.items():
        after = path if path in imports.outside else place(path)
        if after:
            names.setdefault(after, name if after == path else _dotted(after, imports.names))
    lines: dict[Pair, int] = {}
    typed: set[Pair] = set()
    imported: dict[Pair, tuple[str, ...]] = {}
    for pair, line in imports.lines.items():
        near = place(pair[0])
        far = pair[1] if pair[1] in imports.outside else place(pair[1])
        if near and far and near != far:
            if pair in imports.typed and (near, far) not in lines:
                typed.add((near, far))
            elif pair not in imports.typed:
                typed.discard((near, far))
            lines.setdefault((near, far), line)
            taken = imported.get((near, far), ()) + imports.imported.get(pair, ())
            imported[near, far] = tuple(sorted(set(taken)))
    packages = frozenset(after for path in imports.packages if (after := place(path)))
    return replace(
        imports, names=names, lines=lines, typed=frozenset(typed), imported=imported,
        packages=packages,
    )  # fmt: skip


_EDGES = """
WITH RECURSIVE moved(key) AS (
    SELECT key FROM node WHERE id = ?
    UNION
    SELECT node.key FROM moved JOIN node ON node.parent = moved.key
)
SELECT near_file.path, far_file.path, edge.source IN (FROM moved), edge.target IN (FROM moved),
    min(edge.line)
FROM edge
JOIN node AS near ON near.key = edge.source JOIN file AS near_file ON near_file.key = near.file
JOIN node AS far ON far.key = edge.target JOIN file AS far_file ON far_file.key = far.file
WHERE edge.kind IN ('calls', 'uses', 'inherits') AND (near_file.path = ? OR far_file.path = ?)
GROUP BY ALL ORDER BY ALL
"""


def with_definition_moved(
    graph: GraphFile, imports: ModuleImports, *, definition: str, old: str, new: str
) -> ModuleImports:
    """Give the imports with a definition, by its id, in another file; that may be a new one."""
    name = definition.rpartition(":")[2].partition(".")[0]
    lines, typed = dict(imports.lines), set(imports.typed)
    imported = dict(imports.imported)
    stay: set[str] = set()
    goes: dict[str, int] = {}
    for near, far, is_source, is_target, line in graph.run(
        Relation(_EDGES, (definition, old, old)), limit=None
    ).rows:
        near, far, line = str(near), str(far), int(str(line))
        if near == old and is_source and not is_target:
            goes.setdefault(far, line)
        elif near == old and not is_source:
            stay.add(new if is_target else far)
            if is_target:
                lines.setdefault((old, new), line)
    for far, line in goes.items():
        if far != new:
            lines.setdefault((new, far), line)
            typed.discard((new, far))
        if far != old and far not in stay and (old, far) in lines:
            del lines[old, far]
    for near, far in list(imports.lines):
        taken = imports.imported.get((near, far), ())
        if far == old and name in taken:
            rest = tuple(one for one in taken if one != name)
            if near != new:
                lines.setdefault((near, new), imports.lines[near, far])
                imported[near, new] = (*imported.get((near, new), ()), name)
            if not rest and old not in goes:
                lines.pop((near, far), None)
            imported[near, far] = rest
    names = {**imports.names}
    names.setdefault(new, _dotted(new, imports.names))
    return replace(imports, names=names, lines=lines, typed=frozenset(typed), imported=imported)


_MOVED = """
WITH RECURSIVE gone(key) AS (
    SELECT node.key FROM node LEFT JOIN file ON file.key = node.file
    WHERE list_contains(?::VARCHAR[], coalesce(file.path, ''))
        OR list_contains(?::VARCHAR[], node.id)
    UNION
    SELECT node.key FROM gone JOIN node ON node.parent = gone.key
)
"""

_BROKEN = f"""{_MOVED}
SELECT place.path, edge.line, near.id, edge.kind::VARCHAR, far.id FROM edge
JOIN node AS near ON near.key = edge.source JOIN file AS place ON place.key = near.file
JOIN node AS far ON far.key = edge.target
WHERE edge.kind IN ('imports', 'calls', 'uses', 'inherits', 'links')
    AND edge.target IN (FROM gone) AND edge.source NOT IN (FROM gone)
ORDER BY ALL
"""

_NAMING = f"""{_MOVED}
SELECT DISTINCT place.path, site.line, near.id, 'imports', far.id FROM site
JOIN node AS near ON near.key = site.source JOIN file AS place ON place.key = site.file
JOIN node AS far ON far.key = site.target
WHERE site.kind IN ('import', 'link') AND (
    (site.target IN (FROM gone) AND site.source NOT IN (FROM gone))
    OR (site.target NOT IN (FROM gone) AND site.source IN (FROM gone) AND site.text[1] = '.'
        AND far.file IS NOT NULL))
ORDER BY ALL
"""

_DOUBTS = f"""{_MOVED}
SELECT count(*) FROM site WHERE reason IN ('unknown', 'ambiguous', 'dynamic')
    AND name IN (SELECT name FROM node WHERE key IN (FROM gone))
    AND source NOT IN (FROM gone)
"""


def broken_by_removal(
    graph: GraphFile, files: frozenset[str], *, ids: tuple[str, ...]
) -> tuple[Affected, ...]:
    """Give all references from elsewhere to what some files and definitions hold."""
    return _affected(graph, _BROKEN, files, ids)


def broken_by_move(
    graph: GraphFile, files: frozenset[str], *, ids: tuple[str, ...]
) -> tuple[Affected, ...]:
    """Give the imports that name the old place of files, and relative ones inside them."""
    return _affected(graph, _NAMING, files, ids)


def open_references(graph: GraphFile, files: frozenset[str], *, ids: tuple[str, ...]) -> int:
    """Count the references that are not resolved and have the name of something in there."""
    rows = graph.run(Relation(_DOUBTS, (sorted(files), list(ids))), limit=None).rows
    return int(str(rows[0][0]))


def _affected(
    graph: GraphFile, sql: str, files: frozenset[str], ids: tuple[str, ...]
) -> tuple[Affected, ...]:
    rows = graph.run(Relation(sql, (sorted(files), list(ids))), limit=None).rows
    found = [
        Affected(str(path), int(str(line)), str(source), str(via), str(target))
        for path, line, source, via, target in rows
    ]
    named = {(one.path, one.line) for one in found if not one.target.startswith("mod:")}
    return tuple(  # `from a import b` is told by `b`
        one
        for one in found
        if one.via != "imports"
        or not one.target.startswith("mod:")
        or (one.path, one.line) not in named
    )


def _dotted(path: str, names: Mapping[str, str]) -> str:
    """Give the dotted name of a file that is not there, from those of its neighbours."""
    folder, _, file = path.rpartition("/")
    stem = file.partition(".")[0]
    for other, name in names.items():
        near, _, neighbour = other.rpartition("/")
        if near == folder and neighbour.partition(".")[0] == name.rpartition(".")[2]:
            return f"{name.rpartition('.')[0]}.{stem}".lstrip(".")
    return f"{_dotted(folder, names)}.{stem}" if folder else stem
