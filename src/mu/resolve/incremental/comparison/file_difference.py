"""The externally visible difference between two versions of a file."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from mu.resolve.incremental.comparison.visible_names import Variable
from mu.resolve.program.attribute_stores import FieldStore


class FileDifference(NamedTuple):
    """The difference between two versions of a file that other files can see.

    `numbers` maps definitions of the old version to those of the new one, by number in the file,
    and `scopes` the scopes. By number in the old version: `changed` are definitions whose
    declaration changed, `reset` those of them with other parameters, `rebased` classes with other
    base classes, and `results` functions whose returned or yielded expressions changed.
    `variables` are those whose value changed, by scope and name of the old version. `names` were
    added to, removed from or rebound in modules and classes; `members` are those of classes that
    were added or removed themselves; `imported` are bound by imports that were added or removed.
    `stores` are the attribute stores that changed: (whether in the new version, where).
    """

    numbers: Mapping[int, int]
    scopes: Mapping[int, int]
    changed: frozenset[int]
    reset: frozenset[int]
    rebased: frozenset[int]
    results: Sequence[int]
    variables: frozenset[Variable]
    names: frozenset[str]
    members: frozenset[str]
    imported: frozenset[str]
    stores: Sequence[tuple[bool, FieldStore]]
