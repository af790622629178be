"""The named queries: those that ship with MU, and those of a project, in `.mu/queries`.

A project may come from a stranger. Its files are read within the folder and never through a link,
are bounded in size and number, and go through the same checks as any query; one that is broken is
an error of its own and of no other. A query that ships with MU keeps its name.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from mu import bundle
from mu.errors import MuError
from mu.muql.errors import MuqlError
from mu.muql.named_queries.named_query import NAME, NamedQuery, parse_named
from mu.muql.nearest import did_you_mean
from mu.muql.text import shown

if TYPE_CHECKING:
    from mu.muql.named_queries.invocation import Call

PROJECT_FOLDER = ".mu/queries"
SUFFIX = ".muql"
SHIPPED = "mu"

_LARGEST = 65_536  # bytes, as long as a query may be
_MOST_FILES = 1_000


@dataclass(frozen=True, slots=True)
class Entry:
    """A file of the library: the query in it, or what is wrong with it."""

    name: str
    origin: str
    query: NamedQuery | None
    problem: str = ""


class Library:
    """Reads only the files it is asked for; `root` is the folder of the project, if there is one.

    One query is found in the time it takes to read its file.
    """

    def __init__(self, root: Path | None) -> None:
        self._root = root

    def find(self, call: "Call") -> NamedQuery:
        """Give the query that `call` names; raises MuqlError when there is none or it is broken."""
        name = call.name
        if NAME.fullmatch(name):
            if (_shipped() / f"{name}{SUFFIX}").is_file():
                return _read_shipped(name)
            if name in self._project_names():
                return self._read_project(name)
        names = [*_names(_shipped()), *self._project_names()]
        what = did_you_mean(f"no query is called `{shown(name)}`", name, among=names)
        raise MuqlError(what, call.place, "`mu query --list` lists the named queries")

    def entries(self) -> tuple[Entry, ...]:
        """Give every file of the library: those that ship first, each group by name."""
        shipped = [_read_shipped(name) for name in _names(_shipped())]
        taken = {query.name for query in shipped}
        return (
            *(Entry(query.name, SHIPPED, query) for query in shipped),
            *(self._project_entry(name, taken) for name in self._project_names()),
        )

    def _project_entry(self, name: str, taken: set[str]) -> Entry:
        origin = f"{PROJECT_FOLDER}/{name}{SUFFIX}"
        if name in taken:
            return Entry(name, origin, None, "a query that ships with MU has this name: rename it")
        try:
            return Entry(name, origin, self._read_project(name))
        except MuError as error:
            return Entry(name, origin, None, error.message.splitlines()[0])

    def _project_names(self) -> list[str]:
        if self._root is None:
            return []
        folder = self._root / PROJECT_FOLDER
        try:
            if not folder.is_dir() or folder.resolve() != self._root.resolve() / PROJECT_FOLDER:
                return []
            return _names(folder)[:_MOST_FILES]
        except OSError:
            return []

    def _read_project(self, name: str) -> NamedQuery:
        from mu.source import SkippedSource, read_source

        origin = f"{PROJECT_FOLDER}/{name}{SUFFIX}"
        if not NAME.fullmatch(name):
            raise MuqlError(
                f"{origin}: a query is called by small letters, digits and underscores",
                hint="rename the file",
            )
        try:
            source = read_source(self._root or Path(), origin, max_file_size=_LARGEST)
        except SkippedSource as error:
            raise MuqlError(f"{origin} cannot be used: {error.message}") from error
        try:
            return parse_named(source.text.decode("utf-8", "replace"), name, origin=origin)
        except MuqlError as error:
            raise MuqlError(f"in {origin}: {error.what}", error.place, error.hint) from error


def _shipped() -> Path:
    return bundle.queries() / "muql"


def _read_shipped(name: str) -> NamedQuery:
    text = (_shipped() / f"{name}{SUFFIX}").read_text(encoding="utf-8")
    return parse_named(text, name, origin=f"@{name}")


def _names(folder: Path) -> list[str]:
    return sorted(path.name.removesuffix(SUFFIX) for path in folder.glob(f"*{SUFFIX}"))
