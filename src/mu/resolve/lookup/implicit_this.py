"""Implicit `this`: members of the enclosing classes as bare names.

A name that the function does not bind is looked up among the members of the enclosing class,
inherited ones included, and then in the next enclosing scope, from the inside out.
"""

from mu.model.facts import Expression, Op, ScopeKind
from mu.model.kinds import Rule
from mu.resolve.abstract_values import EXTERNAL, SELF, VARIABLE, Symbols, Value, Values
from mu.resolve.lookup.member_lookup import MemberLookup
from mu.resolve.lookup.name_lookup import NameLookup
from mu.resolve.program.file_symbols import FileSymbols
from mu.resolve.semantics.member_semantics import Scoping

_NAME = int(Op.NAME)
_BY_CLASS = Scoping.CLASS
_IN_CLASS = int(ScopeKind.CLASS)


class ImplicitThis:
    """Looks up bare names among the members of enclosing classes."""

    def __init__(self, names: NameLookup, members: MemberLookup) -> None:
        self._names = names
        self._members = members

    def find(self, unit: FileSymbols, row: Expression) -> Symbols:
        """Resolve a name whose scope is not that of the file."""
        return self._find(unit, row)[0]

    def find_called(self, unit: FileSymbols, row: Expression) -> Symbols:
        """Resolve the name of a callee whose scope is not that of the file; never to a variable."""
        return self._find(unit, row, is_called=True)[0]

    def holder(self, unit: FileSymbols, row: Expression, *, is_called: bool = False) -> Values:
        """Return the receiver of a bare name that is a member of an enclosing class; else none."""
        if row[0] != _NAME or unit.members.scoping is not _BY_CLASS:
            return ()
        is_called = is_called and unit.members.namespaces.are_apart
        owner = self._find(unit, row, is_called=is_called)[1]
        return ((SELF, owner, Rule.SELF),) if owner >= 0 else ()

    def _find(
        self, unit: FileSymbols, row: Expression, *, is_called: bool = False
    ) -> tuple[Symbols, int]:
        """Resolve a name, to functions only if it is called; with the class that has it, or -1."""
        op, name, scope, args = row
        outside: tuple[Symbols, int] = (), -1
        while scope > 0:
            kind, parent, definition, _, _ = unit.scopes[scope]
            if kind == _IN_CLASS:
                owner = unit.first + definition
                own: Value = (SELF, owner, Rule.SELF)
                found = self._members.of_class(own, name)
                if is_called:
                    found = tuple([symbol for symbol in found if symbol[0] != VARIABLE])
                if found and found[0][0] != EXTERNAL:
                    return found, owner
                if found and not outside[0]:
                    outside = found, owner
            elif name in unit.names[scope] and not (
                is_called and not unit.names[scope][name].definitions
            ):
                return self._names.find(unit, (op, name, scope, args)), -1
            scope = parent
        found = self._names.find(unit, (op, name, 0, args))
        return (found, -1) if found else outside
