"""Dependency injection by a default value or an annotation."""

from collections.abc import Iterator

from mu.model.facts import Op
from mu.resolve.abstract_values import CLASS, number_of
from mu.resolve.evaluator import Evaluator
from mu.resolve.frameworks.argument_syntax import ArgumentSyntax, RegistrationCall
from mu.resolve.frameworks.handler_arguments import HandlerArguments
from mu.resolve.limits import DEEPEST_PROVIDER
from mu.resolve.program.file_symbols import FileSymbols
from mu.resolve.semantics.framework_models import Providing

_INDEX, _NAME, _ATTRIBUTE = map(int, (Op.INDEX, Op.NAME, Op.ATTRIBUTE))
_NAMES = frozenset((_NAME, _ATTRIBUTE))
_HOLDING = frozenset(map(int, (Op.CALL, Op.INDEX, Op.COLLECTION)))
_AROUND = frozenset(map(int, (Op.KEYWORD, Op.SPREAD)))

Provided = tuple[int, int, int, int]
"""(definition within the file, or -1; row of the expression that injects; line; number of the
provider)."""


class InjectedDefaults:
    """Finds the parameters that a default value or annotation injects, and their providers."""

    def __init__(
        self, evaluator: Evaluator, written: ArgumentSyntax, handlers: HandlerArguments
    ) -> None:
        self._evaluator = evaluator
        self._written = written
        self._handlers = handlers
        self._calls: dict[tuple[int, int], tuple[RegistrationCall, Providing]] = {}
        self._owned: list[RegistrationCall] = []

    def note(self, told: RegistrationCall, meaning: Providing) -> None:
        """Record a call that injects a provider, such as `Depends(get_db)`; ignore decorators."""
        if told.decorated < 0:
            self._calls[told.unit.key, told.call] = told, meaning
            self._owned.append(told)

    def of(self, unit: FileSymbols) -> Iterator[Provided]:
        """Yield the injections of a file, in headers and in bodies of definitions."""
        if not self._calls:
            return
        for local, row in enumerate(unit.facts.definitions):
            for parameter in row.parameters:
                for part in (parameter.default, parameter.annotation):
                    for place in self._inside(unit, part):
                        for provider in self._providers(place, unit, parameter.annotation):
                            yield local, part, row.start_line, provider
            for part, line, _ in row.decorators:
                for place in self._inside(unit, part):
                    for provider in self._providers(place, unit, 0):
                        yield local, part, line, provider
        for told in self._owned:
            if told.unit is unit and not self._is_declaring(told) and _is_in_body(told):
                for provider in self._providers((unit.key, told.call), unit, 0):
                    yield told.owner, told.function, told.line, provider

    def _is_declaring(self, told: RegistrationCall) -> bool:
        """Return whether a call is in a type such as `Annotated[X, Depends(f)]`, used elsewhere."""
        rows = told.unit.expressions
        return any(row[0] == _INDEX and told.call in row[3] for row in rows)

    def _inside(self, unit: FileSymbols, row: int, depth: int = 0) -> Iterator[tuple[int, int]]:
        """Yield (file, row) of the injecting calls in an expression, or in the alias it names."""
        if not row or depth > DEEPEST_PROVIDER:
            return
        op, _, base, args = unit.expressions[row]
        if (unit.key, row) in self._calls:
            yield unit.key, row
        elif op in _NAMES:
            for holder, value in self._written.bound(unit, row):
                if holder.expressions[value][0] == _INDEX:
                    yield from self._inside(holder, value, depth + 1)
        else:  # keywords and unpacked arguments have their value as base
            for part in args if op in _HOLDING else (base,) if op in _AROUND else ():
                yield from self._inside(unit, part, depth + 1)

    def _providers(self, place: tuple[int, int], unit: FileSymbols, declared: int) -> Iterator[int]:
        """Yield the providers that a call names, by number; without one, the declared class."""
        told, meaning = self._calls[place]
        row = self._written.argument(told.unit, told.args, wanted=meaning.provider)
        if row:
            yield from self._handlers.given(told.unit, row)
            return
        op, _, _, args = unit.expressions[declared]
        for kind, key, _ in self._evaluator.values(unit, args[0] if op == _INDEX else declared):
            if kind == CLASS:
                yield number_of(key)


def _is_in_body(told: RegistrationCall) -> bool:
    """Return whether a call is in the body of its owner, not in the header of a definition."""
    around = [
        (first, local)
        for local, row in enumerate(told.unit.facts.definitions)
        if (first := min([row.start_line, *(line for _, line, _ in row.decorators)])) <= told.line
        and told.line <= row.end_line
    ]
    return max(around, default=(0, -1))[1] == told.owner
