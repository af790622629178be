"""The tables that a lowered query reads: rows of a graph function, under a name no user can say."""

import re
from dataclasses import dataclass

from mu.model.relation import Derived, Input
from mu.muql.functions import ResultColumn


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
