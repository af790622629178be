"""Write a graph to a new file and put it in place with one rename.

Edges and sites go in as Parquet, column by column, and the other rows, which are fewer, as JSON
lines; the engine reads both with readers of its own. Turning Python values into the engine's one by
one, as its appender does, costs 0.1 to 0.2 microseconds a value. Rows keep the order the graph has
them in, which puts neighbours together: nodes and files by key, edges by source, sites by file.
"""

import os
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryFile
from typing import TYPE_CHECKING, BinaryIO, NamedTuple, Self

import msgspec

from mu.errors import MuError, NoMemoryError
from mu.model.graph import Graph, Measured, Posted
from mu.store.engine.address_space import prepare_address_space
from mu.store.engine.faults import is_lack_of_memory
from mu.store.engine.interruption import interruptible, uninterrupted
from mu.store.engine.quoting import quote_literal, quote_name
from mu.store.engine.schema_version import SCHEMA_VERSION
from mu.store.packed_columns import edge_columns, site_columns
from mu.store.parquet import Column, write_parquet

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

_BLOCK = 131_072
_SMALL_BLOCK = 32_768
_SMALL_GRAPH = 10_000
"""Below so many nodes small blocks save up to 0.8 MB. Above, they cost time: django's graph is
written in a quarter more with blocks of half the size, and is 15.7 MB and not 16.4.
"""

_BATCH_ROWS = 4_096
SETTINGS: dict[str, str | bool | int | float | list[str]] = {
    "autoinstall_known_extensions": "false",
    "threads": "2",
}
"""Two threads, so that full groups of rows are compressed while others are read."""

_OF_NEW = {**SETTINGS, "threads": "1"}
"""One, as rows are read in one piece: two leave gaps between what each writes, 2 % of the file."""

Row = Sequence[object]


class TableColumn(NamedTuple):
    """A column of a table of the graph; a key that may be missing is -1 in the rows."""

    name: str
    kind: str
    is_nullable: bool

    def stored(self, value: str) -> str:
        """Give the expression of what is stored for a value of a row."""
        return f"nullif({value}, -1)" if self.kind == "INTEGER" and self.is_nullable else value

    def read(self, text: str) -> str:
        """Give the expression of what is stored for a value that is read as a text."""
        if self.kind.endswith("[]"):
            return f"from_json({text}, '[\"{self.kind[:-2]}\"]')"
        return f"nullif({text}, '-1')" if self.stored(text) != text else text


@dataclass(frozen=True, slots=True)
class _Lines:
    """Rows of a table as JSON lines, none longer than `longest` bytes."""

    file: BinaryIO
    longest: int


@dataclass(frozen=True, slots=True)
class _Columns:
    """Rows of a table as Parquet."""

    file: BinaryIO


class Draft:
    """The rows of a graph, written out in files without a name; what holds the graph can be let go
    of before the engine is opened, which takes memory of its own.

    Use it as a context: the files go with it.
    """

    def __init__(self, block: int) -> None:
        self.block = block
        self.tables: dict[str, _Lines | _Columns] = {}
        self._open = ExitStack()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self._open.close()

    def add(self, table: str, rows: Sequence[Row], *, folder: Path) -> None:
        """Write out the rows of a table. Raises OSError."""
        lines = self._open.enter_context(TemporaryFile(dir=folder))  # noqa: SIM115 - entered
        self.tables[table] = _Lines(lines, write_lines(lines, rows))

    def add_columns(self, table: str, columns: Mapping[str, Column], *, folder: Path) -> None:
        """Write out a table column by column. Raises OSError."""
        file = self._open.enter_context(TemporaryFile(dir=folder))  # noqa: SIM115 - entered
        write_parquet(file, columns)
        self.tables[table] = _Columns(file)


def draft_graph(
    graph: Graph,
    folder: Path,
    *,
    words: Sequence[Posted] = (),
    measured: Sequence[Measured],
    meta: Mapping[str, str],
) -> Draft:
    """Write all rows of a graph out in `folder`, where the graph is to be.

    `words` is the index for search. `meta` becomes rows of the `meta` table, beside `schema`, which
    is written here. Raises MuError when the folder takes no more.
    """
    facts = {"schema": str(SCHEMA_VERSION), **meta}
    tables: dict[str, Sequence[Row]] = {
        "file": graph.files,
        "node": graph.nodes,
        "entry": graph.entries,
        "word": words,
        "measured": measured,
        "meta": tuple(facts.items()),
    }
    with ExitStack() as unfinished:
        block = _SMALL_BLOCK if len(graph.nodes) < _SMALL_GRAPH else _BLOCK
        draft = unfinished.enter_context(Draft(block))
        try:
            for table, rows in tables.items():
                draft.add(table, rows, folder=folder)
            draft.add_columns("edge", edge_columns(graph.edges), folder=folder)
            draft.add_columns("site", site_columns(graph.sites), folder=folder)
        except OSError as error:
            raise MuError("the graph could not be written", "is the disk full?") from error
        unfinished.pop_all()
    return draft


