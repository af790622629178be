"""Call results, sensitive to the receiver and the arguments of the call site."""

from functools import partial

from mu.model.facts import Op
from mu.model.kinds import Rule
from mu.resolve.abstract_values import (
    CALLABLE,
    CALLABLES,
    CLASS,
    CLASSES,
    DEFINITION,
    EXTERNAL,
    EXTERNAL_INSTANCE,
    FUNCTION,
    GENERIC,
    INSTANCE,
    INSTANCE_OF_SUBTYPE,
    INSTANCES,
    MAY_BE_MORE,
    MEMBER,
    OF_CLASS,
    SELF,
    SELF_CLASS,
    SUPER,
    VAGUE,
    Place,
    Symbol,
    Symbols,
    Value,
    Values,
    bounded,
    by_rule,
    class_of,
    collection,
    is_open,
    is_result,
    number_of,
    parts_of,
    place_of,
)
from mu.resolve.calls.argument_binding import Call
from mu.resolve.limits import MOST_RESULT_OVERRIDES, MOST_VALUES
from mu.resolve.lookup.member_lookup import MemberLookup
from mu.resolve.program.file_symbols import ENUMERATION, FileSymbols
from mu.resolve.program.program import Program
from mu.resolve.semantics.call_semantics import FunctionTypes
from mu.resolve.semantics.implicit_calls import NO_SIDES
from mu.resolve.semantics.library_models import CallModel
from mu.resolve.solver.flow import Flow
from mu.resolve.types.type_parameters import Environment, received, substitute

_ATTRIBUTE, _INDEX, _STRING = int(Op.ATTRIBUTE), int(Op.INDEX), int(Op.STRING)
_BY_SELF, _INFERRED, _RETURNED = Rule.SELF, Rule.INFERRED, Rule.RETURNED

_PARTS_OF_CLASS = 3  # its name, its bases, its members


