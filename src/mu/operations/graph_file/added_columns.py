"""Add columns of values from other tools to the relations of nodes."""

import os
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path

from mu.errors import ExitCode, MuError
from mu.model.relation import Answer
from mu.muql.nearest import did_you_mean
from mu.muql.selects.column_joins import digests_of
from mu.operations.graph_file.column_sources import (
    Drafted,
    add_authors,
    add_churn,
    add_coverage,
    add_owners,
    add_profile,
    add_table,
)
from mu.operations.results import DEFAULT_LIMIT, Rows, check_page, next_offset
from mu.operations.workspace import Workspace
from mu.render.shown import Shown
from mu.source import native_path
from mu.store.added_columns import (
    AddedColumn,
    Addition,
    Origin,
    is_taken,
    read_columns,
    staleness,
    stored_column,
    write_columns,
)

LIST_COLUMNS = ("name", "type", "values", "meaning", "from", "added_at", "stale")

_WAIT = 60.0
"""Seconds to wait for a build of the same repository to end."""

_NAMED = 3
_CHECKOUT = 60_000_000_000
"""Nanoseconds that a checkout may take, which writes a report and sources in no order."""


class ColumnFormat(StrEnum):
    """What columns are read from."""

    TABLE = "table"
    COVERAGE = "coverage"
    OWNERS = "owners"
    CHURN = "churn"
    AUTHORS = "authors"
    PROFILE = "profile"


@dataclass(frozen=True, slots=True)
class ColumnsChange(Shown):
    """What became of the added columns: those `added`, `replaced` and `removed`, by name.

    `files` of the graph have values, of `values` there are so many. `unmatched` are paths or ids
    in the file that the graph does not have, at most three of them, `unmatched_total` counts all.
    """

    added: tuple[str, ...] = ()
    replaced: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    files: int = 0
    values: int = 0
    unmatched_total: int = 0
    unmatched: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


def add_columns(
    workspace: Workspace, source: str, *, file: str | os.PathLike[str] | None = None
) -> ColumnsChange:
    """Add columns to `nodes`, `modules`, `classes`, `functions` and `methods`, read from `file`.

    `source` is a format of `ColumnFormat`. The columns are kept beside the graph, in
    `.mubase-columns`: builds leave them, and an answer says when sources have changed since.
    Columns of the same names are replaced, and those of an earlier report of the same format
    removed, which does not hold for tables. Raises MuError, and changes nothing, when the file
    cannot be read, has nothing about a file of the graph, or has a name that a column of the graph
    has.
    """
    from mu.kernel.build_lock import build_lock  # a query does without

    if source not in _READERS:
        hint = f"there are {', '.join(_READERS)}"
        raise MuError(f"no columns come from {source}", hint, ExitCode.USAGE)
    path = None if file is None else Path(file)
    drafted = _READERS[ColumnFormat(source)](workspace, path)
    _check(drafted)
    graph = workspace.graph
    digests = digests_of(graph)
    addition = Addition(
        format=source,
        origin=_origin(workspace.root, path or drafted.file),
        added_at=datetime.now(UTC).isoformat(timespec="seconds"),
        digests={}
        if source == ColumnFormat.OWNERS
        else {path: digests[path] for path in drafted.paths if path in digests},
        columns=tuple(stored_column(column) for column in drafted.columns),
    )
    names = {column.name for column in addition.columns}
    with build_lock(workspace.root, wait=_WAIT):
        before = read_columns(graph.path)
        old = {
            column.name
            for each in before
            for column in each.columns
            if each.format == source != ColumnFormat.TABLE
        }
        write_columns(graph.path, (*_without(before, names | old), addition))
    known = _names(before)
    return ColumnsChange(
        added=tuple(name for name in sorted(names) if name not in known),
        replaced=tuple(name for name in sorted(names) if name in known),
        removed=tuple(sorted(old - names)),
        files=len(drafted.paths),
        values=sum(column.count for column in addition.columns),
        unmatched_total=len(drafted.unmatched),
        unmatched=drafted.unmatched[:_NAMED],
        notes=(*workspace.freshness.notes, *_newer(workspace.root, path, drafted), *drafted.notes),
    )


