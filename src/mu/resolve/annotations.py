"""From a type annotation to the values that what is annotated may hold.

Unions, optional and generic forms, `type[X]` and aliases are read; anything else gives nothing.
"""

from collections.abc import Callable

from mu.model.facts import Op
from mu.model.kinds import Rule
from mu.resolve.program import Unit
from mu.resolve.rules import TypeForm
from mu.resolve.values import CLASS, EXTERNAL, EXTERNAL_INSTANCE, INSTANCE, Value, Values

DEEPEST = 12

Evaluate = Callable[[Unit, int], Values]
"""What an expression of a file may give."""


def declared(evaluate: Evaluate, unit: Unit, *, number: int, scope: int) -> Values:
    """What a thing annotated with expression `number`, standing in `scope`, may hold."""
    return _read(evaluate, unit, number, scope, 0)


def _read(evaluate: Evaluate, unit: Unit, number: int, scope: int, depth: int) -> Values:
    op, text, _, args = unit.expressions[number]
    if depth > DEEPEST:
        return ()
    if op in (Op.NAME, Op.ATTRIBUTE):
        return _named(evaluate, unit, number, scope)
    if op == Op.INDEX:
        return _generic(evaluate, unit, number, scope, depth)
    if op == Op.UNION or (op == Op.OPERATOR and text == "|"):
        return tuple(v for arg in args for v in _read(evaluate, unit, arg, scope, depth + 1))
    if op == Op.COMPREHENSION:  # a parameter that takes the rest
        dotted = unit.rules.literal_type(text)
        return ((EXTERNAL_INSTANCE, dotted, Rule.TYPED),)
    return ()


def _named(evaluate: Evaluate, unit: Unit, number: int, scope: int) -> Values:
    found: list[Value] = []
    for kind, key, _ in evaluate(unit, number):
        if kind == CLASS:
            found.append((INSTANCE, key, Rule.TYPED))
        elif kind == EXTERNAL:
            form = unit.rules.type_form(str(key))
            if form == TypeForm.SELF:
                found += _around(unit, scope)
            elif form is None:
                found.append((EXTERNAL_INSTANCE, key, Rule.TYPED))
    return tuple(found)


def _generic(evaluate: Evaluate, unit: Unit, number: int, scope: int, depth: int) -> Values:
    _, _, base, args = unit.expressions[number]
    form = _form(evaluate, unit, base)
    if form is None:
        return _named(evaluate, unit, base, scope)
    if form == TypeForm.UNION:
        return tuple(v for arg in args for v in _read(evaluate, unit, arg, scope, depth + 1))
    if form == TypeForm.FIRST and args:
        return _read(evaluate, unit, args[0], scope, depth + 1)
    if form == TypeForm.TYPE and args:
        return tuple(
            (CLASS, key, Rule.TYPED)
            for kind, key, _ in _read(evaluate, unit, args[0], scope, depth + 1)
            if kind == INSTANCE
        )
    return ()


def _form(evaluate: Evaluate, unit: Unit, base: int) -> TypeForm | None:
    for kind, key, _ in evaluate(unit, base):
        if kind == EXTERNAL:
            return unit.rules.type_form(str(key))
    return None


def _around(unit: Unit, scope: int) -> Values:
    owner = unit.enclosing_class(scope)
    return ((INSTANCE, unit.first + owner, Rule.TYPED),) if owner >= 0 else ()
