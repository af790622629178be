"""What one file says, as plain rows: the only thing linking ever sees of a file.

Facts hold no path and nothing of any other file, so equal bytes give equal facts and they may be
cached by content. References point at rows of the same file by number: scopes, definitions and
expressions are lists, and an index into one is an `int` (-1: none).

Rows are tuples and not dataclasses: django has a million of them, and they cross from the worker
processes as arrays (0.2 s to decode), which objects made five times slower.

Expressions are hash-consed: one row for each distinct (scope, structure), so `self.client.get` in
one function is one row however often it is written, and is resolved once.
"""

from enum import IntEnum, IntFlag
from typing import NamedTuple

import msgspec

from mu.model.references import References
from mu.model.words import FileWords


class Op(IntEnum):
    """What an expression row is; in brackets how `text`, `base` and `args` are used.

    `base` is an expression row unless said otherwise, `args` are expression rows.
    """

    OPAQUE = 0  # nothing is known: row 0 of every file
    NAME = 1  # [text: the name, base: the SCOPE it lives in, of those around it; see `Scope`]
    ATTRIBUTE = 2  # base.text [args: 0 where only a function can be meant]
    CALL = 3  # base(args): args hold KEYWORD and SPREAD rows in place [text: IMPLIED or nothing]
    INDEX = 4  # base[args] [text: the place, where it is a short whole number as written; the
    # name of a class that is made with type arguments]
    AWAIT = 5  # what awaiting base gives
    ELEMENT = 6  # what iterating over base gives [text: `async`, KEY or nothing]
    ENTERED = 7  # what entering the context manager base gives [text: `async` or nothing]
    CAUGHT = 8  # an instance of the exception class (or tuple of classes) base
    ITEM = (
        9  # the part of an unpacked base [text: its place from 0, negative from the end, *: rest]
    )
    LITERAL = 10  # [text: the name of the literal's type]
    STRING = 11  # a string whose value is short [text: the value]
    COLLECTION = 12  # [text: list, tuple, set or dict; args: elements, PAIR rows, SPREAD rows]
    PAIR = 13  # args[0]: args[1]
    KEYWORD = 14  # text=base, as an argument
    SPREAD = 15  # base unpacked in place [text: the marker as written]
    UNION = 16  # one of args: both sides of a conditional, of `or` [text: the name, of the label
    # of a switch: args[0] where the subject has such a constant, else args[1]]
    FUNCTION = 17  # a function, class or object written in place [base: the DEFINITION]
    OPERATOR = 18  # args[0] text args[1]; of a chain of comparisons, the first; text args[0] of
    # a prefix, of what is tested (`if`), and of what is made a text (`format`, `repr`)
    COMPREHENSION = 19  # [text: the collection made; base: the element; args: its key, if told]
    YIELDED = 20  # what a generator is sent
    STORED = 21  # base is an INDEX or ATTRIBUTE row: what setting it does [text: `=` or `del`]
    CALLABLE = 22  # a type: what is called with args, which are types, and gives base
    CAST = 23  # base, which may be nothing, taken to be of the type args[0]
    BEGINNING = 24  # a string that is put together [text: the name that it begins with]
    NARROWED = 25  # base where it is of the types args[0], or of none of them [text: `not`]


ASYNC = "async"
"""The text of an ELEMENT or ENTERED row whose methods are those of asynchronous code."""

IMPLIED = "implied"
"""The text of a CALL that no text makes: of the constructor of the superclass, by another one."""

RAISING = "?"
"""The text of an OPERATOR that hands errors on; its second side is a type."""

RAISED = "raise"
"""The text of an OPERATOR that raises what it is applied to, or an instance of such a class."""

KEY = "key"
"""The text of an ELEMENT that is not an element, but where it stands: its key, or its number."""


class ScopeKind(IntEnum):
    """What opens a scope."""

    MODULE = 0
    CLASS = 1
    FUNCTION = 2
    BLOCK = 3  # a comprehension: its targets are its own
    VERSION = 4  # what a name of the parent holds in a part of the text; holds nothing else


class BindingKind(IntEnum):
    """What a binding says of its target."""

    VALUE = 0  # it may hold what the expression gives
    DECLARED = 1  # the expression is its declared type
    DELETED = 2
    TYPE_PARAMETER = 3  # it stands for any type; the expression is its bound, if it has one


class ReferenceKind(IntEnum):
    """What sort of use a reference is."""

    CALL = 0
    BASE = 1
    ANNOTATION = 2
    DECORATOR = 3
    VALUE = 4
    OPERATION = 5  # a subscript, an operator, a loop, a `with`: may run a method of what it is on
    KEYWORD = 6  # the name of an argument, where it stands on another line than its call


