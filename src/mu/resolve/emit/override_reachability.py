"""Override reachability: whether the enclosing method can run with a receiver of a subclass.

`self.step()` in a method of a base class runs the `step` of a subclass only where the subclass
inherits the enclosing method or calls it by `super()`. A subclass that overrides the method and
never calls the base's cannot be the receiver there: its overrides are not called, its fields are
not read, and `cls()` does not instantiate it.
"""

from collections.abc import Iterable, Iterator

from mu.model.facts import Op, ReferenceKind, ScopeKind
from mu.model.kinds import Category, NodeKind, Rule
from mu.resolve.abstract_values import (
    CLASS,
    CLASSES,
    DEFINITION,
    FUNCTION,
    INSTANCE,
    RECEIVERS,
    SELF_CLASS,
    SUPER,
    Value,
    class_of,
    number_of,
)
from mu.resolve.dispatch.virtual_dispatch import VirtualDispatch
from mu.resolve.emit.ledger import Outcome, without
from mu.resolve.emit.nodes import NodeTable
from mu.resolve.evaluator import Evaluator
from mu.resolve.limits import MOST_SUBCLASSES
from mu.resolve.program.file_symbols import FileSymbols
from mu.resolve.program.program import Program

_NAME, _ATTRIBUTE = int(Op.NAME), int(Op.ATTRIBUTE)
_IN_FUNCTION, _IN_CLASS = int(ScopeKind.FUNCTION), int(ScopeKind.CLASS)
_CALL = int(ReferenceKind.CALL)
_ABOVE = CLASSES | {SUPER}
_NONE: frozenset[int] = frozenset()


