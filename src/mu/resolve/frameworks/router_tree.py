"""Router tree: applications, routers and groups, and where each is mounted.

A router is identified by the variable that holds it, or by its class if that is the repository's
own. It is followed to that variable through aliases, results of functions, modules that export one
value, and into functions that it is passed to.
"""

from collections.abc import Iterator

from mu.model.facts import Op, ReferenceKind
from mu.resolve.abstract_values import (
    CLASSES,
    EXTERNAL,
    EXTERNAL_INSTANCE,
    FUNCTION,
    INSTANCES,
    MODULE,
    VARIABLE,
    Key,
    Place,
    Value,
    Values,
    class_of,
    number_of,
    place_of,
)
from mu.resolve.evaluator import Evaluator
from mu.resolve.frameworks.argument_syntax import ArgumentSyntax, RegistrationCall
from mu.resolve.frameworks.framework_detection import FrameworkDetection
from mu.resolve.frameworks.handler_arguments import HandlerArguments
from mu.resolve.frameworks.route_prefixes import Mounted, RouterKey, Routing
from mu.resolve.limits import DEEPEST_ROUTER
from mu.resolve.program.file_symbols import WHOLE, FileSymbols
from mu.resolve.program.program import Program
from mu.resolve.program.stub_library import FIRST_KEY
from mu.resolve.semantics.framework_models import Group, Holder, Mount

_CALL, _STRING, _NAME = int(Op.CALL), int(Op.STRING), int(Op.NAME)
_ATTRIBUTE = int(Op.ATTRIBUTE)
_CALL_REFERENCE = int(ReferenceKind.CALL)
_NAMES = frozenset((_NAME, _ATTRIBUTE))
_ROOT: RouterKey = ("root",)  # an application that nothing identifies


