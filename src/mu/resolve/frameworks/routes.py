"""HTTP routes as entry points."""

from collections.abc import Iterator

from mu.model.facts import Op
from mu.model.graph import Entry
from mu.model.kinds import EntryRole
from mu.resolve.emit.nodes import NodeTable
from mu.resolve.evaluator import Evaluator
from mu.resolve.frameworks.argument_syntax import ArgumentSyntax, RegistrationCall
from mu.resolve.frameworks.framework_detection import FrameworkDetection
from mu.resolve.frameworks.handler_arguments import HandlerArguments
from mu.resolve.frameworks.route_lists import RouteLists
from mu.resolve.frameworks.route_prefixes import Route, RouterKey, Routing
from mu.resolve.frameworks.router_tree import RouterTree
from mu.resolve.program.file_symbols import FileSymbols
from mu.resolve.program.program import Program
from mu.resolve.semantics.framework_models import Framework, Group, Handling, Mount

_CALL, _ATTRIBUTE = int(Op.CALL), int(Op.ATTRIBUTE)


class Routes:
    """Adds the routes of each framework of one language as entry points."""

    def __init__(
        self,
        program: Program,
        evaluator: Evaluator,
        *,
        written: ArgumentSyntax,
        handlers: HandlerArguments,
    ) -> None:
        self._program = program
        self._evaluator = evaluator
        self._written = written
        self._handlers = handlers
        self._routing = Routing()
        self._lists = RouteLists(evaluator, program=program, written=written, routing=self._routing)
        self._holders = RouterTree(
            program, evaluator, written=written, handlers=handlers, routing=self._routing
        )

    def prepare(self, known: FrameworkDetection) -> None:
        """Record the router classes of the frameworks used, and how these join patterns."""
        self._known = known
        self._holders.prepare(known)
        for framework in known.used:
            if framework.is_joined:
                self._routing.join_by_slash(framework.name)

    def has_list(self, unit: FileSymbols, known: FrameworkDetection) -> bool:
        """Return whether a module may list routes in a variable."""
        return any(self._lists.has_list(unit, framework) for framework in known.used)

    def walk_lists(self, unit: FileSymbols) -> None:
        """Record the routes that a module lists in a variable."""
        for framework in self._known.used:
            for told, meaning, holder in self._lists.walk(unit, self._known, framework=framework):
                for number in self._handlers.of(told, meaning.takes):
                    self._add(told, framework, meaning, number, holder)

    def note(
        self, told: RegistrationCall, framework: Framework, *, meaning: Handling, number: int
    ) -> None:
        """Record a route that a call or decorator registers, unless it is in a list of routes."""
        if (told.unit.key, told.call) in self._lists.calls:
            return
        holder = self._holders.of(told.unit, told.receiver) if meaning.has_holder else None
        if meaning.within:
            holder = self._controller(told, meaning)
            if holder is None:
                return
        self._add(told, framework, meaning, number, holder)

    def _controller(self, told: RegistrationCall, meaning: Handling) -> RouterKey | None:
        """Return the class around a decorated definition, if it is decorated as a controller."""
        unit = told.unit
        scope = unit.facts.definitions[told.decorated].scope if told.decorated >= 0 else 0
        owner = unit.owner(scope)
        if owner < 0:
            return None
        within, prefixes = self._known.keys(meaning.within), self._known.keys(meaning.prefixes)
        prefix: str | None = ""
        is_within = False
        for number, _, _ in self._program.definitions[owner].decorators:
            op, _, base, args = unit.expressions[number]
            function, args = (base, args) if op == _CALL else (number, ())
            keys = {key for _, key, _ in self._evaluator.values(unit, function)}
            is_within = is_within or not keys.isdisjoint(within)
            if not keys.isdisjoint(prefixes):
                row = self._written.argument(unit, args, wanted=meaning.label)
                prefix = self._written.text(unit, row) if row else ""
        if not is_within:
            return None
        holder = ("controller", owner)
        self._routing.know(holder, is_root=prefix is not None, prefix=prefix)
        return holder

    def note_mount(self, told: RegistrationCall, meaning: Mount) -> None:
        """Record that a call mounts a router on its receiver."""
        self._holders.note_mount(told, meaning)

    def note_group(self, told: RegistrationCall, meaning: Group) -> None:
        """Record that a call mounts a group, which it passes to a function to be filled."""
        self._holders.note_group(told, meaning)

    def follow_parameters(self) -> None:
        """Record which routers are passed to functions that add routes to them."""
        self._holders.follow_parameters()

    def included(self, file: int) -> Iterator[tuple[int, int, str]]:
        """Yield (line of the call, key of the file, its name) of each module a file includes."""
        for own, line, target, text in self._lists.includes:
            if own == file:
                yield line, target, text

    def entries(self, nodes: NodeTable) -> Iterator[Entry]:
        """Yield all routes as entry points, with full patterns."""
        for route in self._routing.routes:
            node = nodes.of_definition(route.number)
            if node < 0:  # an anonymous function is part of the definition around it
                node = nodes.of_owner(self._program.units[route.owner[0]], route.owner[1])
            for label in self._routing.labels(route):
                yield Entry(
                    node,
                    EntryRole.ROUTE,
                    route.method,
                    label,
                    route.framework,
                    route.path,
                    route.line,
                )

    def _add(
        self,
        told: RegistrationCall,
        framework: Framework,
        meaning: Handling,
        number: int,
        holder: RouterKey | None,
    ) -> None:
        owner = told.unit.key, told.owner
        path, line = told.unit.file.path, told.line
        for pattern in self._patterns(told, meaning):
            method = self._method(told, meaning, number)
            if meaning.is_method_labelled and pattern is not None:
                found, pattern = _labelled(pattern)
                method = found or method
            self._routing.routes.append(
                Route(holder, number, owner, method, pattern, framework.name, path, line)
            )

    def _patterns(self, told: RegistrationCall, meaning: Handling) -> list[str | None]:
        """Return the patterns in a call; None for one that is not constant."""
        row = self._written.argument(told.unit, told.args, wanted=meaning.label)
        if not row:
            return ["" if meaning.within or meaning.label is None else None]
        listed = [text for _, text in self._written.texts(told.unit, row)]
        return [*listed] or [self._written.text(told.unit, row)]

    def _method(self, told: RegistrationCall, meaning: Handling, number: int) -> str:
        row = self._written.argument(told.unit, told.args, wanted=meaning.methods)
        found = [text for _, text in self._written.texts(told.unit, row)] if row else []
        if row and not found:  # by the name of a constant
            found = [self._written.text(told.unit, row) or ""]
        if row and not any(found) and told.unit.expressions[row][0] == _ATTRIBUTE:  # `Method.GET`
            found = [told.unit.expressions[row][1]]
        if meaning.is_method_named:
            found = [told.unit.expressions[told.function][1]]
        elif not row:
            found = self._handlers.methods(number) or meaning.method.split(",")
        return ",".join(sorted({text.upper() for text in found if text}))


def _labelled(label: str) -> tuple[str, str | None]:
    """Split a label such as `GET /users` into method and pattern; None for one with a host."""
    method, space, pattern = label.strip().rpartition(" ")
    pattern = pattern if space else label
    return method.strip(), pattern if pattern.startswith("/") else None
