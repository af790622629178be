"""A graph file, open for reading: runs relations under a deadline and says how many rows there are.

Every result is fetched fully before a call returns, because an open result owns its connection. A
query is run once when its rows fit in the limit or not far beyond; only then is it run again to
count, which is cheaper than carrying the rows over.
"""

import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, TypeVar, cast

from mu.errors import MuError
from mu.model.closing import Closing
from mu.model.relation import Answer, Cell, Derived, Input, Relation, View
from mu.store.engine.cells import plain_rows
from mu.store.engine.connection import connect, is_whole
from mu.store.engine.errors import DamagedGraphError, FaultKind, QueryTimeoutError
from mu.store.engine.faults import is_damage, query_error, read_fault
from mu.store.engine.interruption import interruptible
from mu.store.engine.quoting import quote_name
from mu.store.engine.watchdog import Watchdog
from mu.store.relations import RelationSchema, relation_schemas, view_statements

if TYPE_CHECKING:
    import duckdb
    from duckdb import DuckDBPyConnection

    from mu.store.added_columns import AddedColumn, Addition

DEFAULT_LIMIT = 1_000
DEFAULT_TIMEOUT = 30.0

_CARRY = 5_000
"""Rows fetched past the limit, to be counted, before the engine is asked to count them itself."""

Rows = list[tuple[object, ...]]

Made = TypeVar("Made")


