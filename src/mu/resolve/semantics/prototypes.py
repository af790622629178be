"""Functions that are classes, too: what a file says of them, and the words of the protocol."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from mu.model.facts import Binding, FileFacts


@dataclass(frozen=True, slots=True)
class PrototypeWords:
    """The names that a language gives to parts of the prototype protocol.

    `attribute` is that of a function by which the members of what it makes are reached. `callers`
    are methods of functions that call them, by what they take: the arguments behind the first
    (`False`), or a list of them there (`True`); `binders` return the function itself.
    """

    attribute: str
    callers: Mapping[str, bool]
    binders: frozenset[str]


@dataclass(slots=True)
class Prototypes:
    """What a file says of functions as classes; definitions are numbered within the file.

    `facts` are those of the file with the classes added. `made` and `own` are the classes of what
    functions make and of themselves. `members` are (class, name, binding), `receivers` the classes
    that the bodies of functions know by the own name, `held` the expressions that they do where no
    class of the file is known. The first `written` definitions are those of the text.
    """

    facts: FileFacts
    made: dict[int, int] = field(default_factory=dict)
    own: dict[int, int] = field(default_factory=dict)
    members: list[tuple[int, str, Binding]] = field(default_factory=list)
    receivers: dict[int, int] = field(default_factory=dict)
    held: dict[int, int] = field(default_factory=dict)
    written: int = 0

    def is_written(self, number: int) -> bool:
        """Tell whether a class stands in the text, and is none that was added."""
        return number < self.written
