"""Calls by operators and library functions: `x + y`, `x[key]`, `with x`, `len(x)`.

Only methods of the repository count. A receiver of unknown type could have any method of that name;
such a call is unresolved in the ledger.
"""

from collections.abc import Iterator, Sequence

from mu.model.facts import RAISING, Op
from mu.model.kinds import Reason, Rule
from mu.resolve.abstract_values import (
    CLASSES,
    DEFINITION,
    FUNCTION,
    INSTANCE,
    INSTANCES,
    VARIABLE,
    Symbol,
    Value,
    Values,
    bounded,
    class_of,
    number_of,
    place_of,
)
from mu.resolve.dispatch.abstract_methods import AbstractMethods
from mu.resolve.dispatch.error_conversion import ErrorConversion
from mu.resolve.dispatch.operation_methods import OperationMethods
from mu.resolve.dispatch.virtual_dispatch import VirtualDispatch
from mu.resolve.emit import ledger as sorts
from mu.resolve.emit.ledger import Hit, Outcome, resolved, unresolved
from mu.resolve.emit.nodes import NodeTable
from mu.resolve.evaluator import Evaluator
from mu.resolve.program.file_symbols import FileSymbols
from mu.resolve.program.program import Program
from mu.resolve.semantics.implicit_calls import NO_SIDES, ImplicitCalls
from mu.resolve.semantics.library_models import NO_METHODS, MethodGroups, MethodsCalled

_INDEX, _OPERATOR, _ENTERED, _STORED = map(int, (Op.INDEX, Op.OPERATOR, Op.ENTERED, Op.STORED))
_ATTRIBUTE, _KEYWORD = int(Op.ATTRIBUTE), int(Op.KEYWORD)


