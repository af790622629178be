"""Expression evaluator: the points-to set of each expression of a file.

Demand-driven and flow-insensitive: a name may hold the value of any of its bindings. Points-to sets
are bounded by `MOST_VALUES`.
"""

from mu.model.facts import Expression, Op
from mu.model.kinds import Rule
from mu.resolve.abstract_values import (
    CLASS,
    CLASSES,
    DEFINITION,
    EXTERNAL,
    EXTERNAL_INSTANCE,
    FUNCTION,
    INSTANCE,
    INSTANCE_OF_SUBTYPE,
    INSTANCES,
    LOCAL,
    MISSING,
    MODULE,
    TUPLE,
    VAGUE,
    VARIABLE,
    Symbol,
    Symbols,
    Value,
    Values,
    bounded,
    class_of,
    collection,
    number_of,
    place_of,
)
from mu.resolve.calls.argument_binding import ArgumentBinding
from mu.resolve.calls.call_results import CallResults
from mu.resolve.calls.contextual_typing import ContextualTyping
from mu.resolve.calls.decorators import Decorators
from mu.resolve.calls.injected_parameters import InjectedParameters
from mu.resolve.calls.overload_resolution import OverloadResolution
from mu.resolve.calls.record_classes import RecordClasses
from mu.resolve.calls.variadic_parameters import VariadicParameters
from mu.resolve.evaluation.attribute_loads import AttributeLoads
from mu.resolve.evaluation.constant_keys import ConstantKeys, written_part
from mu.resolve.evaluation.constant_strings import ConstantStrings
from mu.resolve.evaluation.container_stores import ContainerStores
from mu.resolve.evaluation.descriptors import Descriptors
from mu.resolve.evaluation.field_stores import FieldStores
from mu.resolve.evaluation.iteration import Iteration
from mu.resolve.evaluation.object_literals import ObjectLiterals
from mu.resolve.evaluation.parameter_propagation import ParameterPropagation
from mu.resolve.evaluation.points_to import PointsTo
from mu.resolve.limits import DEEPEST_EXPRESSION, MOST_OPEN_EXPRESSIONS
from mu.resolve.lookup.class_hierarchy import ClassHierarchy
from mu.resolve.lookup.implicit_this import ImplicitThis
from mu.resolve.lookup.member_lookup import MemberLookup
from mu.resolve.lookup.name_lookup import NameLookup
from mu.resolve.lookup.widening import Widening
from mu.resolve.pending import STALE, SURE, Pending
from mu.resolve.program.file_symbols import CONSTANT, OBJECT, FileSymbols
from mu.resolve.program.program import Program
from mu.resolve.program.stub_library import FIRST_KEY
from mu.resolve.semantics.call_semantics import FunctionTypes
from mu.resolve.semantics.member_semantics import Scoping
from mu.resolve.solver.queries import PendingValues
from mu.resolve.solver.solver import LISTED, Solver
from mu.resolve.types.declared_types import DeclaredTypes
from mu.resolve.types.expected_types import ExpectedTypes
from mu.resolve.types.extension_members import adopt
from mu.resolve.types.functional_interfaces import FunctionalInterfaces
from mu.resolve.types.narrowing import Narrowing
from mu.resolve.types.return_summaries import ReturnSummaries
from mu.resolve.types.type_expressions import NOTHING, TypeExpressions
from mu.resolve.types.type_parameters import TypeParameters

_BY_CLASS = Scoping.CLASS
_CONVERTED = FunctionTypes.CONVERTED
_NAME, _ATTRIBUTE, _CALL, _ITEM = int(Op.NAME), int(Op.ATTRIBUTE), int(Op.CALL), int(Op.ITEM)
_STRING, _INDEX, _AWAIT, _CAST = int(Op.STRING), int(Op.INDEX), int(Op.AWAIT), int(Op.CAST)
_LITERAL, _COLLECTION, _COMPREHENSION = map(int, (Op.LITERAL, Op.COLLECTION, Op.COMPREHENSION))
_ELEMENT, _ENTERED, _FUNCTION, _UNION = map(int, (Op.ELEMENT, Op.ENTERED, Op.FUNCTION, Op.UNION))
_OPERATOR, _PAIR, _CAUGHT, _SPREAD = map(int, (Op.OPERATOR, Op.PAIR, Op.CAUGHT, Op.SPREAD))
_HOLDING = frozenset((LOCAL, VARIABLE))

