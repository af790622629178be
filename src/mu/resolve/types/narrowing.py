"""Type narrowing: values of a name after an assignment, or where a test holds."""

from collections.abc import Iterator

from mu.model.facts import Op, ScopeKind
from mu.model.kinds import Rule
from mu.resolve.abstract_values import (
    CLASSES,
    EXTERNAL,
    EXTERNAL_INSTANCE,
    INSTANCE_OF_SUBTYPE,
    INSTANCES,
    VAGUE,
    Value,
    Values,
    bounded,
    class_of,
    parts_of,
)
from mu.resolve.lookup.mro import Ancestor
from mu.resolve.program.file_symbols import FileSymbols
from mu.resolve.program.program import Program
from mu.resolve.solver.flow import Flow

_COLLECTION, _OPERATOR, _NARROWED = int(Op.COLLECTION), int(Op.OPERATOR), int(Op.NARROWED)
_VERSION = int(ScopeKind.VERSION)
_TYPED = Rule.TYPED
_SOME_OF = "|"


class Narrowing:
    """Removes values that an assignment or a test on a name excludes."""

    def __init__(self, program: Program, flow: Flow) -> None:
        self._program = program
        self._flow = flow

    def of_row(self, unit: FileSymbols, number: int) -> Values:
        """Return the values of a narrowed name; all, if a class in the test is unknown."""
        _, how, base, (types,) = unit.expressions[number]
        values = self._flow.values(unit, base)
        classes = tuple(dict.fromkeys(self._classes(unit, types)))
        if not classes or None in classes:
            return values
        if how:
            return tuple([v for v in values if not self._is_of(v, classes)])
        return self._within(values, classes)

    def _within(self, values: Values, classes: tuple[Ancestor, ...]) -> Values:
        """Restrict values to instances of some classes; if none can be one, return any of these."""
        found: list[Value] = []
        for value in values:
            if self._is_of(value, classes):
                found.append(value)
            else:
                found += (_instance(own) for own in classes if self._may_be(value, own))
        return bounded(found or [_instance(own) for own in classes])

    def _is_of(self, value: Value, classes: tuple[Ancestor, ...]) -> bool:
        """Return whether a value is certainly an instance of one of some classes."""
        if value[0] == EXTERNAL_INSTANCE:
            return value[1] in classes
        if value[0] in CLASSES:
            return self._program.unit_of[class_of(value)].members.metaclass in classes
        if value[0] not in INSTANCES or class_of(value) < 0:
            return False
        return not set(classes).isdisjoint(self._flow.members.order(class_of(value)))

    def _may_be(self, value: Value, own: Ancestor) -> bool:
        """Return whether the declared type of a value allows an instance of a class."""
        if value[0] in VAGUE or value[0] == EXTERNAL_INSTANCE:
            return True
        if value[0] not in INSTANCES or not isinstance(own, int):
            return value[0] in INSTANCES
        if self._flow.declared_types.are_abstract((value,)):
            return True
        return class_of(value) in self._flow.members.order(own)

    def _classes(self, unit: FileSymbols, types: int) -> Iterator[Ancestor]:
        """Yield the classes that a row names, one or several; None for an unknown one."""
        op, text, _, args = unit.expressions[types]
        if op == _COLLECTION or (op == _OPERATOR and text == _SOME_OF):
            for arg in args:
                yield from self._classes(unit, arg)
        else:
            values = self._flow.values(unit, types)
            yield from self._named(values) if values else (None,)

    def _named(self, values: Values) -> Iterator[Ancestor]:
        for value in values:
            if value[0] in CLASSES:
                yield class_of(value)
            elif value[0] == EXTERNAL:
                yield str(value[1])
            elif parts_of(value):
                for part in parts_of(value):
                    yield from self._named(part)
            else:
                yield None


def _instance(own: Ancestor) -> Value:
    if isinstance(own, int):
        return INSTANCE_OF_SUBTYPE, own, _TYPED
    return EXTERNAL_INSTANCE, str(own), _TYPED


def narrowed(unit: FileSymbols, scope: int, *, name: str) -> int:
    """Return the row that a version of a name narrows; 0 if it does not narrow.

    `scope` is the scope of the version.
    """
    if unit.scopes[scope][0] != _VERSION:
        return 0
    bindings = unit.names[scope][name].bindings
    op, _, base, _ = unit.expressions[bindings[0].value]
    return base if len(bindings) == 1 and op == _NARROWED else 0
