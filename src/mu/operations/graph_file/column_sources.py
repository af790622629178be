"""Read columns by node or by path from each format: tables, coverage, owners, profiles."""

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from mu.analysis.node_search.definition_extents import (
    Extent,
    covered_share,
    function_at,
    innermost,
    read_extents,
)
from mu.errors import ExitCode, MuError
from mu.model.relation import Cell, Input, Relation
from mu.muql.selects.column_joins import digests_of
from mu.operations.workspace import Workspace
from mu.reports.placing import place_paths
from mu.store import GraphFile
from mu.store.added_columns import ColumnDraft, is_name, is_taken

if TYPE_CHECKING:
    from mu.source.git.authorship import Authorship

_HISTORY_SECONDS = 300.0
_NAMED = 3
_PATHS = ("path", "file", "filename", "file_path")
_LINES = ("line", "lineno", "line_number", "start_line")
_NOT_WORD = re.compile(r"[^a-z0-9]+")
_TYPES = {"BOOLEAN": "BOOLEAN", "FLOAT": "DOUBLE", "DOUBLE": "DOUBLE", "VARCHAR": "VARCHAR"}
_IDS = "SELECT node.id, file.path FROM node LEFT JOIN file ON file.key = node.file"


@dataclass(frozen=True, slots=True)
class Drafted:
    """Columns that are to be added.

    `paths` are the files of the graph that have values; `unmatched` what the file named and the
    graph does not have; `notes` say what was left out. `file` is the one that was found.
    """

    columns: tuple[ColumnDraft, ...]
    paths: tuple[str, ...]
    unmatched: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    file: Path | None = None


@dataclass(frozen=True, slots=True)
class _Keyed:
    """Key and path of each row of a table, in its order; None for what the graph does not have."""

    keys: Sequence[tuple[str, str] | None]
    names: Sequence[str]
    is_by_path: bool


def add_table(workspace: Workspace, file: Path | None) -> Drafted:
    """Read a table with a column `id`, or `path`, or `path` and `line`; the others are added.

    A value of a path is that of all nodes in the file; one of a line that of the innermost
    definition there. Raises MuError when there is no such column, or two rows are about one node.
    """
    from mu.store.engine.outside_files import read_table

    path = given(file, "a CSV, TSV, Parquet or JSON file")
    table = read_table("rows", path)
    names = [_NOT_WORD.sub("_", column.lower()).strip("_") for column in table.columns]
    id_at = names.index("id") if "id" in names else -1
    path_at = next((names.index(name) for name in _PATHS if name in names), -1)
    line_at = next((names.index(name) for name in _LINES if name in names), -1)
    if id_at >= 0:
        keyed = _by_id(workspace.graph, [str(row[id_at]) for row in table.rows])
        keys = {id_at}
    elif path_at >= 0:
        lines = None if line_at < 0 else [row[line_at] for row in table.rows]
        keyed = _by_path(workspace, [str(row[path_at]) for row in table.rows], lines)
        keys = {path_at, line_at}
    else:
        what = f"{path.name} has no column to find nodes by"
        raise MuError(what, "call one `path`, `path` and `line`, or `id`", ExitCode.USAGE)
    _check_rows(keyed, path.name)
    places = [place for place in range(len(names)) if place not in keys]
    if not places:
        raise MuError(f"{path.name} has no column of values", "add one", ExitCode.USAGE)
    columns = tuple(_drafted(table, keyed, names[place], place, of=path.name) for place in places)
    unmatched = dict.fromkeys(
        name for name, key in zip(keyed.names, keyed.keys, strict=True) if key is None
    )
    return Drafted(columns, _paths(keyed), tuple(unmatched))


def add_coverage(workspace: Workspace, file: Path | None) -> Drafted:
    """Read `coverage`, the share of executable lines that were run, from 0 to 1."""
    from mu.reports.coverage import read_coverage

    path = given(file, "a report of coverage.py, Cobertura or lcov")
    covered = read_coverage(path)
    extents = read_extents(workspace.graph)
    placed = place_paths(covered, extents, root=str(workspace.root))
    unmatched = tuple(name for name in covered if name not in placed)
    if not placed:
        raise nothing_matched(path.name, unmatched)
    shares: dict[str, Cell] = {}
    for name, place in placed.items():
        shares.update(covered_share(extents[place], covered[name]))
    meaning = f"share of executable lines that were run, from {path.name}"
    column = ColumnDraft("coverage", "DOUBLE", meaning, is_by_path=False, values=shares)
    return Drafted((column,), tuple(dict.fromkeys(placed.values())), unmatched)


