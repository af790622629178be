"""Decide if files that changed since the build could alter an answer; if not, its verdict stays.

Sound rather than precise: an answer keeps its verdict only where every way is ruled out by which a
change of one file reaches a reference in another. Decision 72 lists them.

- By name: the new text of a changed file has none of the names in question as a word, among them
  those that imports give to the nodes. (In a text of another language not even as a part of one.)
- By value: what is called under another name was passed as a value, exported without a name, or
  decorated. An answer about such a node never keeps its verdict, and neither does one about members
  and classes, whose methods run without being named.
- By type: references whose meaning rests on types or values may change with any file. Only those
  that were resolved by names alone count as settled.
- By import: no file that has such a reference or node imports a changed one, directly or not, and
  no new file has the name of something imported.
"""

import re
from collections.abc import Iterable, Sequence, Set
from pathlib import PurePosixPath
from typing import NamedTuple

from mu.analysis.walks.breadth_first import WalkResult, walk_graph
from mu.analysis.walks.traversal import Direction, Walk
from mu.kernel.change_detection.file_changes import Changes
from mu.model.kinds import EdgeKind, NodeKind, Rule, Verdict
from mu.model.relation import Cell, Relation
from mu.operations.workspace import Workspace
from mu.source import SkippedSource, read_source

MOST_CHANGED = 20
"""Changed files that are read for an answer."""

_MOST_NODES = 200
_MOST_IMPORTING = 50
_MOST_BYTES = 2_000_000

_BY_NAMES = frozenset({Rule.LOCAL, Rule.MODULE, Rule.IMPORT, Rule.PACKAGE})
"""Rules that read names and imports alone."""

_FOLDER_MODULES = frozenset({"__init__", "index", "mod", "main", "lib"})
"""Names of files that stand for their folder."""

_WORD = re.compile(r"\w+")
_UNNAMED_EXPORT = re.compile(r"\bexport\s+default\b|\bexports\b")

_WALKED_NODES = """
SELECT node.key, node.name, node.kind::VARCHAR, len(node.decorators),
    parent.kind::VARCHAR, file.path
FROM {walked} AS walked JOIN node ON node.key = walked.node
LEFT JOIN node AS parent ON parent.key = node.parent
LEFT JOIN file ON file.key = node.file
WHERE walked.distance < ?
"""

_SITES_TO = """
SELECT DISTINCT site.name, site.kind::VARCHAR, place.path
FROM site JOIN file AS place ON place.key = site.file
WHERE list_contains(?::INTEGER[], site.target)
"""

_SITES_NAMED = """
SELECT DISTINCT site.rule::VARCHAR, place.path
FROM site JOIN file AS place ON place.key = site.file
WHERE list_contains(?::VARCHAR[], site.name)
"""

_SITES_FROM = """
SELECT DISTINCT site.rule::VARCHAR, place.path
FROM site JOIN file AS place ON place.key = site.file
WHERE list_contains(?::INTEGER[], site.source)
"""

_IMPORTED = "SELECT 1 FROM site WHERE kind = 'import' AND list_contains(?::VARCHAR[], name)"

_MODULES = """
SELECT node.key FROM node JOIN file ON file.key = node.file
WHERE node.kind = 'module' AND list_contains(?::VARCHAR[], file.path)
"""

_PATHS = """
SELECT DISTINCT file.path FROM {walked} AS walked
JOIN node ON node.key = walked.node JOIN file ON file.key = node.file
"""


class _Node(NamedTuple):
    key: int
    name: str
    kind: str
    decorators: int
    parent: str | None
    path: str | None


def could_alter(
    workspace: Workspace, changes: Changes, *, walked: WalkResult, verdict: Verdict
) -> bool:
    """Tell whether what changed could alter the answer of a walk, whose verdict is `verdict`.

    Costs the reading of the changed files and of those that import the nodes in question, and some
    questions to the graph; when in doubt it could.
    """
    if changes.total > MOST_CHANGED:
        return True
    sql = _WALKED_NODES.format(walked=walked.table.name)
    relation = Relation(sql, (walked.walk.bound,), inputs=(walked.table,))
    rows = workspace.graph.run(relation, limit=_MOST_NODES + 1).rows
    met = [_Node(*row) for row in rows]  # type: ignore[arg-type] # the columns are of these types
    if len(met) > _MOST_NODES or not all(map(_is_plain, met)):
        return True
    if walked.walk.direction is Direction.BACKWARD:
        files = _files_backward(workspace, met, changes, verdict)
    else:
        files = _files_forward(workspace, met, verdict)
    return files is None or _could_reach(workspace, files, changes)


