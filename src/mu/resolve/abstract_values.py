"""Abstract values and symbols: what expressions may give and names may mean, as small tuples.

A *symbol* is what a reference names: a definition, a variable, a module, something external. A
*value* is what it may hold when the program runs. Both are plain tuples `(kind, key, rule)`, where
`rule` is how the last step to it was resolved. Linking django makes a million of them and looks at
each kind several times, so kinds are plain numbers: reading a member of an enumeration takes ten
times as long (60 ns). What a module, a namespace and an external thing mean is what they hold, so
those kinds are the same for both, and such a symbol is used as the value.
"""

from collections.abc import Iterable
from typing import Final

from mu.model.kinds import Rule
from mu.resolve.limits import DEEPEST_VALUE, MOST_FUNCTIONS, MOST_VALUES

DEFINITION: Final = 0
"""A symbol: a class or function; its key is its program-wide number."""
VARIABLE: Final = 1
"""A symbol: a variable of a module or class; its key is (file, scope, name)."""
LOCAL: Final = 2
"""A symbol: a variable of a function; its key is (file, scope, name)."""
MISSING: Final = 3
"""A symbol: something that should be in the repository and is not; its key is the dotted name."""
MODULE: Final = 4
"""A symbol or value: a module; its key is the file's."""
NAMESPACE: Final = 5
"""A symbol or value: a folder of modules without a file; its key is its path."""
EXTERNAL: Final = 6
"""A symbol or value: something outside whose text is unknown; its key is the dotted name."""
CLASS: Final = 7
"""A value: a class itself; its key is the number of its definition."""
FUNCTION: Final = 8
"""A value: a function or bound method; its key is the number of its definition."""
INSTANCE: Final = 9
"""A value: an instance of just this class; its key is the number of the class."""
EXTERNAL_INSTANCE: Final = 10
"""A value: an instance of a class of unknown text; its key is the dotted name of the class."""
SUPER: Final = 11
"""A value: what follows a class in the order of an instance's class; its key is that class."""
INSTANCE_OF_SUBTYPE: Final = 12
"""A value: an instance of a class or of one that extends it; its key is the number of the class."""
SELF: Final = 13
"""A value: what a method of this class was called on; its key is the number of the class."""
SELF_CLASS: Final = 14
"""A value: the class of what a method of this class was called on; its key is the number."""
GENERIC: Final = 15
"""A value: an instance with type arguments; its key is (class, values of each parameter)."""
TUPLE: Final = 16
"""A value: an instance of known parts; its key is (class, values of each part)."""
CALLABLE: Final = 17
"""A value: something that is called; its key is (-1, (values of each call,))."""
TYPE_VARIABLE: Final = 18
"""A value: whatever is passed for it; its key is (file, scope, name)."""
WRAPPER: Final = 19
"""A value: the function that a decorator puts in the place of another; its key is its number."""
MEMBER: Final = 20
"""A value: a member of an instance, by a name that is put together; its key is (class, what the
name begins with)."""
LAST_KIND: Final = MEMBER
"""The greatest of these numbers."""

_INFERRED, _CALLBACK = Rule.INFERRED, Rule.CALLBACK
_OUTSIDE = frozenset((EXTERNAL, EXTERNAL_INSTANCE))
_OF_OWN = "<>"  # what the key of an instance outside ends with that has type arguments from inside

Place = tuple[int, int, str]
Key = int | str | Place | tuple[int, str] | tuple[int, tuple["Values", ...]]
Symbol = tuple[int, Key, Rule]
Value = tuple[int, Key, Rule]

Symbols = tuple[Symbol, ...]
Values = tuple[Value, ...]
Parts = tuple[Values, ...]
"""The values of each type argument, or of each part of a tuple."""

INSTANCES: Final = frozenset((INSTANCE, INSTANCE_OF_SUBTYPE, SELF, GENERIC, TUPLE))
"""The kinds of values that are instances of a class whose text is known."""
CLASSES: Final = frozenset((CLASS, SELF_CLASS))
"""The kinds of values that are such a class themselves."""
OF_CLASS: Final = INSTANCES | CLASSES | {SUPER}
"""The kinds of values whose attributes are members of a class whose text is known."""
RECEIVERS: Final = frozenset((SELF, SELF_CLASS))
"""The kinds of values that a method was called on."""
MAY_BE_MORE: Final = RECEIVERS | {INSTANCE_OF_SUBTYPE}
"""The kinds of values that may be of a class further down than the one that is known."""
CALLABLES: Final = frozenset((FUNCTION, WRAPPER))
"""The kinds of values that are functions of known text."""
DEFINED: Final = CALLABLES | CLASSES
"""The kinds of values that are functions and classes themselves."""
COUNTED_APART: Final = CALLABLES | {CLASS}
"""The kinds of values that tables are made of, which are as long as they are."""
VAGUE: Final = frozenset((CALLABLE, TYPE_VARIABLE))
"""The kinds of values that a declaration gives when it does not say what is there."""
_OPEN: Final = frozenset((SELF, SELF_CLASS, TYPE_VARIABLE))
NUMBERED: Final = frozenset(
    (CLASS, FUNCTION, INSTANCE, SUPER, INSTANCE_OF_SUBTYPE, SELF, SELF_CLASS, WRAPPER)
)
"""The kinds of values whose key is the number of a definition."""
NESTED: Final = frozenset((GENERIC, TUPLE, CALLABLE))
"""The kinds of values that have parts: the key is (class, parts)."""