def add_owners(workspace: Workspace, file: Path | None) -> Drafted:
    """Read `owners`, a list by the last pattern that matches; without a file the usual places."""
    from mu.reports.codeowners import dialect_of, read_owners
    from mu.reports.reading import read_report

    path = given(file or _codeowners(workspace.root), "a CODEOWNERS file")
    text = read_report(path).decode("utf-8", "replace")
    has_gitlab = (workspace.root / ".gitlab-ci.yml").is_file()
    dialect = dialect_of(path.absolute().as_posix(), text, has_gitlab=has_gitlab)
    owners = read_owners(text, dialect)
    values: dict[str, Cell] = {
        each: found for each in digests_of(workspace.graph) if (found := owners.of(each))
    }
    if not values:
        raise MuError(f"no pattern of {path.name} matches a file of the graph", "", ExitCode.USAGE)
    meaning = f"owners by {path.name}, read as {dialect.value} does"
    column = ColumnDraft("owners", "VARCHAR[]", meaning, is_by_path=True, values=values)
    lines = ", ".join(map(str, owners.skipped[:_NAMED]))
    note = f"{len(owners.skipped)} lines have no meaning: {lines}" if owners.skipped else ""
    return Drafted((column,), tuple(values), notes=(note,) if note else (), file=path)


def add_churn(workspace: Workspace, file: Path | None) -> Drafted:
    """Count the commits that changed each file, as `churn`."""
    history = _history(workspace, file)
    counts: dict[str, Cell] = {path: n.total() for path, n in history.commits.items()}
    meaning = "number of commits that changed the file, merges not counted"
    return _of_files(workspace, history, "churn", "BIGINT", meaning, values=counts)


def add_authors(workspace: Workspace, file: Path | None) -> Drafted:
    """List the authors of the commits that changed each file, most commits first, as `authors`."""
    history = _history(workspace, file)
    names: dict[str, Cell] = {path: _ranked(n) for path, n in history.commits.items()}
    meaning = "authors of the commits that changed the file, most commits first"
    return _of_files(workspace, history, "authors", "VARCHAR[]", meaning, values=names)


def add_profile(workspace: Workspace, file: Path | None) -> Drafted:
    """Read the seconds in each function, alone and with what it calls, and its calls if counted."""
    from mu.reports.profiles import read_profile

    path = given(file, "a profile of cProfile or speedscope")
    profile = read_profile(path)
    extents = read_extents(workspace.graph)
    reported = dict.fromkeys(f.path for f in profile.frames if f.path.strip("~<>"))
    placed = place_paths(reported, extents, root=str(workspace.root))
    found = [
        function_at(extents[placed[each.path]], each.line, name=each.name)
        if each.path in placed
        else None
        for each in profile.frames
    ]
    times = profile.times([each.id if each else "" for each in found])
    if not times.whole:
        raise nothing_matched(path.name, reported)
    columns: list[tuple[str, str, str, Mapping[str, float]]] = [
        ("profile_self_seconds", "DOUBLE", "seconds in the function itself", times.own),
        ("profile_seconds", "DOUBLE", "seconds in the function and what it calls", times.whole),
    ]
    if profile.has_calls:
        columns.append(("profile_calls", "BIGINT", "number of calls", times.calls))
    drafts = tuple(
        ColumnDraft(
            name, kind, f"{meaning}, from {path.name}", is_by_path=False, values=_rounded(values)
        )
        for name, kind, meaning, values in columns
    )
    paths = dict.fromkeys(
        placed[each.path] for each, at in zip(profile.frames, found, strict=True) if at
    )
    note = "functions outside the repository, such as those of libraries, are left out"
    left_out = len(reported) - len(paths)
    return Drafted(drafts, tuple(paths), notes=(note,) if left_out else ())


def _rounded(values: Mapping[str, float]) -> dict[str, Cell]:
    """Cut seconds to nanoseconds."""
    return {key: round(value, 9) for key, value in values.items()}


def _ranked(counts: Mapping[str, int]) -> list[str]:
    return sorted(counts, key=lambda name: (-counts[name], name))


def _codeowners(root: Path) -> Path:
    from mu.reports.codeowners import PLACES

    for place, _ in PLACES:
        path = root / place
        if path.is_file() and path.resolve() == root.resolve() / place:
            return path
    places = ", ".join(place for place, _ in PLACES)
    raise MuError("no CODEOWNERS here", f"looked for {places}: name the file", ExitCode.USAGE)


