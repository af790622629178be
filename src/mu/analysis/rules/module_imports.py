"""The imports between files as they are written, for contracts.

`from package import name` is an import of `package`, wherever `name` is defined.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from mu.model.relation import Relation

if TYPE_CHECKING:
    from mu.store import GraphFile

_IMPORTS = """
WITH written AS (
    SELECT site.file, site.line, site.text, site.name, site.target,
        node.kind = 'module' AS is_module
    FROM site JOIN node ON node.key = site.target
    WHERE site.kind = 'import' AND site.choice = 0
),
typed AS (
    SELECT near.file AS near, coalesce(far.file, -far.key) AS far,
        bool_and(edge.role = 'type-only') AS is_typed
    FROM edge JOIN node AS near ON near.key = edge.source JOIN node AS far ON far.key = edge.target
    WHERE edge.kind = 'imports' GROUP BY ALL
)
SELECT near_file.path, coalesce(far_file.path, ''), far.id, far.qualified_name,
    min(written.line), coalesce(bool_and(typed.is_typed), false),
    list_distinct(flatten(list((
        SELECT list(name.name) FROM written AS name
        WHERE name.file = written.file AND name.line = written.line AND NOT name.is_module
            AND (name.target = written.target OR starts_with(name.text, written.text))
    ))))
FROM written
JOIN node AS far ON far.key = written.target
JOIN file AS near_file ON near_file.key = written.file
LEFT JOIN file AS far_file ON far_file.key = far.file
LEFT JOIN typed ON typed.near = written.file AND typed.far = coalesce(far.file, -far.key)
WHERE far.file IS DISTINCT FROM written.file AND (written.is_module OR NOT EXISTS (
    FROM written AS other
    WHERE other.file = written.file AND other.line = written.line AND other.is_module))
GROUP BY ALL ORDER BY ALL
"""

_MODULES = """
SELECT file.path, min_by(node.qualified_name, node.key) FROM node
JOIN file ON file.key = node.file WHERE node.kind = 'module' GROUP BY file.path ORDER BY file.path
"""

Pair = tuple[str, str]
"""The path of a file, and the path or dotted name of what it imports."""


@dataclass(frozen=True, slots=True)
class ModuleImports:
    """The imports of a graph: dotted names of modules by path, and imported ones with the line.

    What lies outside of the repository goes by its dotted name. `typed` are for type checkers only;
    `imported` are the names that an import takes out of the module. `packages` are the folders that
    are imported as a whole and whose files never are, as in Go.
    """

    names: Mapping[str, str]
    outside: frozenset[str]
    lines: Mapping[Pair, int]
    typed: frozenset[Pair]
    imported: Mapping[Pair, tuple[str, ...]]
    packages: frozenset[str] = frozenset()

    def unit(self, path: str) -> str:
        """Give what is imported when a file is: its package, or itself."""
        folder = path.rpartition("/")[0] or "."
        return folder if folder in self.packages else path

    def without(self, pairs: frozenset[Pair]) -> "ModuleImports":
        """Give the same without some imports."""
        return replace(
            self, lines={pair: line for pair, line in self.lines.items() if pair not in pairs}
        )


def read_module_imports(graph: "GraphFile") -> ModuleImports:
    """Read which file imports which, as it is written."""
    modules = graph.run(Relation(_MODULES), limit=None).rows
    names = {str(path): str(name) for path, name in modules}
    files = frozenset(names)
    packages: set[str] = set()
    lines: dict[Pair, int] = {}
    typed: dict[Pair, bool] = {}
    imported: dict[Pair, set[str]] = {}
    for path, other, id_, dotted, line, is_typed, taken in graph.run(
        Relation(_IMPORTS), limit=None
    ).rows:
        target = str(other) or str(dotted)
        if str(id_).startswith("pkg:"):
            target = str(id_).removeprefix("pkg:")
            packages.add(target)
        names.setdefault(target, str(dotted))
        pair = str(path), target
        lines[pair] = min(int(str(line)), lines.get(pair, int(str(line))))
        typed[pair] = bool(is_typed) and typed.get(pair, True)
        if isinstance(taken, list):
            imported.setdefault(pair, set()).update(str(name) for name in taken)
    return ModuleImports(
        names=names,
        outside=frozenset(names) - files - packages,
        lines=lines,
        typed=frozenset(pair for pair, only in typed.items() if only),
        imported={pair: tuple(sorted(taken)) for pair, taken in imported.items() if taken},
        packages=frozenset(packages) - {path.rpartition("/")[0] or "." for _, path in lines},
    )
