"""Replace rows in a copy of a graph file: those of a few files.

Where a file has as many rows of a table as before they are overwritten where they stand; else they
are deleted and the new ones added at the end. Either takes milliseconds, and the rows of one file
keep the order that a build gives them. The engine takes in the gaps when it writes the file.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import islice
from pathlib import Path
from tempfile import TemporaryFile
from typing import TYPE_CHECKING, NamedTuple, TypeVar

import msgspec

from mu.errors import MuError
from mu.model.closing import Closing
from mu.model.graph import Edge, Entry, File, FileRows, Node, Posted, Site
from mu.model.kinds import EdgeKind
from mu.store.engine.address_space import prepare_address_space
from mu.store.engine.interruption import uninterrupted
from mu.store.engine.quoting import quote_literal
from mu.store.referring_files import ReferringFiles
from mu.store.writing import SETTINGS, TableColumn, insertion, table_columns, write_lines

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

Row = TypeVar("Row", Node, Edge, Site, Entry, Posted, File)


_MOST_AHEAD = 4  # files: reading a few takes as long as parsing one
_MOST_IN_PLACE = 8  # files of which the rows are overwritten where they stand


class Placed(NamedTuple):
    """An entry and its place in its table."""

    place: int
    entry: Entry


class GraphUpdate(Closing):
    """The graph file `path`, open to replace rows of it; nobody else may have it open.

    A context manager. Raises MuError when the engine cannot open the file.
    """

    def __init__(self, path: Path) -> None:
        prepare_address_space()
        with uninterrupted():
            from mu.store.engine.binding import duckdb
        self._folder = path.parent
        self._ahead: dict[str, FileRows | None] = {}
        self._connection: DuckDBPyConnection = duckdb.connect(config=SETTINGS)
        self.referring = ReferringFiles(self._connection, self.node_keys)
        try:
            target = quote_literal(str(path.absolute()))
            self._connection.execute(
                "SET enable_progress_bar=false;"
                f"ATTACH {target} AS graph (RECOVERY_MODE NO_WAL_WRITES); USE graph"
            )
        except duckdb.Error as error:
            self._connection.close()
            raise MuError(f"{path.name} cannot be opened to be updated") from error

    def close(self) -> None:
        """Close the file; what was not finished may not be in it."""
        self._connection.close()

    def finish(self, meta: Mapping[str, str]) -> None:
        """Say other things of the graph, and write all that was replaced into the file."""
        for name, value in meta.items():
            self._connection.execute("UPDATE meta SET value = $2 WHERE name = $1", [name, value])
        self._connection.execute("CHECKPOINT graph; USE memory; DETACH graph")

    def read_ahead(self, paths: Iterable[str]) -> None:
        """Read the rows of the first files that will be asked for, while there is time."""
        for path in islice(paths, _MOST_AHEAD):
            self._ahead[path] = self.file_rows(path)

    def file_rows(self, path: str) -> FileRows | None:
        """Give the rows of a file, in their order; None where the graph does not know it."""
        if path in self._ahead:
            return self._ahead.pop(path)
        found = self._rows(File, "SELECT * FROM file WHERE path = $1", path)
        if not found:
            return None
        file = found[0]._replace(problems=tuple(found[0].problems))
        key = file.key
        nodes = "SELECT * REPLACE (coalesce(parent, -1) AS parent) FROM node WHERE file = $1"
        edges = "SELECT * FROM edge WHERE source IN (SELECT key FROM node WHERE file = $1)"
        sites = "SELECT * REPLACE (coalesce(target, -1) AS target) FROM site WHERE file = $1"
        return FileRows(
            file,
            self._rows(Node, f"{nodes} ORDER BY rowid", key),
            self._rows(Edge, f"{edges} ORDER BY rowid", key),
            self._rows(Site, f"{sites} ORDER BY rowid", key),
        )

    def rows_of(self, files: Sequence[File]) -> list[FileRows]:
        """Give the rows of some files, as `file_rows` gives those of one."""
        keys = [file.key for file in files]
        nodes = self._rows(
            Node,
            "SELECT * REPLACE (coalesce(parent, -1) AS parent) FROM node "
            "WHERE file IN (SELECT unnest($1)) ORDER BY rowid",
            keys,
        )
        homes = {node.key: node.file for node in nodes}
        edges = self._rows(
            Edge,
            "SELECT * FROM edge WHERE source IN "
            "(SELECT key FROM node WHERE file IN (SELECT unnest($1))) ORDER BY rowid",
            keys,
        )
        sites = self._rows(
            Site,
            "SELECT * REPLACE (coalesce(target, -1) AS target) FROM site "
            "WHERE file IN (SELECT unnest($1)) ORDER BY rowid",
            keys,
        )
        found = {file.key: FileRows(file, [], [], []) for file in files}
        for node in nodes:
            found[node.file].nodes.append(node)
        for edge in edges:
            found[homes[edge.source]].edges.append(edge)
        for site in sites:
            found[site.file].sites.append(site)
        return [*found.values()]

    def named(self, names: Iterable[str], *, without: Iterable[str]) -> list[Node]:
        """Give the modules, what has any of some names, with what that is in and all that it
        extends, in the order of a build, with no more than what tells what they are; nothing in
        files of some languages.
        """
        return self._rows(
            Node,
            "WITH RECURSIVE name AS (SELECT unnest($2::VARCHAR[])),"
            " named AS (SELECT key, parent FROM node"
            " WHERE kind = 'module' OR node.name IN (FROM name)"
            " OR split_part(qualified_name, '.', -1) IN (FROM name)),"
            " used(key) AS ((SELECT key FROM named"
            " UNION SELECT parent FROM named WHERE parent >= 0) UNION"
            " SELECT target FROM used JOIN edge ON source = key WHERE kind = 'inherits') "
            "SELECT node.key, id, kind, subkind, name, qualified_name, module, '' AS language,"
            " coalesce(file, -1), coalesce(parent, -1), 0, 0, '', '', '', false, false, false,"
            " is_test, false, [], [], '', 0, 0, '' FROM node LEFT JOIN file ON file.key = file "
            "WHERE node.key IN (FROM used)"
            " AND (file.language IS NULL OR file.language NOT IN (SELECT unnest($1))) "
            "ORDER BY file.path NULLS LAST, node.rowid",
            sorted(without),
            sorted(names),
        )

    def edges_between(
        self, sources: Iterable[int], targets: Iterable[int], *, kind: EdgeKind
    ) -> list[Edge]:
        """Give the edges of a kind that lead from some nodes to others."""
        return self._rows(
            Edge,
            "SELECT * FROM edge WHERE kind::VARCHAR = $1"
            " AND source IN (SELECT unnest($2)) AND target IN (SELECT unnest($3))",
            kind,
            [*sources],
            [*targets],
        )

    def files(self) -> list[File]:
        """Give the rows of all files, in the order of their paths."""
        rows = self._rows(File, "SELECT * FROM file")
        rows.sort(key=lambda row: row.path)
        return [row._replace(problems=tuple(row.problems)) for row in rows]

    def node_keys(self, ids: Iterable[str]) -> dict[str, int]:
        """Give the keys of nodes by id, of those that are there."""
        sought = sorted(ids)
        statement = "SELECT id, key FROM node WHERE id IN (SELECT unnest($1))"
        rows = self._connection.execute(statement, [sought]).fetchall() if sought else ()
        return {str(name): int(key) for name, key in rows}

    def next_key(self) -> int:
        """Give the first key that no node has."""
        return int(self._connection.execute("SELECT max(key) + 1 FROM node").fetchall()[0][0])

    def unused(self, nodes: Iterable[int], files: Sequence[int]) -> list[Node]:
        """Give those of some nodes that stand in no file, and that no reference outside `files`
        means.
        """
        found = self._connection.execute(
            "SELECT key FROM node WHERE file IS NULL AND key IN (SELECT unnest($1))", [[*nodes]]
        ).fetchall()
        if not found:  # of most edits: what uses others takes some 15 ms to find in a large graph
            return []
        return self._rows(
            Node,
            "WITH used AS (SELECT target FROM site WHERE file NOT IN (SELECT unnest($2))"
            " UNION ALL SELECT target FROM edge JOIN node ON source = key"
            " WHERE file IS NULL OR file NOT IN (SELECT unnest($2))) "
            "SELECT * REPLACE (coalesce(file, -1) AS file, coalesce(parent, -1) AS parent) "
            "FROM node WHERE key IN (SELECT unnest($1)) "
            "AND key NOT IN (SELECT target FROM used WHERE target >= 0)",
            sorted(key for (key,) in found),
            [*files],
        )

    def has_users(self, nodes: Iterable[int], files: Sequence[int]) -> bool:
        """Tell whether rows of other files than `files` refer to some nodes."""
        found = self._connection.execute(
            "SELECT count(*) FROM (SELECT target FROM site WHERE file NOT IN (SELECT unnest($2))"
            " UNION ALL SELECT target FROM edge JOIN node ON source = key"
            " WHERE file IS NULL OR file NOT IN (SELECT unnest($2))"
            " UNION ALL SELECT node FROM entry JOIN file USING (path)"
            " WHERE file.key NOT IN (SELECT unnest($2))) WHERE target IN (SELECT unnest($1))",
            [sorted(nodes), [*files]],
        ).fetchall()
        return bool(found[0][0])

    def add_nodes(self, nodes: Sequence[Node]) -> None:
        """Add nodes at the end."""
        if nodes:
            self._fill("graph.node", "node", nodes)

    def remove_nodes(self, nodes: Sequence[Node]) -> None:
        """Remove nodes that stand in no file."""
        if nodes:
            keys = ", ".join(str(node.key) for node in nodes)
            self._connection.execute(f"DELETE FROM node WHERE key IN ({keys})")

    def files_of(self, nodes: Iterable[int]) -> Iterator[FileRows]:
        """Give the rows of the files that nodes stand in."""
        rows = self._connection.execute(
            "SELECT DISTINCT path FROM file JOIN node ON node.file = file.key "
            "WHERE node.key IN (SELECT unnest($1)) ORDER BY path",
            [sorted(nodes)],
        ).fetchall()
        for (path,) in rows:
            found = self.file_rows(str(path))
            if found is not None:
                yield found

    def entries(self, path: str) -> list[Placed]:
        """Give the entries that the text of a file tells of."""
        rows = self._connection.execute(
            "SELECT rowid, * FROM entry WHERE path = $1 ORDER BY rowid", [path]
        ).fetchall()
        return [Placed(row[0], Entry._make(row[1:])) for row in rows]

    def node_ids(self, keys: Iterable[int]) -> dict[int, str]:
        """Give the ids of nodes by key."""
        rows = self._connection.execute(
            "SELECT key, id FROM node WHERE key IN (SELECT unnest($1))", [sorted(set(keys))]
        ).fetchall()
        return {int(key): str(name) for key, name in rows}

    def replace_files(self, pairs: Sequence[tuple[FileRows | None, FileRows | None]]) -> None:
        """Put the rows of files in the place of those they had; None for those of no file. Those of
        many files stand at the end, since each that keeps its place takes some 10 ms.
        """
        self._ahead.clear()
        if len(pairs) > _MOST_IN_PLACE:
            self._replace_at_end(
                [before for before, _ in pairs if before is not None],
                [after for _, after in pairs if after is not None],
            )
            return
        for before, after in pairs:
            if before is not None and after is not None:
                self._replace_file(before, after)
            elif after is not None:
                self._add_file(after)
            elif before is not None:
                self._remove_files([before])

    def _replace_at_end(self, before: Sequence[FileRows], after: Sequence[FileRows]) -> None:
        """Remove the rows of some files and add those of others."""
        self._remove_files(before)
        self._fill("graph.file", "file", [rows.file for rows in after])
        self._order_files()
        for name in ("node", "edge", "site"):
            found = [row for rows in after for row in getattr(rows, f"{name}s")]
            if found:
                self._fill(f"graph.{name}", name, found)

    def _replace_file(self, before: FileRows, after: FileRows) -> None:
        """Put the rows of a file in the place of those it had."""
        self._overwrite("file", [before.file], [after.file], f"key = {before.file.key}")
        where = f"(file = {before.file.key})"
        self._replace("site", before.sites, after.sites, where)
        of_file = f"(source IN (SELECT key FROM node WHERE {where}))"
        self._replace("edge", before.edges, after.edges, of_file)
        self._replace("node", before.nodes, after.nodes, where)

    def _add_file(self, rows: FileRows) -> None:
        """Add a file: its rows at the end of all, and itself in the order of paths."""
        self._fill("graph.file", "file", [rows.file])
        self._order_files()
        self._fill("graph.node", "node", rows.nodes)
        if rows.edges:
            self._fill("graph.edge", "edge", rows.edges)
        if rows.sites:
            self._fill("graph.site", "site", rows.sites)

    def _remove_files(self, files: Iterable[FileRows]) -> None:
        """Remove files and all their rows."""
        keys = ", ".join(str(rows.file.key) for rows in files)
        if keys:
            where = f"file IN ({keys})"
            self._connection.execute(
                f"DELETE FROM edge WHERE source IN (SELECT key FROM node WHERE {where});"
                f"DELETE FROM site WHERE {where}; DELETE FROM node WHERE {where};"
                f"DELETE FROM file WHERE key IN ({keys})"
            )

    def replace_entries(self, before: Sequence[Placed], after: Sequence[Entry]) -> None:
        """Put entries in the places of others; at the end where there are more or fewer."""
        places = ", ".join(str(one.place) for one in before)
        if len(before) != len(after):
            if places:
                self._connection.execute(f"DELETE FROM entry WHERE rowid IN ({places})")
            if after:
                self._fill("graph.entry", "entry", after)
        elif places:
            old = [one.entry for one in before]
            self._overwrite("entry", old, after, f"rowid IN ({places})")

    def postings(self, words: Sequence[str]) -> list[Posted]:
        """Give the postings of those of some words that any node says."""
        return self._rows(Posted, "SELECT * FROM word WHERE text IN (SELECT unnest($1))", words)

    def replace_postings(self, words: Sequence[str], after: Sequence[Posted]) -> None:
        """Put postings in the place of those that some words had."""
        if words:
            self._connection.execute("DELETE FROM word WHERE text IN (SELECT unnest($1))", [words])
        if after:
            self._fill("graph.word", "word", after)

    def _rows(self, make: type[Row], sql: str, *about: object) -> list[Row]:
        return list(map(make._make, self._connection.execute(sql, [*about]).fetchall()))

    def _replace(self, table: str, before: Sequence[Row], after: Sequence[Row], where: str) -> None:
        """Put rows in the place of those `where` it is told; at the end if their number differs."""
        if len(before) == len(after):
            self._overwrite(table, before, after, where)
            return
        self._connection.execute(f"DELETE FROM {table} WHERE {where}")
        if after:
            self._fill(f"graph.{table}", table, after)

    def _overwrite(
        self, table: str, before: Sequence[Row], after: Sequence[Row], where: str
    ) -> None:
        """Set the cells that differ between rows, which stand in their order `where` it is told."""
        columns = after[0]._fields if after else ()
        differing = [
            (place, name)
            for place, name in enumerate(columns)
            if any(old[place] != new[place] for old, new in zip(before, after, strict=True))
        ]
        if not differing:
            return
        rows = self._connection.execute(f"SELECT rowid FROM {table} WHERE {where} ORDER BY rowid")
        cells = [[row[0] for row in rows.fetchall()]]
        cells += [msgspec.to_builtins([row[place] for row in after]) for place, _ in differing]
        lists = ", ".join(f"unnest(${number}) AS c{number}" for number in range(1, len(cells) + 1))
        known = {column.name: column for column in self._columns[table]}
        values = ", ".join(
            f"{name} = {known[name].stored(f'renewed.c{number}')}"
            for number, (_, name) in enumerate(differing, 2)
        )
        self._connection.execute(
            f"UPDATE {table} SET {values} FROM (SELECT {lists}) AS renewed "
            f"WHERE {table}.rowid = renewed.c1",
            cells,
        )
        if "problems" in dict(differing).values():  # rows whose lists are set move to the end
            self._order_files()

    @cached_property
    def _columns(self) -> dict[str, list[TableColumn]]:
        """The columns of each table."""
        return table_columns(self._connection)

    def _order_files(self) -> None:
        self._connection.execute(
            "CREATE TEMP TABLE other AS SELECT * FROM file; TRUNCATE file;"
            "INSERT INTO file SELECT * FROM temp.other ORDER BY path; DROP TABLE temp.other"
        )

    def _fill(self, into: str, table: str, rows: Sequence[Row]) -> None:
        """Add rows of `table` to the table `into`."""
        with TemporaryFile(dir=self._folder) as lines:
            longest = write_lines(lines, rows)
            statement = insertion(
                self._columns[table], into, descriptor=lines.fileno(), longest=longest
            )
            self._connection.execute(statement)
