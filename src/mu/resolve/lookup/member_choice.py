"""Choice among several members that a class has under one name.

`MemberChoice` lists the disciplines; each language follows one.
"""

from collections.abc import Callable, Mapping
from typing import NamedTuple, Protocol

from mu.model.facts import Flag
from mu.model.kinds import Rule
from mu.resolve.abstract_values import DEFINITION, Symbol, Symbols, number_of
from mu.resolve.lookup.mro import Ancestor
from mu.resolve.lookup.signatures import may_be_same, taken
from mu.resolve.program.program import Program
from mu.resolve.semantics.member_semantics import MemberChoice

_STATIC = int(Flag.STATIC)


class Found(NamedTuple):
    """The members `symbols` that the class `owner` has under `name`.

    `order` is the MRO in which they were looked up, `rule` the one for members of an ancestor.
    `is_static` says that the receiver is a class, `is_virtual` that it may be of any subclass.
    """

    symbols: Symbols
    owner: int
    name: str
    order: tuple[Ancestor, ...]
    rule: Rule
    is_static: bool
    is_virtual: bool


class OwnMembers(Protocol):
    """Returns the members of one class, without those of its ancestors."""

    def __call__(self, number: int, name: str, *, rule: Rule) -> Symbols: ...


def choose(choice: MemberChoice, found: Found, *, program: Program, own: OwnMembers) -> Symbols:
    """Choose the members that a lookup resolves to; `own` returns those of an ancestor."""
    return _BY_CHOICE[choice](found, program, own)


def _latest(found: Found, _program: Program, _own: OwnMembers) -> Symbols:
    return found.symbols


def _data_descriptor(found: Found, program: Program, own: OwnMembers) -> Symbols:
    """Prefer an ancestor's property to an attribute set by methods: setting calls the property."""
    unit, row = program.unit_of[found.owner], program.definitions[found.owner]
    if found.name in unit.names[row.body]:
        return found.symbols
    for ancestor in found.order[found.order.index(found.owner) + 1 :]:
        if isinstance(ancestor, int):
            unit, row = program.unit_of[ancestor], program.definitions[ancestor]
            entry = unit.names[row.body].get(found.name)
            if entry is not None:
                rows = [unit.facts.definitions[one] for one in entry.definitions]
                is_property = any(map(unit.members.is_data_property, rows))
                given = own(ancestor, found.name, rule=found.rule) if is_property else ()
                return given or found.symbols
    return found.symbols


def _on_side(found: Found, program: Program, _own: OwnMembers) -> Symbols:
    """Choose between static and instance functions of one name, by the receiver."""
    unit, body = program.unit_of[found.owner], program.definitions[found.owner].body
    entry = unit.names[body].get(found.name)
    rows = unit.facts.definitions
    fits = [
        number
        for number in (() if entry is None else entry.definitions)
        if bool(rows[number].flags & _STATIC) is found.is_static
    ]
    if entry is None or not fits or len(fits) == len(entry.definitions):
        return found.symbols
    return ((DEFINITION, unit.first + fits[-1], found.symbols[0][2]),)


def _inherent(found: Found, program: Program, _own: OwnMembers) -> Symbols:
    """Choose a type's inherent functions; for a receiver of any subclass those of traits."""
    if len(found.symbols) < 2:
        return found.symbols
    kept = [one for one in found.symbols if _is_for_base(program, one) is found.is_virtual]
    return tuple(kept) or found.symbols


def _is_for_base(program: Program, symbol: Symbol) -> bool:
    """Return whether a function is in an extension that adds a base to its class."""
    if symbol[0] != DEFINITION:
        return False
    number = number_of(symbol[1])
    unit, row = program.unit_of[number], program.definitions[number]
    holder = unit.scopes[row.scope].definition
    return holder >= 0 and len(unit.facts.definitions[holder].bases) > 1


def _overloads(found: Found, program: Program, own: OwnMembers) -> Symbols:
    """Return the functions, and those of ancestors with other parameter types."""
    if found.name in program.unit_of[found.owner].calls.constructors:
        return found.symbols
    taken_here = [taken(program, symbol) for symbol in found.symbols]
    known = [types for types in taken_here if types is not None]
    gathered = list(found.symbols)
    for ancestor in found.order if None not in taken_here else ():
        given = own(ancestor, found.name, rule=found.rule) if isinstance(ancestor, int) else ()
        for symbol in given:
            types = taken(program, symbol)
            if types is None or _is_private(program, number_of(symbol[1])):
                continue
            if program.is_library(number_of(symbol[1])):
                types = ("",) * len(types)  # stubs do not list all overloads
            if not any(may_be_same(types, one) for one in known):
                known.append(types)
                gathered.append(symbol)
    return tuple(gathered)


def _is_private(program: Program, number: int) -> bool:
    """Return whether a function is a member only of the class that defines it."""
    return program.unit_of[number].members.is_private(program.definitions[number])


_BY_CHOICE: Mapping[MemberChoice, Callable[[Found, Program, OwnMembers], Symbols]] = {
    MemberChoice.LATEST: _latest,
    MemberChoice.DATA_DESCRIPTOR: _data_descriptor,
    MemberChoice.SIDE: _on_side,
    MemberChoice.INHERENT: _inherent,
    MemberChoice.OVERLOADS: _overloads,
}