def write_draft(draft: Draft, destination: Path) -> None:
    """Write what was drafted to the new file `destination`, about 0.8 s for 600,000 rows.

    Raises MuError when the file exists already; a file that could not be finished is removed.
    """
    prepare_address_space()
    with uninterrupted():
        from mu.store.engine.binding import duckdb

    if destination.exists():
        raise MuError(f"{destination.name} exists already", "give the name of a new file")
    try:
        with interruptible(), duckdb.connect(config=_OF_NEW) as connection:
            connection.execute("SET enable_progress_bar=false")
            _fill(connection, destination, draft)
    except BaseException as error:
        destination.unlink(missing_ok=True)
        if is_lack_of_memory(error):
            raise NoMemoryError from error
        if isinstance(error, (duckdb.Error, OSError)):
            message = f"{destination.name} could not be written"
            raise MuError(message, "is the disk full?") from error
        raise


def write_graph(
    graph: Graph,
    destination: Path,
    *,
    words: Sequence[Posted] = (),
    measured: Sequence[Measured],
    meta: Mapping[str, str],
) -> None:
    """Write `graph` to the new file `destination`; see `draft_graph` and `write_draft`."""
    with draft_graph(graph, destination.parent, words=words, measured=measured, meta=meta) as draft:
        write_draft(draft, destination)


def publish(new: Path, final: Path) -> None:
    """Put the finished file `new` in the place of `final`, in the same folder, all or nothing.

    Both the file and its folder are synced; readers of the old file keep it. Raises OSError.
    """
    _sync(new)
    new.replace(final)
    _sync(final.parent)


def _fill(connection: "DuckDBPyConnection", destination: Path, draft: Draft) -> None:
    # No transaction around all: what is not committed is kept in memory as it came.
    target = quote_literal(str(destination.absolute()))
    options = f"BLOCK_SIZE {draft.block}, RECOVERY_MODE NO_WAL_WRITES"
    connection.execute(f"ATTACH {target} AS graph ({options}); USE graph")
    connection.execute(Path(__file__).with_name("schema.sql").read_text(encoding="utf-8"))
    known = table_columns(connection)
    for table, rows in draft.tables.items():
        columns, into, descriptor = known[table], quote_name(table), rows.file.fileno()
        if isinstance(rows, _Columns):
            statement = _insertion_of_columns(columns, into, descriptor=descriptor)
        else:
            longest = rows.longest
            statement = insertion(columns, into, descriptor=descriptor, longest=longest)
        connection.execute(statement)
    connection.execute("CHECKPOINT graph; USE memory; DETACH graph")


def write_lines(file: BinaryIO, rows: Sequence[Row]) -> int:
    """Write each row as a line, a JSON array; give a bound of their lengths in bytes."""
    encoder = msgspec.json.Encoder()
    longest = 1
    for start in range(0, len(rows), _BATCH_ROWS):
        lines = encoder.encode_lines(rows[start : start + _BATCH_ROWS])
        longest = max(longest, len(lines))
        file.write(lines)
    file.seek(0)
    return longest


def insertion(columns: Sequence[TableColumn], into: str, *, descriptor: int, longest: int) -> str:
    """Give the statement that fills a table with these columns from the lines in an open file.

    A line is read as a list of texts, which the insertion converts to the types of the columns. The
    file is opened by its descriptor: it has no name that could stay behind, or be a pattern.
    """
    values = ", ".join(column.read(f"row[{place}]") for place, column in enumerate(columns, 1))
    reader = (
        f"read_ndjson('/dev/fd/{descriptor}', records=false, columns={{'row': 'VARCHAR[]'}}, "
        f"compression='none', maximum_object_size={longest})"
    )
    return f"INSERT INTO {into} SELECT {values} FROM {reader}"


def _insertion_of_columns(columns: Sequence[TableColumn], into: str, *, descriptor: int) -> str:
    """Give the statement that fills a table with these columns from an open file of Parquet, which
    has them too; what may be missing is -1 or an empty text there.
    """
    values = []
    for column in columns:
        name, missing = quote_name(column.name), -1 if column.kind == "INTEGER" else "''"
        values.append(f"nullif({name}, {missing})" if column.is_nullable else name)
    reader = f"read_parquet('/dev/fd/{descriptor}')"
    return f"INSERT INTO {into} SELECT {', '.join(values)} FROM {reader}"


def table_columns(connection: "DuckDBPyConnection") -> dict[str, list[TableColumn]]:
    """Give the columns of each table of the graph, in their order."""
    rows = connection.execute(
        "SELECT table_name, column_name, data_type, is_nullable FROM duckdb_columns() "
        "WHERE database_name = 'graph' ORDER BY table_name, column_index"
    ).fetchall()
    found: dict[str, list[TableColumn]] = {}
    for table, name, kind, nullable in rows:
        column = TableColumn(str(name), str(kind), bool(nullable))
        found.setdefault(str(table), []).append(column)
    return found


def _sync(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
