"""Columns that a user adds to the graph, in a file beside it that a build does not touch.

The graph file is made anew by builds, so what is added stands apart, in `.mubase-columns`: JSON
that is replaced as a whole by one rename, and read as data only. A value belongs to the id of a
node, or to a path, when it is that of every node in the file. Values are decoded for the columns
that a query names, and no others.
"""

import re
import stat
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from uuid import uuid4

import msgspec

from mu.errors import MuError
from mu.model.relation import Cell, Input, View
from mu.store.engine.quoting import quote_name
from mu.store.relations import ALIASES, EXTENDED, node_query, relation_schema

TYPES = ("BIGINT", "DOUBLE", "BOOLEAN", "VARCHAR", "VARCHAR[]")
"""Types that an added column may have."""

_SUFFIX = "-columns"
_VERSION = 1
_NAMED = 3
_LARGEST = 500_000_000  # bytes of the file
_NAME = re.compile(r"[a-z][a-z0-9_]{0,62}")
_WORD = re.compile(r"\w+")
_RESERVED = frozenset({"type", "file_path", "file", "line", "line_start", "line_end", "rowid"})


class AddedColumn(msgspec.Struct, frozen=True):
    """A column: its name, one of `TYPES`, what it means, and `values` as JSON, by id or path."""

    name: str
    type: str
    comment: str
    is_by_path: bool
    count: int
    values: msgspec.Raw


@dataclass(frozen=True, slots=True)
class ColumnDraft:
    """A column that is to be added, with its values by id of a node, or by path."""

    name: str
    type: str
    comment: str
    is_by_path: bool
    values: Mapping[str, Cell]


class Origin(msgspec.Struct, frozen=True):
    """The file that columns were read from; `path` is from the root, empty if it lies elsewhere.

    `bytes` and `changed_at` (nanoseconds) are those it had.
    """

    name: str
    path: str = ""
    bytes: int = 0
    changed_at: int = 0


class Addition(msgspec.Struct, frozen=True):
    """Columns that came together: the format, the file, when (UTC), and the digests of sources."""

    format: str
    origin: Origin
    added_at: str
    digests: dict[str, str]
    columns: tuple[AddedColumn, ...]


class _File(msgspec.Struct, frozen=True):
    version: int
    additions: tuple[Addition, ...]


def columns_path(graph: Path) -> Path:
    """Give where the columns of the graph file `graph` are."""
    return graph.with_name(graph.name + _SUFFIX)