def number_of(key: Key) -> int:
    """The key of a symbol or value whose kind says that it is a number."""
    return key  # type: ignore[return-value]  # 0.1 us less than a cast, millions of times


def place_of(key: Key) -> Place:
    """The key of a variable: (file, scope, name)."""
    return key  # type: ignore[return-value]  # as above


def member_of(key: Key) -> tuple[int, str]:
    """The key of a member by a name that is put together."""
    return key  # type: ignore[return-value]  # as above


def class_of(value: Value) -> int:
    """The class that an instance, a class or what `super()` gives is about, by number."""
    kind, key, _ = value
    return key[0] if kind in NESTED else key  # type: ignore[return-value,index]  # as above


def parts_of(value: Value) -> Parts:
    """The type arguments or parts of a value; none of a plain one."""
    kind, key, _ = value
    return key[1] if kind in NESTED else ()  # type: ignore[return-value,index]  # as above


def result_of(dotted: str, how: str = "()") -> Value:
    """What calling something outside of unknown text gives, or taking an element of it."""
    return EXTERNAL_INSTANCE, f"{name_outside(dotted)}{how}", Rule.RETURNED


def is_result(value: Value) -> bool:
    """Tell whether a value is such a result: of what class is not known."""
    kind, key, _ = value
    return kind == EXTERNAL_INSTANCE and str(key).endswith((")", "]"))


def generic_outside(dotted: str) -> Value:
    """An instance of a class outside of unknown text that is about classes of the repository."""
    return EXTERNAL_INSTANCE, f"{dotted}{_OF_OWN}", Rule.TYPED


def name_outside(key: Key) -> str:
    """The dotted name of what is outside, by the key of a symbol or value."""
    return str(key).removesuffix(_OF_OWN)


def member_outside(key: Key, name: str) -> str:
    """The key of a member of what is outside."""
    dotted = str(key)
    if dotted.endswith(_OF_OWN):
        return f"{dotted.removesuffix(_OF_OWN)}.{name}{_OF_OWN}"
    return f"{dotted}.{name}"


def is_about_own(value: Value) -> bool:
    """Tell whether a value is such an instance, or something in it: it may hold what is inside."""
    kind, key, _ = value
    return kind in _OUTSIDE and str(key).endswith(_OF_OWN)


def are_outside(values: Values) -> bool:
    """Tell whether all that values are is outside, of unknown text."""
    return bool(values) and all([value[0] == EXTERNAL_INSTANCE for value in values])  # noqa: C419 - a list is faster


def is_open(values: Values) -> bool:
    """Tell whether what `values` are depends on what a function is called on, or with."""
    for value in values:
        if value[0] in _OPEN:
            return True
        if value[0] in NESTED:
            for part in parts_of(value):
                if part and is_open(part):
                    return True
    return False


def bounded(values: Iterable[Value]) -> Values:
    """Each value once, by kind and key; none of those that are more than `MOST_VALUES`."""
    listed = tuple(values)
    if len(listed) < 2:
        return listed
    if len(listed) == 2:  # most that are left
        (kind, key, _), (other, another, _) = listed
        return listed if kind != other or key != another else listed[:1]
    found: dict[tuple[int, object], Value] = {}
    for value in listed:
        found.setdefault(value[:2], value)
    if len(found) <= MOST_VALUES:
        return tuple(found.values())
    functions = [value for value in found.values() if value[0] in COUNTED_APART]
    others = [value for value in found.values() if value[0] not in COUNTED_APART]
    kept = others if len(others) <= MOST_VALUES else ()
    return (*kept, *functions[:MOST_FUNCTIONS])


def by_rule(rule: Rule, values: Values) -> Values:
    """The same values, reached by `rule`."""
    for value in values:
        if value[2] is not rule:
            return tuple([(kind, key, rule) for kind, key, _ in values])
    return values


def as_bound(values: Values) -> Values:
    """The same values, as what a name is bound to.

    What was passed to be called stays that, and what is imported from outside stays imported.
    """
    for value in values:
        if value[2] is not _INFERRED and value[2] is not _CALLBACK and value[0] != EXTERNAL:
            break
    else:
        return values
    return tuple(
        [v if v[2] is _CALLBACK or v[0] == EXTERNAL else (v[0], v[1], _INFERRED) for v in values]
    )


def as_passed(value: Value) -> Value:
    """The same value, as what a call passes."""
    kind, key, _ = value
    if kind in CALLABLES:
        return kind, key, _CALLBACK
    if kind == SELF:
        kind = INSTANCE_OF_SUBTYPE
    elif kind == SELF_CLASS:
        kind = CLASS
    return kind, key, _INFERRED


def is_shallow(values: Values, depth: int = DEEPEST_VALUE) -> bool:
    """Tell whether values are nested in values no deeper than `depth`."""
    if depth == 0:
        return not values
    for value in values:
        if value[0] in NESTED:
            for part in parts_of(value):
                if not is_shallow(part, depth - 1):
                    return False
    return True


def collection(number: int, parts: Parts, *, kind: int = GENERIC) -> Value:
    """An instance of a class with parts; those nested too deep fall away."""
    return kind, (number, pruned(parts)), Rule.INFERRED


def pruned(parts: Parts) -> Parts:
    """The parts of a value but those nested too deep, all by one rule, so that equals are one."""
    return tuple([by_rule(_INFERRED, part) if is_shallow(part) else () for part in parts])
