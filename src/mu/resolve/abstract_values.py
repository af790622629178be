"""Abstract values and symbols: the elements of points-to sets, and what names resolve to.

A *symbol* is what a reference names: a definition, a variable, a module, something external. A
*value* is what it may hold at run time. Both are plain tuples `(kind, key, rule)`, where `rule` is
how the last step to it was resolved. Linking django makes a million of them and reads each kind
several times, so kinds are plain numbers: reading a member of an enumeration takes ten times as
long (60 ns). A module, a namespace and an external thing are symbol and value at once, so those
kinds are the same for both.
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
"""A symbol: something missing that should be in the repository; its key is the dotted name."""
MODULE: Final = 4
"""A symbol or value: a module; its key is that of its file."""
NAMESPACE: Final = 5
"""A symbol or value: a folder of modules without a file; its key is its path."""
EXTERNAL: Final = 6
"""A symbol or value: something external without a stub; its key is the dotted name."""
CLASS: Final = 7
"""A value: a class itself; its key is the number of its definition."""
FUNCTION: Final = 8
"""A value: a function or bound method; its key is the number of its definition."""
INSTANCE: Final = 9
"""A value: an instance of exactly this class; its key is the number of the class."""
EXTERNAL_INSTANCE: Final = 10
"""A value: an instance of an external class without a stub; its key is the class's dotted name."""
SUPER: Final = 11
"""A value: the classes after this one in the MRO of an instance (`super()`); its key is the number
of the class."""
INSTANCE_OF_SUBTYPE: Final = 12
"""A value: an instance of a class or of a subclass; its key is the number of the class."""
SELF: Final = 13
"""A value: the receiver of a method of this class; its key is the number of the class."""
SELF_CLASS: Final = 14
"""A value: the class of the receiver of a method of this class; its key is the class's number."""
GENERIC: Final = 15
"""A value: an instance with type arguments; its key is (class, values of each parameter)."""
TUPLE: Final = 16
"""A value: an instance with known parts; its key is (class, values of each part)."""
CALLABLE: Final = 17
"""A value: something callable; its key is (-1, values of the result and of each parameter)."""
TYPE_VARIABLE: Final = 18
"""A value: any type argument for a type variable; its key is (file, scope, name)."""
WRAPPER: Final = 19
"""A value: the function that a decorator replaces another with; its key is its number."""
MEMBER: Final = 20
"""A value: a member of an instance, by a computed name; its key is (class, what the name begins
with)."""
LAST_KIND: Final = MEMBER
"""The greatest of these numbers."""

_INFERRED, _CALLBACK, _TYPED = Rule.INFERRED, Rule.CALLBACK, Rule.TYPED
_OUTSIDE = frozenset((EXTERNAL, EXTERNAL_INSTANCE))
_OF_OWN = "<>"  # ends the key of an external instance with type arguments from the repository

Place = tuple[int, int, str]
Key = int | str | Place | tuple[int, str] | tuple[int, tuple["Values", ...]]
Symbol = tuple[int, Key, Rule]
Value = tuple[int, Key, Rule]

Symbols = tuple[Symbol, ...]
Values = tuple[Value, ...]
Parts = tuple[Values, ...]
"""The values of each type argument, or of each part of a tuple."""

INSTANCES: Final = frozenset((INSTANCE, INSTANCE_OF_SUBTYPE, SELF, GENERIC, TUPLE))
"""The kinds of values that are instances of a class with a definition."""
CLASSES: Final = frozenset((CLASS, SELF_CLASS))
"""The kinds of values that are classes with a definition."""
OF_CLASS: Final = INSTANCES | CLASSES | {SUPER}
"""The kinds of values whose attributes are members of a class with a definition."""
RECEIVERS: Final = frozenset((SELF, SELF_CLASS))
"""The kinds of values that are the receiver of the enclosing method, or its class."""
MAY_BE_MORE: Final = RECEIVERS | {INSTANCE_OF_SUBTYPE}
"""The kinds of values that may be of a subclass of the class that is known."""
CALLABLES: Final = frozenset((FUNCTION, WRAPPER))
"""The kinds of values that are functions with a definition."""
DEFINED: Final = CALLABLES | CLASSES
"""The kinds of values that are functions and classes themselves."""
COUNTED_APART: Final = CALLABLES | {CLASS}
"""The kinds of values with a bound of their own, since tables of them are long."""
VAGUE: Final = frozenset((CALLABLE, TYPE_VARIABLE))
"""The kinds of values that a declared type has where it does not determine the value."""
_OPEN: Final = frozenset((SELF, SELF_CLASS, TYPE_VARIABLE))
NUMBERED: Final = frozenset(
    (CLASS, FUNCTION, INSTANCE, SUPER, INSTANCE_OF_SUBTYPE, SELF, SELF_CLASS, WRAPPER)
)
"""The kinds of values whose key is the number of a definition."""
NESTED: Final = frozenset((GENERIC, TUPLE, CALLABLE))
"""The kinds of values that have parts: the key is (class, parts)."""


def number_of(key: Key) -> int:
    """Return the key of a symbol or value whose kind says that it is a number."""
    return key  # type: ignore[return-value]  # 0.1 us less than a cast, millions of times