def read_columns(graph: Path) -> tuple[Addition, ...]:
    """Read what was added to the graph file `graph`; nothing where there is no such file.

    Raises MuError when the file is not one of ours.
    """
    path = columns_path(graph)
    try:
        status = path.lstat()
        if not stat.S_ISREG(status.st_mode) or status.st_size > _LARGEST:
            raise _damaged(path)
        held = msgspec.json.decode(path.read_bytes(), type=_File)
    except (FileNotFoundError, NotADirectoryError):
        return ()
    except (OSError, msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise _damaged(path) from error
    columns = [column for addition in held.additions for column in addition.columns]
    is_sound = all(is_name(column.name) and column.type in TYPES for column in columns)
    is_unique = len({column.name for column in columns}) == len(columns)
    if held.version != _VERSION or not is_sound or not is_unique:
        raise _damaged(path)
    return held.additions


def is_rewritten(graph: Path, origin: Origin) -> bool:
    """Tell whether the file that columns came from is inside the root and has changed since."""
    if not origin.path or ".." in Path(origin.path).parts or Path(origin.path).is_absolute():
        return False
    try:
        status = (graph.parent / origin.path).lstat()
    except OSError:
        return False
    return (status.st_size, status.st_mtime_ns) != (origin.bytes, origin.changed_at)


def write_columns(graph: Path, additions: Iterable[Addition]) -> None:
    """Replace what was added to the graph file `graph`, all or nothing; raises MuError."""
    from mu.store.writing import publish  # what reads does without

    final = columns_path(graph)
    new = final.with_name(f"{final.name}.{uuid4().hex[:16]}.tmp")
    data = msgspec.json.encode(_File(_VERSION, tuple(additions)))
    try:
        for stale in final.parent.glob(f"{final.name}.*.tmp"):
            stale.unlink(missing_ok=True)
        new.write_bytes(data)
        publish(new, final)
    except OSError as error:
        new.unlink(missing_ok=True)
        what = f"{final.name} could not be written: {(error.strerror or 'unknown').lower()}"
        raise MuError(what, "is the disk full, or the folder not yours?") from error


def stored_column(draft: ColumnDraft) -> AddedColumn:
    """Give a column as it is kept."""
    return AddedColumn(
        name=draft.name,
        type=draft.type,
        comment=draft.comment,
        is_by_path=draft.is_by_path,
        count=len(draft.values),
        values=msgspec.Raw(msgspec.json.encode(draft.values)),
    )


def is_name(name: str) -> bool:
    """Tell whether an added column may have the name: a word in small letters that is not taken."""
    return bool(_NAME.fullmatch(name)) and not is_taken(name)


def is_taken(name: str) -> bool:
    """Tell whether a column of the graph has the name, or once had it."""
    return name in _RESERVED or any(
        name == column.name for relation in EXTENDED for column in relation_schema(relation).columns
    )


def input_of(column: AddedColumn) -> Input:
    """Give the values of a column as a table of `key` and `value`; raises MuError."""
    try:
        values = msgspec.json.decode(column.values, type=_VALUES[column.type])
    except msgspec.MsgspecError as error:
        raise MuError(f"the column {column.name} is damaged", _REPAIR) from error
    rows: list[tuple[Cell, ...]] = list(values.items())
    return Input(f"_column_{column.name}", ("key", "value"), ("VARCHAR", column.type), rows)


def views_with(columns: Mapping[str, AddedColumn], sql: str) -> tuple[View, ...]:
    """Give those relations of nodes that `sql` names with these columns, after the graph's own."""
    words = {word.lower() for word in _WORD.findall(sql)}
    short = {name: of for name, of in ALIASES.items() if of in EXTENDED and name in words}
    joins = "".join(
        f"\nLEFT JOIN {quote_name(f'_column_{name}')} AS {quote_name(f'_{name}')}"
        f" ON {quote_name(f'_{name}')}.key = base.{'path' if column.is_by_path else 'id'}"
        for name, column in columns.items()
    )
    values = ", ".join(f"{quote_name(f'_{name}')}.value AS {quote_name(name)}" for name in columns)
    views = [
        View(name, f"SELECT base.*, {values} FROM (\n{node_query(name)}) AS base{joins}")
        for name in EXTENDED
        if name in words or name in short.values()
    ]
    return (*views, *(View(name, f"FROM {of}") for name, of in short.items()))


_VALUES: Mapping[str, type[Mapping[str, Cell]]] = {
    "BIGINT": dict[str, int],
    "DOUBLE": dict[str, float],
    "BOOLEAN": dict[str, bool],
    "VARCHAR": dict[str, str],
    "VARCHAR[]": dict[str, list[str]],
}

_REPAIR = "delete the file and add the columns again"


def staleness(graph: Path, addition: Addition, *, digests: Mapping[str, str]) -> str:
    """Say why values of an addition may be out of date; empty when no reason is known.

    `digests` are those of the files in the graph now, by path.
    """
    then = addition.digests
    paths = [path for path, digest in then.items() if digests.get(path, digest) != digest]
    if not paths:
        name = addition.origin.name
        return f"{name} changed since" if is_rewritten(graph, addition.origin) else ""
    files = "1 file" if len(paths) == 1 else f"{len(paths)} files"
    shown = ", ".join(paths[:_NAMED]) + (", …" if len(paths) > _NAMED else "")
    return f"{files} changed since ({shown})"


def _damaged(path: Path) -> MuError:
    return MuError(f"{path.name} is damaged or was not made by this version of MU", _REPAIR)
