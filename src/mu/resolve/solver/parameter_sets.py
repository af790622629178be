"""Points-to sets of parameters over the call sites seen so far, filtered by declared types."""

from collections import Counter
from collections.abc import Mapping, Set
from itertools import chain, repeat
from zlib import crc32

from mu.resolve.abstract_values import (
    CALLABLES,
    CLASS,
    INSTANCE,
    MEMBER,
    NESTED,
    NUMBERED,
    TYPE_VARIABLE,
    Value,
    Values,
    class_of,
    member_of,
    number_of,
    parts_of,
    place_of,
)
from mu.resolve.limits import MOST_FUNCTIONS, MOST_PASSERS, MOST_VALUES
from mu.resolve.program.program import Program
from mu.resolve.solver.argument_support import (
    UNKNOWN,
    UNSUPPORTED,
    Supports,
    first_file,
    supported,
    supported_also,
)
from mu.resolve.solver.flow import Flow
from mu.resolve.solver.solver import ParameterKey

OWN_PLACE = -1
"""The place of what a function is called on, where it is told like an argument."""

Passers = Mapping[ParameterKey, Mapping[int, int]]
"""By parameters, the files, by key, that pass something, by its digest; -1 where none is known."""

Argument = tuple[ParameterKey, tuple[int, object]]
"""A parameter, and the kind and key of a value that is passed for it."""


def value_digest(program: Program, value: Value) -> int:
    """What stands for a value in any version of a program: definitions count by their paths."""
    return crc32(repr(_named(program, value)).encode("utf-8", "surrogatepass"))


def _named(program: Program, value: Value) -> tuple[object, ...]:
    kind, key, _ = value
    if kind in NUMBERED:
        number = number_of(key)
        if number < 0:
            return kind, number
        return kind, *program.path_of(number)
    if kind in NESTED:
        parts = [sorted(repr(_named(program, one)) for one in part) for part in parts_of(value)]
        return kind, _named(program, (CLASS, class_of(value), value[2])), parts
    if kind == TYPE_VARIABLE:
        return kind, place_of(key)[2]
    if kind == MEMBER:
        number, begins = member_of(key)
        return kind, _named(program, (CLASS, number, value[2])), begins
    return kind, key


