"""What other files can see of the difference between two versions of a file."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from mu.resolve.incremental.comparison.visible_names import Variable
from mu.resolve.program.attribute_stores import FieldStore


class FileDifference(NamedTuple):
    """What others can see of the difference between two versions of a file.

    `numbers` are the definitions of the old version by those of the new one, numbered in the file;
    `scopes` the scopes. By their numbers in the old version, `changed` are definitions that say
    something else, of which `reset` take other parameters, `rebased` classes that say they extend
    something else, and `results` functions that do not return what they did by the same
    expressions. `variables` hold what they did not, by scope and name. `names` came or went in
    modules and classes, `members` in classes that came or went themselves; `imported` are names
    that imports bind.
    `stores` set attributes otherwise: (whether in the new version, where).
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
