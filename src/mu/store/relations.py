"""The public relations: one `.sql` file each, whose comments are their documentation.

Which there are is said by `relations/public.txt`, so that a file beside it is not public by itself.

A relation is a view that the reader makes for itself and only when a query names it: nothing is
executed that came with a graph file, and a query that needs one view does not pay for twenty. The
tables of the file are reached in the same way, so that both sorts of name mean the same thing in
every query.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import MappingProxyType

_FOLDER = Path(__file__).parent / "relations"

PUBLIC = tuple(
    line
    for line in (_FOLDER / "public.txt").read_text(encoding="utf-8").split("\n")
    if line and not line.startswith("#")
)
"""What a user's query may name, in the order of the documentation."""

ALIASES = {"fn": "functions", "cls": "classes", "mod": "modules"}
"""Short names that mean the same."""

EXTENDED = ("nodes", "modules", "classes", "functions", "methods")
"""Relations that have the columns a user adds; see `mu.store.added_columns`."""

TABLES = ("file", "node", "edge", "site", "entry", "word", "measured")
"""The file's own tables, for relations made by MU itself; `meta` is the same as the relation."""

_COLUMN = re.compile(r"AS (?P<name>\w+),?  -- (?P<comment>.+)$", re.MULTILINE)
_BASE = re.compile(r"SELECT \*(?: EXCLUDE \((?P<less>\w+)\))? FROM (?P<base>\w+)\b")
_KIND = re.compile(r"SELECT \* FROM nodes WHERE kind = (?P<kind>'\w+')\n*")
_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a relation, and what it holds."""

    name: str
    comment: str


@dataclass(frozen=True, slots=True)
class RelationSchema:
    """A public relation: its name, what a row is, the columns in order, and the query behind it."""

    name: str
    comment: str
    columns: tuple[Column, ...]
    sql: str


@cache
def relation_schema(name: str) -> RelationSchema:
    """Read the definition of the public relation `name`; raises KeyError for any other name."""
    if name not in PUBLIC:
        raise KeyError(name)
    text = (_FOLDER / f"{name}.sql").read_text(encoding="utf-8")
    first, sql = text.split("\n", 1)
    columns = tuple(Column(found["name"], found["comment"]) for found in _COLUMN.finditer(sql))
    base = _BASE.match(sql)
    if base:
        inherited = relation_schema(base["base"]).columns
        columns = tuple(column for column in inherited if column.name != base["less"])
    return RelationSchema(name, first.removeprefix("-- "), columns, sql)


def relation_schemas() -> Mapping[str, RelationSchema]:
    """Read the definitions of all public relations, by name, in order."""
    return MappingProxyType({name: relation_schema(name) for name in PUBLIC})


def node_query(name: str) -> str:
    """Give the query of `nodes`, or of a relation of some of them, which names no other view."""
    body = _flattened(relation_schema(name).sql)
    inner = f"FROM (\n{relation_schema('nodes').sql}) AS nodes"
    return body.replace("FROM nodes", inner) if _BASE.match(body) else body


def view_statements(sql: str, existing: Iterable[str]) -> dict[str, str]:
    """Give the statements that make the views `sql` needs, in order, by name.

    A name is needed when it occurs as a word at all; one too many does no harm. Those `existing`
    are left out.
    """
    statements: dict[str, str] = {}
    _collect(sql, frozenset(existing), statements)
    return statements


def _collect(sql: str, existing: frozenset[str], statements: dict[str, str]) -> None:
    words = {word.lower() for word in _WORD.findall(sql)}
    for name in (*TABLES, *PUBLIC, *ALIASES):
        if name not in words or name in existing or name in statements:
            continue
        if name in ALIASES:
            _collect(ALIASES[name], existing, statements)
            statements[name] = f"CREATE TEMP VIEW {name} AS FROM {ALIASES[name]}"
            continue
        if name in TABLES:
            statements[name] = f"CREATE TEMP VIEW {name} AS FROM graph.main.{name}"
            continue
        body = _flattened(relation_schema(name).sql)
        base = _BASE.match(body)
        if base:
            _collect(base["base"], existing, statements)
        statements[name] = f"CREATE TEMP VIEW {name} AS {body}"


def _flattened(body: str) -> str:
    """Put the query of `nodes` in the place of its name, where a view is its rows of one kind.

    A view within a view costs a quarter more to bind, and its condition a cast for each row.
    """
    of_kind = _KIND.fullmatch(body)
    if of_kind is None:
        return body
    return f"{relation_schema('nodes').sql}WHERE node.kind = {of_kind['kind']}\n"
