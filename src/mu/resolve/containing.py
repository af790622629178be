"""Whether an edit of calls leaves alone what is in the containers that a file shares with others.

`rows.append(x)` says what is in `rows` to whoever reads it, though it binds nothing.
"""

from mu.model.facts import Expression, FileFacts, ScopeKind
from mu.model.kinds import Rule
from mu.resolve.evaluate import Evaluator
from mu.resolve.likeness import numbered
from mu.resolve.program import Program
from mu.resolve.unit import Unit, Use
from mu.resolve.values import INSTANCE, Values

_Place = tuple[int, str]


def fills_nothing(program: Program, evaluator: Evaluator, *, key: int, facts: FileFacts) -> bool:
    """Whether other facts of a file call methods on its variables which put into them what its own
    facts do; those that are no containers apart.
    """
    old = program.units[key]
    if old.rules.literals_set_fields or old.facts.expressions == facts.expressions:
        return old.facts.expressions == facts.expressions
    new = Unit(old.file, facts, first=old.first, rules=old.rules, finder=old.finder)
    new.extend(old.extended)
    if not evaluator.rests.is_read_alike(old, new):
        return False
    names = {*program.library_methods(), *old.rules.fillers, ""}
    table: dict[Expression, int] = {}
    before, after = _fillings(old, names, table), _fillings(new, names, table)
    places = [
        place for place in before.keys() | after.keys() if before.get(place) != after.get(place)
    ]
    return not any(_may_be_container(evaluator, old, place) for place in places)


def _fillings(
    unit: Unit, names: set[str], table: dict[Expression, int]
) -> dict[_Place, list[tuple[object, ...]]]:
    """The methods by some names that are called on each variable, with expressions by `table`."""
    numbers = numbered(unit.facts, table)
    unit.uses_of(0, "")  # makes the index
    found: dict[_Place, list[tuple[object, ...]]] = {}
    for place, uses in (unit.uses or {}).items():
        kept: list[Use] = [use for use in uses if use[0] in names]
        if kept:
            found[place] = [
                (method, [numbers[arg] for arg in args], steps) for method, args, steps in kept
            ]
    return found


def _may_be_container(evaluator: Evaluator, unit: Unit, place: _Place) -> bool:
    """Whether a variable holds something that can be filled, or that depends on calls."""
    search = evaluator.search
    search.needs.clear()
    values = _held(evaluator, unit, place)
    return bool(search.needs) or any(map(evaluator.filling.is_container, values))


def _held(evaluator: Evaluator, unit: Unit, place: _Place) -> Values:
    scope, name = place
    owner = unit.owner(scope)
    if unit.scopes[scope].kind == ScopeKind.CLASS and owner >= 0:
        return evaluator.reading.read(unit, (INSTANCE, owner, Rule.INFERRED), name=name)
    entry = unit.names[scope].get(name)
    is_bound = entry is not None and entry.bindings
    if not is_bound and name not in unit.parameters.get(scope, ()):
        return ()
    return evaluator.holding.held((unit.file.key, scope, name))
