"""Complete stores: all values that are stored in a field or list, where the text shows every store.

No field or list is complete where a name may be computed or another file may fill the list.
"""

from collections.abc import Iterable

from mu.model.facts import Binding, BindingKind, ScopeKind
from mu.model.graph import File
from mu.resolve.abstract_values import INSTANCES, VARIABLE, Place, class_of, place_of
from mu.resolve.evaluator import Evaluator
from mu.resolve.program.file_symbols import FileSymbols
from mu.resolve.program.program import Program

_VALUE, _DECLARED = int(BindingKind.VALUE), int(BindingKind.DECLARED)
_IN_CLASS, _VERSION = int(ScopeKind.CLASS), int(ScopeKind.VERSION)


class CompleteStores:
    """A finder of the expressions whose values are all that a field or list holds."""

    def __init__(self, program: Program, evaluator: Evaluator) -> None:
        self._program = program
        self._evaluator = evaluator

    def field(self, place: Place) -> list[int]:
        """Return the rows of all values stored in a field; none if there may be others.

        The rows are of the field's file. A store in a subclass to an inherited field by its bare
        name looks like a store to a variable, so a class with subclasses has no complete fields.
        """
        file, scope, name = place
        unit = self._program.unit(file)
        if unit.scopes[scope].kind != _IN_CLASS or _are_computed(unit):
            return []
        owner = unit.owner(scope)
        if self._program.is_library(owner) or self._evaluator.hierarchy.descendants(owner):
            return []
        rows = [row for entry in unit.bound(scope, name) for row in entry.bindings]
        own = {row.value for row in rows if row.kind == _VALUE}
        places = self._evaluator.field_stores.places(name, unit.rules) if own else ()
        for there, base, value in places:
            if not (there is unit and value in own) and not self._is_elsewhere(there, base, owner):
                return []
        return sorted(own)

    def elements(self, unit: FileSymbols, row: int) -> tuple[FileSymbols, list[int]]:
        """Return the file and the rows of the lists that a variable is bound to.

        There are no rows where anything else may fill it.
        """
        _, name, scope, _ = unit.expressions[row]
        if name in unit.parameters.get(scope, ()) or unit.scopes[scope].kind == _VERSION:
            return unit, []
        home = unit
        if not scope:
            symbols = self._evaluator.symbols(unit, row)
            if len(symbols) != 1 or symbols[0][0] != VARIABLE or place_of(symbols[0][1])[1]:
                return unit, []
            home = self._program.unit(place_of(symbols[0][1])[0])
            if not home.library.fillers or self._is_set_elsewhere(home, name):
                return unit, []  # any file may call methods that fill a list
        entry = home.names[scope].get(name)
        if entry is None or entry.definitions or entry.imports or home.uses_of(scope, name):
            return unit, []
        return home, bound(entry.bindings)

    def _is_elsewhere(self, unit: FileSymbols, base: int, owner: int) -> bool:
        """Return whether an expression has only instances of classes unrelated to a class."""
        order = self._evaluator.members.order
        values = self._evaluator.values(unit, base)
        return bool(values) and all(
            value[0] in INSTANCES
            and class_of(value) >= 0
            and owner not in order(class_of(value))
            and class_of(value) not in order(owner)
            for value in values
        )

    def _is_set_elsewhere(self, home: FileSymbols, name: str) -> bool:
        """Return whether another file may set a variable of a module, or an element of it."""
        if self._evaluator.field_stores.places(name, home.rules):
            return True
        folder = _folder(home.file)
        beside = [
            self._program.units[key]
            for key, file in self._program.files.items()
            if _folder(file) == folder and self._program.rules_of(key) is home.rules
        ]
        return any(
            unit.uses_of(0, name) or (name in unit.names[0] and unit.names[0][name].bindings)
            for unit in beside
            if unit is not home
        )


def bound(bindings: Iterable[Binding]) -> list[int]:
    """Return the rows that a variable is bound to; if there are none, row 0 (unknown)."""
    return [row.value for row in bindings if row.kind != _DECLARED] or [0]


def _are_computed(unit: FileSymbols) -> bool:
    """Return whether fields may be set without being named: by computed names, by position."""
    if unit.calls.literal_fields or unit.library.attribute_setter:
        return True
    return unit.members.prototypes is not None


def _folder(file: File) -> str:
    return file.path.rpartition("/")[0]
