"""What a comparison of two graphs finds, as values."""

from dataclasses import dataclass
from enum import StrEnum


class ChangeKind(StrEnum):
    """What happened to a definition."""

    ADDED = "added"
    REMOVED = "removed"
    CHANGED = "changed"
    MOVED = "moved"
    RENAMED = "renamed"


class Aspect(StrEnum):
    """What of a definition is not as it was."""

    SIGNATURE = "signature"
    TYPES = "types"
    BASES = "bases"
    DECORATORS = "decorators"
    VISIBILITY = "visibility"
    VALUE = "value"
    BODY = "body"
    COMMENTS = "comments"
    DOCSTRING = "docstring"


@dataclass(frozen=True, slots=True)
class BrokenSite:
    """A reference that does not fit a definition any more: where, and why.

    `source` is the id of the definition around it. `is_certain` says that the text shows it, and
    not only that what it referred to is gone or has changed.
    """

    path: str
    line: int
    source: str
    text: str
    why: str
    is_test: bool
    is_certain: bool


@dataclass(frozen=True, slots=True)
class Change:
    """A definition that was added, removed, changed, moved or renamed.

    `id`, `path` and `line` are those after the change, but for what was removed; `before_id`,
    `before_name` and `before_path` are empty for what was added. `before` and `after` are
    signatures, or values of variables, where these differ. Complexities are cyclomatic, 0 where
    there is none. `breaking` says why code outside that uses a public definition may fail, and
    `broken` lists what inside does; `sites` counts the references looked at.
    `inner` counts definitions in what was added or removed, which have no row of their own;
    `members` names the public ones directly in it. `decorators` are those of what was added or
    removed.
    """

    change: ChangeKind
    kind: str
    name: str
    id: str
    path: str
    line: int
    before_id: str
    before_name: str
    before_path: str
    aspects: tuple[Aspect, ...]
    before: str
    after: str
    complexity_before: int
    complexity_after: int
    is_public: bool
    is_test: bool
    inner: int = 0
    members: tuple[str, ...] = ()
    decorators: tuple[str, ...] = ()
    breaking: tuple[str, ...] = ()
    broken: tuple[BrokenSite, ...] = ()
    sites: int = 0


@dataclass(frozen=True, slots=True)
class DependencyChange:
    """A module that began or ceased to import another one, or a package outside.

    `path` and `line` are where the import stands, or stood. Of packages outside only those are
    listed that no module imported before, or none does after.
    """

    change: ChangeKind
    source: str
    target: str
    path: str
    line: int
    is_external: bool = False


@dataclass(frozen=True, slots=True)
class CycleStep:
    """A module of a cycle, and the line where it imports the next."""

    id: str
    path: str
    line: int


@dataclass(frozen=True, slots=True)
class CycleChange:
    """A strongly connected component of modules that was made, grew, shrank or was broken.

    `before` and `after` count its modules, 0 where there is none; `steps` are a shortest cycle.
    """

    change: str
    before: int
    after: int
    steps: tuple[CycleStep, ...]


@dataclass(frozen=True, slots=True)
class Difference:
    """All that a comparison found; `notes` say what it did not look at."""

    changes: tuple[Change, ...]
    dependencies: tuple[DependencyChange, ...]
    cycles: tuple[CycleChange, ...]
    files_added: int
    files_removed: int
    files_changed: int
    notes: tuple[str, ...] = ()