def _history(workspace: Workspace, file: Path | None) -> "Authorship":
    from mu.source.git.authorship import read_authorship

    if file is not None:
        raise MuError("the history comes from git", "give no file", ExitCode.USAGE)
    history = read_authorship(workspace.root, seconds=_HISTORY_SECONDS)
    if history is None:
        raise MuError("no git repository with a commit here", "", ExitCode.USAGE)
    return history


def _of_files(
    workspace: Workspace,
    history: "Authorship",
    name: str,
    kind: str,
    meaning: str,
    *,
    values: Mapping[str, Cell],
) -> Drafted:
    known = digests_of(workspace.graph)
    kept = {path: value for path, value in values.items() if path in known}
    if not kept:
        raise MuError("no commit changed a file of the graph", "", ExitCode.USAGE)
    column = ColumnDraft(name, kind, meaning, is_by_path=True, values=kept)
    note = f"only commits since {history.since} count: {history.reason}" if history.reason else ""
    return Drafted((column,), tuple(kept), notes=(note,) if note else ())


def given(file: Path | None, what: str) -> Path:
    """Give the file; raises MuError when there is none."""
    if file is None:
        raise MuError("no file is given", f"give {what}", ExitCode.USAGE)
    if not file.is_file():
        raise MuError(f"{file.name} is not a file", f"give {what}", ExitCode.USAGE)
    return file


def nothing_matched(name: str, unmatched: Iterable[str]) -> MuError:
    """Give the error of a file that has nothing about the graph."""
    first = next(iter(unmatched), "")
    what = f"nothing in {name} is about a file of the graph"
    what += f": the first it names is {first}" if first else ""
    return MuError(what, "is it of this repository, and are its files indexed?", ExitCode.USAGE)


def _by_id(graph: GraphFile, ids: Sequence[str]) -> _Keyed:
    known = {
        str(node): str(path or "") for node, path in graph.run(Relation(_IDS), limit=None).rows
    }
    keys = [(node, known[node]) if node in known else None for node in ids]
    return _Keyed(keys, ids, is_by_path=False)


def _by_path(workspace: Workspace, paths: Sequence[str], lines: Sequence[Cell] | None) -> _Keyed:
    placed = place_paths(paths, digests_of(workspace.graph), root=str(workspace.root))
    if lines is None:
        keys = [(placed[path], placed[path]) if path in placed else None for path in paths]
        return _Keyed(keys, paths, is_by_path=True)
    extents = read_extents(workspace.graph)
    found = [
        _at(extents.get(placed[path], ()), line) if path in placed else None
        for path, line in zip(paths, lines, strict=True)
    ]
    names = [f"{path}:{line}" for path, line in zip(paths, lines, strict=True)]
    keys = [
        (extent.id, placed[path]) if extent else None
        for path, extent in zip(paths, found, strict=True)
    ]
    return _Keyed(keys, names, is_by_path=False)


def _at(extents: tuple[Extent, ...], line: Cell) -> Extent | None:
    if isinstance(line, str) or not isinstance(line, (int, float)):
        return None
    return innermost(extents, int(line))


def _check_rows(keyed: _Keyed, name: str) -> None:
    if not any(keyed.keys):
        raise nothing_matched(name, keyed.names)
    seen: dict[str, int] = {}
    for number, key in enumerate(keyed.keys, start=1):
        if key is None:
            continue
        if key[0] in seen:
            what = f"rows {seen[key[0]]} and {number} of {name} are both about {key[0]}"
            raise MuError(what, "make one row of them first", ExitCode.USAGE)
        seen[key[0]] = number


def _drafted(table: Input, keyed: _Keyed, name: str, place: int, *, of: str) -> ColumnDraft:
    if not (is_name(name) or is_taken(name)):
        what = f"a column of {of} cannot be called `{table.columns[place]}`"
        raise MuError(what, "a name begins with a letter, and has 63 at most", ExitCode.USAGE)
    kind = _TYPES.get(table.types[place], "BIGINT")
    values = {
        key[0]: row[place]
        for key, row in zip(keyed.keys, table.rows, strict=True)
        if key is not None and _is_value(row[place])
    }
    return ColumnDraft(name, kind, f"from {of}", is_by_path=keyed.is_by_path, values=values)


def _is_value(cell: Cell) -> bool:
    return cell is not None and not (isinstance(cell, float) and not math.isfinite(cell))


def _paths(keyed: _Keyed) -> tuple[str, ...]:
    return tuple(dict.fromkeys(key[1] for key in keyed.keys if key is not None and key[1]))