class RouterTree:
    """Identifies routers, and records where each is mounted."""

    def __init__(
        self,
        program: Program,
        evaluator: Evaluator,
        *,
        written: ArgumentSyntax,
        handlers: HandlerArguments,
        routing: Routing,
    ) -> None:
        self._program = program
        self._evaluator = evaluator
        self._written = written
        self._handlers = handlers
        self._routing = routing
        self._routing.know(_ROOT, is_root=True, prefix="")
        self._holders: list[tuple[frozenset[Key], Holder]] = []
        self._groups: list[tuple[frozenset[Key], Group]] = []
        self._fluent: frozenset[Key] = frozenset()  # methods that return their receiver
        self._makers: set[tuple[int, str]] = set()  # packages of frameworks, which make routers
        self._open: dict[Place, int] = {}  # parameters with routers: number of the function

    def prepare(self, known: FrameworkDetection) -> None:
        """Record the router classes, and the calls that make groups."""
        self._makers |= {_home(self._program.unit_of[number]) for number in known.own}
        for framework in known.used:
            self._holders += [(known.keys(one.names), one) for one in framework.holders]
            self._groups += [(known.keys(one.names), one) for one in framework.groups]
            for handling in framework.handlings:
                self._fluent |= known.keys(handling.names) if handling.has_holder else frozenset()

    def of(self, unit: FileSymbols, row: int, *, depth: int = 0) -> RouterKey | None:
        """Return the key of the router that an expression evaluates to; None if unknown."""
        if not row or depth > DEEPEST_ROUTER:
            return None
        if unit.expressions[row][0] == _CALL:
            return self._of_call(unit, row, depth)
        known = self._known(unit, row)
        identity = self._written.identity(unit, row)
        if known is None:
            return identity
        if identity is None:
            return _ROOT if known.is_root else None
        return self._follow(identity, known, depth)

    def note_mount(self, told: RegistrationCall, meaning: Mount) -> None:
        """Record that a call mounts a router on its receiver."""
        row = self._written.argument(told.unit, told.args, wanted=meaning.mounted)
        if not row or not self._is_holder(told.unit, row):
            return
        holder = self.of(told.unit, row)
        if holder is not None:
            into = self.of(told.unit, told.receiver)
            prefix = self._prefix(told.unit, told.args, meaning, mounted=row)
            self._routing.mount(holder, Mounted(into, prefix, replaces=meaning.replaces))

    def note_group(self, told: RegistrationCall, meaning: Group) -> None:
        """Record that a call mounts a group, which it passes to a function to be filled."""
        if meaning.filled is None:
            return
        into = self.of(told.unit, told.receiver)
        mounted = Mounted(into, self._prefix(told.unit, told.args, meaning), replaces=False)
        row = self._written.argument(told.unit, told.args, wanted=meaning.filled)
        for number in self._handlers.given(told.unit, row) if row else ():
            definition = self._program.definitions[number]
            if definition.parameters:
                file = self._program.unit_of[number].file.key
                place = (file, definition.body, definition.parameters[0].name)
                self._routing.mount(("place", place), mounted)

    def follow_parameters(self) -> None:
        """Record the arguments of parameters with routers as mounts, in iterations."""
        done: set[Place] = set()
        for _ in range(DEEPEST_ROUTER):
            fresh = {
                place: number
                for place, number in self._open.items()
                if place not in done and not self._routing.is_mounted(("place", place))
            }
            if not fresh:
                return
            done |= fresh.keys()
            for place, unit, row in self._passed(fresh):
                holder = self.of(unit, row)
                if holder != ("place", place):
                    mounted = Mounted(holder, "", replaces=False)
                    self._routing.mount(("place", place), mounted)

    def _passed(self, wanted: dict[Place, int]) -> Iterator[tuple[Place, FileSymbols, int]]:
        """Yield (parameter, file, row) of the arguments of some parameters, over all calls."""
        functions = set(wanted.values())
        for unit in self._program.units.values():
            rows = unit.expressions
            for kind, call, _, _ in unit.facts.references:
                if kind != _CALL_REFERENCE:
                    continue
                function = rows[call][2]
                for value in self._evaluator.values(unit, function):
                    if value[0] != FUNCTION or value[1] not in functions:
                        continue
                    for name, row in self._arguments(unit, call, value):
                        definition = self._program.definitions[number_of(value[1])]
                        own = self._program.unit_of[number_of(value[1])]
                        place = (own.file.key, definition.body, name)
                        if place in wanted:
                            yield place, unit, row

    def _arguments(self, unit: FileSymbols, call: int, value: Value) -> Iterator[tuple[str, int]]:
        """Yield (name of the parameter, row) of the arguments of a call to a function."""
        number = number_of(value[1])
        _, _, function, args = unit.expressions[call]
        op, _, base, _ = unit.expressions[function]
        receivers = self._evaluator.values(unit, base) if op == _ATTRIBUTE else ()
        receiver = next((one for one in receivers if one[0] in INSTANCES), None)
        passing = self._evaluator.argument_binding
        is_bound = passing.is_bound(number, receiver)
        parameters = self._program.definitions[number].parameters
        for place, row in passing.passed(number, (unit, args), is_bound=is_bound):
            yield parameters[place].name, row

    def _of_call(self, unit: FileSymbols, row: int, depth: int) -> RouterKey | None:
        """Return the router that a call returns whose result is bound to no name."""
        _, _, function, _ = unit.expressions[row]
        values = self._evaluator.values(unit, function)
        keys = {key for _, key, _ in values}
        if keys & self._fluent:
            return self.of(unit, unit.expressions[function][2], depth=depth + 1)
        holder: RouterKey = ("call", unit.key, row)
        if self._is_group(unit, row, holder, keys=keys):
            return holder
        for inner, returned in self._given_by(unit, row):
            return self.of(inner, returned, depth=depth + 1)
        module = self._loaded(unit, row)
        if module >= 0:
            return self._of_module(module, depth)
        known = self._known(unit, row)
        return _ROOT if known is not None and known.is_root else None

    def _follow(self, identity: RouterKey, known: Holder, depth: int) -> RouterKey | None:
        """Return the router in a variable, from its value if it is assigned once."""
        prefix: str | None = ""
        place = identity[1]
        is_place = identity[0] == "place" and isinstance(place, tuple)
        for holder, value in self._set_to(place) if is_place else ():  # type: ignore[arg-type]  # just checked
            op, _, function, args = holder.expressions[value]
            if op in _NAMES:
                return self.of(holder, value, depth=depth + 1)
            if op != _CALL:
                continue
            keys = {key for _, key, _ in self._evaluator.values(holder, function)}
            if self._is_group(holder, value, identity, keys=keys):
                return identity
            for inner, returned in self._given_by(holder, value):
                return self.of(inner, returned, depth=depth + 1)
            module = self._loaded(holder, value)
            if module >= 0:
                return self._of_module(module, depth)
            if known.prefix is not None:
                prefix = self._prefix(holder, args, known)
        self._routing.know(identity, is_root=known.is_root, prefix=prefix)
        return identity

    def _set_to(self, place: Place) -> Iterator[tuple[FileSymbols, int]]:
        """Yield (file, row) of a variable's value, if assigned once; record a parameter as open."""
        file, scope, name = place
        unit = self._program.unit(file)
        if name not in unit.parameters.get(scope, ()):
            yield from self._written.set_to(place)
        elif unit.scopes[scope].definition >= 0:
            self._open.setdefault(place, unit.first + unit.scopes[scope].definition)

    def _is_group(self, unit: FileSymbols, row: int, holder: RouterKey, *, keys: set[Key]) -> bool:
        """Return whether a call makes a group; if so, mount it on the receiver."""
        for known, group in self._groups:
            if not known.isdisjoint(keys):
                _, _, function, args = unit.expressions[row]
                into = self.of(unit, unit.expressions[function][2])
                prefix = self._prefix(unit, args, group)
                self._routing.mount(holder, Mounted(into, prefix, replaces=False))
                return True
        return False

    def _given_by(self, unit: FileSymbols, row: int) -> Iterator[tuple[FileSymbols, int]]:
        """Yield (file, row) of the one return value of the repository function that a call runs."""
        values = self._evaluator.values(unit, unit.expressions[row][2])
        if len(values) == 1 and values[0][0] == FUNCTION:
            number = number_of(values[0][1])
            returned = self._program.definitions[number].returned
            own = self._program.unit_of[number]
            is_own = not self._program.is_library(number) and _home(own) not in self._makers
            if len(returned) == 1 and is_own:
                yield own, returned[0]

    def _loaded(self, unit: FileSymbols, row: int) -> int:
        """Return the file of the module that a call such as `require` loads; -1 if none."""
        _, _, function, args = unit.expressions[row]
        if len(args) == 1 and unit.expressions[args[0]][0] == _STRING:
            for kind, key, _ in self._evaluator.values(unit, function):
                if kind == EXTERNAL and unit.modules.is_module_load(str(key), ""):
                    return unit.finder.find(unit.key, unit.expressions[args[0]][1]).file
        return -1

    def _of_module(self, file: int, depth: int) -> RouterKey | None:
        """Return the router that a module exports as a whole."""
        for symbol in self._evaluator.names.whole(file):
            known = self._known_among(self._evaluator.meant(symbol))
            if symbol[0] == VARIABLE and known is not None:
                place = self._beside(place_of(symbol[1]))
                return self._follow(("place", place), known, depth + 1)
        return None

    def _beside(self, place: Place) -> Place:
        """Return the variable that is assigned together with the whole export, if there is one."""
        names = self._program.unit(place[0]).names[0]
        if place[2] != WHOLE:
            return place
        together = {(binding.value, binding.line) for binding in names[WHOLE].bindings}
        for name, entry in names.items():
            if name != WHOLE and len(entry.bindings) == 1:
                binding = entry.bindings[0]
                if (binding.value, binding.line) in together:
                    return place[0], 0, name
        return place

    def _prefix(
        self,
        unit: FileSymbols,
        args: tuple[int, ...],
        meaning: Mount | Holder | Group,
        *,
        mounted: int = 0,
    ) -> str | None:
        """Return the prefix in a call; empty if it has none, None if it is not constant."""
        row = self._written.argument(unit, args, wanted=meaning.prefix)
        if not row or row == mounted:
            return None if self._written.is_open(unit, args) else ""
        text = self._written.text(unit, row)
        if text is None and mounted and self._is_function(unit, row):
            return ""
        return text

    def _is_function(self, unit: FileSymbols, row: int) -> bool:
        """Return whether an argument is a function or the result of a call, and so no pattern."""
        values = self._evaluator.values(unit, row)
        return unit.expressions[row][0] == _CALL or any(value[0] == FUNCTION for value in values)

    def _is_holder(self, unit: FileSymbols, row: int) -> bool:
        """Return whether a mounted argument may be a router, and is not just a handler."""
        if unit.expressions[row][0] == _CALL or self._known(unit, row) is not None:
            return True
        identity = self._written.identity(unit, row)
        return identity is not None and not self._is_function(unit, row)

    def _known(self, unit: FileSymbols, row: int) -> Holder | None:
        """Return the model of the router class that an expression has an instance of."""
        return self._known_among(self._evaluator.values(unit, row))

    def _known_among(self, values: Values) -> Holder | None:
        for value in values:
            above: tuple[object, ...] = ()
            if value[0] in INSTANCES or value[0] in CLASSES:
                above = self._evaluator.members.order(class_of(value))
            elif value[0] == EXTERNAL_INSTANCE:
                above = (value[1],)
            elif value[0] == MODULE and number_of(value[1]) >= FIRST_KEY:
                name = self._program.unit(number_of(value[1])).file.path
                for _, holder in self._holders:
                    if name in holder.names:
                        return holder
            for keys, holder in self._holders:
                if not keys.isdisjoint(above):
                    return holder
        return None


def _home(unit: FileSymbols) -> tuple[int, str]:
    """Return the package whose files share their names with a file, else the file itself."""
    package = unit.finder.package_of(unit.key)
    return (-1, package) if package else (unit.key, "")