_WITHOUT_BASE = frozenset(map(int, (Op.NAME, Op.FUNCTION)))  # whose `base` is no expression

_ITSELF = "itself"


class Evaluator:
    """Evaluates expressions: the symbols that one names, and its points-to set."""

    __slots__ = (
        "_circular",
        "_deepest",
        "_depth",
        "_literals",
        "_program",
        "argument_binding",
        "attribute_loads",
        "call_results",
        "constant_keys",
        "constant_strings",
        "container_stores",
        "contextual_typing",
        "declared_types",
        "decorators",
        "descriptors",
        "expected_types",
        "field_stores",
        "functional_interfaces",
        "hierarchy",
        "implicit_this",
        "injected_parameters",
        "iteration",
        "members",
        "names",
        "narrowing",
        "object_literals",
        "overload_resolution",
        "parameter_propagation",
        "points_to",
        "record_classes",
        "return_summaries",
        "solver",
        "type_expressions",
        "type_parameters",
        "variadic_parameters",
        "widening",
    )

    def __init__(self, program: Program) -> None:
        self._program = program
        self.solver = Solver()
        self.names = NameLookup(program, self.solver)
        self.names.evaluator = self
        self.members = MemberLookup(program, self.names, search=self.solver, evaluator=self)
        self.declared_types = DeclaredTypes(program, self)
        self.attribute_loads = AttributeLoads(program, self)
        self.implicit_this = ImplicitThis(self.names, self.members)
        self.type_expressions = TypeExpressions(program, self)
        self.type_parameters = TypeParameters(program, self.type_expressions, self.members)
        self.parameter_propagation = ParameterPropagation(program, self)
        self.variadic_parameters = VariadicParameters(program, self)
        self.argument_binding = ArgumentBinding(program, self)
        self.functional_interfaces = FunctionalInterfaces(program, self)
        self.overload_resolution = OverloadResolution(program, self)
        self.contextual_typing = ContextualTyping(program, self)
        self.record_classes = RecordClasses(program, self)
        self.return_summaries = ReturnSummaries(program, self)
        self.decorators = Decorators(program, self)
        self.call_results = CallResults(program, self)
        self.iteration = Iteration(program, self)
        self.constant_keys = ConstantKeys(program, self)
        self.constant_strings = ConstantStrings(program, self)
        self.injected_parameters = InjectedParameters(program, self)
        self.hierarchy = ClassHierarchy(program, self.names, self.members, search=self.solver)
        self.widening = Widening(program, self.members, self.solver)
        self.field_stores = FieldStores(program, self)
        self.descriptors = Descriptors(program, self)
        self.container_stores = ContainerStores(program, self)
        self.object_literals = ObjectLiterals(program, self)
        self.points_to = PointsTo(program, self)
        self.expected_types = ExpectedTypes(program, self)
        self.narrowing = Narrowing(program, self)
        self._literals: dict[tuple[str, str], Values] = {}
        self._depth = 0  # number of open expressions
        self._deepest = DEEPEST_EXPRESSION  # depth at which operands are evaluated first
        self._circular: set[tuple[int, int]] = set()  # (file, row) of those depending on themselves
        program.fence.close = self._close
        adopt(program, self.type_expressions)

    def dissolve(self) -> None:
        """Drop the parts, which refer back to the evaluator; it cannot be used after that.

        Otherwise all data of linking would stay in memory until the garbage collector runs, which
        is off.
        """
        self.solver.widen = tuple
        for name in self.__slots__:
            delattr(self, name)

    def values(self, unit: FileSymbols, number: int) -> Values:
        """Return the points-to set of expression `number` of a file.

        Asked for while it is open, it is empty, unless a query was opened in between: then it is
        evaluated again, and the open query ends the recursion.
        """
        known = unit.values[number]
        if known is not None:
            return known
        search = self.solver
        waiting = unit.waiting
        kept = waiting.get(number)
        opened = len(search.opened)
        pending: Pending | None = None
        if kept is not None:
            if isinstance(kept, int):
                if kept == opened:
                    self._circular.add((unit.key, number))
                    search.unsettled += 1
                    return ()
            elif kept.state == SURE:
                search.depend_on(kept)
                return kept.answer  # type: ignore[return-value]  # that of a row
            else:
                pending, kept = kept, None
        if self._circular and (unit.key, number) in self._circular:
            return self._in_circle(unit, number)
        if self._depth >= self._deepest:
            return self._from_below(unit, number)
        unsettled, since = search.unsettled, len(search.needs)
        self._depth += 1
        waiting[number] = opened
        if pending is not None and search.holds(pending):
            self._depth -= 1
            waiting[number] = pending
            search.depend_on(pending)
            return pending.answer  # type: ignore[return-value]  # as above
        found = self._evaluate(unit, number)
        if kept is None:
            del waiting[number]
        else:
            waiting[number] = kept
        self._depth -= 1
        if search.unsettled == unsettled:
            unit.values[number] = found = search.shared(found, found)
            if pending is not None:
                search.keep_final(pending, found)
        elif search.unsettled - unsettled == len(search.needs) - since:
            pending = pending or PendingValues(self, unit, number)
            waiting[number] = pending
            search.keep(pending, found, since=since)
        elif pending is not None:
            pending.state = STALE
        return found

    def symbols(self, unit: FileSymbols, number: int) -> Symbols:
        """Return the symbols of a name, an attribute or a field in a pattern; else none."""
        op, text, base, _ = row = unit.expressions[number]
        if op == _NAME:
            return self._named(unit, row)
        if op != _ATTRIBUTE:
            is_field = op == _ITEM and "." in text
            return self.iteration.fields(self.values(unit, base), text) if is_field else ()
        values = unit.values[base]
        if values is None:
            values = self.values(unit, base)
        if len(values) == 1:
            return self.members.of(unit, values[0], name=text)
        found = [s for value in values for s in self.members.of(unit, value, name=text)]
        return tuple(dict.fromkeys(found)) if found else ()

    def meant(self, symbol: Symbol) -> Values:
        """Return the points-to set of a symbol."""
        kind, key, rule = symbol
        if kind == DEFINITION:
            number = number_of(key)
            row = self._program.definitions[number]
            kind = INSTANCE if row.subkind == CONSTANT else CLASS
            itself = (kind if row.kind == "class" else FUNCTION, key, rule)
            if not row.decorators:
                return (itself,)
            applied = self._program.unit_of[number].calls.applied_decorators(row)
            return (itself, *self.decorators.put_before(number)) if applied else (itself,)
        if kind in _HOLDING:
            place = place_of(key)
            held = self.points_to.held(place)
            if held or place[0] < FIRST_KEY:
                return held
            return ((EXTERNAL, self._program.dotted_variable(place), rule),)
        if kind == MODULE:
            whole = self.names.whole(number_of(key))
            if whole:
                asked = ("whole", key)  # `module.exports = module.exports` asks for itself
                return self.solver.solve(asked, self._all_meant, whole)[0]
        return () if kind == MISSING else (symbol,)

    def _all_meant(self, symbols: Symbols) -> Values:
        return bounded([value for one in symbols for value in self.meant(one)])

    def called(self, unit: FileSymbols, number: int) -> Values:
        """Return the points-to set of an expression as a callee.

        In languages with separate namespaces, a bare name means a function here, not a variable.
        """
        row = unit.expressions[number]
        if row[0] != _NAME or unit.members.scoping is not _BY_CLASS or not row[2]:
            values = self.values(unit, number)
            is_converted = unit.calls.function_types is _CONVERTED
            return self.functional_interfaces.with_converted(values) if is_converted else values
        if not unit.members.namespaces.are_apart or row[1] in unit.receivers.get(row[2], ()):
            return self.values(unit, number)
        symbols = self.implicit_this.find_called(unit, row)
        return bounded([value for symbol in symbols for value in self.meant(symbol)])

    def instance(self, unit: FileSymbols, dotted: str) -> Values:
        """Return an instance of an external class, by its dotted name."""
        place = (unit.rules.name, dotted)
        known = self._literals.get(place)
        if known is None:
            number = self._program.library_class(unit.rules, dotted)
            value: Value = (EXTERNAL_INSTANCE, dotted, Rule.INFERRED)
            known = ((INSTANCE, number, Rule.INFERRED) if number >= 0 else value,)
            self._literals[place] = known
        return known

    def _close(self) -> None:
        """Discard all open expressions and queries after an error left the outermost one."""
        self._depth, self._deepest = 0, DEEPEST_EXPRESSION
        self.solver.close(self._program.units_there())
        self.constant_keys.close()

    def _in_circle(self, unit: FileSymbols, number: int) -> Values:
        """Evaluate an expression that depends on itself, as a query of the solver."""
        key = (LISTED, unit.key, number, _ITSELF)
        found, is_final = self.solver.solve(key, self._evaluate, unit, number)
        if is_final:
            unit.values[number] = found
        return found

    def _from_below(self, unit: FileSymbols, number: int) -> Values:
        """Evaluate a long chain from its innermost operand outwards, which saves stack."""
        search = self.solver
        if self._depth >= MOST_OPEN_EXPRESSIONS:
            search.give_up()
            return ()
        parts = self._parts(unit, number)
        deepest = self._deepest
        self._deepest = min(self._depth + DEEPEST_EXPRESSION, MOST_OPEN_EXPRESSIONS)
        found: Values = ()
        for part in parts:
            found = self.values(unit, part)
            is_kept = unit.values[part] is not None or part in unit.waiting
            if not is_kept and len(parts) > DEEPEST_EXPRESSION:
                unit.values[part] = found
        self._deepest = deepest
        return found

    def _parts(self, unit: FileSymbols, number: int) -> list[int]:
        """Return the operands of an expression that are not known yet, at any depth, and itself.

        They are in the order of their numbers: operands have lower numbers.
        """
        found = {number}
        stack = [number]
        while stack:
            op, _, base, args = unit.expressions[stack.pop()]
            for part in args if op in _WITHOUT_BASE else (*args, base):
                if part and part not in found and unit.values[part] is None:
                    found.add(part)
                    stack.append(part)
        return sorted(found)

    def _evaluate(self, unit: FileSymbols, number: int) -> Values:
        row = unit.expressions[number]
        op, text, base, args = row
        if op == _NAME:
            return self._name(unit, row)
        if op == _ATTRIBUTE:
            return self.attribute_loads.attribute(unit, base, name=text, of=self.values(unit, base))
        if op == _CALL:
            return self.call_results.of_row(unit, base, args=args)
        if op == _LITERAL:
            return () if text == NOTHING else self.instance(unit, unit.types.literal_type(text))
        if op == _STRING:
            return self.instance(unit, unit.types.literal_type("str"))
        return self._evaluate_rare(unit, number)

    def _name(self, unit: FileSymbols, row: Expression) -> Values:
        _, text, scope, _ = row
        received = unit.receivers.get(scope)
        if received is not None and text in received:
            return received[text]
        entry = unit.names[scope].get(text)
        if entry is None:
            if unit.prototypes is not None and scope and text == unit.members.this_name:
                return self.object_literals.received(unit, scope)
            parameters = unit.parameters.get(scope)
            if parameters is not None and text in parameters:
                return self.points_to.held((unit.key, scope, text))
        elif entry.is_local:
            return self.points_to.held((unit.key, scope, text))
        if unit.members.scoping is _BY_CLASS:
            holders = self.implicit_this.holder(unit, row)
            if holders:
                return bounded(self.attribute_loads.read(unit, holders[0], name=text))
        symbols = self._named(unit, row)
        if len(symbols) == 1:
            return self.meant(symbols[0])
        return bounded([value for symbol in symbols for value in self.meant(symbol)])

    def _named(self, unit: FileSymbols, row: Expression) -> Symbols:
        if row[2] and unit.members.scoping is _BY_CLASS:
            return self.implicit_this.find(unit, row)
        return self.names.find(unit, row)

    def _evaluate_rare(self, unit: FileSymbols, number: int) -> Values:
        op, text, base, args = unit.expressions[number]
        if op == _UNION:
            return bounded([value for arg in args for value in self.values(unit, arg)])
        if op == _FUNCTION:
            return (self._written_in_place(unit.first + base),)
        if op == _COLLECTION:
            return self._collection(unit, text, args)
        if op == _COMPREHENSION:
            return self._comprehension(unit, text, base)
        if op == _INDEX:
            return self.iteration.indexed(unit, number)
        if op == _AWAIT:
            return self.iteration.awaited(unit, self.values(unit, base))
        if op == _ENTERED:
            return self.iteration.entered(unit, self.values(unit, base), how=text)
        if op == _ELEMENT:
            return self.iteration.elements(unit, self.values(unit, base), how=text)
        if op == _CAUGHT:
            return self._caught(unit, base)
        if op == _ITEM:
            return self._item(unit, text, base)
        if op == _CAST:
            declared = self.type_expressions.declared(unit, args[0], scope=0)
            if all(value[0] in VAGUE for value in declared):
                return self.values(unit, base)
            if not base or not any(map(self.container_stores.may_be_filled, declared)):
                return declared
            given = self.values(unit, base)
            return tuple([self.container_stores.joined(value, given) for value in declared])
        if op == Op.NARROWED:
            return self.narrowing.of_row(unit, number)
        if op == _OPERATOR:
            return self.call_results.of_operator(unit, text, sides=args)
        return ()

    def _written_in_place(self, number: int) -> Value:
        row = self._program.definitions[number]
        if row.kind == "function":
            return FUNCTION, number, Rule.LOCAL
        return INSTANCE if row.subkind == OBJECT else CLASS, number, Rule.LOCAL

    def _collection(self, unit: FileSymbols, kind: str, args: tuple[int, ...]) -> Values:
        dotted = unit.types.literal_type(kind)
        number = self._program.library_class(unit.rules, dotted)
        if number < 0:
            return ((EXTERNAL_INSTANCE, dotted, Rule.INFERRED),)
        rows = unit.expressions
        is_plain = not any(rows[arg][0] == _SPREAD for arg in args)
        if is_plain and unit.types.is_tuple(kind, len(args)):
            parts = tuple(self.values(unit, arg) for arg in args)
            return (collection(number, parts, kind=TUPLE),)
        if kind == "dict":
            pairs = [rows[arg][3] for arg in args if rows[arg][0] == _PAIR]
            keys = [v for pair in pairs for v in self.values(unit, pair[0])]
            held = [v for pair in pairs for v in self.values(unit, pair[1])]
            return (collection(number, (bounded(keys), bounded(held))),)
        parts_found: list[Value] = []
        for arg in args:
            op, _, base, _ = rows[arg]
            if op == _SPREAD:
                parts_found += self.iteration.elements(unit, self.values(unit, base))
            else:
                parts_found += self.values(unit, arg)
        kept = self.solver.bounded(parts_found, of=(unit.key, args[:1]))
        return (collection(number, (kept,)),)

    def _comprehension(self, unit: FileSymbols, kind: str, body: int) -> Values:
        dotted = (
            unit.types.generator_class if kind == "generator" else unit.types.literal_type(kind)
        )
        number = self._program.library_class(unit.rules, dotted)
        if number < 0:
            return ((EXTERNAL_INSTANCE, dotted, Rule.INFERRED),)
        op, _, _, args = unit.expressions[body]
        given = tuple(self.values(unit, arg) for arg in (args if op == _PAIR else (body,)))
        return (collection(number, given),)

    def _caught(self, unit: FileSymbols, classes: int) -> Values:
        found: list[Value] = []
        for value in self.values(unit, classes):
            within = (value,) if value[0] not in INSTANCES else ()
            found += within or self.iteration.elements(unit, (value,))
        made = self.call_results.called(
            unit, tuple(v for v in found if v[0] in CLASSES or v[0] == EXTERNAL)
        )
        return tuple([self._as_caught(value) for value in made])

    def _as_caught(self, value: Value) -> Value:
        """Return a caught exception, which may be an instance of a subclass.

        Library classes may catch everything: no subclasses in the repository are assumed for them.
        """
        is_own = value[0] == INSTANCE and not self._program.is_library(class_of(value))
        return (INSTANCE_OF_SUBTYPE, value[1], value[2]) if is_own else value

    def _item(self, unit: FileSymbols, place: str, whole: int) -> Values:
        """Return one part of an unpacked value: by its place if that is known, else any element."""
        written = written_part(unit, whole, place=place) if place != "*" else None
        if written is not None:
            return self.values(unit, written)
        values = self.values(unit, whole)
        return self.iteration.part(unit, values, place=place, whole=whole)
