"""Route lists: routes in module variables, and lists included in other lists."""

from collections.abc import Iterator

from mu.model.facts import BindingKind, Op, ReferenceKind
from mu.resolve.abstract_values import MODULE, Key, Place, number_of
from mu.resolve.evaluator import Evaluator
from mu.resolve.frameworks.argument_syntax import ArgumentSyntax, RegistrationCall
from mu.resolve.frameworks.framework_detection import FrameworkDetection
from mu.resolve.frameworks.route_prefixes import Mounted, RouterKey, Routing
from mu.resolve.program.file_symbols import FileSymbols
from mu.resolve.program.program import Program
from mu.resolve.semantics.framework_models import Argument, Framework, Handling, Listed

_CALL, _COLLECTION, _SPREAD = int(Op.CALL), int(Op.COLLECTION), int(Op.SPREAD)
_OPERATOR, _KEYWORD, _STRING = int(Op.OPERATOR), int(Op.KEYWORD), int(Op.STRING)
_ATTRIBUTE = int(Op.ATTRIBUTE)
_VALUE, _CALL_REFERENCE = int(BindingKind.VALUE), int(ReferenceKind.CALL)

Item = tuple[RegistrationCall, Handling, RouterKey]
"""A call in a list that may name a handler, what it means, and the list."""

Include = tuple[int, int, int, str]
"""(file, line of the call, key of the file that is included, its name as written)."""


