"""Which files refer to nodes of a graph, and how: what an update asks of the graph before it."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection


class ReferringFiles:
    """Finds files by the references in them; `node_keys` gives the keys of nodes by id."""

    def __init__(
        self,
        connection: "DuckDBPyConnection",
        node_keys: Callable[[Iterable[str]], Mapping[str, int]],
    ) -> None:
        self._connection = connection
        self._node_keys = node_keys

    def using(self, ids: Iterable[str]) -> set[int]:
        """Give the keys of the files with a reference or an edge to any of some nodes."""
        return {*self.sources_using(ids)}

    def sources_using(self, ids: Iterable[str]) -> dict[int, set[str]]:
        """Give the nodes, by id, with a reference or an edge to any of some nodes, by the keys of
        the files that these stand in.
        """
        return self._by_key(
            "SELECT site.file, id FROM site JOIN node ON source = key"
            " WHERE target IN (SELECT unnest($1)) "
            "UNION SELECT file, id FROM edge JOIN node ON source = key "
            "WHERE target IN (SELECT unnest($1)) AND file IS NOT NULL AND edge.kind <> 'contains'",
            [*self._node_keys(ids).values()],
        )

    def sources_unresolved_in(self, names: Iterable[str]) -> dict[int, set[str]]:
        """Give the nodes, by id, with a reference by any of some names that means no node, by the
        keys of the files that these references stand in.
        """
        return self._by_key(
            "SELECT DISTINCT site.file, id FROM site JOIN node ON source = key"
            " WHERE target IS NULL AND site.name IN (SELECT unnest($1))",
            sorted(names),
        )

    def _by_key(self, statement: str, sought: Sequence[int | str]) -> dict[int, set[str]]:
        found: dict[int, set[str]] = {}
        rows = self._connection.execute(statement, [[*sought]]).fetchall() if sought else ()
        for key, name in rows:
            found.setdefault(int(key), set()).add(name)
        return found

    def calling(self, ids: Iterable[str]) -> dict[int, set[str]]:
        """Give the nodes, by id, with a call of any of some nodes by other means than `super()` and
        names that are imported, by the keys of the files that these calls stand in.
        """
        return self._by_key(
            "SELECT DISTINCT site.file, id FROM site JOIN node ON source = key"
            " WHERE site.kind = 'call' AND rule NOT IN ('super', 'import', 'module')"
            " AND target IN (SELECT unnest($1))",
            [*self._node_keys(ids).values()],
        )

    def sharing(self, files: Iterable[int]) -> set[int]:
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

    def referring(
        self,
        names: Iterable[str],
        to: tuple[Iterable[str], Iterable[str], Iterable[str], Iterable[str]],
    ) -> dict[int, dict[str, set[str]]]:
        """Give the keys of the files with a reference to any of some nodes, or by any of some names
        to a member of a class outside, of which the last name is among some, or by any of others to
        no node: these names, the ids of nodes and the names of classes are what it leads `to`. By
        the last names, those of methods that operations run, only attributes to no node count.

        Each has the names by which attributes are read, an empty one for other references, with the
        nodes, by id, that do so. What methods ask of their own object or of classes above is left
        out, and what makes an instance of a class that an import names: no other one stands for it.
        """
        unresolved, nodes, classes, operations = to
        rows = self._connection.execute(
            "WITH found AS (SELECT * FROM site WHERE rule NOT IN ('self', 'super')), "
            "named AS (SELECT source, line, text FROM site JOIN node ON target = key"
            " WHERE site.kind = 'call' AND rule IN ('import', 'module') AND node.kind = 'class'), "
            "meant AS (SELECT file, source, name, text FROM found"
            " WHERE target IN (SELECT unnest($2)) AND NOT (kind = 'call' AND rule = 'inherited'"
            " AND (source, line, text) IN (SELECT source, line, text FROM named)) "
            "UNION SELECT file, source, name, text FROM site"
            " WHERE target IS NULL AND name IN (SELECT unnest($4))"
            " AND (ends_with(text, '.' || name) OR name NOT IN (SELECT unnest($5))) "
            "UNION SELECT found.file, source, found.name, text FROM found JOIN node ON target = key"
            " WHERE node.file IS NULL AND found.name IN (SELECT unnest($1))"
            " AND split_part(node.id, '.', -2) IN (SELECT unnest($3))) "
            "SELECT DISTINCT meant.file, if(ends_with(text, '.' || meant.name), meant.name, ''),"
            " node.id FROM meant JOIN node ON source = key",
            [
                *(sorted(names), [*self._node_keys(nodes).values()]),
                *(sorted(classes), sorted(unresolved), sorted(operations)),
            ],
        ).fetchall()
        found: dict[int, dict[str, set[str]]] = {}
        for file, name, node in rows:
            found.setdefault(int(file), {}).setdefault(name, set()).add(node)
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

    def asking(self, names: Iterable[str]) -> dict[str, set[int]]:
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
        sought = sorted(names)
        rows = self._connection.execute(statement, [sought]).fetchall() if sought else ()
        for name, file in rows:
            found.setdefault(name, set()).add(int(file))
        return found
