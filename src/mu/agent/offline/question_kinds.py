"""What is asked: the kinds of questions, and a question that was read."""

from dataclasses import dataclass
from enum import StrEnum


class Kind(StrEnum):
    """What is asked."""

    CALLERS = "callers"
    RAISING = "raising"
    CALLEES = "callees"
    IMPACT = "impact"
    ANCESTORS = "ancestors"
    DEPENDENCIES = "dependencies"
    DEPENDENTS = "dependents"
    IMPORTERS = "importers"
    IMPORTED = "imported"
    WHY = "why"
    PATH = "path"
    SUBCLASSES = "subclasses"
    SUPERCLASSES = "superclasses"
    OVERRIDES = "overrides"
    OVERRIDDEN = "overridden"
    TESTS = "tests"
    MEMBERS = "members"
    CYCLES = "cycles"
    UNUSED = "unused"
    MAIN = "main"
    LANGUAGES = "languages"
    ENTRIES = "entry points"
    ROUTES = "routes"
    ARCHITECTURE = "architecture"
    CODEBASE = "codebase"
    EXTERNALS = "externals"
    COMPLEX = "complex"
    LARGEST = "largest"
    MOST_USED = "most used"
    COUNT = "count"
    LISTING = "listing"
    WHERE = "where"
    DESCRIPTION = "description"
    HANDLES = "handles"
    RETURNING = "returning"
    TAKING = "taking"
    RAISED = "raised"
    FLOW = "flow"
    OUTLINE = "outline"
    METHODS = "methods"
    FIELDS = "fields"
    TOPIC = "topic"
    CONSTRUCTORS = "constructors"
    PUBLIC = "public"
    HISTORY = "history"
    NAMED = "named"
    COMPARED = "compared"
    SUCH = "such"
    ENVIRONMENT = "environment"
    LENGTH = "length"
    REGISTERED = "registered"
    REFERENCES = "references"
    RECURSION = "recursion"


@dataclass(frozen=True, slots=True)
class Question:
    """A question that was recognised: its kind, and the texts that stand for `names` in it.

    `heading` stands above an answer, with `{a}` and `{b}` for the names; `muql` are the queries
    that give it, with `{a}` for the first name, and none where another tool does. What else in the
    question looks like code has no part in the answer, and is `left_aside`. `phrases` are the names
    with the plain words around them, as in `the connection pool`; empty when there are none.
    `scope` is the file, folder, package or class that a question about all of a sort is limited to.
    With `is_loose` it is whose they are, which may be the project itself. `beyond` is a place of
    which nothing is asked. With `is_untested` what stands in tests is left out, with `is_top_level`
    what stands in a class or function, with `is_in_tests` all but tests; `such` is a word that
    holds of what is asked for, which must be so related to `also` and not to `never`, too. What
    the text limits otherwise is `unkept`. `otherwise` is how the question is read where no node is
    called so, `defined_in` the file in its names that may be meant as a place. One that `is_unsure`
    may ask for something else. A phrasing that was found reaches to the character `read_to`.
    """

    kind: Kind
    names: tuple[str, ...]
    heading: str
    muql: tuple[str, ...]
    left_aside: tuple[str, ...] = ()
    phrases: tuple[str, ...] = ()
    scope: str = ""
    is_loose: bool = False
    is_untested: bool = False
    beyond: str = ""
    is_top_level: bool = False
    is_in_tests: bool = False
    such: str = ""
    also: str = ""
    never: str = ""
    unkept: tuple[str, ...] = ()
    otherwise: "Question | None" = None
    defined_in: str = ""
    is_unsure: bool = False
    read_to: int = 0


@dataclass(frozen=True, slots=True)
class Asked:
    """The questions of a text, None for one that nothing recognises, and what was not read."""

    questions: tuple[Question | None, ...]
    unread: tuple[str, ...] = ()


SCOPED = frozenset(
    (
        *(Kind.COMPLEX, Kind.LARGEST, Kind.LISTING, Kind.COUNT, Kind.UNUSED, Kind.SUCH),
        *(Kind.ENVIRONMENT, Kind.CYCLES),
    )
)
"""Kinds that ask about all of a sort, and may be limited to a part of the repository."""

LISTED = frozenset(
    (
        *(Kind.CALLERS, Kind.CALLEES, Kind.DEPENDENTS, Kind.DEPENDENCIES, Kind.REGISTERED),
        *(Kind.IMPORTERS, Kind.IMPORTED, Kind.SUBCLASSES, Kind.SUPERCLASSES, Kind.OVERRIDES),
        *(Kind.IMPACT, Kind.ANCESTORS, Kind.TESTS, Kind.METHODS, Kind.MEMBERS),
    )
)
"""Kinds that list what is related to one node, of which a part may be asked for."""

SECONDED = {
    Kind.CALLERS: "calls",
    Kind.IMPORTERS: "imports",
    Kind.SUBCLASSES: "inherits",
    Kind.DEPENDENTS: "calls', 'uses', 'imports', 'inherits",
}
"""Kinds that may be asked of two names at once, and the edges that they follow."""

SORTED = frozenset((*SCOPED, Kind.MOST_USED, Kind.TOPIC, Kind.HANDLES))
"""Kinds whose words are no names."""