def place_of(key: Key) -> Place:
    """Return the key of a variable: (file, scope, name)."""
    return key  # type: ignore[return-value]  # as above


def member_of(key: Key) -> tuple[int, str]:
    """Return the key of a member by a computed name: (class, what the name begins with)."""
    return key  # type: ignore[return-value]  # as above


def class_of(value: Value) -> int:
    """Return the number of the class of an instance, a class or a `super()` value."""
    kind, key, _ = value
    return key[0] if kind in NESTED else key  # type: ignore[return-value,index]  # as above


def parts_of(value: Value) -> Parts:
    """Return the type arguments or parts of a value; none for a plain one."""
    kind, key, _ = value
    return key[1] if kind in NESTED else ()  # type: ignore[return-value,index]  # as above


def result_of(dotted: str, how: str = "()") -> Value:
    """Return the result of a call, or an element, of something external without a stub."""
    return EXTERNAL_INSTANCE, f"{name_outside(dotted)}{how}", Rule.RETURNED


def is_result(value: Value) -> bool:
    """Return whether a value is such a result, whose class is not known."""
    kind, key, _ = value
    return kind == EXTERNAL_INSTANCE and str(key).endswith((")", "]"))


def generic_outside(dotted: str) -> Value:
    """Return an instance of an external class, with type arguments from the repository."""
    return EXTERNAL_INSTANCE, f"{dotted}{_OF_OWN}", Rule.TYPED


def name_outside(key: Key) -> str:
    """Return the dotted name of an external symbol or value, by its key."""
    return str(key).removesuffix(_OF_OWN)


def member_outside(key: Key, name: str) -> str:
    """Return the key of a member of an external symbol or value."""
    dotted = str(key)
    if dotted.endswith(_OF_OWN):
        return f"{dotted.removesuffix(_OF_OWN)}.{name}{_OF_OWN}"
    return f"{dotted}.{name}"


def is_about_own(value: Value) -> bool:
    """Return whether an external value is such an instance, or a member of one.

    Then it may hold instances of classes of the repository.
    """
    kind, key, _ = value
    return kind in _OUTSIDE and str(key).endswith(_OF_OWN)


def are_outside(values: Values) -> bool:
    """Return whether there are values, all of them instances of external classes without a stub."""
    return bool(values) and all([value[0] == EXTERNAL_INSTANCE for value in values])  # noqa: C419 - a list is faster


def is_open(values: Values) -> bool:
    """Return whether `values` depend on the receiver or the arguments of a function."""
    for value in values:
        if value[0] in _OPEN:
            return True
        if value[0] in NESTED:
            for part in parts_of(value):
                if part and is_open(part):
                    return True
    return False


def bounded(values: Iterable[Value]) -> Values:
    """Return each value once, by kind and key.

    Functions and classes are limited to `MOST_FUNCTIONS`; of the others, all are dropped if there
    are more than `MOST_VALUES`. Up to `MOST_VALUES` in all, nothing is.
    """
    listed = tuple(values)
    if len(listed) < 2:
        return listed
    if len(listed) == 2:  # most of the others
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
    """Return the same values, as resolved by `rule`.

    Classes of declared types (`type[X]`) keep their rule: such a value may be a subclass.
    """
    for value in values:
        if value[2] is not rule:
            return tuple(
                [(k, key, _TYPED if k == CLASS and r is _TYPED else rule) for k, key, r in values]
            )
    return values


def as_bound(values: Values) -> Values:
    """Return the same values, as what a name is bound to.

    Callbacks, external symbols and classes of declared types keep their rule.
    """
    for value in values:
        if value[2] is not _INFERRED and value[2] is not _CALLBACK and value[0] != EXTERNAL:
            break
    else:
        return values
    return tuple([v if _keeps_rule(v) else (v[0], v[1], _INFERRED) for v in values])


def _keeps_rule(value: Value) -> bool:
    kind, _, rule = value
    return rule is _CALLBACK or kind == EXTERNAL or (kind == CLASS and rule is _TYPED)


def as_passed(value: Value) -> Value:
    """Return the same value, as an argument of a call."""
    kind, key, _ = value
    if kind in CALLABLES:
        return kind, key, _CALLBACK
    if kind == SELF:
        kind = INSTANCE_OF_SUBTYPE
    elif kind == SELF_CLASS:
        kind = CLASS
    return kind, key, _INFERRED


def is_shallow(values: Values, depth: int = DEEPEST_VALUE) -> bool:
    """Return whether values are nested in values no deeper than `depth`."""
    if depth == 0:
        return not values
    for value in values:
        if value[0] in NESTED:
            for part in parts_of(value):
                if not is_shallow(part, depth - 1):
                    return False
    return True


def collection(number: int, parts: Parts, *, kind: int = GENERIC) -> Value:
    """Return an instance of a class with parts, without those nested too deep."""
    return kind, (number, pruned(parts)), Rule.INFERRED


def pruned(parts: Parts) -> Parts:
    """Return the parts of a value, without those nested too deep.

    All get the same rule, so that equal parts make equal values.
    """
    return tuple([by_rule(_INFERRED, part) if is_shallow(part) else () for part in parts])
