"""Open a graph file as data only, on an engine that can reach nothing else.

The file is attached to an empty in-memory database, and never the database itself. So no name that
a query says is looked up in the file (a macro `lower` in it shadows nothing), and an open reader
does not make a later one in the same process see the old file after a rebuild: the engine shares
instances by path, but only for the main database.

The order of the settings matters: nothing may be loaded by itself, Python variables are not tables,
limits, no bar of progress (which the engine writes to standard output when attaching takes two
seconds and `python -c` runs it), then the file, then no access to anything outside, then no more
settings.
"""

import stat
from pathlib import Path
from typing import TYPE_CHECKING

from mu.errors import NoMemoryError
from mu.store.engine.address_space import prepare_address_space
from mu.store.engine.errors import DamagedGraphError, NoGraphError
from mu.store.engine.faults import is_lack_of_memory
from mu.store.engine.interruption import interruptible, uninterrupted
from mu.store.engine.quoting import quote_literal
from mu.store.engine.schema_version import SCHEMA_VERSION

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

_MARK = slice(8, 12)
_ENGINE_MARK = b"DUCK"

_SETTINGS: dict[str, str | bool | int | float | list[str]] = {
    "autoinstall_known_extensions": "false",
    "autoload_known_extensions": "false",
    "allow_community_extensions": "false",
    "python_enable_replacements": "false",
    "memory_limit": "1GB",
    "threads": "1",
    "temp_directory": "",
    "max_expression_depth": "200",
    "errors_as_json": "true",
    "disabled_optimizers": "common_subplan",
}
"""One thread, because an interrupted recursive query on several may never return (DuckDB 2.0.0).

No common subplans, because of wrong answers in DuckDB 2.0.0: it takes two branches over the same
joins for the same although they give different columns, so that `SELECT source_name FROM calls
EXCEPT SELECT target_name FROM calls` is empty. Of 1,500 random joins, subqueries, groupings,
windows and set operations held against an engine without any optimizer, two differed with common
subplans and none without.
"""

_TABLES = """
SELECT format('graph.main."{}"', table_name) FROM duckdb_tables() WHERE database_name = 'graph'
"""

_FOREIGN = """
SELECT (SELECT count(*) FROM duckdb_views() WHERE database_name = 'graph')
    + (SELECT count(*) FROM duckdb_indexes() WHERE database_name = 'graph')
    + (SELECT count(*) FROM duckdb_tables()
        WHERE database_name = 'graph' AND sql LIKE '%GENERATED ALWAYS AS%')
"""
"""Each names the database in full, or the engine first makes all views of its own catalog: four
times the cost.
"""


def connect(path: Path) -> "DuckDBPyConnection":
    """Open the graph file `path`, read-only and locked.

    Raises NoGraphError when there is none, DamagedGraphError when it is not one of ours, and
    NoMemoryError when memory runs out.
    """
    _check_mark(path)
    prepare_address_space()
    with uninterrupted():
        from mu.store.engine.binding import duckdb

    connection = None
    try:
        connection = duckdb.connect(config=_SETTINGS)
        with interruptible():
            connection.execute(
                "SET enable_progress_bar=false;"
                f"ATTACH {quote_literal(str(path.absolute()))} AS graph (READ_ONLY, TYPE duckdb);"
                "SET enable_external_access=false; SET lock_configuration=true"
            )
            _check_contents(connection, path.name)
    except BaseException as error:
        if connection is not None:
            connection.close()
        if is_lack_of_memory(error):
            raise NoMemoryError from error
        if isinstance(error, duckdb.Error):
            raise DamagedGraphError(path.name, "is damaged or was not made by MU") from error
        raise
    return connection


def is_whole(path: Path) -> bool:
    """Read all tables of a graph file: whether that can be done. A second for 500 MB.

    Raises NoMemoryError when memory runs out, which says nothing of the file.
    """
    from mu.store.engine.binding import duckdb

    try:
        with connect(path) as connection:
            tables = connection.execute(_TABLES).fetchall()
            for (name,) in tables:
                connection.execute(f"SELECT bit_xor(hash(whole)) FROM {name} AS whole").fetchall()
    except (duckdb.Error, DamagedGraphError, NoGraphError) as error:
        if is_lack_of_memory(error):
            raise NoMemoryError from error
        return False
    return True


def _check_mark(path: Path) -> None:
    """Look at the file before the engine does: it must be regular and begin like a database."""
    try:
        status = path.lstat()
        if not stat.S_ISREG(status.st_mode):
            raise DamagedGraphError(path.name, "is not a regular file")
        with path.open("rb") as file:
            head = file.read(_MARK.stop)
    except (FileNotFoundError, NotADirectoryError):
        raise NoGraphError(path.name) from None
    except OSError as error:
        reason = (error.strerror or "cannot be read").lower()
        raise DamagedGraphError(path.name, f"cannot be read: {reason}") from error
    if not head:
        raise DamagedGraphError(path.name, "is empty")
    if head[_MARK] != _ENGINE_MARK:
        raise DamagedGraphError(path.name, "is not a graph file")


def _check_contents(connection: "DuckDBPyConnection", name: str) -> None:
    rows = connection.execute("SELECT value FROM graph.main.meta WHERE name = 'schema'").fetchall()
    version = str(rows[0][0]) if len(rows) == 1 else ""
    if not version.isascii() or not version.isdigit():
        raise DamagedGraphError(name, "was not made by MU")
    if int(version) > SCHEMA_VERSION:
        raise DamagedGraphError(name, f"was made by a newer MU (schema {int(version)})")
    if int(version) < SCHEMA_VERSION:
        raise DamagedGraphError(name, f"was made by an older MU (schema {int(version)})")
    if connection.execute(_FOREIGN).fetchall() != [(0,)]:
        raise DamagedGraphError(name, "holds more than a graph")
