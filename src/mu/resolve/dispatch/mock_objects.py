"""Mock objects: instances of classes made at run time, which override every method of a class.

No override in the repository runs on one (Mackinnon, Freeman and Craig, "Endo-Testing: Unit Testing
with Mock Objects", 2000).
"""

from mu.model.facts import BindingKind, Op, ReferenceKind
from mu.resolve.abstract_values import EXTERNAL, Place
from mu.resolve.evaluator import Evaluator
from mu.resolve.program.file_symbols import FileSymbols
from mu.resolve.program.program import Program

_CALL, _INDEX = int(Op.CALL), int(Op.INDEX)
_DECORATOR, _DECLARED = int(ReferenceKind.DECORATOR), int(BindingKind.DECLARED)


class MockObjects:
    """The calls that make mock objects, and the fields that a test library fills with them."""

    def __init__(self, program: Program, evaluator: Evaluator) -> None:
        self._program = program
        self._evaluator = evaluator
        self._lines: dict[int, dict[int, frozenset[int]]] = {}  # by file and class

    def is_made(self, unit: FileSymbols, row: int) -> bool:
        """Return whether an expression makes a mock object that calls no real method."""
        op, _, function, args = unit.expressions[row]
        if op != _CALL or len(args) > 1 or not unit.library.mock_functions:
            return False
        if unit.expressions[function][0] == _INDEX:
            function = unit.expressions[function][2]
        return self._is_one_of(unit, function, unit.library.mock_functions)

    def is_field(self, place: Place) -> bool:
        """Return whether a library fills a class variable with a mock object."""
        file, scope, name = place
        unit = self._program.unit(file)
        entry = unit.names[scope].get(name)
        if entry is None or not unit.library.mock_decorators:
            return False
        lines = self._decorated(unit).get(unit.scopes[scope].definition, frozenset())
        return any(row.kind == _DECLARED and row.line in lines for row in entry.bindings)

    def _decorated(self, unit: FileSymbols) -> dict[int, frozenset[int]]:
        """Return the lines of a file's decorated fields, by class.

        A decorator belongs to the next member after it.
        """
        known = self._lines.get(unit.key)
        if known is None:
            found: dict[int, set[int]] = {}
            for kind, row, owner, line in unit.facts.references:
                if kind != _DECORATOR or owner < 0:
                    continue
                if self._is_one_of(unit, row, unit.library.mock_decorators):
                    found.setdefault(owner, set()).add(self._next_member(unit, owner, line))
            known = {owner: frozenset(lines) for owner, lines in found.items()}
            self._lines[unit.key] = known
        return known

    def _next_member(self, unit: FileSymbols, owner: int, line: int) -> int:
        body = unit.facts.definitions[owner].body
        fields = [row.line for row in unit.facts.bindings if row.scope == body]
        methods = [row.start_line for row in unit.facts.definitions if row.scope == body]
        return min((at for at in (*fields, *methods) if at >= line), default=-1)

    def _is_one_of(self, unit: FileSymbols, row: int, names: frozenset[str]) -> bool:
        symbols = self._evaluator.symbols(unit, row)
        return bool(symbols) and all(kind == EXTERNAL and key in names for kind, key, _ in symbols)