class CallResults:
    """Computes the points-to set of a call from its callees, receiver and arguments."""

    def __init__(self, program: Program, flow: Flow) -> None:
        self._program = program
        self._flow = flow

    def of_row(self, unit: FileSymbols, function: int, *, args: tuple[int, ...]) -> Values:
        """Return the points-to set of a call in the text."""
        op, text, base, _ = unit.expressions[function]
        if op == _INDEX:
            made = self._made_of(unit, function)
            if made:
                return made
        if op == _ATTRIBUTE:
            if text and text == unit.members.class_attribute:
                classes = self._flow.attribute_loads.classes(unit, base)
                return self.called(unit, classes, call=(unit, args))
            holders = self._flow.values(unit, base)
        else:
            row = unit.expressions[function]
            holders = self._flow.implicit_this.holder(unit, row, is_called=True)
        for holder in holders:
            if holder[0] in OF_CLASS:
                break
        else:
            if args and op == _ATTRIBUTE and text == unit.library.instance_maker:
                return self._instances(unit, args[0])
            if unit.members.prototypes is not None and op == _ATTRIBUTE:
                if text in unit.members.prototypes.binders:
                    bound = tuple([value for value in holders if value[0] in CALLABLES])
                    if bound:
                        return bound
                args = self._flow.argument_binding.handed(unit, function, args=args)
            values = unit.values[function]
            if values is None and op == _ATTRIBUTE:  # asked twice, a chain would take 2 ** length
                values = self._flow.attribute_loads.attribute(unit, base, name=text, of=holders)
            return self._of_values(unit, function, args, values=values)

        holders = self._flow.functional_interfaces.called_by(unit, holders, name=text)
        if len(holders) == 1:
            return bounded(self._called_on(unit, text, args, holders[0]))
        called_on = partial(self._called_on, unit, text, args)
        return self._flow.declared_types.given(holders, called_on)

    def _called_on(
        self, unit: FileSymbols, name: str, args: tuple[int, ...], holder: Value
    ) -> Values:
        """Return the result of calling the member `name` of a receiver."""
        symbols = self._callable(unit, self._flow.members.of(unit, holder, name=name), args)
        if len(symbols) == 1:
            return self._of_member(unit, holder, symbols[0], args)
        return tuple([v for s in symbols for v in self._of_member(unit, holder, s, args)])

    def _made_of(self, unit: FileSymbols, function: int) -> Values:
        """Return an instance of a class that is called with type arguments; empty for others."""
        values = self._flow.values(unit, function)
        if len(values) != 1 or values[0][0] != CLASS:
            return ()
        declared = self._flow.type_expressions.declared(unit, function, scope=0)
        is_told = len(declared) == 1 and declared[0][0] == GENERIC
        is_told = is_told and class_of(declared[0]) == values[0][1]
        return by_rule(Rule.INFERRED, declared) if is_told else ()

    def _callable(self, unit: FileSymbols, symbols: Symbols, args: tuple[int, ...]) -> Symbols:
        """Select the symbols that a call may mean: no variables if functions have the name, too."""
        if len(symbols) < 2:
            return symbols
        if unit.members.namespaces.are_apart:
            symbols = tuple([s for s in symbols if s[0] == DEFINITION]) or symbols
        return self._flow.overload_resolution.chosen(unit, symbols, args=args)

    def called(self, unit: FileSymbols, values: Values, *, call: Call | None = None) -> Values:
        """Return the results of calling each of `values` in the file of `unit`."""
        found: list[Value] = []
        for value in values:
            kind, key, rule = value
            if kind in CLASSES:
                if call is not None and self._makes_classes(value, call):
                    found += self._extended(*call)
                elif key != self._program.root_class(unit.rules):  # whose instances say nothing
                    found.append(self.made(value, call))
                    if call is not None and unit.calls.function_types is FunctionTypes.CONVERTED:
                        found += self._converted(found[-1], call)
            elif kind == FUNCTION:
                if self._program.definitions[number_of(key)].kind == "class":
                    found.append(self.made((CLASS, key, rule), call))
                    continue
                if call is not None and call[1] and self._is_instance_maker(number_of(key)):
                    found += self._instances(unit, call[1][0])
                    continue
                given = self.result(number_of(key), call=call)
                if call is not None and unit.library.fillers:
                    given = self._filled_by(number_of(key), given, call)
                if not given and self._program.unit_of[number_of(key)].prototypes is not None:
                    made = self._flow.members.made_by(value)
                    given = ((INSTANCE, made, _INFERRED),) if made >= 0 else ()
                found += given
            elif kind == EXTERNAL or is_result(value):
                found += _called_outside(unit, str(key))
            elif kind in INSTANCES and class_of(value) >= 0:
                found += self._called_instance(value, call)
            elif kind == GENERIC:
                found += [
                    (INSTANCE, class_of(v), rule) for v in parts_of(value)[0] if v[0] in INSTANCES
                ]
            elif kind == CALLABLE:
                found += parts_of(value)[0]
        return bounded(found if len(found) <= MOST_VALUES else self._flow.widening.widened(found))

    def _converted(self, made: Value, call: Call) -> Values:
        """Return the functions that a call converts to an instance of a function type."""
        unit, args = call
        if len(args) != 1 or not self._flow.functional_interfaces.is_type(made):
            return ()
        return tuple([v for v in self._flow.values(unit, args[0]) if v[0] == FUNCTION])

    def _filled_by(self, number: int, given: Values, call: Call) -> Values:
        """Return the result of a library function that appends its arguments to the first."""
        unit, args = call
        name = self._program.definitions[number].name
        if name not in unit.library.fillers or not self._program.is_library(number):
            return given
        uses = ((unit, (name, args[1:], ())),)
        given = given or self._flow.instance(unit, unit.types.literal_type("slice"))
        return tuple([self._flow.container_stores.filled(value, uses) for value in given])

    def _makes_classes(self, value: Value, call: Call) -> bool:
        """Return whether a call of a class with arguments makes another class."""
        unit, args = call
        if len(args) != _PARTS_OF_CLASS or not unit.members.metaclass:
            return False
        root = self._program.library_class(unit.rules, unit.members.metaclass)
        return root >= 0 and root in self._flow.members.order(class_of(value))

    def of_operator(self, unit: FileSymbols, operator: str, *, sides: tuple[int, ...]) -> Values:
        """Return the result of an operator by its left operand's method, else by its right's."""
        if len(sides) == 1:
            left = unit.implicit.prefix.get(operator, ())
        else:
            left, _ = unit.implicit.infix.get(operator, NO_SIDES)
        found: list[Value] = []
        reflected = self._reflected(unit, operator, sides=sides) if len(sides) == 2 else ()
        for value in self._flow.values(unit, sides[0]) if left else ():
            if value[0] in INSTANCES and not (reflected and not self._program.is_own(value)):
                for kind, key, _ in self._flow.members.of_class(value, left[0]):
                    if kind == DEFINITION:
                        call = (unit, sides[1:])
                        found += self.result(number_of(key), receiver=value, call=call)
        return bounded(found or reflected)

    def _reflected(self, unit: FileSymbols, operator: str, *, sides: tuple[int, ...]) -> Values:
        """Return the result of an operator by a repository method of its right operand."""
        _, right = unit.implicit.infix.get(operator, NO_SIDES)
        if not right or not any(map(self._flow.descriptors.is_defined, right)):
            return ()
        found: list[Value] = []
        for value in self._flow.values(unit, sides[1]):
            if value[0] in INSTANCES and self._program.is_own(value):
                for symbol in self._flow.members.of_class(value, right[0]):
                    for kind, key, _ in self._flow.meant(symbol):
                        if kind == FUNCTION:
                            call = (unit, sides[:1])
                            found += self.result(number_of(key), receiver=value, call=call)
        return bounded(found)

    def result(
        self, number: int, *, receiver: Value | None = None, call: Call | None = None
    ) -> Values:
        """Return the result of a function for a receiver and the arguments of a call."""
        if call is not None and self._program.is_library(number):
            is_bound = self._flow.argument_binding.is_bound(number, receiver)
            number = self._flow.overload_resolution.by_literals(number, call, is_bound=is_bound)
        found, opened = self._flow.return_summaries.of(number)
        if not opened:
            return found
        environment: Environment = {}
        definition, unit = self._program.definitions[number], self._program.unit_of[number]
        owner = unit.owner(definition.scope)
        if receiver is not None and owner >= 0:
            environment.update(self._flow.type_parameters.seen_from(receiver, owner))
            self._flow.argument_binding.receive(number, receiver, environment=environment)
        if call is not None:
            self._flow.argument_binding.take(number, receiver, call=call, environment=environment)
        if owner >= 0:
            self._flow.type_parameters.put_bounds(environment, owner)
        # `environment` is in the caller's terms already, so only the summary gets the receiver.
        given = received(found, receiver, is_related=self._is_related(receiver))
        return by_rule(_RETURNED, substitute(given, environment))

    def as_seen(self, values: Values, receiver: Value, *, place: Place) -> Values:
        """Return the values of an attribute, with the type arguments of a receiver substituted."""
        if not is_open(values):
            return values
        unit = self._program.unit(place[0])
        owner = unit.owner(place[1])
        if owner < 0:
            return values
        environment = self._flow.type_parameters.seen_from(receiver, owner)
        self._flow.type_parameters.put_bounds(environment, owner)
        seen = received(values, receiver, is_related=self._is_related(receiver))
        return substitute(seen, environment)

    def made(self, value: Value, call: Call | None) -> Value:
        """Return the instance that calling a class makes."""
        kind, key, rule = value
        number = number_of(key)
        how = rule if rule == _BY_SELF else _INFERRED
        if kind == SELF_CLASS:
            return SELF, number, how
        parameters = self._flow.type_parameters.parameters(number)
        if not parameters or call is None:
            return INSTANCE_OF_SUBTYPE if rule is Rule.TYPED else INSTANCE, number, how
        environment: Environment = {}
        instance: Value = (INSTANCE, number, how)
        for name in self._program.unit_of[number].calls.constructors:
            for found, method, _ in self._flow.members.of_class(instance, name):
                if found == DEFINITION:
                    self._flow.argument_binding.take(
                        number_of(method), instance, call=call, environment=environment
                    )
        parts = tuple(environment.get(place, ()) for place in parameters)
        if any(parts) or not self._program.is_library(number):
            return collection(number, parts) if any(parts) else instance
        return self._declared_by_maker(value, call) or instance

    def _declared_by_maker(self, value: Value, call: Call) -> Value | None:
        """Return the instance that a library class declares its maker to return, as `zip` does."""
        number = number_of(value[1])
        name = self._program.unit_of[number].library.instance_maker
        symbols = self._flow.members.own(number, name, rule=_INFERRED) if name else ()
        for found, method, _ in symbols:
            if found == DEFINITION:
                given = self.result(number_of(method), receiver=value, call=call)
                if len(given) == 1 and class_of(given[0]) == number:
                    return given[0]
        return None

    def _of_member(
        self, unit: FileSymbols, holder: Value, symbol: Symbol, args: tuple[int, ...]
    ) -> Values:
        kind, key, _ = symbol
        call = (unit, args)
        getter = self._flow.attribute_loads.getter(symbol)
        if kind == DEFINITION and holder[0] in OF_CLASS and getter < 0:
            number = number_of(key)
            row = self._program.definitions[number]
            if row.kind == "function":
                if args and self._is_instance_maker(number):
                    return self._instances(unit, args[0])
                if holder[0] in CLASSES and row.name == unit.library.subclasses_method:
                    return self._extending(unit, class_of(holder))
                receiver = (SELF, class_of(holder), holder[2]) if holder[0] == SUPER else holder
                given = self.result(number, receiver=receiver, call=call)
                return given or self._of_overrides(holder, row.name, call)
        held = self.result(getter, receiver=holder) if getter >= 0 else self._flow.meant(symbol)
        if not args and self._flow.attribute_loads.is_component(symbol):
            return self.as_seen(held, holder, place=place_of(key))
        return self.called(unit, held, call=call)

    def _is_instance_maker(self, number: int) -> bool:
        """Return whether a library function makes an instance of the class it is passed."""
        if not self._program.is_library(number):
            return False
        name = self._program.definitions[number].name
        return bool(name) and name == self._program.unit_of[number].library.instance_maker

    def _instances(self, unit: FileSymbols, number: int) -> Values:
        """Return instances of the classes in an expression, made without their constructor."""
        classes = [value for value in self._flow.values(unit, number) if value[0] in CLASSES]
        return bounded([self.made(value, None) for value in classes])

    def _extending(self, unit: FileSymbols, number: int) -> Values:
        """Return a list value with the direct subclasses of a class."""
        members = self._flow.members
        below = self._flow.hierarchy.descendants(number)
        found: Values = tuple([(CLASS, n, _INFERRED) for n in below if number in members.bases(n)])
        return (collection(self._program.literal_class(unit, "list"), (found,)),)

    def _of_overrides(self, holder: Value, name: str, call: Call) -> Values:
        """Return the results of overrides, for a method whose own result is empty."""
        if holder[0] not in MAY_BE_MORE or class_of(holder) < 0:
            return ()
        overriding = self._flow.hierarchy.overriding(class_of(holder), name)
        if len(overriding) > MOST_RESULT_OVERRIDES:
            return ()
        results = [self.result(one, receiver=holder, call=call) for one in overriding]
        return bounded([value for values in results for value in values])

    def _of_values(
        self, unit: FileSymbols, function: int, args: tuple[int, ...], *, values: Values | None
    ) -> Values:
        if values is None:
            values = self._flow.called(unit, function)
        if len(values) == 1 and values[0][0] == EXTERNAL:
            special = self._special(unit, function, str(values[0][1]), args)
            if special is not None:
                return special
            if unit.members.prototypes is not None and unit.library.is_class_name(
                unit.expressions[function][1]
            ):  # a package that exports a class, which only the local name shows
                return ((EXTERNAL_INSTANCE, values[0][1], _INFERRED),)
        return self.called(unit, values, call=(unit, args))

    def _special(
        self, unit: FileSymbols, function: int, dotted: str, args: tuple[int, ...]
    ) -> Values | None:
        """Return the result of a modelled function, such as `super()`; None for any other."""
        library = unit.library
        if not library.is_special(dotted):
            return None
        _, _, scope, _ = unit.expressions[function]
        model = library.call_model(dotted)
        if model is CallModel.SUPER:
            owner = unit.enclosing_class(scope)
            if args:
                return self._above(unit, args[0], owner=owner)
            return ((SUPER, owner, Rule.SUPER),) if owner >= 0 else ()
        if model is CallModel.TYPE_OF:
            return self._types(unit, args[0]) if len(args) == 1 else self._extended(unit, args)
        if model is CallModel.IDENTITY and args:
            return self._flow.values(unit, args[0])
        if model is CallModel.INSTANCE and args:
            return self._flow.type_expressions.declared(unit, args[0], scope=scope)
        if model is CallModel.CAST and len(args) >= 2:
            given = self._flow.type_expressions.declared(unit, args[0], scope=scope)
            if all(value[0] in VAGUE for value in given):
                return self._flow.values(unit, args[1])
            if self._flow.declared_types.are_abstract(given):
                found = self._flow.values(unit, args[1])
                given += self._flow.declared_types.refinements(given, found)
            return given
        if model is CallModel.ATTRIBUTE and len(args) >= 2:
            return self._read_by_name(unit, args)
        return self._loaded(unit, dotted, args[0]) if args else None

    def _above(self, unit: FileSymbols, number: int, *, owner: int) -> Values:
        """Return `super` of the classes in an expression, else of the enclosing class."""
        named = [class_of(v) for v in self._flow.values(unit, number) if v[0] in CLASSES]
        return tuple([(SUPER, one, Rule.SUPER) for one in named or [owner] if one >= 0])

    def _loaded(self, unit: FileSymbols, function: str, number: int) -> Values | None:
        """Return the modules that a call loads by constant names; None if there are none."""
        if not unit.modules.is_module_load(function, ""):
            return None
        found: list[Value] = []
        for name in self._flow.constant_strings.texts(unit, number):
            if not unit.modules.is_module_load(function, name):
                return None
            dotted, level = unit.modules.loaded_name(name)
            target = unit.finder.find(unit.key, dotted, level=level)
            found += self._flow.meant(self._flow.names.of_module(unit, target))
        return bounded(found) or None

    def _types(self, unit: FileSymbols, number: int) -> Values:
        """Return the classes of an expression's values; of a class, its metaclass."""
        found = list(self._flow.attribute_loads.classes(unit, number))
        for kind, key, rule in self._flow.values(unit, number):
            if kind in CLASSES:
                metaclass = self._flow.members.metaclass(number_of(key))
                found += [(CLASS, metaclass, rule)] if metaclass >= 0 else ()
        return bounded(found)

    def _extended(self, unit: FileSymbols, args: tuple[int, ...]) -> Values:
        """Return the bases of a class that is made from a name, bases and members.

        They stand in for it, since their methods run on its instances.
        """
        if len(args) != _PARTS_OF_CLASS:
            return ()
        bases = self._flow.iteration.elements(unit, self._flow.values(unit, args[1]))
        root = self._program.root_class(unit.rules)  # whose members say nothing
        return tuple([value for value in bases if value[0] in CLASSES and value[1] != root])

    def _read_by_name(self, unit: FileSymbols, args: tuple[int, ...]) -> Values:
        """Return the attributes with a constant string as name, or with a known beginning of it."""
        holders = self._flow.values(unit, args[0])
        names = self._flow.constant_strings.texts(unit, args[1])
        if names:
            read = self._flow.attribute_loads.read
            given = [v for one in holders for name in names for v in read(unit, one, name=name)]
            if len(args) > 2:  # with a default, no external attribute is assumed
                given = [v for v in given if v[0] != EXTERNAL]
            return bounded([*given, *(v for arg in args[2:] for v in self._flow.values(unit, arg))])
        begins = self._beginning(unit, args[1])
        found: list[Value] = [
            (MEMBER, (class_of(value), begins), _INFERRED)
            for value in holders
            if begins and value[0] in OF_CLASS and 0 <= class_of(value) < self._program.size
        ]
        given = [v for arg in args[2:] for v in self._flow.values(unit, arg)]
        return bounded([*found, *(v for v in given if found or v[0] in CALLABLES)])

    def _beginning(self, unit: FileSymbols, number: int) -> str:
        """Return the known beginning of a name that is put together; empty if there is none."""
        op, text, _, sides = unit.expressions[number]
        if op == Op.BEGINNING:
            return text
        if op == Op.OPERATOR and len(sides) == 2:
            kind, first, _, _ = unit.expressions[sides[0]]
            if kind == _STRING and text in unit.implicit.concatenations:
                return first.partition("%")[0]
        return ""

    def _is_related(self, receiver: Value | None) -> "_Related":
        return _Related(
            self._program, self._flow.members, -1 if receiver is None else class_of(receiver)
        )

    def _called_instance(self, value: Value, call: Call | None) -> Values:
        if self._program.definitions[class_of(value)].subkind == ENUMERATION:
            return (value,)  # a variant with fields is called to make it
        calls = self._program.unit_of[class_of(value)].calls
        symbols = self._flow.members.of_class(value, calls.call_method) if calls.call_method else ()
        return tuple(
            result
            for kind, key, _ in symbols
            if kind == DEFINITION
            for result in self.result(number_of(key), receiver=value, call=call)
        )


class _Related:
    """Checks whether the class of a receiver is a given class or extends it."""

    def __init__(self, program: Program, members: MemberLookup, number: int) -> None:
        self._program = program
        self._members = members
        self._number = number

    def __call__(self, number: int) -> bool:
        own = self._number
        if own == number or (own >= 0 and number in self._members.order(own)):
            return True
        rules = self._program.unit_of[number].rules
        return own >= 0 and number == self._program.root_class(rules)


def _called_outside(unit: FileSymbols, dotted: str) -> Values:
    if unit.library.is_class_name(dotted):
        return ((EXTERNAL_INSTANCE, dotted, Rule.INFERRED),)
    return unit.library.unknown_result(dotted)