class OverrideReachability:
    """A filter of targets, which drops members of classes that cannot be the receiver."""

    def __init__(
        self, program: Program, evaluator: Evaluator, *, dispatch: VirtualDispatch, nodes: NodeTable
    ) -> None:
        self._program = program
        self._evaluator = evaluator
        self._dispatch = dispatch
        self._nodes = nodes
        self._around: dict[tuple[int, int], int] = {}  # by file and definition in it
        self._strangers: dict[tuple[int, str], frozenset[int]] = {}
        self._running: dict[tuple[int, int], bool] = {}
        self._asked: dict[int, dict[tuple[int, str], list[int]]] = {}  # by file
        self._beginnings: dict[str, tuple[str, ...]] = {}  # prefixes of test names, by language

    def seen_from(self, unit: FileSymbols, outcome: Outcome, *, row: int, owner: int) -> Outcome:
        """Return the outcome for the member that attribute `row` names, in the text of `owner`.

        Methods of classes that never run this text are left out, if any others are left.
        """
        outcome = self.met(unit, outcome, by=owner)
        op, name, base, _ = unit.expressions[row]
        if owner < 0:
            return outcome
        if op != _ATTRIBUTE or name == unit.members.class_attribute:
            if outcome[0][-1][4] is not Rule.VIRTUAL:  # instantiated subclasses are last
                return outcome
            strangers = self._never_made(unit, row=row, owner=owner)
        elif unit.expressions[base][0] == _NAME:
            strangers = self._never_asked(unit, name, base=base, owner=owner)
        else:
            return outcome
        less = without(outcome, strangers) if strangers else outcome
        return less if less[0] else outcome

    def _never_asked(
        self, unit: FileSymbols, name: str, *, base: int, owner: int
    ) -> frozenset[int]:
        """Return the nodes of a member in subclasses that never run the text of `owner`."""
        holders = self._evaluator.values(unit, base)
        if len(holders) != 1 or holders[0][0] not in RECEIVERS:
            return _NONE
        method = self._method_around(unit, owner)
        if method < 0 or self._owner(method) != class_of(holders[0]):
            return _NONE
        return self._strange(method, name)

    def _never_made(self, unit: FileSymbols, *, row: int, owner: int) -> frozenset[int]:
        """Return the nodes of subclasses that `row` makes and that never run the text of `owner`.

        Constructors of these subclasses alone are included.
        """
        made = self._evaluator.values(unit, row)
        method = self._method_around(unit, owner)
        if len(made) != 1 or made[0][0] != SELF_CLASS or method < 0:
            return _NONE
        above = self._owner(method)
        return self._strange_classes(method) if above == class_of(made[0]) else _NONE

    def met(self, unit: FileSymbols, outcome: Outcome, *, by: int) -> Outcome:
        """Return the outcome of a reference in `by`, without overrides local to other tests.

        A test never has instances of classes that another test defines for itself.
        """
        if unit.file.category != Category.TEST or len(outcome[0]) < 2:
            return outcome
        here = self._test_around(unit, self._nodes.of_owner(unit, by))
        if here < 0:
            return outcome
        apart = {
            tail[2]
            for tail in outcome[0]
            if tail[4] is Rule.VIRTUAL
            and self._test_around(unit, tail[2]) not in (-1, here, tail[2])
        }
        less = without(outcome, apart) if apart else outcome
        return less if less[0] else outcome

    def handed(self, unit: FileSymbols, outcome: Outcome, *, by: int) -> Outcome:
        """Return the outcome of a call made by the library, as `met` does.

        A method does not pass itself to be run on its own receiver, so a target of `self` is never
        `by`.
        """
        met = self.met(unit, outcome, by=by)
        if not met[0] or met[0][0][4] is not Rule.SELF:
            return met
        return without(met, {self._nodes.of_owner(unit, by)})

    def supers_in(self, unit: FileSymbols) -> set[tuple[int, str]]:
        """Return (class, member) of what a file's classes read from `super()` or classes."""
        return {
            (number, name)
            for (number, name), bases in _asked_by(unit).items()
            if any(v[0] in _ABOVE for base in bases for v in self._evaluator.values(unit, base))
        }

    def _test_around(self, unit: FileSymbols, node: int) -> int:
        """Return the node of the test that contains or is a node; -1 if there is none."""
        nodes, outermost = self._nodes, -1
        while node >= 0:
            if nodes.node(node).kind is NodeKind.FUNCTION:
                outermost = node
            node = nodes.node(node).parent
        is_run = outermost >= 0 and nodes.node(outermost).is_test
        return (
            outermost
            if is_run and nodes.node(outermost).name.startswith(self._begins(unit))
            else -1
        )

    def _begins(self, unit: FileSymbols) -> tuple[str, ...]:
        """Return the prefixes of the names of tests."""
        known = self._beginnings.get(unit.rules.name)
        if known is None:
            runners = unit.entries.runners
            known = tuple(text for one in runners for text in (*one.functions, *one.methods))
            self._beginnings[unit.rules.name] = known
        return known

    def _method_around(self, unit: FileSymbols, owner: int) -> int:
        """Return the method that contains or is a definition, or -1."""
        place = (unit.key, owner)
        known = self._around.get(place)
        if known is None:
            known = self._around[place] = self._find_around(unit, owner)
        return known

    def _find_around(self, unit: FileSymbols, owner: int) -> int:
        scope = unit.facts.definitions[owner].body
        while scope >= 0:
            kind, parent, definition, _, _ = unit.scopes[scope]
            if kind == _IN_FUNCTION and parent >= 0 and unit.scopes[parent].kind == _IN_CLASS:
                return unit.first + definition
            scope = parent
        return -1

    def _strange(self, method: int, name: str) -> frozenset[int]:
        """Return the nodes of `name` in subclasses of a method's class that never run it."""
        known = self._strangers.get((method, name))
        if known is None:
            above = self._owner(method)
            below = self._evaluator.hierarchy.overriding(above, name)
            known = frozenset(
                self._nodes.of_definition(other)
                for other in below
                if other >= 0 and not self._comes(method, other, name)
            )
            holding = self._evaluator.hierarchy.holding(above, name)
            if holding:
                known |= self._held_apart(method, holding, name)
            self._strangers[method, name] = known
        return known

    def _held_apart(self, method: int, holding: Iterable[int], name: str) -> frozenset[int]:
        """Return the nodes that `name` holds only in those subclasses that never run a method."""
        above = self._owner(method)
        own_value: Value = (INSTANCE, above, Rule.VIRTUAL)
        apart: list[Value] = []
        running = list(
            self._evaluator.attribute_loads.read(self._program.unit_of[above], own_value, name=name)
        )
        for own in holding:
            unit, body = self._program.unit_of[own], self._program.definitions[own].body
            held = self._evaluator.points_to.held((unit.key, body, name))
            comes = any(self._runs(method, one) for one in self._from(own))
            (running if comes else apart).extend(held)
        return self._called(apart) - self._called(running) if apart else _NONE

    def _from(self, number: int) -> tuple[int, ...]:
        """Return a class and its subclasses, of these the first `MOST_SUBCLASSES`."""
        return number, *self._evaluator.hierarchy.descendants(number)[:MOST_SUBCLASSES]

    def _strange_classes(self, method: int) -> frozenset[int]:
        """Return the nodes of the subclasses that never run a method.

        Constructors of these subclasses alone are included.
        """
        known = self._strangers.get((method, ""))
        if known is None:
            above = self._owner(method)
            running, apart = {above}, set[int]()
            for own in self._from(above)[1:]:
                (running if self._runs(method, own) else apart).add(own)
            known = self._made_by(apart) - self._made_by(running) if apart else _NONE
            self._strangers[method, ""] = known
        return known

    def _made_by(self, classes: Iterable[int]) -> frozenset[int]:
        """Return the nodes of classes and of their constructors."""
        return self._called([(CLASS, number, Rule.VIRTUAL) for number in classes])

    def _called(self, values: Iterable[Value]) -> frozenset[int]:
        """Return the nodes of functions and classes, and of the constructors of classes."""
        found: set[int] = set()
        for kind, key, _ in values:
            if kind in (CLASS, FUNCTION):
                found.add(number_of(key))
            if kind == CLASS:
                found.update(self._constructors(number_of(key)))
        own = [number for number in found if not self._program.is_library(number)]
        return frozenset(node for node in map(self._nodes.of_definition, own) if node >= 0)

    def _constructors(self, number: int) -> Iterator[int]:
        """Yield the functions that run when a class is instantiated."""
        calls = self._program.unit_of[number].calls
        value: Value = (INSTANCE, number, Rule.VIRTUAL)
        for name in (*calls.constructors, *calls.completing_methods):
            for kind, key, _ in self._evaluator.members.of_class(value, name):
                if kind == DEFINITION:
                    yield number_of(key)

    def _comes(self, method: int, other: int, name: str) -> bool:
        """Return whether a method runs on an instance on which `name` resolves to `other`."""
        above, owner = self._owner(method), self._owner(other)
        order = self._evaluator.members.order
        if owner < 0 or above == owner or owner in order(above):
            return True
        having = [
            one
            for one in self._from(owner)
            if above in order(one) and self._has(one, name, other) and self._dispatch.is_live(one)
        ]
        return not having or any(self._runs(method, one) for one in having)

    def _owner(self, number: int) -> int:
        """Return the class that a method is defined in, or -1."""
        unit = self._program.unit_of[number]
        scope = self._program.definitions[number].scope
        return unit.owner(scope) if unit.scopes[scope].kind == _IN_CLASS else -1

    def _has(self, number: int, name: str, method: int) -> bool:
        found = self._evaluator.members.of_class((INSTANCE, number, Rule.VIRTUAL), name)
        return any(kind == DEFINITION and key == method for kind, key, _ in found)

    def _runs(self, method: int, number: int) -> bool:
        known = self._running.get((method, number))
        if known is None:
            known = self._find_running(method, number)
            self._running[method, number] = known
        return known

    def _find_running(self, method: int, number: int) -> bool:
        """Return whether a class inherits a method of its base, or reads it explicitly."""
        name, above = self._program.definitions[method].name, self._owner(method)
        order = self._evaluator.members.order(number)
        if None in order or above not in order:
            return True
        for kind, key, _ in self._evaluator.members.of_class(
            (INSTANCE, number, Rule.VIRTUAL), name
        ):
            if kind == DEFINITION and self._owner(number_of(key)) == above:
                return True
        own = [one for one in order[: order.index(above)] if isinstance(one, int)]
        return any(self._asks(one, name) for one in own)

    def _asks(self, number: int, name: str) -> bool:
        """Return whether a class reads a member by its name from `super()` or a class."""
        unit = self._program.unit_of[number]
        asked = self._asked_in(unit)
        return any(
            value[0] in _ABOVE
            for base in asked.get((number, name), ())
            for value in self._evaluator.values(unit, base)
        )

    def _asked_in(self, unit: FileSymbols) -> dict[tuple[int, str], list[int]]:
        """Return the rows of receivers in the classes of a file, by class and attribute."""
        asked = self._asked.get(unit.key)
        if asked is None:
            asked = self._asked[unit.key] = _asked_by(unit)
        return asked


def _asked_by(unit: FileSymbols) -> dict[tuple[int, str], list[int]]:
    asked: dict[tuple[int, str], list[int]] = {}
    for owner, attribute, base in _attributes(unit):
        asked.setdefault((owner, attribute), []).append(base)
    return asked


def _attributes(unit: FileSymbols) -> Iterator[tuple[int, str, int]]:
    """Yield (class, attribute, row of the receiver) for the attributes in the text of classes."""
    rows, definitions = unit.expressions, unit.facts.definitions
    for kind, number, owner, _ in unit.facts.references:
        row = rows[rows[number][2]] if kind == _CALL else rows[number]
        if owner >= 0 and row[0] == _ATTRIBUTE:
            within = unit.enclosing_class(definitions[owner].body)
            if within >= 0:
                yield within, row[1], row[2]
