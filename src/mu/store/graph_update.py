"""Replace rows in a copy of a graph file: those of a few files.

Where a file has as many rows of a table as before they are overwritten where they stand; else they
are deleted and the new ones added at the end. Either takes milliseconds, and the rows of one file
keep the order that a build gives them. The engine takes in the gaps when it writes the file.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
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
from mu.store.writing import SETTINGS, TableColumn, insertion, table_columns, write_lines

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

Row = TypeVar("Row", Node, Edge, Site, Entry, Posted, File)


_MOST_AHEAD = 4  # files: reading a few takes as long as parsing one


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
        self._known_columns: dict[str, list[TableColumn]] = {}
        self._ahead: dict[str, FileRows | None] = {}
        self._connection: DuckDBPyConnection = duckdb.connect(config=SETTINGS)
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

    def names(self, without: Iterable[str]) -> list[Node]:
        """Give all nodes but those in files of some languages, in the order of a build, with no
        more than what tells what they are.
        """
        return self._rows(
            Node,
            "SELECT node.key, id, kind, subkind, name, qualified_name, module, '' AS language,"
            " coalesce(file, -1), coalesce(parent, -1), 0, 0, '', '', '', false, false, false,"
            " is_test, false, [], [], '', 0, 0, '' FROM node LEFT JOIN file ON file.key = file "
            "WHERE file.language IS NULL OR file.language NOT IN (SELECT unnest($1)) "
            "ORDER BY file.path NULLS LAST, node.rowid",
            sorted(without),
        )

    def edges_of(self, kinds: Iterable[EdgeKind]) -> list[Edge]:
        """Give all edges of some kinds."""
        return self._rows(
            Edge, "SELECT * FROM edge WHERE kind::VARCHAR IN (SELECT unnest($1))", sorted(kinds)
        )

    def files(self) -> list[File]:
        """Give the rows of all files, in the order of their paths."""
        rows = self._rows(File, "SELECT * FROM file")
        rows.sort(key=lambda row: row.path)
        return [row._replace(problems=tuple(row.problems)) for row in rows]

    def node_keys(self, ids: Iterable[str]) -> dict[str, int]:
        """Give the keys of nodes by id, of those that are there."""
        rows = self._connection.execute(
            "SELECT id, key FROM node WHERE id IN (SELECT unnest($1))", [sorted(ids)]
        ).fetchall()
        return {str(name): int(key) for name, key in rows}

    def next_key(self) -> int:
        """Give the first key that no node has."""
        return int(self._connection.execute("SELECT max(key) + 1 FROM node").fetchall()[0][0])

    def unused(self, nodes: Iterable[int], files: Sequence[int]) -> list[Node]:
        """Give those of some nodes that stand in no file, and that no reference outside `files`
        means.
        """
        keys = sorted(nodes)
        if not keys:
            return []
        return self._rows(
            Node,
            "WITH one AS (SELECT key FROM node WHERE file IS NULL AND key IN (SELECT unnest($1))),"
            " used AS (SELECT target FROM site WHERE file NOT IN (SELECT unnest($2))"
            " UNION ALL SELECT target FROM edge JOIN node ON source = key"
            " WHERE file IS NULL OR file NOT IN (SELECT unnest($2))) "
            "SELECT * REPLACE (coalesce(file, -1) AS file, coalesce(parent, -1) AS parent) "
            "FROM node WHERE key IN (FROM one) "
            "AND key NOT IN (SELECT target FROM used WHERE target >= 0)",
            keys,
            [*files],
        )

    def files_using(self, ids: Iterable[str]) -> set[int]:
        """Give the keys of the files with a reference or an edge to any of some nodes."""
        keys = [*self.node_keys(ids).values()]
        rows = self._connection.execute(
            "SELECT file FROM site WHERE target IN (SELECT unnest($1)) "
            "UNION SELECT file FROM edge JOIN node ON source = key "
            "WHERE target IN (SELECT unnest($1)) AND file IS NOT NULL AND edge.kind <> 'contains'",
            [keys],
        ).fetchall()
        return {int(key) for (key,) in rows}

    def files_calling(self, ids: Iterable[str]) -> set[int]:
        """Give the keys of the files with a call of any of some nodes by other means than
        `super()` and names that are imported.
        """
        rows = self._connection.execute(
            "SELECT DISTINCT file FROM site"
            " WHERE kind = 'call' AND rule NOT IN ('super', 'import', 'module')"
            " AND target IN (SELECT unnest($1))",
            [[*self.node_keys(ids).values()]],
        ).fetchall()
        return {int(key) for (key,) in rows}

    def files_open_in(self, names: Iterable[str]) -> set[int]:
        """Give the keys of the files with a reference by any of some names that means no node."""
        rows = self._connection.execute(
            "SELECT DISTINCT file FROM site WHERE target IS NULL AND name IN (SELECT unnest($1))",
            [sorted(names)],
        ).fetchall()
        return {int(key) for (key,) in rows}

    def files_sharing(self, files: Iterable[int]) -> set[int]:
        """Give the keys of the files that share references with some files: a reference stands in
        one file and starts at a node of another where a block names what a type implements that is
        defined elsewhere.
        """
        rows = self._connection.execute(
            "SELECT site.file FROM site JOIN node ON source = key"
            " WHERE node.file IN (SELECT unnest($1)) AND site.file <> node.file "
            "UNION SELECT node.file FROM site JOIN node ON source = key"
            " WHERE site.file IN (SELECT unnest($1)) AND site.file <> node.file",
            [sorted(files)],
        ).fetchall()
        return {int(key) for (key,) in rows}

    def led_to(self, ids: Iterable[str], sources: Iterable[str]) -> set[str]:
        """Give those of some nodes, by id, that references lead to which start at some others."""
        keys = [*self.node_keys(ids).values()], [*self.node_keys(sources).values()]
        rows = self._connection.execute(
            "SELECT DISTINCT id FROM site JOIN node ON target = key"
            " WHERE source IN (SELECT unnest($2)) AND target IN (SELECT unnest($1))",
            [*keys],
        ).fetchall()
        return {str(name) for (name,) in rows}

    def files_referring(
        self, names: Iterable[str], to: tuple[Iterable[str], Iterable[str]]
    ) -> dict[int, set[str]]:
        """Give the keys of the files with a reference to any of some nodes, or by any of some names
        that means no node or a member of a class outside, of which the last name is among some: the
        ids of nodes and the names of classes are what it leads `to`.

        Each has the names by which attributes are read; an empty one stands for other references.
        What methods ask of their own object or of classes above is left out.
        """
        rows = self._connection.execute(
            "WITH found AS (SELECT * FROM site WHERE rule NOT IN ('self', 'super')), "
            "meant AS (SELECT file, name, text FROM found WHERE target IN (SELECT unnest($2)) "
            "UNION SELECT file, name, text FROM site"
            " WHERE target IS NULL AND name IN (SELECT unnest($1)) "
            "UNION SELECT found.file, found.name, text FROM found JOIN node ON target = key "
            " WHERE node.file IS NULL AND found.name IN (SELECT unnest($1))"
            " AND split_part(node.id, '.', -2) IN (SELECT unnest($3))) "
            "SELECT DISTINCT file, if(ends_with(text, '.' || name), name, '') FROM meant",
            [sorted(names), [*self.node_keys(to[0]).values()], sorted(to[1])],
        ).fetchall()
        found: dict[int, set[str]] = {}
        for file, name in rows:
            found.setdefault(int(file), set()).add(name)
        return found

    def homes_by_name(self, names: Iterable[str]) -> dict[str, set[int]]:
        """Give by some names the keys of the files with nodes of that name to which references lead
        by other means than an own object or `super()`.
        """
        return self._by_name(
            "SELECT DISTINCT node.name, node.file FROM site JOIN node ON target = key"
            " WHERE rule NOT IN ('self', 'super') AND node.file IS NOT NULL"
            " AND node.name IN (SELECT unnest($1))",
            names,
        )

    def files_asking(self, names: Iterable[str]) -> dict[str, set[int]]:
        """Give by some names the keys of the files with references of that name to a member of an
        own object.
        """
        return self._by_name(
            "SELECT DISTINCT name, file FROM site"
            " WHERE rule = 'self' AND name IN (SELECT unnest($1))",
            names,
        )

    def _by_name(self, statement: str, names: Iterable[str]) -> dict[str, set[int]]:
        found: dict[str, set[int]] = {}
        for name, file in self._connection.execute(statement, [sorted(names)]).fetchall():
            found.setdefault(name, set()).add(int(file))
        return found

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

    def replace_file(self, before: FileRows, after: FileRows) -> None:
        """Put the rows of a file in the place of those it had."""
        self._ahead.pop(before.file.path, None)
        self._overwrite("file", [before.file], [after.file], f"key = {before.file.key}")
        where = f"(file = {before.file.key})"
        self._replace("site", before.sites, after.sites, where)
        of_file = f"(source IN (SELECT key FROM node WHERE {where}))"
        self._replace("edge", before.edges, after.edges, of_file)
        self._replace("node", before.nodes, after.nodes, where)

    def add_file(self, rows: FileRows) -> None:
        """Add a file: its rows at the end of all, and itself in the order of paths."""
        self._fill("graph.file", "file", [rows.file])
        self._order_files()
        self._fill("graph.node", "node", rows.nodes)
        if rows.edges:
            self._fill("graph.edge", "edge", rows.edges)
        if rows.sites:
            self._fill("graph.site", "site", rows.sites)

    def remove_file(self, rows: FileRows) -> None:
        """Remove a file and all its rows."""
        self._ahead.pop(rows.file.path, None)
        where = f"file = {rows.file.key}"
        self._connection.execute(
            f"DELETE FROM edge WHERE source IN (SELECT key FROM node WHERE {where});"
            f"DELETE FROM site WHERE {where}; DELETE FROM node WHERE {where};"
            f"DELETE FROM file WHERE key = {rows.file.key}"
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
        known = {column.name: column for column in self._columns(table)}
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

    def _columns(self, table: str) -> list[TableColumn]:
        """The columns of a table, which are looked up once."""
        if table not in self._known_columns:
            self._known_columns[table] = table_columns(self._connection, table)
        return self._known_columns[table]

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
                self._columns(table), into, descriptor=lines.fileno(), longest=longest
            )
            self._connection.execute(statement)