class ParameterSets:
    """Collects it, by (function, place).

    `standing` has the parameters that are declared by what stands for other classes, and how;
    `outside` those that are declared by what is outside, for which only the repository's own
    counts. `limited` are those that too many things are passed for, `passers` the files that pass
    them: one for each of so many things, which a digest stands for. `supports` tells how what they
    hold was found. `changed` grows with those that
    hold more than before, `plain` with those of them to which something was added that has no
    members in the repository.
    """

    def __init__(self, program: Program, flow: Flow) -> None:
        self._program = program
        self._flow = flow
        self._held: dict[ParameterKey, dict[tuple[int, object], Value]] = {}
        self._support: dict[ParameterKey, dict[tuple[int, object], int]] = {}  # of what is held
        self._beyond: dict[ParameterKey, dict[tuple[int, object], tuple[Value, int]]] = {}
        self._functions: Counter[ParameterKey] = Counter()  # how many of those held
        self.standing: dict[ParameterKey, Values] = {}
        self.outside: set[ParameterKey] = set()
        self.limited: set[ParameterKey] = set()
        self.passers: Passers = {}
        self.supports: Supports = {}
        self._iteration = 0  # by which support is told; `UNKNOWN` where this goes on from others
        self._before: Mapping[ParameterKey, Values] = {}  # what was held where this goes on
        self._full: Set[ParameterKey] = frozenset()  # what held too much there
        self.left_out: Set[Argument] = frozenset()  # what is not added, though it is passed
        self.changed: set[ParameterKey] = set()
        self.plain: set[ParameterKey] = set()

    def resume(
        self, shown: Mapping[ParameterKey, Values], passers: Passers, *, supports: Supports
    ) -> None:
        """Go on from what parameters hold already, and from those that hold too much."""
        self._before, self._full, self.limited = shown, passers.keys(), {*passers}
        self.passers, self.supports, self._iteration = passers, supports, UNKNOWN

    def begin_iteration(self) -> set[ParameterKey]:
        """Begin the next iteration; give the parameters that hold more by the last one."""
        self._iteration = min(self._iteration + 1, UNKNOWN)
        changed, self.changed = self.changed, set()
        return changed

    def finish(self, shown: Mapping[ParameterKey, Values]) -> None:
        """Let go of what was collected, of which some is `shown`; what is added from now on is told
        apart by `take_held`.
        """
        found = {
            need: tuple([held[value[:2]] for value in shown.get(need, ())])
            for need, held in self._support.items()
        }
        self.supports, self._iteration = {**self.supports, **found}, UNKNOWN
        self.passers = {need: self._passers(need) for need in self.limited}
        self._before, self._full, self.left_out = {}, frozenset(), frozenset()
        self.take_held()

    def _passers(self, need: ParameterKey) -> dict[int, int]:
        """The files that pass a parameter: those that were known, and those that did so since. What
        is left out counts if it was known.
        """
        found = dict(self.passers.get(need, {}))
        before = {value[:2] for value in self._before.get(need, ())}
        support = self._support.get(need, {})
        held = [
            (value, first_file(support[place]) if place not in before else -1)
            for place, value in self._held.get(need, {}).items()
        ]
        for value, file in (*held, *self._beyond.get(need, {}).values()):
            if value[0] in CALLABLES:
                continue
            digest = value_digest(self._program, value)
            is_new = (need, value[:2]) not in self.left_out and len(found) < MOST_PASSERS
            if found.get(digest, -1) < 0 and (digest in found or is_new):
                found[digest] = file
        return found

    def add(self, need: ParameterKey, value: Value, *, file: int) -> None:
        """Add what a file passes for a parameter."""
        declared = self.standing.get(need)
        if declared is not None and not self._flow.declared_types.is_behind(declared, value):
            return
        if need in self.outside and not self._program.is_own(value):
            return
        held = self._held.get(need)
        if held is None:
            held = self._held[need] = self._held_before(need)
        place = value[:2]
        if place in held:
            support = self._support[need]
            support[place] = supported_also(support[place], file, iteration=self._iteration)
            return
        is_function = value[0] in CALLABLES
        is_full = len(held) - self._functions[need] > MOST_VALUES or need in self._full
        if not is_function and is_full:  # of too many, one more changes nothing
            beyond = self._beyond.setdefault(need, {})
            if len(beyond) < MOST_PASSERS:
                beyond.setdefault(place, (value, file))
            return
        if (need, place) in self.left_out:
            return
        held[place] = value
        self._support[need][place] = supported(self._iteration, file)
        is_plain = value[0] == INSTANCE and self._program.is_library(number_of(value[1]))
        (self.plain if is_plain else self.changed).add(need)
        if is_function:
            self._functions[need] += 1
        count = self._functions[need]
        if count > MOST_FUNCTIONS or len(held) - count > MOST_VALUES:
            self.limited.add(need)

    def _held_before(self, need: ParameterKey) -> dict[tuple[int, object], Value]:
        before = self._before.get(need, ())
        self._functions[need] = sum(value[0] in CALLABLES for value in before)
        held: dict[tuple[int, object], Value] = {value[:2]: value for value in before}
        known = chain(self.supports.get(need, ()), repeat(UNSUPPORTED))
        self._support[need] = dict(zip(held, known, strict=False))
        return held

    def take_held(self) -> set[Argument]:
        """What was added, by kind and key; from now on it is not."""
        found = {(need, place) for need, held in self._held.items() for place in held}
        for gathered in (self._held, self._support, self._beyond, self._functions):
            gathered.clear()
        self.changed.clear()
        self.plain.clear()
        return found

    def of(self, needs: Set[ParameterKey]) -> dict[ParameterKey, Values]:
        """What parameters hold by now; no more than the functions where it is too much.

        In an order that does not depend on that of the calls.
        """
        found = {}
        for need in needs:
            held = sorted(self._held[need].values())
            if need in self.limited:
                found[need] = tuple([v for v in held if v[0] in CALLABLES])
            else:
                found[need] = tuple(held)
        return found
