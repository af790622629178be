"""From a type annotation to the values that what is annotated may hold."""

from typing import Protocol

from mu.model.facts import Op
from mu.model.kinds import Rule
from mu.resolve.program import Unit
from mu.resolve.rules import TypeForm
from mu.resolve.values import Value, ValueKind, Values

DEEPEST = 12


class Evaluates(Protocol):
    """What annotations are read with."""

    def values(self, unit: Unit, number: int) -> Values:
        """What an expression may give."""


class Annotations:
    """Reads annotations: unions, optional and generic forms, `type[X]`, aliases."""

    def __init__(self, evaluator: Evaluates) -> None:
        self._evaluator = evaluator

    def declared(self, unit: Unit, number: int, scope: int, depth: int = 0) -> Values:
        """What a thing annotated with expression `number`, standing in `scope`, may hold."""
        op, text, base, args = unit.expressions[number]
        if depth > DEEPEST:
            return ()
        if op in (Op.NAME, Op.ATTRIBUTE):
            return self._named(unit, number, scope)
        if op == Op.INDEX:
            return self._generic(unit, base, args, scope, depth)
        if op == Op.UNION or (op == Op.OPERATOR and text == "|"):
            return tuple(v for arg in args for v in self.declared(unit, arg, scope, depth + 1))
        if op == Op.COMPREHENSION:  # a parameter that takes the rest
            dotted = unit.rules.literal_type(text)
            return ((ValueKind.EXTERNAL_INSTANCE, dotted, Rule.TYPED),)
        return ()

    def _named(self, unit: Unit, number: int, scope: int) -> Values:
        found: list[Value] = []
        for kind, key, _ in self._evaluator.values(unit, number):
            if kind == ValueKind.CLASS:
                found.append((ValueKind.INSTANCE, key, Rule.TYPED))
            elif kind == ValueKind.EXTERNAL:
                form = unit.rules.type_form(str(key))
                if form == TypeForm.SELF:
                    found += _around(unit, scope)
                elif form is None:
                    found.append((ValueKind.EXTERNAL_INSTANCE, key, Rule.TYPED))
        return tuple(found)

    def _generic(
        self, unit: Unit, base: int, args: tuple[int, ...], scope: int, depth: int
    ) -> Values:
        form = self._form(unit, base)
        if form is None:
            return self._named(unit, base, scope)
        if form == TypeForm.UNION:
            return tuple(v for arg in args for v in self.declared(unit, arg, scope, depth + 1))
        if form == TypeForm.FIRST and args:
            return self.declared(unit, args[0], scope, depth + 1)
        if form == TypeForm.TYPE and args:
            return tuple(
                (ValueKind.CLASS, key, Rule.TYPED)
                for kind, key, _ in self.declared(unit, args[0], scope, depth + 1)
                if kind == ValueKind.INSTANCE
            )
        return ()

    def _form(self, unit: Unit, base: int) -> TypeForm | None:
        for kind, key, _ in self._evaluator.values(unit, base):
            if kind == ValueKind.EXTERNAL:
                return unit.rules.type_form(str(key))
        return None


def _around(unit: Unit, scope: int) -> Values:
    owner = unit.enclosing_class(scope)
    return ((ValueKind.INSTANCE, unit.first + owner, Rule.TYPED),) if owner >= 0 else ()
