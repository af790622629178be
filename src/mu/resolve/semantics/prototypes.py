"""Functions that are classes, too: their synthetic classes, and the names of the protocol."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from mu.model.facts import Binding, FileFacts


@dataclass(frozen=True, slots=True)
class PrototypeWords:
    """The names of a language for parts of the prototype protocol.

    `attribute` is the attribute of a function with the members of its instances. `callers` are
    methods of functions that call them, by how they take arguments after the first: one by one
    (`False`), or as a list (`True`); `binders` are methods that return the function itself.
    """

    attribute: str
    callers: Mapping[str, bool]
    binders: frozenset[str]


@dataclass(slots=True)
class Prototypes:
    """What a file says of functions as classes; definitions are numbered within the file.

    `facts` are those of the file with synthetic classes added: `made` has the class of a function's
    instances, `own` the class of the function as an object. `members` are the (class, name,
    binding) of what is assigned to them. `receivers` has the class of `this` by the body of a
    function, `held` the expression for `this` where no class of the file is known. The first
    `written` definitions are those of the text.
    """

    facts: FileFacts
    made: dict[int, int] = field(default_factory=dict)
    own: dict[int, int] = field(default_factory=dict)
    members: list[tuple[int, str, Binding]] = field(default_factory=list)
    receivers: dict[int, int] = field(default_factory=dict)
    held: dict[int, int] = field(default_factory=dict)
    written: int = 0

    def is_written(self, number: int) -> bool:
        """Return whether a definition is in the text, and not an added class."""
        return number < self.written
