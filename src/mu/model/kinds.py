"""The closed sets of words the graph is made of."""

from enum import StrEnum


class NodeKind(StrEnum):
    """What a node stands for."""

    MODULE = "module"
    CLASS = "class"
    FUNCTION = "function"
    VARIABLE = "variable"
    DOCUMENT = "document"
    SECTION = "section"
    EXTERNAL = "external"


class EdgeKind(StrEnum):
    """What an edge says; an edge A -> B means that A depends on B, but for `contains`."""

    CONTAINS = "contains"
    IMPORTS = "imports"
    CALLS = "calls"
    INHERITS = "inherits"
    OVERRIDES = "overrides"
    USES = "uses"
    TESTS = "tests"
    LINKS = "links"
    MENTIONS = "mentions"


DEPENDENCY_KINDS = (
    EdgeKind.IMPORTS,
    EdgeKind.CALLS,
    EdgeKind.INHERITS,
    EdgeKind.OVERRIDES,
    EdgeKind.USES,
)
"""The kinds that deps, dependents, impact and ancestors follow unless told otherwise."""


class SiteKind(StrEnum):
    """What sort of reference a row of the ledger is."""

    IMPORT = "import"
    CALL = "call"
    BASE = "base"
    ANNOTATION = "annotation"
    DECORATOR = "decorator"
    VALUE = "value"
    LINK = "link"
    MENTION = "mention"


class Reason(StrEnum):
    """Why a reference has no edge inside the repository."""

    EXTERNAL = "external"  # it means something outside the repository, known by its dotted name
    AMBIGUOUS = "ambiguous"  # definitions bear the name, and nothing tells whether one is meant
    DYNAMIC = "dynamic"  # decided when the program runs: a computed name, a computed callee
    UNKNOWN = "unknown"  # nothing is known of the receiver, or no definition fits


class Rule(StrEnum):
    """How a reference was resolved; the name stands on the edge."""

    LOCAL = "local"  # a name of an enclosing function
    MODULE = "module"  # a name of the same module
    IMPORT = "import"  # through an import of the file
    SELF = "self"  # a member of the enclosing class
    INHERITED = "inherited"  # a member found on a base class
    SUPER = "super"  # through super()
    TYPED = "typed"  # the receiver's type is declared
    INFERRED = "inferred"  # the receiver's type comes from what was assigned
    RETURNED = "returned"  # the receiver is what a call returned
    CALLBACK = "callback"  # a function passed as an argument
    VIRTUAL = "virtual"  # an override in a subclass
    REGISTERED = "registered"  # what a framework was told to call, or to fill in
    SHAPE = "shape"  # it has all methods that the other asks for
    SYMBOL = "symbol"  # by the name that a linker or an interpreter knows, in another language
    PACKAGE = "package"  # the language's whole-package visibility
    UNIQUE_NAME = "unique-name"  # the only definition of that name; the receiver is unknown
    SYNTAX = "syntax"  # stated by the text itself: containment, overriding


class Resolution(StrEnum):
    """Sorts of resolution of a site, the surest first."""

    DIRECT = "direct"  # the text names the definition
    REGISTRATION = "registration"  # a framework was told to call it
    DISPATCH = "dispatch"  # one of the overrides, callbacks or values that the site may mean


class EntryRole(StrEnum):
    """Why something runs that nothing in the repository calls."""

    MAIN = "main"  # a module that is run as a program
    SCRIPT = "script"  # a manifest names it: a command of the shell, a plugin
    TEST = "test"  # the runner of the tests calls it
    FIXTURE = "fixture"  # the runner of the tests calls it around tests that do not name it
    ROUTE = "route"  # a server calls it for a request
    COMMAND = "command"  # a command of a command line
    TASK = "task"  # a worker calls it
    RECEIVER = "receiver"  # it is called when something is sent
    HOOK = "hook"  # a framework calls it at a moment of its own
    OVERRIDE = "override"  # code outside calls it by the name of the method it overrides


class Verdict(StrEnum):
    """How much an answer may be relied on to be all there is."""

    EXACT = "exact"
    AT_LEAST = "at least"
    UNKNOWN = "unknown"


class ImportMoment(StrEnum):
    """Which imports count, by when they happen; each takes in the ones before it."""

    LOAD = "load"  # when the module is loaded
    RUN = "run"  # when the program runs: inside functions too
    ALL = "all"  # for a type checker alone, too


class Category(StrEnum):
    """What sort of file it is, as far as ranking and noise are concerned."""

    SOURCE = "source"
    TEST = "test"
    GENERATED = "generated"
    VENDORED = "vendored"
    MINIFIED = "minified"


class TextKind(StrEnum):
    """What a piece of a file's text is."""

    CODE = "code"
    STRING = "string"  # a literal; a docstring is one
    COMMENT = "comment"
    PROSE = "prose"  # the text of a document


class Confidence(StrEnum):
    """How sure it is that a definition is unused, the surest first."""

    HIGH = "high"
    MEDIUM = "medium"
    LOW = "low"
