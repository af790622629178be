"""Framework models: which calls register handlers, routes and providers, as plain data.

Names are dotted names of functions and methods as a program imports them; a method is named on the
class that the documentation names. Data files of each language hold the values.
"""

from collections.abc import Iterator
from enum import StrEnum

import msgspec

from mu.model.kinds import EntryRole


class Reach(StrEnum):
    """Which arguments are meant, of those from a place on."""

    ONE = "one"  # the one in that place
    ALL = "all"  # each of them
    LAST = "last"  # the last of all
    BEFORE_LAST = "before-last"  # all but the last


class Argument(msgspec.Struct, frozen=True):
    """An argument of a call, by place (from 0; -1: by keyword alone) or by keyword.

    `others` are keywords that mean the same. `reach` says that it is one of those from `place` on.
    """

    place: int
    keyword: str = ""
    others: tuple[str, ...] = ()
    reach: Reach = Reach.ONE


class Taken(StrEnum):
    """What a call is about, where that is no argument of it."""

    DECORATED = "decorated"  # what the call, or the name, stands on as a decorator
    RECEIVER = "receiver"  # what the method is called on


class Handling(msgspec.Struct, frozen=True):
    """Calls of `names` make a framework call something, in a role.

    `label` is the argument that tells by what name it is asked for; `is_named` says that without it
    that is the function's own, with `-` for `_` and without one of `endings`. `method` are HTTP
    methods, with commas, for want of those that the argument `methods` lists; `is_method_named`
    says that the name that is called is the method, `is_method_labelled` that it may stand before
    the pattern in the label. `has_holder` says that it is put into what the
    method is called on, whose prefix stands before the label. With `within`, only what stands in a
    class that one of these decorates is meant; the label of one of `prefixes` on it stands before.
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
    """Calls of `names` run something of the repository by and by: that is a call of it.

    One that is given one of the texts `unless`, also in a list, has another answer and runs none.
    """

    names: tuple[str, ...]
    takes: tuple[Taken | Argument, ...]
    unless: tuple[str, ...] = ()


class Providing(msgspec.Struct, frozen=True):
    """Calls of `names`, as a default or in an annotation, have a parameter filled by a provider."""

    names: tuple[str, ...]
    provider: Argument


class Listening(msgspec.Struct, frozen=True):
    """Calls of `names` have something called for an event.

    The event is an object (`source`), or what is named by `key` on it.
    """

    names: tuple[str, ...]
    takes: tuple[Taken | Argument, ...]
    source: Taken | Argument
    key: Argument | None = None


class Sending(msgspec.Struct, frozen=True):
    """Calls of `names` cause an event; see `Listening`."""

    names: tuple[str, ...]
    source: Taken | Argument
    key: Argument | None = None


class Holder(msgspec.Struct, frozen=True):
    """Classes (or functions, or modules) `names` make what routes are put into, or are it.

    `prefix` is the argument that stands before the patterns; a `is_root` needs no mounting.
    """

    names: tuple[str, ...]
    is_root: bool = False
    prefix: Argument | None = None


class Mount(msgspec.Struct, frozen=True):
    """Calls of `names` put the holder `mounted` into what they are called on, under a prefix.

    `replaces` says that this prefix, if given, stands in for the holder's own.
    """

    names: tuple[str, ...]
    mounted: Argument
    prefix: Argument | None = None
    replaces: bool = False


class Group(msgspec.Struct, frozen=True):
    """Calls of `names` make a holder, and put it into what they are called on, under a prefix.

    It is what they give, and what the function `filled` is handed as its first parameter.
    """

    names: tuple[str, ...]
    prefix: Argument | None = None
    filled: Argument | None = None


class Listed(msgspec.Struct, frozen=True):
    """Routes that a module lists in a variable (`urlpatterns`), by calls of functions.

    `includes` are the functions whose result, in the place of a handler, is another such list: a
    list in place, a module, or the dotted name of one as text. `around` give a list of what they
    are given. `root` is the variable whose text names the outermost module.
    """

    variable: str
    includes: tuple[str, ...] = ()
    around: tuple[str, ...] = ()
    root: str = ""


class Extending(msgspec.Struct, frozen=True):
    """Methods that a framework calls on classes that extend `names`.

    With `is_module` the label is the name of the module; `folder` limits it to files there.
    """

    names: tuple[str, ...]
    methods: tuple[str, ...]
    role: EntryRole
    is_module: bool = False
    folder: str = ""


class Naming(msgspec.Struct, frozen=True):
    """Texts that name code: values of module variables, in a module that binds all of `beside`."""

    variables: tuple[str, ...]
    beside: tuple[str, ...] = ()


Meaning = Handling | Running | Providing | Listening | Sending | Mount | Group
"""What a call may mean to a framework."""


class Framework(msgspec.Struct, frozen=True):
    """One framework; it is looked at where one of its `packages` is imported, if it has any.

    `makers` are methods by which a class gives a handler (`View.as_view`), `wrappers` functions
    that give the handler they are given, and `named_sources` those that give the event of a name;
    an object handles by its `handling_method`.
    `is_joined` says that prefix and pattern are joined by one slash, whatever they have.
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
        """All that calls may mean."""
        yield from self.handlings
        yield from self.runnings
        yield from self.providings
        yield from self.listenings
        yield from self.sendings
        yield from self.mounts
        yield from self.groups