class OperatorCalls:
    """The methods that operators, statements and library functions call."""

    def __init__(
        self,
        program: Program,
        evaluator: Evaluator,
        *,
        dispatch: VirtualDispatch,
        abstract_methods: AbstractMethods,
        operations: OperationMethods,
        nodes: NodeTable,
    ) -> None:
        self._program = program
        self._evaluator = evaluator
        self._dispatch = dispatch
        self._abstract_methods = abstract_methods
        self._nodes = nodes
        self._called: dict[int, MethodsCalled] = {}
        self._operations = operations
        self._known: dict[tuple[int, int, Rule, tuple[str, ...]], tuple[Hit, ...]] = {}
        self._asked: dict[tuple[int, tuple[str, ...]], tuple[int, ...]] = {}
        self._conversions = ErrorConversion(program, evaluator)

    def is_caller(self, values: Values) -> bool:
        """Return whether values include library functions that call methods of their argument."""
        for kind, key, _ in values:
            is_known = kind == FUNCTION or kind in CLASSES
            if is_known and self._methods_called(number_of(key)) is not NO_METHODS:
                return True
        return False

    def of_call(self, unit: FileSymbols, number: int, *, text: str) -> list[Outcome]:
        """Return the outcomes of methods that a library function calls on arguments and result."""
        _, _, function, args = unit.expressions[number]
        called = NO_METHODS
        for kind, key, _ in self._evaluator.values(unit, function):
            if called is NO_METHODS and (kind == FUNCTION or kind in CLASSES):
                called = self._methods_called(number_of(key))
        found: list[Outcome] = []
        if called.of_arguments:
            found += self._of_arguments(unit, function, args, text=text)
        if called.own:
            subject = self._subject(unit, function, args)
            if not unit.implicit.most_open:  # what library objects call is unknown
                subject = self._own(subject)
            of_next = [names for names in called.own[1:] if names[0] in unit.implicit.next_methods]
            own = [names for names in called.own if names not in of_next]
            found += self.of_methods(subject, own, text=text, most_open=2)
            iterators = self._evaluator.iteration.iterators(unit, subject) if of_next else ()
            if iterators:
                found += self.of_methods(iterators, of_next, text=text)
        if called.of_result:
            made = self._evaluator.values(unit, number)
            found += self.of_methods(made, called.of_result, text=text)
        elements = self._elements(unit, function, args) if called.of_elements else ()
        if elements:
            found += self.of_methods(elements, called.of_elements, text=text, most_open=0)
        return found

    def _of_arguments(
        self, unit: FileSymbols, function: int, args: tuple[int, ...], *, text: str
    ) -> Iterator[Outcome]:
        """Yield the outcomes of methods that a library function calls on objects passed to it.

        Only instances of the repository's classes count.
        """
        evaluator = self._evaluator
        for kind, key, _ in evaluator.values(unit, function):
            is_known = kind == FUNCTION or kind in CLASSES
            called = self._methods_called(number_of(key)).of_arguments if is_known else ()
            if not called:
                continue
            if kind == FUNCTION:
                passed = evaluator.argument_binding.passed(
                    number_of(key), (unit, args), is_bound=False
                )
            else:
                passed = list(enumerate(args))
            for place, arg in passed:
                own = self._own(evaluator.values(unit, arg)) if place < len(called) else ()
                if own:
                    methods = [(name,) for name in called[place]]
                    yield from self.of_methods(own, methods, text=text, most_open=0)

    def _own(self, values: Values) -> Values:
        """Return those values that are instances of the repository's classes."""
        return tuple([value for value in values if self._evaluator.declared_types.is_own(value)])

    def _elements(self, unit: FileSymbols, function: int, args: Sequence[int]) -> Values:
        """Return the elements that a library function iterates over.

        Empty if it is passed a key or a function to compare them by.
        """
        rows, values = unit.expressions, self._evaluator.values
        if any(rows[arg][:2] == (_KEYWORD, unit.implicit.key_argument) for arg in args):
            return ()
        given = [arg for arg in args if rows[arg][0] != _KEYWORD]
        if unit.library.takes_comparator(len(given)):
            return ()
        if len(given) > 1 and unit.library.compares_arguments(rows[function][1]):
            return bounded([value for arg in given for value in values(unit, arg)])
        op, _, base, _ = rows[function]
        whole = given[0] if given else base if op == _ATTRIBUTE else 0
        return self._evaluator.iteration.elements(unit, values(unit, whole)) if whole else ()

    def _subject(self, unit: FileSymbols, function: int, args: tuple[int, ...]) -> Values:
        """Return the receiver of a method, else the first argument."""
        for kind, key, _ in self._evaluator.values(unit, function):
            if kind == FUNCTION and self._is_method(number_of(key)):
                op, _, base, _ = unit.expressions[function]
                return self._evaluator.values(unit, base) if op == _ATTRIBUTE else ()
        return self._evaluator.values(unit, args[0]) if args else ()

    def _is_method(self, number: int) -> bool:
        unit, row = self._program.unit_of[number], self._program.definitions[number]
        if unit.members.this_name:  # the receiver is not a parameter
            return unit.owner(row.scope) >= 0 and not unit.members.is_static(row)
        return unit.takes_receiver(row)

    def of_operation(self, unit: FileSymbols, number: int, *, text: str) -> list[Outcome]:
        """Return the outcomes of the methods that an operation in the text calls."""
        op, how, base, args = unit.expressions[number]
        values, implicit = self._evaluator.values, unit.implicit
        if op == _OPERATOR:
            if how == RAISING:
                return self._of_raising(unit, args, text)
            if len(args) == 1:
                prefixed = implicit.prefix.get(how)
                if not prefixed:
                    return []
                subject = values(unit, args[0])
                most_open = implicit.most_open
                subject = subject if most_open else self._own(subject)
                return list(self.of_methods(subject, (prefixed,), text=text, most_open=most_open))
            return self._of_sides(unit, number, text)
        if op == _INDEX:
            return self._of_index(values(unit, base), implicit, text)
        if op == _STORED:
            method = implicit.set_index_method if how == "=" else implicit.delete_index_method
            held = values(unit, unit.expressions[base][2])
            return list(self.of_methods(held, ((method,),), text=text))
        subject = values(unit, base)
        if op == _ENTERED:
            methods = [
                implicit.methods_of(names, how)
                for names in (implicit.enter_methods, implicit.leave_methods)
            ]
            return list(self.of_methods(subject, methods, text=text))
        iterators = self._evaluator.iteration.iterators(unit, subject, how=how)
        methods = [implicit.methods_of(implicit.iterate_methods, how)]
        found = list(self.of_methods(subject, methods, text=text))
        if iterators:
            found += self.of_methods(iterators, (implicit.next_methods,), text=text)
            if implicit.more_methods:
                found += self.of_methods(
                    iterators, (implicit.more_methods,), text=text, most_open=0
                )
        return found

    def _of_index(self, held: Values, implicit: ImplicitCalls, text: str) -> list[Outcome]:
        """Return the outcomes of the methods behind a subscript.

        An object that inherits subscripts from the library also runs its method for missing keys; a
        class runs its own method for subscripts.
        """
        found = list(self.of_methods(held, ((implicit.index_method,),), text=text))
        if implicit.missing_method:
            plain = tuple(
                [v for v in self._own(held) if self._is_of_library(v, implicit.index_method)]
            )
            found += self.of_methods(plain, ((implicit.missing_method,),), text=text, most_open=0)
        if implicit.class_index_method:
            classes = tuple([(INSTANCE, class_of(v), v[2]) for v in held if v[0] in CLASSES])
            further = ((implicit.class_index_method,),)
            found += self.of_methods(classes, further, text=text, most_open=0)
        return found

    def _is_of_library(self, value: Value, name: str) -> bool:
        """Return whether an instance has a method from the library."""
        number, _ = self._method(value, name)
        return number >= 0 and self._program.is_library(number)

    def _of_raising(self, unit: FileSymbols, args: Sequence[int], text: str) -> list[Outcome]:
        """Return the outcomes of the functions that convert an error which is propagated."""
        given, declared = args
        found: list[Outcome] = []
        for _, key, rule in self._conversions.raised(unit, given, declared=declared):
            node = self._nodes.of_definition(number_of(key))
            name = self._nodes.node(node).name
            found.append(resolved(text, name, hits=[(node, rule, False)], sort=sorts.CALLS))
        return found

    def _of_sides(self, unit: FileSymbols, number: int, text: str) -> list[Outcome]:
        """Return the outcomes of the method of the left operand, or else of the right one."""
        _, how, _, args = unit.expressions[number]
        left, right = unit.implicit.infix.get(how, NO_SIDES)
        first = self._evaluator.values(unit, args[0])
        found = list(self.of_methods(first, (left,), text=text)) if left else []
        if found or not right:
            return found
        second = self._evaluator.values(unit, args[1])
        if left and first and not second:  # the left operand may handle it
            return []
        return list(self.of_methods(second, (right,), text=text))

    def of_methods(
        self, values: Values, methods: MethodGroups, *, text: str, most_open: int = 1
    ) -> Iterator[Outcome]:
        """Yield the outcomes of calling methods on values.

        `methods` are groups of alternatives. Of a group that stays open, the first `most_open`
        names get rows.
        """
        is_open = not values or self._evaluator.declared_types.are_structural(values)
        for names in methods:
            hits: dict[int, Hit] = {}
            for hit in self._hits(values, names):
                hits.setdefault(hit[0], hit)
            if hits:
                name = self._nodes.node(next(iter(hits))).name
                yield resolved(text, name, hits=tuple(hits.values()), sort=sorts.CALLS)
            elif is_open:
                yield from self._open(names[:most_open], text)

    def _open(self, names: Sequence[str], text: str) -> Iterator[Outcome]:
        for place, name in enumerate(names):
            candidates = self._operations.candidates(tuple(names[: place + 1]))
            if candidates:
                yield unresolved(text, name, reason=Reason.AMBIGUOUS, candidates=candidates)

    def _hits(self, values: Values, names: Sequence[str]) -> Iterator[Hit]:
        for value in values:
            if value[0] in CLASSES:
                value = self._evaluator.members.of_metaclass(value)
            if value[0] in INSTANCES and class_of(value) >= 0:
                place = (value[0], class_of(value), value[2], tuple(names))
                known = self._known.get(place)
                if known is None:
                    known = tuple(self._hits_on(value, names))
                    self._known[place] = known
                    self._asked[place[1], place[3]] = self._operations.asked_of(place[1], names)
                self._operations.note(self._asked[place[1], place[3]])
                yield from known

    def _hits_on(self, value: Value, names: Sequence[str]) -> Iterator[Hit]:
        """Yield the methods that run on an instance: the first that exists, and its overrides."""
        for number, rule in self._run_on(value, names):
            node = self._nodes.of_definition(number)
            if node >= 0:  # `__or__ = lambda ...` has none
                yield node, rule, False

    def _run_on(self, value: Value, names: Sequence[str]) -> Iterator[tuple[int, Rule]]:
        """Yield these methods as numbers of functions, each with its rule."""
        for place, name in enumerate(names):
            number, rule = self._method(value, name)
            hidden = self._abstract_methods.hidden((value,), name)
            if number >= 0 and number not in hidden and not self._program.is_library(number):
                yield number, rule
            for override in self._overrides(value, name, names[:place]):
                yield override, Rule.VIRTUAL
            if number >= 0 and not self._is_of_root(number):
                break

    def _method(self, value: Value, name: str) -> tuple[int, Rule]:
        """Return the method of an instance, -1 if it has none, and the rule that found it.

        The name may be qualified by the base for which the class implements it (`Base::name`).
        """
        base, _, name = name.rpartition("::")
        for symbol in self._evaluator.members.of_class(value, name):
            if base and not self._is_for(symbol, base):
                continue
            for kind, key, _ in self._held_by_class(symbol):
                if kind == FUNCTION:  # `__str__ = render`
                    return number_of(key), symbol[2]
            if symbol[0] == DEFINITION:
                return number_of(symbol[1]), symbol[2]
        return -1, value[2]

    def _is_for(self, symbol: Symbol, base: str) -> bool:
        """Return whether a method is in an extension that implements a base of a given name."""
        if symbol[0] != DEFINITION:
            return False
        number = number_of(symbol[1])
        unit, row = self._program.unit_of[number], self._program.definitions[number]
        holder = unit.facts.definitions[unit.scopes[row.scope].definition]
        return any(unit.expressions[one][1] == base for one, _, _ in holder.bases[1:])

    def _held_by_class(self, symbol: Symbol) -> Values:
        """Return the values of a variable set in a class body; instance variables have none."""
        if symbol[0] != VARIABLE:
            return ()
        file, scope, name = place_of(symbol[1])
        is_set = name in self._program.unit(file).names[scope]
        return self._evaluator.meant(symbol) if is_set else ()

    def _overrides(self, value: Value, name: str, before: Sequence[str]) -> tuple[int, ...]:
        """Return the overrides a call may run, except of classes with a method tried before."""
        found = self._dispatch.overrides((value,), name)
        return tuple(n for n in found if not any(self._has(n, earlier) for earlier in before))

    def _has(self, method: int, name: str) -> bool:
        """Return whether the class of a method has another one, which not every object has."""
        unit, row = self._program.unit_of[method], self._program.definitions[method]
        owner = unit.owner(row.scope)
        number, _ = self._method((INSTANCE, owner, Rule.VIRTUAL), name)
        return number >= 0 and not self._is_of_root(number)

    def _is_of_root(self, number: int) -> bool:
        """Return whether a method is one that every object has."""
        unit, row = self._program.unit_of[number], self._program.definitions[number]
        owner = unit.owner(row.scope)
        return owner == self._program.root_class(unit.rules)

    def _methods_called(self, number: int) -> MethodsCalled:
        """Return the methods that a function calls on its arguments and its result."""
        known = self._called.get(number)
        if known is None:
            known = NO_METHODS
            if self._program.is_library(number):
                library = self._program.unit_of[number].library
                known = library.methods_called(self._program.dotted(number))
            self._called[number] = known
        return known
