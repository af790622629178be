"""Write a graph to a new file and put it in place with one rename.

Rows go in as JSON lines that the engine reads with its own reader: turning Python values into the
engine's one by one, as its appender does, costs 0.1 to 0.2 microseconds a value and is nearly all
of the work. On django (65,000 nodes, 277,000 edges, 281,000 sites) encoding takes 0.1 s, the rest
0.7 s, where the appender takes 1.9 s. Rows keep the order the graph has them in, which puts
neighbours together: nodes and files by key, edges by source, sites by file.
"""

import os
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryFile
from typing import TYPE_CHECKING, BinaryIO, Self

import msgspec

from mu.errors import MuError, NoMemoryError
from mu.model.graph import Graph, Measured, Posted
from mu.store.address_space import prepare_address_space
from mu.store.faults import is_lack_of_memory
from mu.store.interruption import interruptible, uninterrupted
from mu.store.quoting import quote_literal, quote_name
from mu.store.version import SCHEMA_VERSION

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

_BLOCK = 262_144
_SMALL_BLOCK = 16_384
_SMALL_GRAPH = 10_000
"""Below so many nodes small blocks save up to 1.4 MB; above, they cost a sixth more space."""

_BATCH_ROWS = 4_096
SETTINGS: dict[str, str | bool | int | float | list[str]] = {
    "autoinstall_known_extensions": "false",
    "threads": "2",
}
"""Two threads, so that full groups of rows are compressed while others are read."""

Row = Sequence[object]


class Draft:
    """The rows of a graph, written out as lines in files without a name; what holds the graph can
    be let go of before the engine is opened, which takes memory of its own.

    Use it as a context: the files go with it.
    """

    def __init__(self, block: int) -> None:
        self.block = block
        self.tables: dict[str, tuple[BinaryIO, int]] = {}  # the lines, and no line is longer
        self._open = ExitStack()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self._open.close()

    def add(self, table: str, rows: Sequence[Row], *, folder: Path) -> None:
        """Write out the rows of a table. Raises OSError."""
        lines = self._open.enter_context(TemporaryFile(dir=folder))  # noqa: SIM115 - entered
        self.tables[table] = lines, write_lines(lines, rows)


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
        "edge": graph.edges,
        "site": graph.sites,
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
        from mu.store.binding import duckdb

    if destination.exists():
        raise MuError(f"{destination.name} exists already", "give the name of a new file")
    try:
        with interruptible(), duckdb.connect(config=SETTINGS) as connection:
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
    for table, (lines, longest) in draft.tables.items():
        into = quote_name(table)
        connection.execute(
            insertion(connection, into, descriptor=lines.fileno(), like=table, longest=longest)
        )
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


def insertion(
    connection: "DuckDBPyConnection", into: str, *, descriptor: int, like: str, longest: int
) -> str:
    """Give the statement that fills the table `into` from the lines in an open file.

    It has the columns of the graph's table `like`. A line is read as a list of texts, which the
    insertion converts to the types of the columns. The file is opened by its descriptor: it has no
    name that could stay behind, or be a pattern.
    """
    columns = connection.execute(
        "SELECT data_type, is_nullable FROM duckdb_columns() "
        "WHERE database_name = 'graph' AND table_name = ? ORDER BY column_index",
        [like],
    ).fetchall()
    values = ", ".join(
        _value(f"row[{place}]", str(kind), is_nullable=bool(is_nullable))
        for place, (kind, is_nullable) in enumerate(columns, 1)
    )
    reader = (
        f"read_ndjson('/dev/fd/{descriptor}', records=false, columns={{'row': 'VARCHAR[]'}}, "
        f"compression='none', maximum_object_size={longest})"
    )
    return f"INSERT INTO {into} SELECT {values} FROM {reader}"


def _value(text: str, kind: str, *, is_nullable: bool) -> str:
    """Give the expression of a column's value; a key that may be missing is -1 in the rows."""
    if kind.endswith("[]"):
        return f"from_json({text}, '[\"{kind[:-2]}\"]')"
    return f"nullif({text}, '-1')" if kind == "INTEGER" and is_nullable else text


def _sync(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
