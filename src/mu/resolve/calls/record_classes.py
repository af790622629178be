"""Record classes, whose constructor follows from their fields: `@dataclass`, `NamedTuple`.

Constructor arguments are the declared fields in the order of the text, those of ancestors first.
See PEP 557 ("Data Classes") and PEP 681 ("Data Class Transforms").
"""

from collections.abc import Iterator

from mu.model.facts import BindingKind, Op
from mu.resolve.abstract_values import Values
from mu.resolve.calls.argument_binding import Call
from mu.resolve.program.file_symbols import FileSymbols
from mu.resolve.program.program import Program
from mu.resolve.solver.flow import Flow
from mu.resolve.solver.solver import ParameterKey

_DECLARED = int(BindingKind.DECLARED)
_KEYWORD, _SPREAD = int(Op.KEYWORD), int(Op.SPREAD)


class RecordClasses:
    """Binds constructor arguments to the fields of record classes."""

    def __init__(self, program: Program, flow: Flow) -> None:
        self._program = program
        self._flow = flow
        self._fields: dict[int, dict[str, ParameterKey]] = {}
        self._own: dict[int, tuple[str, ...]] = {}

    def fields(self, number: int) -> dict[str, ParameterKey]:
        """Return the fields that the constructor of a class sets, in order.

        Each is (class, index among its own fields). A class with an explicit constructor adds none.
        """
        known = self._fields.get(number)
        if known is None:
            known = self._fields[number] = {}
            for owner in reversed(self._flow.members.order(number)):
                if isinstance(owner, int) and not self._program.is_library(owner):
                    own = self._own_fields(owner)
                    known.update({name: (owner, place) for place, name in enumerate(own)})
        return known

    def passed(self, number: int, call: Call) -> Iterator[tuple[ParameterKey, int]]:
        """Yield (field, argument row) of the fields that a call of a class sets."""
        fields = self.fields(number)
        if not fields:
            return
        unit, args = call
        names = list(fields)
        for place, arg in enumerate(args):
            op, name, value, _ = unit.expressions[arg]
            if op == _SPREAD:
                return
            if op == _KEYWORD:
                if name in fields:
                    yield fields[name], value
            elif place < len(names):
                yield fields[names[place]], arg

    def held(self, unit: FileSymbols, scope: int, *, name: str) -> Values:
        """Return the arguments that calls of a class pass to one of its own fields."""
        owner = unit.owner(scope)
        if owner < 0 or name not in self._own_fields(owner):
            return ()
        return self._flow.parameter_propagation.of(owner, self._own_fields(owner).index(name))

    def _own_fields(self, number: int) -> tuple[str, ...]:
        known = self._own.get(number)
        if known is None:
            known = self._own[number] = tuple(self._find_own(number))
        return known

    def _find_own(self, number: int) -> Iterator[str]:
        unit, row = self._program.unit_of[number], self._program.definitions[number]
        if unit.calls.is_function_type(row):
            yield ""  # for the function that is converted to it
            return
        if row.kind != "class" or not (unit.calls.is_record(row) or self._extends(unit, number)):
            return
        names = unit.names[row.body]
        if any(name in names for name in unit.calls.constructors):
            return
        for name, entry in names.items():
            if any(binding.kind == _DECLARED for binding in entry.bindings):
                yield name

    def _extends(self, unit: FileSymbols, number: int) -> bool:
        """Return whether a base makes a class a record class."""
        for base in self._flow.members.bases(number):
            if isinstance(base, int) and self._program.is_library(base):
                base = self._program.dotted(base)
            if isinstance(base, str) and unit.calls.is_record_base(base):
                return True
        return False
