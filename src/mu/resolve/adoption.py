"""Members that stand outside the body of their class: methods by receiver, blocks that add to it.

Which class that is has to be resolved, so it is found before anything else is asked.
"""

from mu.model.facts import Op
from mu.resolve.annotations import Annotations
from mu.resolve.program import Program
from mu.resolve.unit import EXTENSION, Unit
from mu.resolve.values import INSTANCES, class_of

_INDEX = int(Op.INDEX)


def adopt(program: Program, annotations: Annotations) -> None:
    """Give the extensions of the repository to the classes they name."""
    for unit in program.units.values():
        extended = {}
        for local, row in enumerate(unit.facts.definitions):
            if row.kind == EXTENSION:
                number = _class_of(unit, row.bases[0][0], row.body, annotations)
                if number >= 0:
                    extended[local] = number
        if extended:
            program.extend(unit, extended)


def _class_of(unit: Unit, expression: int, scope: int, annotations: Annotations) -> int:
    """The number of the class that an expression names; -1 where it is not known.

    Its type arguments are not read: what they name may be members that others are yet to be given.
    """
    op, _, base, _ = unit.expressions[expression]
    if op == _INDEX and annotations.form(unit, base) is None:
        expression = base
    for value in annotations.declared(unit, expression, scope=scope):
        if value[0] in INSTANCES:
            return class_of(value)
    return -1
