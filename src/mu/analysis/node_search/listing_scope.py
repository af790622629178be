"""Restrict listings to a folder, and leave out tests, externals or builtins."""

from dataclasses import dataclass, replace

from mu.errors import ExitCode, MuError
from mu.model.kinds import Category
from mu.model.relation import Derived, Relation
from mu.store import GraphFile

BUILTIN_MODULES = ("builtins", "globalThis", "builtin", "java.lang")
"""Modules whose names a language provides without an import."""


@dataclass(frozen=True, slots=True)
class Scope:
    """Restrictions of a listing; the default lists everything.

    `within` is a folder or file of the repository. `tests` and `external` keep test code and
    definitions outside the repository; `builtins` keeps those of the language itself.
    """

    within: str = ""
    tests: bool = True
    external: bool = True
    builtins: bool = True

    @property
    def is_everything(self) -> bool:
        """True when nothing is left out."""
        return self == Scope()


EVERYTHING = Scope()

_ROWS = """
SELECT listed.* FROM listed
WHERE ($within = '' OR path = $within OR starts_with(path, $within || '/'))
    AND {tests} AND {external} AND {builtins}
ORDER BY listed.rowid
"""

_TEST_NODES = "SELECT id FROM node WHERE is_test"
_TEST_FILES = "SELECT path FROM file WHERE category = $test"

_HAS_FILES = """
SELECT 1 FROM file WHERE path = $1 OR starts_with(path, $1 || '/') LIMIT 1
"""


def checked(graph: GraphFile, scope: Scope) -> Scope:
    """Normalise the folder of a scope; raises MuError (usage) when no file lies in it."""
    if not scope.within:
        return scope
    within = scope.within.replace("\\", "/").removeprefix("./").rstrip("/")
    if within in {"", "."}:
        return replace(scope, within="")
    if not graph.run(Relation(_HAS_FILES, (within,)), limit=1).rows:
        raise MuError(
            f"no file in the graph lies in '{scope.within}'",
            "give a folder or file relative to the root of the repository",
            ExitCode.USAGE,
        )
    return replace(scope, within=within)


def in_scope(listed: Relation, scope: Scope) -> Relation:
    """Keep the rows of nodes (with columns `id` and `path`) that lie in the scope."""
    values: dict[str, str | list[str]] = {"within": scope.within}
    builtins = "true"
    if not scope.builtins:
        values["builtins"] = [f"ext:{name}" for name in BUILTIN_MODULES]
        builtins = (
            "NOT list_contains($builtins::VARCHAR[], id) AND NOT list_contains("
            "list_transform($builtins::VARCHAR[], lambda root: starts_with(id, root || '.')), true)"
        )
    sql = _ROWS.format(
        tests="true" if scope.tests else f"id NOT IN ({_TEST_NODES})",
        external="true" if scope.external else "NOT starts_with(id, 'ext:')",
        builtins=builtins,
    )
    return Relation(sql, values, listed.columns, (Derived("listed", listed),))


def sites_in_scope(sites: Relation, scope: Scope) -> Relation:
    """Keep the references (with a column `path`) that stand in files of the scope."""
    values: dict[str, str | list[str]] = {"within": scope.within}
    tests = "true"
    if not scope.tests:
        values["test"] = Category.TEST.value
        tests = f"path NOT IN ({_TEST_FILES})"
    sql = _ROWS.format(tests=tests, external="true", builtins="true")
    return Relation(sql, values, sites.columns, (Derived("listed", sites),))