def _is_plain(node: _Node) -> bool:
    """Tell whether a node is used by its name alone: a function or variable of a module."""
    is_alone = node.kind in {NodeKind.FUNCTION, NodeKind.VARIABLE} and not node.decorators
    return is_alone and node.parent in {NodeKind.MODULE, NodeKind.FUNCTION}


def _files_backward(
    workspace: Workspace, met: list[_Node], changes: Changes, verdict: Verdict
) -> Set[str] | None:
    """Give the files that an answer about what uses nodes rests on; None when it may be altered."""
    sites = _ask(workspace, _SITES_TO, [node.key for node in met])
    is_value = any(node.kind == NodeKind.FUNCTION for node in met)
    if is_value and any(kind in {"value", "decorator"} for _, kind, _ in sites):
        return None
    own = {node.path for node in met if node.path is not None}
    importing = own | {str(path) for _, kind, path in sites if kind == "import"}
    if len(importing) > _MOST_IMPORTING:
        return None
    names = {node.name for node in met} | {str(name) for name, _, _ in sites}
    for path in importing:
        text = _text(workspace, path)
        if text is None or (path in own and _UNNAMED_EXPORT.search(text)):
            return None
        names |= _aliases(text, names)
    if _mentions(workspace, changes, names, {PurePosixPath(path).suffix for path in own}):
        return None
    named = _ask(workspace, _SITES_NAMED, sorted(names))
    if not _are_settled((rule for rule, _ in named), verdict):
        return None
    return own | {str(path) for _, path in named}


def _files_forward(workspace: Workspace, met: list[_Node], verdict: Verdict) -> Set[str] | None:
    """Give the files that an answer about what nodes use rests on; None when it may be altered."""
    sites = _ask(workspace, _SITES_FROM, [node.key for node in met])
    if not _are_settled((rule for rule, _ in sites), verdict):
        return None
    return {node.path for node in met if node.path is not None}


def _are_settled(rules: Iterable[Cell], verdict: Verdict) -> bool:
    """Tell whether sites were resolved by names alone.

    Those that are not resolved make an answer `at least`, which holds whatever they come to mean.
    """
    return all(
        rule in _BY_NAMES if rule is not None else verdict is not Verdict.EXACT for rule in rules
    )


def _could_reach(workspace: Workspace, files: Set[str], changes: Changes) -> bool:
    """Tell whether a file that an answer rests on is, or imports, one that changed."""
    old = [*changes.changed, *changes.removed]
    if not files.isdisjoint(old):
        return True
    stems = {PurePosixPath(path).stem for path in changes.added}
    if stems & _FOLDER_MODULES or (stems and _ask(workspace, _IMPORTED, sorted(stems))):
        return True
    for (key,) in _ask(workspace, _MODULES, old):
        walk = Walk(int(str(key)), Direction.BACKWARD, None, (EdgeKind.IMPORTS,))
        walked = walk_graph(workspace.graph, walk)
        sql = _PATHS.format(walked=walked.table.name)
        paths = workspace.graph.run(Relation(sql, inputs=(walked.table,)), limit=None).rows
        if not files.isdisjoint(str(path) for (path,) in paths):
            return True
    return False


def _mentions(workspace: Workspace, changes: Changes, names: Set[str], endings: Set[str]) -> bool:
    """Tell whether the new text of a changed file has one of the names, or cannot be read."""
    for path in (*changes.changed, *changes.added):
        text = _text(workspace, path)
        if text is None or not names.isdisjoint(_WORD.findall(text)):
            return True
        if PurePosixPath(path).suffix not in endings and any(name in text for name in names):
            return True
    return False


def _aliases(text: str, names: Set[str]) -> Set[str]:
    """Give the other names that a text takes names in by: `login as signin`."""
    either = "|".join(map(re.escape, sorted(names)))
    return set(re.findall(rf"\b(?:{either})\s+as\s+(\w+)", text))


def _text(workspace: Workspace, path: str) -> str | None:
    try:
        found = read_source(workspace.root, path, max_file_size=_MOST_BYTES)
    except (SkippedSource, OSError):
        return None
    return found.text.decode("utf-8", "replace")


def _ask(
    workspace: Workspace, sql: str, values: Sequence[int | str]
) -> tuple[tuple[Cell, ...], ...]:
    """Run a query about keys or names; nothing is asked about none."""
    if not values:
        return ()
    return workspace.graph.run(Relation(sql, (values,)), limit=None).rows