class RouteLists:
    """Reads the route lists of one framework, through includes."""

    def __init__(
        self, evaluator: Evaluator, *, program: Program, written: ArgumentSyntax, routing: Routing
    ) -> None:
        self._evaluator = evaluator
        self._program = program
        self._written = written
        self._routing = routing
        self._seen: set[Place] = set()
        self.calls: set[tuple[int, int]] = set()  # (file, row) of the calls in lists
        self.includes: list[Include] = []
        self._lines: dict[int, dict[int, int]] = {}

    def has_list(self, unit: FileSymbols, framework: Framework) -> bool:
        """Return whether a module binds the name of a variable with routes, or with their root."""
        listed, names = framework.listed, unit.names[0]
        return listed is not None and (listed.variable in names or listed.root in names)

    def walk(
        self, unit: FileSymbols, known: FrameworkDetection, *, framework: Framework
    ) -> Iterator[Item]:
        """Yield the routes in the list of a module."""
        listed = framework.listed
        if listed is None or not self.has_list(unit, framework):
            return
        self._known = known
        self._listed: Listed = listed
        self._includes: frozenset[Key] = known.keys(listed.includes)
        self._around: frozenset[Key] = known.keys(listed.around)
        yield from self._variable((unit.key, 0, listed.variable))
        entry = unit.names[0].get(listed.root) if listed.root else None
        for binding in entry.bindings if entry else ():
            for _, text in self._written.texts(unit, binding.value):
                target = unit.finder.find(unit.key, text)
                if target.file >= 0:
                    holder = _holding((target.file, 0, listed.variable))
                    self._routing.know(holder, is_root=True, prefix="")

    def _variable(self, place: Place) -> Iterator[Item]:
        if place in self._seen:
            return
        self._seen.add(place)
        unit = self._program.unit(place[0])
        entry = unit.names[place[1]].get(place[2])
        for binding in entry.bindings if entry else ():
            if binding.kind == _VALUE and binding.value:
                yield from self._list(unit, binding.value, _holding(place))

    def _list(self, unit: FileSymbols, row: int, holder: RouterKey) -> Iterator[Item]:
        op, text, base, args = unit.expressions[row]
        if op == _COLLECTION or (op == _OPERATOR and text == "+"):
            for arg in args:
                yield from self._list(unit, arg, holder)
        elif op == _SPREAD:
            yield from self._list(unit, base, holder)
        elif op == _CALL:
            yield from self._call(unit, row, holder)
        else:
            place = self._written.place(unit, row)
            if place is not None and place[0] in self._program.units:
                self._routing.mount(_holding(place), Mounted(holder, "", replaces=False))
                yield from self._variable(place)
            elif op == _ATTRIBUTE:  # an attribute of a router, with its routes
                inner = self._written.identity(unit, base)
                if inner is not None:
                    self._routing.mount(inner, Mounted(holder, "", replaces=False))

    def _call(self, unit: FileSymbols, row: int, holder: RouterKey) -> Iterator[Item]:
        _, _, function, args = unit.expressions[row]
        values = self._evaluator.values(unit, function)
        if any(key in self._around for _, key, _ in values):
            for arg in args:
                if unit.expressions[arg][0] != _KEYWORD:
                    yield from self._list(unit, arg, holder)
            return
        for _, meaning in self._known.meanings(values):
            if isinstance(meaning, Handling):
                self.calls.add((unit.key, row))
                told = RegistrationCall(unit, row, function, -1, -1, self._line(unit, row))
                included = self._included(told, meaning)
                if included is None:
                    yield told, meaning, holder
                else:
                    yield from self._include(told, meaning, included, holder)

    def _line(self, unit: FileSymbols, call: int) -> int:
        """Return the first line of a call."""
        lines = self._lines.get(unit.key)
        if lines is None:
            lines = self._lines[unit.key] = {}
            for kind, number, _, line in unit.facts.references:
                if kind == _CALL_REFERENCE:
                    lines.setdefault(number, line)
        return lines.get(call, 1)

    def _included(
        self, told: RegistrationCall, meaning: Handling
    ) -> tuple[FileSymbols, int] | None:
        """Return (file, row) of a call in a handler's place that includes another list, if any."""
        for way in meaning.takes:
            row = (
                self._written.argument(told.unit, told.args, wanted=way)
                if isinstance(way, Argument)
                else 0
            )
            called = self._written.call(told.unit, row) if row else None
            if called is not None:
                unit, number = called
                values = self._evaluator.values(unit, unit.expressions[number][2])
                if any(key in self._includes for _, key, _ in values):
                    return called
        return None

    def _include(
        self,
        told: RegistrationCall,
        meaning: Handling,
        included: tuple[FileSymbols, int],
        holder: RouterKey,
    ) -> Iterator[Item]:
        unit, number = included
        args = unit.expressions[number][3]
        if not args:
            return
        row = args[0]
        op, _, _, parts = unit.expressions[row]
        if op == _COLLECTION and parts and unit.expressions[parts[0]][0] != _CALL:
            row = parts[0]  # (the list, the name of the application)
        label = self._written.argument(told.unit, told.args, wanted=meaning.label)
        mounted = Mounted(holder, self._written.text(told.unit, label), replaces=False)
        for inner, place in self._lists(unit, number, row):
            self._routing.mount(inner, mounted)
            if place is None:
                yield from self._list(unit, row, inner) if op == _COLLECTION else ()
            else:
                yield from self._variable(place)

    def _lists(
        self, unit: FileSymbols, number: int, row: int
    ) -> Iterator[tuple[RouterKey, Place | None]]:
        """Yield (router, its variable, or None for an inline list) of each included list."""
        op, text, _, _ = unit.expressions[row]
        if op == _COLLECTION:
            yield ("inline", unit.key, row), None
            return
        file = -1
        if op == _STRING:
            file = unit.finder.find(unit.key, text).file
            if file >= 0:
                self.includes.append((unit.key, self._line(unit, number), file, text))
        else:
            for kind, key, _ in self._evaluator.values(unit, row):
                if kind == MODULE and number_of(key) in self._program.units:
                    file = number_of(key)
        place = (file, 0, self._listed.variable) if file >= 0 else self._written.place(unit, row)
        if place is not None:
            yield _holding(place), place
        elif op == _ATTRIBUTE:  # an attribute of a router, with its routes
            inner = self._written.identity(unit, unit.expressions[row][2])
            if inner is not None:
                yield inner, None


def _holding(place: Place) -> RouterKey:
    return ("place", place)