class GraphFile(Closing):
    """One open graph; a context manager. Threads may share it, but its queries take turns."""

    def __init__(self, path: Path, *, columns_of: Path | None = None) -> None:
        self._path = path
        self._columns_of = columns_of or path
        self._turn = threading.Lock()
        self._views: set[str] = set()
        self._replaced: tuple[View, ...] = ()
        self._tables: dict[str, Input | Derived] = {}
        self._added: tuple[object, dict[str, tuple[AddedColumn, Addition]]] | None = None
        self._column_values: dict[str, tuple[AddedColumn, Input]] = {}
        self._making = threading.RLock()
        self._made: dict[object, object] = {}
        self._connection = connect(path)
        self._watchdog = Watchdog(self._interrupt)

    def close(self) -> None:
        """Close the file; a closed graph answers nothing more."""
        self._watchdog.close()
        self._connection.close()

    @property
    def path(self) -> Path:
        """Where the file was when it was opened."""
        return self._path

    @property
    def columns_of(self) -> Path:
        """The graph file beside which the columns are that a user added."""
        return self._columns_of

    def run(
        self,
        relation: Relation,
        *,
        limit: int | None = DEFAULT_LIMIT,
        offset: int = 0,
        timeout: float = DEFAULT_TIMEOUT,
    ) -> Answer:
        """Run a relation and give at most `limit` rows after the first `offset`, and the total.

        Raises QueryError when it cannot be run, QueryTimeoutError after `timeout` seconds, and
        DamagedGraphError when the file's bytes turn out to be damaged.
        """
        started = time.perf_counter()
        with self._engine(timeout) as connection:
            self._prepare(relation.sql, relation.inputs, relation.views)
            result = connection.execute(relation.sql, _bound(relation.parameters))
            described = result.description or []
            rows, total = _fetch(connection, relation, limit, offset)
        columns = relation.columns or tuple(str(column[0]) for column in described)
        return Answer(
            columns=columns,
            rows=plain_rows(rows, [str(column[1]) for column in described]),
            total=total,
            truncated=offset + len(rows) < total,
            elapsed_ms=(time.perf_counter() - started) * 1000,
        )

    def serialize(self, sql: str) -> str:
        """Parse `sql` without running it; gives the engine's JSON of the tree or of the error."""
        with self._engine(DEFAULT_TIMEOUT) as connection:
            row = connection.execute("SELECT json_serialize_sql(?)", [sql]).fetchall()[0]
        return str(row[0])

    def columns(
        self,
        sql: str,
        parameters: Mapping[str, Cell] = MappingProxyType({}),
        *,
        inputs: Sequence[Input] = (),
        views: Sequence[View] = (),
    ) -> tuple[tuple[str, str], ...]:
        """Bind a SELECT without running it; gives its columns and their types.

        `parameters` are the values of just the `$name`s in it, `inputs` are tables that it may
        read, and `views` are as in a relation. Raises QueryError, whose fault has its position in
        `sql`.
        """
        prefix = "DESCRIBE (\n"
        with self._engine(DEFAULT_TIMEOUT, prefix=len(prefix)) as connection:
            self._prepare(sql, inputs, views)
            rows = connection.execute(f"{prefix}{sql}\n)", _bound(parameters)).fetchall()
        return tuple((str(row[0]), str(row[1])) for row in rows)

    def once(self, make: Callable[["GraphFile"], Made]) -> Made:
        """Give what `make` makes of this graph: made on the first call, kept while it is open."""
        with self._making:
            if make not in self._made:
                self._made[make] = make(self)
            return cast("Made", self._made[make])

    def meta(self) -> Mapping[str, str]:
        """Give what the file says of itself, by name."""
        with self._engine(DEFAULT_TIMEOUT) as connection:
            rows = connection.execute("SELECT name, value FROM graph.main.meta").fetchall()
        return MappingProxyType({str(name): str(value) for name, value in rows})

    def relations(self) -> Mapping[str, RelationSchema]:
        """Give the public relations with their columns and comments, by name, in order."""
        return relation_schemas()

    def added_columns(self) -> "Mapping[str, tuple[AddedColumn, Addition]]":
        """Give the columns that a user added beside the file, by name.

        They are read again when they changed. Raises MuError when they are damaged.
        """
        from mu.store.added_columns import columns_path, read_columns  # few graphs have any

        try:
            status = columns_path(self._columns_of).lstat()
        except OSError:
            return MappingProxyType({})
        seen = status.st_ino, status.st_mtime_ns, status.st_size
        if self._added is None or self._added[0] != seen:
            found = {
                column.name: (column, addition)
                for addition in read_columns(self._columns_of)
                for column in addition.columns
            }
            self._added = seen, found
        return MappingProxyType(self._added[1])

    def column_values(self, name: str) -> Input:
        """Give the values of an added column as a table of `key` and `value`; they are kept."""
        from mu.store.added_columns import input_of

        column = self.added_columns()[name][0]
        held = self._column_values.get(name)
        if held is None or held[0] is not column:
            held = self._column_values[name] = column, input_of(column)
        return held[1]

    def _prepare(self, sql: str, inputs: Sequence[Input | Derived], views: Sequence[View]) -> None:
        """Make the tables and views that a query reads.

        The tables of others are made while every view means what it does by itself.
        """
        for view in self._replaced:
            self._connection.execute(f"DROP VIEW IF EXISTS temp.main.{view.name}")
            self._views.discard(view.name)
        self._replaced = tuple(views)
        self._make_tables(inputs)
        for view in views:
            self._connection.execute(f"CREATE OR REPLACE TEMP VIEW {view.name} AS {view.sql}")
            self._views.add(view.name)
        self._make_views(sql)

    def _make_tables(self, inputs: Sequence[Input | Derived]) -> None:
        """Make the tables that a query reads, and drop those of others.

        They stay until a query needs others: what binds a query, its answer and its verdict read
        the same walk, whose table takes 0.2 microseconds a cell to make.
        """
        needed = list(_nested(inputs))
        for name, table in list(self._tables.items()):
            if not any(table is other for other in needed):
                del self._tables[name]
                self._connection.execute(f"DROP TABLE IF EXISTS temp.main.{quote_name(name)}")
        for table in sorted(inputs, key=lambda table: isinstance(table, Input)):
            self._make_table(table)

    def _make_table(self, table: Input | Derived) -> None:
        if self._tables.get(table.name) is table:
            return
        if isinstance(table, Derived):
            for inner in table.relation.inputs:
                self._make_table(inner)
        self._tables.pop(table.name, None)
        if isinstance(table, Derived):
            self._make_views(table.relation.sql)
            sql = f"CREATE OR REPLACE TEMP TABLE {quote_name(table.name)} AS {table.relation.sql}"
            self._connection.execute(sql, _bound(table.relation.parameters))
        else:
            _fill(self._connection, table)
        self._tables[table.name] = table

    def _make_views(self, sql: str) -> None:
        for name, statement in view_statements(sql, self._views).items():
            self._connection.execute(statement)
            self._views.add(name)

    @contextmanager
    def _engine(self, timeout: float, *, prefix: int = 0) -> Iterator["DuckDBPyConnection"]:
        """Lend the connection for one query; turn the engine's errors into ours."""
        from mu.store.engine.binding import duckdb

        with self._turn, interruptible(), self._watchdog.limit(timeout) as deadline:
            try:
                yield self._connection
            except duckdb.InterruptException as error:
                if deadline.expired:
                    raise QueryTimeoutError(timeout) from error
                raise KeyboardInterrupt from error
            except (duckdb.FatalException, duckdb.InternalException) as error:
                self._reopen()
                raise self._own_error(error, prefix=0) from error
            except duckdb.Error as error:
                raise self._own_error(error, prefix=prefix) from error

    def _own_error(self, error: "duckdb.Error", *, prefix: int) -> MuError:
        """Tell a query that is wrong from a file that is; what is not known to be either is read.

        A file whose tables can all be read is whole: the engine checks every block that it reads.
        """
        damaged = DamagedGraphError(self._path.name, "is damaged")
        if is_damage(str(error)):
            return damaged
        fault = read_fault(str(error), prefix=prefix)
        if fault.kind is FaultKind.OTHER and not is_whole(self._path):
            return damaged
        return query_error(fault)

    def _interrupt(self) -> None:
        self._connection.interrupt()

    def _reopen(self) -> None:
        """Start again after an error that the engine does not survive, so that the next runs."""
        self._connection.close()
        self._views.clear()
        self._replaced = ()
        self._tables.clear()
        self._made.clear()
        self._connection = connect(self._path)