class Flag(IntFlag):
    """What else is known of a definition or an import."""

    NONE = 0
    ASYNC = 1
    GENERATOR = 2
    TYPE_ONLY = 4  # only a type checker gets here
    CONDITIONAL = 8  # under a branch or a handler
    WILDCARD = 16  # an import that takes every public name
    STATIC = 32  # a method that is called on the class itself
    LABEL = 64  # its name is only what it is known by: no scope binds it
    BODILESS = 128  # a function that is only declared


class Scope(NamedTuple):
    """A region where names are bound: row 0 is the file itself.

    A name that no scope around it binds lives in row 0, or in the nearest class where functions see
    the members of theirs; the first parameter of an undecorated
    method, where that is what the method is called on, lives in the scope of the class.
    """

    kind: ScopeKind
    parent: int
    definition: int  # the class or function whose body it is
    start_line: int
    end_line: int


class Parameter(NamedTuple):
    """A parameter. `kind` is empty, or the marker that makes it variadic, as written."""

    name: str
    kind: str
    text: str
    annotation: int
    default: int


class Definition(NamedTuple):
    """A class or function. `scope` is where its name is bound, `body` the scope it opens.

    `kind` is class, function or extension: what is defined outside of its body for a class, which
    is the first base; the others are bases that it gives the class. `subkind` narrows the kind
    where syntax can. `decorators` and `bases` are (expression, line, text) and (expression, line,
    keyword: empty for a base). `returned` and `yielded` are the expressions it may give. `digest`
    is a hex BLAKE2b-64 of its text.
    """

    kind: str
    subkind: str
    name: str
    scope: int
    body: int
    start_line: int
    end_line: int
    signature: str
    docstring: str
    flags: int
    parameters: tuple[Parameter, ...]
    returns: int
    returns_text: str
    decorators: tuple[tuple[int, int, str], ...]
    bases: tuple[tuple[int, int, str], ...]
    returned: tuple[int, ...]
    yielded: tuple[int, ...]
    complexity: int
    digest: str

    @property
    def own_name(self) -> str:
        """The name of its node: of what is only known by its name, the last part."""
        return self.name.rpartition(".")[2] if self.flags & _LABEL else self.name


_LABEL = int(Flag.LABEL)

NO_DEFINITION = Definition(
    kind="",
    subkind="",
    name="",
    scope=0,
    body=0,
    start_line=0,
    end_line=0,
    signature="",
    docstring="",
    flags=0,
    parameters=(),
    returns=0,
    returns_text="",
    decorators=(),
    bases=(),
    returned=(),
    yielded=(),
    complexity=1,
    digest="",
)
"""A definition of which nothing is known, to be filled in."""


class Import(NamedTuple):
    """One imported name. `level` counts the leading dots of a relative import.

    `name` is the name taken out of `module`, empty when the module itself is; `local` is the name
    it is bound to, empty when the language binds the first part of `module`.
    """

    scope: int
    local: str
    level: int
    module: str
    name: str
    flags: int
    line: int


class Binding(NamedTuple):
    """What a name, or an attribute of what `base` gives, may hold.

    `base` 0 binds `name` in `scope`; else the attribute `name` of the expression `base` is set
    (when `name` is empty, an element: `base` is the subscript that names it).
    """

    kind: BindingKind
    scope: int
    base: int
    name: str
    value: int
    line: int


class Prose(NamedTuple):
    """What a definition (-1: the file) says in comments, and in strings worth finding: as text.

    Such strings are messages, routes, options of a command line and keys.
    """

    definition: int
    comments: str
    strings: str


class Problem(NamedTuple):
    """Something in the file that could not be taken as it stands."""

    line: int
    message: str


Expression = tuple[int, str, int, tuple[int, ...]]
"""(`Op`, text, base, args): see `Op` for what each means."""


class FileFacts(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """All the facts of one file; see the module for how rows refer to each other.

    `package` is the name of the package that the text says it belongs to, empty if it does not.
    `directives` are (line, text) of the lines that speak to the language's tools. `visibilities`
    are (scope, name, modifier) of the names that the text shows to other code, `public` without a
    modifier; an empty name says only that the others of the scope are not shown. Where `words` are
    there, the prose of definitions is among them, and in `prose` is what is left.
    """

    docstring: str
    lines: int
    scopes: tuple[Scope, ...]
    definitions: tuple[Definition, ...]
    imports: tuple[Import, ...]
    expressions: list[Expression]
    bindings: tuple[Binding, ...]
    references: References
    problems: tuple[Problem, ...]
    package: str = ""
    prose: tuple[Prose, ...] = ()
    directives: tuple[tuple[int, str], ...] = ()
    words: FileWords | None = None
    visibilities: tuple[tuple[int, str, str], ...] = ()