def list_columns(workspace: Workspace, *, limit: int = DEFAULT_LIMIT, offset: int = 0) -> Rows:
    """List the added columns: type, number of values, meaning, the file they came from.

    `stale` says what changed since, the file itself or sources as the graph has them.
    """
    check_page(limit, offset)
    graph = workspace.graph
    known = list(graph.added_columns().values())
    digests = digests_of(graph) if known else {}
    rows = [_row(graph.path, column, addition, digests=digests) for column, addition in known]
    page = tuple(rows[offset : offset + limit])
    answer = Answer(LIST_COLUMNS, page, len(rows), truncated=offset + len(page) < len(rows))
    return Rows(answer, next_offset(answer, offset))


def remove_column(workspace: Workspace, name: str) -> ColumnsChange:
    """Remove an added column. Raises MuError when there is none of that name."""
    from mu.kernel.build_lock import build_lock

    path = workspace.graph.path
    with build_lock(workspace.root, wait=_WAIT):
        before = read_columns(path)
        known = _names(before)
        if name not in known:
            what = did_you_mean(f"no added column is called {name}", name, among=known)
            hint = f"there are {', '.join(sorted(known))}" if known else "none was added"
            raise MuError(what, hint, ExitCode.USAGE)
        write_columns(path, _without(before, {name}))
    return ColumnsChange(removed=(name,))


def _row(
    path: Path, column: AddedColumn, addition: Addition, *, digests: Mapping[str, str]
) -> tuple[str | int, ...]:
    stale = staleness(path, addition, digests=digests)
    source = " ".join(filter(None, (addition.format, addition.origin.name)))
    return (
        column.name,
        column.type,
        column.count,
        column.comment,
        source,
        addition.added_at,
        stale,
    )


def _check(drafted: Drafted) -> None:
    names = [column.name for column in drafted.columns]
    for name in names:
        if is_taken(name):
            what = f"the graph has a column {name} already"
            raise MuError(what, "give the column another name in the file", ExitCode.USAGE)
        if names.count(name) > 1:
            raise MuError(f"two columns of the file are called {name}", "", ExitCode.USAGE)


def _without(additions: tuple[Addition, ...], names: set[str]) -> tuple[Addition, ...]:
    """Leave out the columns of some names, and what has no other."""
    from msgspec.structs import replace

    left = (
        replace(one, columns=tuple(c for c in one.columns if c.name not in names))
        for one in additions
    )
    return tuple(one for one in left if one.columns)


def _names(additions: tuple[Addition, ...]) -> set[str]:
    return {column.name for addition in additions for column in addition.columns}


def _newer(root: Path, file: Path | None, drafted: Drafted) -> Iterator[str]:
    """Say which sources were written after the report: what it says of lines may not fit them."""
    if file is None or all(column.is_by_path for column in drafted.columns):
        return
    written = file.stat().st_mtime_ns
    newer = []
    for path in drafted.paths:
        with suppress(OSError):
            if (root / native_path(path)).lstat().st_mtime_ns > written + _CHECKOUT:
                newer.append(path)
    if newer:
        files = "1 file was" if len(newer) == 1 else f"{len(newer)} files were"
        shown = ", ".join(newer[:_NAMED]) + (", …" if len(newer) > _NAMED else "")
        yield f"{files} changed after {file.name} was written: {shown}"


def _origin(root: Path, file: Path | None) -> Origin:
    if file is None:
        return Origin("")
    status = file.stat()
    absolute = file.absolute()
    below = absolute.relative_to(root).as_posix() if absolute.is_relative_to(root) else ""
    return Origin(file.name, below, status.st_size, status.st_mtime_ns)


_READERS = {
    ColumnFormat.TABLE: add_table,
    ColumnFormat.COVERAGE: add_coverage,
    ColumnFormat.OWNERS: add_owners,
    ColumnFormat.CHURN: add_churn,
    ColumnFormat.AUTHORS: add_authors,
    ColumnFormat.PROFILE: add_profile,
}
