"""The tables that a lowered query reads: rows of a graph function, under a name no user can say."""

import re
from dataclasses import dataclass, replace

from mu.model.relation import Derived, Input, Relation
from mu.muql.errors import MuqlError
from mu.muql.graph_functions.functions import FUNCTIONS, ResultColumn
from mu.store import ALIASES, PUBLIC

_NAME = re.compile(r"[a-z][a-z0-9_]*")


@dataclass(frozen=True, slots=True)
class Table:
    """A table that a query reads although no user can name it; `of` is what errors call it."""

    of: str
    derived: Derived
    columns: tuple[ResultColumn, ...]

    def empty(self) -> Input:
        """Give it without its rows, for binding."""
        names = tuple(column.name for column in self.columns)
        return Input(self.derived.name, names, tuple(column.type for column in self.columns), ())


def free_prefix(text: str) -> str:
    """Give the beginning of names of tables that do not occur in `text`."""
    prefix = "_"
    while re.search(rf"{prefix}\d", text):
        prefix += "_"
    return prefix


def tables_beside(given: tuple[Input, ...]) -> tuple[Table, ...]:
    """Give tables that a query may name as they are called; raises MuqlError for a wrong name."""
    found: list[Table] = []
    for one in given:
        taken = {*PUBLIC, *ALIASES, *FUNCTIONS, *(table.of for table in found)}
        if not _NAME.fullmatch(one.name) or one.name in taken:
            hint = "take a name in small letters that no relation or function has"
            raise MuqlError(f"a table cannot be called `{one.name}`", None, hint)
        rows = replace(one, name=f"_given_{one.name}")
        columns = zip(one.columns, one.types, strict=True)
        found.append(
            Table(
                one.name,
                Derived(one.name, Relation(f"FROM {rows.name}", inputs=(rows,))),
                tuple(ResultColumn(name, kind, "") for name, kind in columns),
            )
        )
    return tuple(found)
