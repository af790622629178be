"""Points-to sets of parameters over the call sites seen so far, filtered by declared types."""

from collections import Counter
from collections.abc import Iterable, Mapping, Set
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
    NO_PASSER,
    UNKNOWN,
    UNSUPPORTED,
    Supports,
    first_passer,
    passer,
    supported,
    supported_also,
)
from mu.resolve.solver.flow import Flow
from mu.resolve.solver.solver import ParameterKey

OWN_PLACE = -1
"""The parameter place of a receiver that is passed like an argument, as in `f.call(x)`."""

Passers = Mapping[ParameterKey, Mapping[int, int]]
"""By parameter and digest of a value, a file that passes it, as `argument_support.passer`."""

Argument = tuple[ParameterKey, tuple[int, object]]
"""A parameter, and the kind and key of a value that is passed to it."""

_OF_DEFINITION = NUMBERED | NESTED


def value_digest(program: Program, value: Value) -> int:
    """Return a CRC-32 digest of a value that does not depend on how a program is numbered.

    Definitions are identified by their paths.
    """
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
    """The points-to sets of parameters, by (function, place).

    `standing` maps parameters with abstract or structural types to their declared types; `outside`
    are those with external types, to which only functions and instances of the repository are
    added. `over_limit` are the parameters over the limit, `passers` files that pass arguments to
    these: one each for up to `MOST_PASSERS` values, by their digests. `supports` has the support of
    the values. `read_before_limit` has what was read of parameters before they exceeded the limit,
    as in `PropagationState`. Parameters whose sets grow are added to `plain` if the new value is an
    instance of a library class, else to `changed`.
    """

    def __init__(self, program: Program, flow: Flow) -> None:
        self._program = program
        self._flow = flow
        self._held: dict[ParameterKey, dict[tuple[int, object], Value]] = {}
        self._support: dict[ParameterKey, dict[tuple[int, object], int]] = {}  # of `_held`
        self._beyond: dict[ParameterKey, dict[tuple[int, object], tuple[Value, int]]] = {}
        self._functions: Counter[ParameterKey] = Counter()  # number of functions in `_held`
        self.standing: dict[ParameterKey, Values] = {}
        self.outside: set[ParameterKey] = set()
        self.over_limit: set[ParameterKey] = set()
        self.passers: Passers = {}
        self.supports: Supports = {}
        self.read_before_limit: Mapping[ParameterKey, Values] = {}
        self._read: dict[ParameterKey, Values] = {}  # what `of` gave last, but for functions
        self._iteration = 0  # recorded as support; `UNKNOWN` after `resume`
        self._before: Mapping[ParameterKey, Values] = {}  # points-to sets of the resumed state
        self._full: Set[ParameterKey] = frozenset()  # parameters over the limit in that state
        self.left_out: Set[Argument] = frozenset()  # arguments that are passed, but not added
        self.changed: set[ParameterKey] = set()
        self.plain: set[ParameterKey] = set()
        self._found: dict[tuple[ParameterKey, Value, int], None] | None = None  # if shared

    def resume(
        self,
        points_to: Mapping[ParameterKey, Values],
        passers: Passers,
        *,
        read: Mapping[ParameterKey, Values],
        supports: Supports,
    ) -> None:
        """Resume from earlier points-to sets; `passers` has the parameters over the limit, and
        `read` is `read_before_limit`.
        """
        self._before, self._full, self.over_limit = points_to, passers.keys(), {*passers}
        self.read_before_limit = read
        self.passers, self.supports, self._iteration = passers, supports, UNKNOWN

    def begin_iteration(self) -> set[ParameterKey]:
        """Begin the next iteration; return the parameters that the last one put into `changed`."""
        self._iteration = min(self._iteration + 1, UNKNOWN)
        changed, self.changed = self.changed, set()
        return changed

    def finish(self, points_to: Mapping[ParameterKey, Values]) -> None:
        """Record the support of the values in `points_to`, and discard the collected sets.

        `take_held` returns what is added from now on.
        """
        found = {
            need: tuple([held[value[:2]] for value in points_to.get(need, ())])
            for need, held in self._support.items()
        }
        self._found = None
        self.passers = {need: self._passers(need) for need in self.over_limit}
        new = self.over_limit - self._full
        read, unknown = dict(self.read_before_limit), self._iteration == UNKNOWN
        for need in new if unknown else new & self._read.keys():
            read[need] = () if unknown else self._read[need]  # a build may read others, if resumed
        self.read_before_limit = {n: some for n, some in read.items() if n in self.over_limit}
        self.supports, self._iteration = {**self.supports, **found}, UNKNOWN
        self._before, self._full, self.left_out = {}, frozenset(), frozenset()
        self.take_held()

    def _passers(self, need: ParameterKey) -> dict[int, int]:
        """Return a passing file for values of a parameter over the limit: known and new ones.

        Arguments that are left out count only if they were known.
        """
        found = dict(self.passers.get(need, {}))
        before = {value[:2] for value in self._before.get(need, ())}
        support = self._support.get(need, {})
        held = [
            (value, first_passer(support[place]) if place not in before else NO_PASSER)
            for place, value in self._held.get(need, {}).items()
        ]
        for value, one in (*held, *self._beyond.get(need, {}).values()):
            if value[0] in CALLABLES:
                continue
            digest = value_digest(self._program, value)
            is_new = (need, value[:2]) not in self.left_out and len(found) < MOST_PASSERS
            if found.get(digest, -1) < 0 and (digest in found or is_new):
                found[digest] = one
        return found

    def add(self, need: ParameterKey, value: Value, *, file: int) -> None:
        """Add a value that a file passes to a parameter, if the declared type admits it."""
        declared = self.standing.get(need)
        if declared is not None and not self._flow.declared_types.refines(declared, value):
            return
        if need in self.outside and not self._program.is_own(value):
            return
        if self._found is None:
            self.put(need, value, file=file)
        elif not self._is_known(need, value, file):
            self._found[need, value, file] = None

    def share(self) -> None:
        """Keep what `add` gets for `take_found`, which returns it to be `put` in each process of a
        group.
        """
        self._found = {}

    def take_found(self) -> Iterable[tuple[ParameterKey, Value, int]]:
        """Return (parameter, value, file) of each value that was added since the last time."""
        found, self._found = self._found or {}, {}
        return found

    def _is_known(self, need: ParameterKey, value: Value, file: int) -> bool:
        """Return whether to put a value would alter nothing."""
        place = value[:2]
        held = self._held.get(need)
        if held is None or place not in held:
            return place in self._beyond.get(need, ())
        support = self._support[need][place]
        return support == supported_also(support, file, iteration=self._iteration)

    def put(self, need: ParameterKey, value: Value, *, file: int) -> None:
        """Add a value that a file passes to a parameter and that its declared type admits."""
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
        if not is_function and is_full:  # over the limit: only functions are shown
            beyond = self._beyond.setdefault(need, {})
            if len(beyond) < MOST_PASSERS:
                beyond.setdefault(place, (value, passer(file, iteration=self._iteration)))
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
            self.over_limit.add(need)
            self.changed.add(need)

    def _held_before(self, need: ParameterKey) -> dict[tuple[int, object], Value]:
        before = self._before.get(need, ())
        self._functions[need] = sum(value[0] in CALLABLES for value in before)
        held: dict[tuple[int, object], Value] = {value[:2]: value for value in before}
        known = chain(self.supports.get(need, ()), repeat(UNSUPPORTED))
        self._support[need] = dict(zip(held, known, strict=False))
        return held

    def take_held(self) -> set[Argument]:
        """Return the arguments that were added, by kind and key of the value, and discard them."""
        found = {
            (need, place)
            for sets in (self._held, self._beyond)
            for need, held in sets.items()
            for place in held
        }
        for gathered in (self._held, self._support, self._beyond, self._functions):
            gathered.clear()
        self.changed.clear()
        self.plain.clear()
        return found

    def of(self, needs: Set[ParameterKey]) -> dict[ParameterKey, Values]:
        """Return the current points-to sets of parameters; over the limit, only the functions."""
        found = {}
        for need in needs:
            held = self._in_order(self._held[need].values())
            if need in self.over_limit:
                found[need] = tuple([v for v in held if v[0] in CALLABLES])
            else:
                found[need] = tuple(held)
                if values := tuple([value for value in held if value[0] not in CALLABLES]):
                    self._read[need] = values
        return found

    def _in_order(self, values: Iterable[Value]) -> list[Value]:
        """Sort values, so that their order does not depend on the order of call sites, nor on that
        in which modules of the library were read.
        """
        held, size = sorted(values), self._program.size
        outside = [v for v in held if v[0] in _OF_DEFINITION and class_of(v) >= size]
        return sorted(held, key=self._place) if len(outside) > 1 else held

    def _place(self, value: Value) -> tuple[int, int, str, int]:
        kind, size = value[0], self._program.size
        number = class_of(value) if kind in _OF_DEFINITION else -1
        if number < size:
            return kind, number, "", 0
        return kind, size, *self._program.place_of(number)
