"""Finds routes and the holders they are put into, and makes entries of them."""

from collections.abc import Iterator

from mu.model.facts import Op
from mu.model.graph import Entry
from mu.model.kinds import EntryRole
from mu.resolve.evaluate import Evaluator
from mu.resolve.handlers import Handlers
from mu.resolve.known import Known
from mu.resolve.listed import ListedRoutes
from mu.resolve.nodes import NodeTable
from mu.resolve.program import Program
from mu.resolve.registry import Framework, Handling, Holder, Mount
from mu.resolve.routing import Holding, Mounted, Route, Routing
from mu.resolve.told import Told
from mu.resolve.unit import Unit
from mu.resolve.values import CLASSES, EXTERNAL_INSTANCE, INSTANCES, Key, class_of
from mu.resolve.written import Written

_CALL, _ATTRIBUTE = int(Op.CALL), int(Op.ATTRIBUTE)
_ROOT: Holding = ("root",)  # an application that nothing tells from others


class Routes:
    """The routes of all frameworks of one language after another."""

    def __init__(
        self, program: Program, evaluator: Evaluator, *, written: Written, handlers: Handlers
    ) -> None:
        self._program = program
        self._evaluator = evaluator
        self._written = written
        self._handlers = handlers
        self._routing = Routing()
        self._routing.know(_ROOT, is_root=True, prefix="")
        self._lists = ListedRoutes(
            evaluator, program=program, written=written, routing=self._routing
        )
        self._holders: list[tuple[frozenset[Key], Holder]] = []

    def prepare(self, known: Known) -> None:
        """Note the classes that hold routes."""
        self._known = known
        for framework in known.used:
            self._holders += [(known.keys(one.names), one) for one in framework.holders]
            if framework.is_joined:
                self._routing.join_by_slash(framework.name)

    def walk_lists(self, unit: Unit) -> None:
        """Note the routes that a module lists in a variable."""
        for framework in self._known.used:
            for told, meaning, holder in self._lists.walk(unit, self._known, framework=framework):
                for number in self._handlers.of(told, meaning.takes):
                    self._add(told, framework, meaning, number, holder)

    def note(self, told: Told, framework: Framework, *, meaning: Handling, number: int) -> None:
        """Note a route that a call or decorator tells of."""
        if (told.unit.file.key, told.call) in self._lists.calls:
            return
        holder = self._holder(told.unit, told.receiver) if meaning.has_holder else None
        if meaning.within:
            holder = self._controller(told, meaning)
            if holder is None:
                return
        self._add(told, framework, meaning, number, holder)

    def _controller(self, told: Told, meaning: Handling) -> Holding | None:
        """The class around what is decorated, if it is decorated to hold routes."""
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

    def note_mount(self, told: Told, meaning: Mount) -> None:
        """Note that a call puts a holder into another."""
        row = self._written.argument(told.unit, told.args, wanted=meaning.mounted)
        holder = self._holder(told.unit, row) if row else None
        if holder is None:
            return
        into = self._holder(told.unit, told.receiver)
        prefix = self._prefix(told.unit, told.args, meaning)
        self._routing.mount(holder, Mounted(into, prefix, replaces=meaning.replaces))

    def included(self, file: int) -> Iterator[tuple[int, int, str]]:
        """(line of the call, key of the file, its name) of what a file's lists include by name."""
        for own, line, target, text in self._lists.includes:
            if own == file:
                yield line, target, text

    def entries(self, nodes: NodeTable) -> Iterator[Entry]:
        """All routes, with whole patterns."""
        for route in self._routing.routes:
            node = nodes.of_definition(route.number)
            for label in self._routing.labels(route) if node >= 0 else ():
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
        told: Told,
        framework: Framework,
        meaning: Handling,
        number: int,
        holder: Holding | None,
    ) -> None:
        path, line = told.unit.file.path, told.line
        method = self._method(told, meaning, number)
        for pattern in self._patterns(told, meaning):
            self._routing.routes.append(
                Route(holder, number, method, pattern, framework.name, path, line)
            )

    def _patterns(self, told: Told, meaning: Handling) -> list[str | None]:
        """The patterns that a call gives; None for one that is not constant."""
        row = self._written.argument(told.unit, told.args, wanted=meaning.label)
        if not row:
            return ["" if meaning.within else None]
        listed = [text for _, text in self._written.texts(told.unit, row)]
        return [*listed] or [self._written.text(told.unit, row)]

    def _method(self, told: Told, meaning: Handling, number: int) -> str:
        row = self._written.argument(told.unit, told.args, wanted=meaning.methods)
        found = [text for _, text in self._written.texts(told.unit, row)] if row else []
        if row and not found and told.unit.expressions[row][0] == _ATTRIBUTE:  # `Method.GET`
            found = [told.unit.expressions[row][1]]
        if meaning.is_method_named:
            found = [told.unit.expressions[told.function][1]]
        elif not row:
            found = self._handlers.methods(number) or meaning.method.split(",")
        return ",".join(sorted({text.upper() for text in found if text}))

    def _prefix(self, unit: Unit, args: tuple[int, ...], meaning: Mount | Holder) -> str | None:
        """The prefix that a call gives; empty: it gives none, None: one that is not constant."""
        row = self._written.argument(unit, args, wanted=meaning.prefix)
        if not row:
            return None if self._written.is_open(unit, args) else ""
        return self._written.text(unit, row)

    def _holder(self, unit: Unit, row: int) -> Holding | None:
        """What tells a holder from others; notes what it was made with."""
        if not row:
            return None
        known = self._known_holder(unit, row)
        identity = self._written.identity(unit, row)
        if known is None:
            return identity
        if identity is None:
            return _ROOT if known.is_root else None
        prefix: str | None = ""
        called = self._written.call(unit, row)
        if called is not None and known.prefix is not None:
            holder, number = called
            prefix = self._prefix(holder, holder.expressions[number][3], known)
        self._routing.know(identity, is_root=known.is_root, prefix=prefix)
        return identity

    def _known_holder(self, unit: Unit, row: int) -> Holder | None:
        """What is known of the class of what an expression gives."""
        for value in self._evaluator.values(unit, row):
            above: tuple[object, ...] = ()
            if value[0] in INSTANCES or value[0] in CLASSES:
                above = self._evaluator.members.order(class_of(value))
            elif value[0] == EXTERNAL_INSTANCE:
                above = (value[1],)
            for keys, holder in self._holders:
                if not keys.isdisjoint(above):
                    return holder
        return None
