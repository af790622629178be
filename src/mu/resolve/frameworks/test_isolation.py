"""Test isolation: listeners registered in one test receive no events sent in another.

Listeners registered outside tests may receive all events, and events sent outside tests may reach
all listeners. A helper or fixture registers for the tests that call it; a method of a test class
that is no test, such as `setUp`, for the tests of that class.
"""

from typing import NamedTuple

from mu.model.facts import ScopeKind
from mu.model.kinds import Category
from mu.resolve.frameworks.argument_syntax import RegistrationCall
from mu.resolve.lookup.member_lookup import MemberLookup
from mu.resolve.program.file_symbols import FileSymbols
from mu.resolve.program.program import Program

_IN_CLASS = int(ScopeKind.CLASS)


class _Home(NamedTuple):
    function: int  # the outermost one around, by number
    owner: int  # the class it is a method of, or -1
    is_test: bool


class TestIsolation:
    """Finds the tests in which a line can run."""

    def __init__(self, program: Program, members: MemberLookup) -> None:
        self._program = program
        self._members = members

    def are_apart(self, registering: RegistrationCall, sending: RegistrationCall) -> bool:
        """Return whether the registration is never in effect when the other call sends."""
        here, there = self._home(registering), self._home(sending)
        if here is None or there is None or here.function == there.function:
            return False
        if here.owner >= 0 and there.owner >= 0 and self._are_related(here.owner, there.owner):
            return here.is_test and there.is_test
        return here.is_test or here.owner >= 0

    def _are_related(self, one: int, other: int) -> bool:
        order = self._members.order
        return one in order(other) or other in order(one)

    def _home(self, told: RegistrationCall) -> _Home | None:
        """Return the outermost function around a registration in a test file, if there is one."""
        unit = told.unit
        if unit.file.category != Category.TEST:
            return None
        rows, scope = unit.facts.definitions, 0
        if told.owner >= 0:
            scope = rows[told.owner].body
        elif told.decorated >= 0:
            scope = rows[told.decorated].scope
        function = -1
        while scope > 0:
            row = unit.scopes[scope]
            if row.definition >= 0 and rows[row.definition].kind == "function":
                function = row.definition
            scope = row.parent
        return None if function < 0 else self._of(unit, function)

    def _of(self, unit: FileSymbols, function: int) -> _Home:
        row = unit.facts.definitions[function]
        owner = unit.owner(row.scope) if unit.scopes[row.scope].kind == _IN_CLASS else -1
        runners = unit.entries.runners
        begins = tuple(text for one in runners for text in (*one.functions, *one.methods))
        return _Home(unit.first + function, owner, bool(begins) and row.name.startswith(begins))
