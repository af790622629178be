"""Attributes that other code sets on an instance: `app.clock = Clock()`."""

from mu.model.facts import Op
from mu.model.kinds import Category, Rule
from mu.resolve.flow import Flow
from mu.resolve.program import Program
from mu.resolve.unit import Unit
from mu.resolve.values import CLASSES, INSTANCES, Value, Values, bounded, by_rule, class_of

_CALL, _KEYWORD = int(Op.CALL), int(Op.KEYWORD)

MOST_PLACES = 60
"""How many places may set attributes of one name; where more do, none is looked at."""


class OutsideFields:
    """Finds what is set on instances of a class by code that is not its own."""

    def __init__(self, program: Program, flow: Flow) -> None:
        self._program = program
        self._flow = flow
        self._places: dict[str, list[tuple[Unit, int, int]]] | None = None
        self._found: dict[tuple[int, str, bool], Values] = {}

    def forget(self) -> None:
        """Look for the places again, once expressions have other numbers."""
        self._places = None

    def of(self, number: int, name: str, *, but_tests: bool = False) -> Values:
        """What code elsewhere sets the attribute `name` of instances of a class to.

        Tests often set what only stands in for what the class has itself: leave it out with
        `but_tests`.
        """
        unit = self._program.unit_of[number]
        if unit.prototypes is not None and self._program.is_library(number):
            return ()  # any object may be given members: those of one list are not another's
        if self._places is None:
            self._places = self._find_places()
        places = self._places.get(name)
        if places is None or len(places) > MOST_PLACES:
            return ()
        place = (number, name, but_tests)
        known = self._found.get(place)
        if known is not None:
            return known
        if but_tests and unit.file.category != Category.TEST:
            places = [one for one in places if one[0].file.category != Category.TEST]
        key = ("outside", *place)
        found, is_final = self._flow.search.solve(key, self._find, number, places)
        if is_final:
            self._found[place] = found
        return found

    def _find(self, number: int, places: list[tuple[Unit, int, int]]) -> Values:
        found: list[Value] = []
        for unit, base, value in places:
            for holder in self._flow.values(unit, base):
                if holder[0] in INSTANCES or holder[0] in CLASSES:
                    owner = class_of(holder)
                    if owner >= 0 and (
                        owner == number or owner in self._flow.members.order(number)
                    ):
                        found += self._flow.values(unit, value)
                        break
        return by_rule(Rule.INFERRED, bounded(found))

    def _find_places(self) -> dict[str, list[tuple[Unit, int, int]]]:
        places: dict[str, list[tuple[Unit, int, int]]] = {}
        for unit in self._program.units.values():
            for binding in unit.facts.bindings:
                if binding.base and binding.name and binding.value:
                    place = (unit, binding.base, binding.value)
                    places.setdefault(binding.name, []).append(place)
            for op, _, made, args in unit.expressions if unit.rules.literals_set_fields else ():
                if op == _CALL:
                    for arg in args:
                        kind, name, value, _ = unit.expressions[arg]
                        if kind == _KEYWORD and value:
                            places.setdefault(name, []).append((unit, made, value))
        return places
