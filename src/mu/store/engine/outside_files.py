"""Read a file of rows that a user puts beside the graph: CSV, Parquet or JSON.

It is read by an engine of its own, before the query and apart from it: the one that runs queries
can open no file.
"""

from pathlib import Path
from typing import TYPE_CHECKING

from mu.errors import ExitCode, MuError
from mu.model.relation import Input
from mu.store.engine.cells import plain_rows
from mu.store.engine.interruption import uninterrupted
from mu.store.engine.quoting import quote_literal, quote_name

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

MOST_ROWS = 1_000_000

_READERS = {
    ".csv": "read_csv",
    ".tsv": "read_csv",
    ".parquet": "read_parquet",
    ".json": "read_json",
    ".jsonl": "read_json",
    ".ndjson": "read_json",
}
_KEPT = {"BOOLEAN", "TINYINT", "SMALLINT", "INTEGER", "BIGINT", "FLOAT", "DOUBLE", "VARCHAR"}
_SETTINGS: dict[str, str | bool | int | float | list[str]] = {
    "autoinstall_known_extensions": "false",
    "autoload_known_extensions": "false",
    "memory_limit": "1GB",
    "threads": "1",
}


def read_table(name: str, path: Path) -> Input:
    """Read all rows of a file as the table `name`; what is no text, number or truth value is text.

    Raises MuError (usage) when the file is none of these, cannot be read, or has too many rows.
    """
    reader = _READERS.get(path.suffix.lower())
    if reader is None:
        known = ", ".join(_READERS)
        raise MuError(f"{path.name} is no file of rows", f"known are {known}", ExitCode.USAGE)
    if not path.is_file() or set("*?[") & set(str(path)):
        raise MuError(f"{path.name} is not a file", "name one file", ExitCode.USAGE)
    with uninterrupted():
        from mu.store.engine.binding import duckdb

    source = f"{reader}({quote_literal(str(path.absolute()))})"
    try:
        with duckdb.connect(config=_SETTINGS) as connection:
            connection.execute("SET enable_progress_bar=false")
            return _read(connection, name, source)
    except duckdb.Error as error:
        what = f"{path.name} cannot be read as {path.suffix[1:]}"
        raise MuError(what, "is it whole, and in UTF-8?", ExitCode.USAGE) from error


def _read(connection: "DuckDBPyConnection", name: str, source: str) -> Input:
    described = connection.execute(f"DESCRIBE FROM {source}").fetchall()
    columns = tuple(str(row[0]) for row in described)
    types = tuple(str(row[1]) if row[1] in _KEPT else "VARCHAR" for row in described)
    cells = ", ".join(
        f"{quote_name(column)}::{kind}" for column, kind in zip(columns, types, strict=True)
    )
    rows = connection.execute(f"SELECT {cells} FROM {source} LIMIT {MOST_ROWS + 1}").fetchall()
    if len(rows) > MOST_ROWS:
        what = f"the file of {name} has more than {MOST_ROWS:,} rows"
        raise MuError(what, "keep what the query needs", ExitCode.USAGE)
    return Input(name, columns, types, plain_rows(rows, types))
