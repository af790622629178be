"""The words of the prototype protocol, in languages where functions are classes, too."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class PrototypeWords:
    """The names that a language gives to parts of the prototype protocol.

    `attribute` is that of a function by which the members of what it makes are reached, `parent`
    the member of an object that is its prototype. `copiers` are the last names of functions that
    give the first argument the members of the others, or make them its prototypes; `extenders`
    those that do so with what the arguments, which are functions, make. `exported` are the object
    and its member that a file exports, which has the name of the member, too. `callers` are
    methods of functions that call them, by what they take: the arguments behind the first
    (`False`), or a list of them there (`True`); `binders` return the function itself.
    """

    attribute: str
    parent: str
    copiers: frozenset[str]
    extenders: frozenset[str]
    exported: tuple[str, str]
    callers: Mapping[str, bool]
    binders: frozenset[str]
