"""Framework models: which calls register handlers, routes and providers, as plain data.

Names are dotted names of functions and methods as a program imports them; a method is named on the
class that the documentation names. Data files of each language hold the values.
"""

from collections.abc import Iterator
from enum import StrEnum

import msgspec

from mu.model.kinds import EntryRole


class Reach(StrEnum):
    """Which arguments are selected, of those from a position on."""

    ONE = "one"  # the one in that position
    ALL = "all"  # each of them
    LAST = "last"  # the last of all
    BEFORE_LAST = "before-last"  # all but the last


class Argument(msgspec.Struct, frozen=True):
    """An argument of a call, by position (from 0; -1: by keyword only) or by keyword.

    `others` are keywords with the same meaning. `reach` selects among the arguments from `place`
    on.
    """

    place: int
    keyword: str = ""
    others: tuple[str, ...] = ()
    reach: Reach = Reach.ONE


class Taken(StrEnum):
    """The subject of a call, where that is no argument of it."""

    DECORATED = "decorated"  # the definition that the call, or the name, decorates
    RECEIVER = "receiver"  # the receiver of the method


class Handling(msgspec.Struct, frozen=True):
    """A registration: calls of `names` make a framework call the handlers `takes`, in a role.

    `label` is the argument with the handler's name or pattern; without it, and if `is_named`, the
    label is the function's own name in lower case, with `-` for `_` and without one of `endings`.
    `method` has the HTTP methods, separated by commas, unless the argument `methods` or the handler
    itself names them; `is_method_named` says that the callee's name is the method,
    `is_method_labelled` that the label may begin with it. `has_holder` says that the route belongs
    to the router that is the receiver, whose prefix precedes the label. With `within`, only
    handlers in a class with one of these decorators count; the label of a decorator `prefixes` of
    this class is their prefix.
    """

    names: tuple[str, ...]
    takes: tuple[Taken | Argument, ...]
    role: EntryRole
    label: Argument | None = None
    is_named: bool = False
    endings: tuple[str, ...] = ()
    method: str = ""
    methods: Argument | None = None
    is_method_named: bool = False
    is_method_labelled: bool = False
    has_holder: bool = False
    within: tuple[str, ...] = ()
    prefixes: tuple[str, ...] = ()


class Running(msgspec.Struct, frozen=True):
    """Calls of `names` run the definitions `takes`, maybe later: that is a call of these.

    A call with one of the strings `unless` as an argument, or in a list, runs none.
    """

    names: tuple[str, ...]
    takes: tuple[Taken | Argument, ...]
    unless: tuple[str, ...] = ()


class Providing(msgspec.Struct, frozen=True):
    """Calls of `names`, as a default or in an annotation, have `provider` fill a parameter."""

    names: tuple[str, ...]
    provider: Argument


class Listening(msgspec.Struct, frozen=True):
    """Calls of `names` subscribe the definitions `takes` to an event.

    The event is the object `source` or, with `key`, the event of that name on it.
    """

    names: tuple[str, ...]
    takes: tuple[Taken | Argument, ...]
    source: Taken | Argument
    key: Argument | None = None


class Sending(msgspec.Struct, frozen=True):
    """Calls of `names` publish an event; see `Listening`."""

    names: tuple[str, ...]
    source: Taken | Argument
    key: Argument | None = None


class Holder(msgspec.Struct, frozen=True):
    """Routers: classes, functions or modules `names` that create one, or are one.

    `prefix` is the argument with the prefix of its patterns; a root (`is_root`) needs no mount.
    """

    names: tuple[str, ...]
    is_root: bool = False
    prefix: Argument | None = None


class Mount(msgspec.Struct, frozen=True):
    """Calls of `names` mount the router in the argument `mounted` on the receiver, under a prefix.

    `replaces` says that this prefix, if given, replaces the router's own.
    """

    names: tuple[str, ...]
    mounted: Argument
    prefix: Argument | None = None
    replaces: bool = False


class Group(msgspec.Struct, frozen=True):
    """Calls of `names` create a router, and mount it on the receiver, under a prefix.

    They return the router, and pass it to the first parameter of the function in `filled`.
    """

    names: tuple[str, ...]
    prefix: Argument | None = None
    filled: Argument | None = None


class Listed(msgspec.Struct, frozen=True):
    """Routes that a module lists in a variable (`urlpatterns`), by calls of functions.

    `includes` are the functions whose result, in the position of a handler, is another such list:
    an inline list, a module, or its dotted name as a string. `around` are functions that return a
    list of the routes passed to them. `root` is the variable whose string names the outermost
    module.
    """

    variable: str
    includes: tuple[str, ...] = ()
    around: tuple[str, ...] = ()
    root: str = ""


class Extending(msgspec.Struct, frozen=True):
    """Methods that a framework calls on subclasses of `names`.

    With `is_module` the label is the name of the module; `folder` restricts this to files there.
    """

    names: tuple[str, ...]
    methods: tuple[str, ...]
    role: EntryRole
    is_module: bool = False
    folder: str = ""


class Naming(msgspec.Struct, frozen=True):
    """Module variables whose strings name code, in modules that bind all of `beside`, too."""

    variables: tuple[str, ...]
    beside: tuple[str, ...] = ()


Meaning = Handling | Running | Providing | Listening | Sending | Mount | Group
"""What a call may mean to a framework."""


class Framework(msgspec.Struct, frozen=True):
    """One framework; it is in use where one of its `packages` is imported, or if it has none.

    `makers` are methods of a class that return its handler (`View.as_view`), `wrappers` functions
    that return a handler passed to them, and `named_sources` functions that return the event of a
    name; an object handles by its `handling_method`. `is_joined` says that prefix and pattern are
    joined by one slash, whatever they end and begin with.
    """

    name: str
    packages: tuple[str, ...]
    handlings: tuple[Handling, ...] = ()
    runnings: tuple[Running, ...] = ()
    providings: tuple[Providing, ...] = ()
    listenings: tuple[Listening, ...] = ()
    sendings: tuple[Sending, ...] = ()
    mounts: tuple[Mount, ...] = ()
    groups: tuple[Group, ...] = ()
    holders: tuple[Holder, ...] = ()
    extendings: tuple[Extending, ...] = ()
    namings: tuple[Naming, ...] = ()
    listed: Listed | None = None
    makers: tuple[str, ...] = ()
    wrappers: tuple[str, ...] = ()
    named_sources: tuple[str, ...] = ()
    handling_method: str = ""
    is_joined: bool = False

    def meanings(self) -> Iterator[Meaning]:
        """Yield all meanings of calls."""
        yield from self.handlings
        yield from self.runnings
        yield from self.providings
        yield from self.listenings
        yield from self.sendings
        yield from self.mounts
        yield from self.groups