def open_graph(path: Path, *, columns_of: Path | None = None) -> GraphFile:
    """Open the graph file `path` for reading.

    Added columns are those of another graph file, `columns_of`, if that is given. Raises
    NoGraphError when there is none, DamagedGraphError when it cannot be used.
    """
    return GraphFile(path, columns_of=columns_of)


def _bound(parameters: Sequence[Cell] | Mapping[str, Cell]) -> list[Cell] | dict[str, Cell]:
    return dict(parameters) if isinstance(parameters, Mapping) else list(parameters)


def _fetch(
    connection: "DuckDBPyConnection", relation: Relation, limit: int | None, offset: int
) -> tuple[Rows, int]:
    """Fetch the rows asked for and the number of all; the second query sees the same file."""
    if limit is None:
        rows: Rows = connection.fetchall()
        return rows[offset:], len(rows)
    end = offset + limit
    rows = connection.fetchmany(end + 1)
    if len(rows) <= end:
        return rows[offset:], len(rows)
    rest = connection.fetchmany(_CARRY)
    total = len(rows) + len(rest)
    if len(rest) == _CARRY:
        counting = f"SELECT count(*) FROM (\n{relation.sql}\n)"
        counted = connection.execute(counting, _bound(relation.parameters)).fetchall()
        total = max(total, int(counted[0][0]))
    return rows[offset:end], total


def _nested(inputs: Sequence[Input | Derived]) -> Iterator[Input | Derived]:
    for table in inputs:
        yield table
        if isinstance(table, Derived):
            yield from _nested(table.relation.inputs)


def _fill(connection: "DuckDBPyConnection", table: Input) -> None:
    columns = ", ".join(
        f"{quote_name(column)} {kind}"
        for column, kind in zip(table.columns, table.types, strict=True)
    )
    connection.execute(f"CREATE OR REPLACE TEMP TABLE {quote_name(table.name)} ({columns})")
    if table.rows:
        appender = connection.appender(table.name)
        appender.append_rows(table.rows)
        appender.flush()
