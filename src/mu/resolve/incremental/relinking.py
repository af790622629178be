"""Relink the files whose bodies changed, and no others, where that is sure to be enough.

The phases over the whole program are not run again: what they found before the edit is taken up.
That holds for the edited program too if no other file can see a difference. So both programs, with
the old and with the new versions of the files, are set up around what was found, and compared:

- what other files can ask of the file has to be the same (`file_match`): what functions give by
  what they are, or by other expressions where that is nothing else;
- what the file passes to parameters elsewhere has to be known of them already, and nothing that it
  passed may be gone: others might have it from there;
- what it makes instances of, forwards and registers has to be the same.

Then the references of the files are resolved in both programs. The old rows are given beside the
new ones: a caller that finds them other than those a build made knows that this file cannot be
relinked alone, since its references depend on the order in which they are asked for.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from mu.model.graph import Edge, Entry, Limits, Node, Site
from mu.resolve.abstract_values import (
    CALLABLES,
    CLASSES,
    INSTANCE,
    INSTANCE_OF_SUBTYPE,
    NESTED,
    RECEIVERS,
    TYPE_VARIABLE,
    Place,
    Value,
    Values,
    class_of,
    parts_of,
    place_of,
)
from mu.resolve.incremental.file_match import match_outside
from mu.resolve.pipeline import Linker
from mu.resolve.program.program import Program, ProgramText
from mu.resolve.solver.propagation_state import Makers, Passed
from mu.resolve.whole_program import FileReach, WholeProgramState

_PLAIN = RECEIVERS | CLASSES | CALLABLES | {INSTANCE, INSTANCE_OF_SUBTYPE, TYPE_VARIABLE}


class FileLinks(NamedTuple):
    """What linking gives of one file, in its order; the keys are places in `ProgramLinks.nodes`."""

    edges: Sequence[Edge]
    sites: Sequence[Site]
    entries: Sequence[Entry]


class ProgramLinks(NamedTuple):
    """What linking gives of some files of a program, by key, and the nodes of all of it."""

    nodes: Sequence[Node]
    files: Mapping[int, FileLinks]


class Relinked(NamedTuple):
    """The links of the changed files, in the old program and in the new one, and its new state."""

    before: ProgramLinks
    after: ProgramLinks
    state: WholeProgramState


def relink(
    before: ProgramText, after: ProgramText, *, changed: Sequence[int], state: WholeProgramState
) -> Relinked | None:
    """Relink the `changed` files, by key, of a program whose other files are as they were.

    `state` is what the whole program said `before`. None where other files may be linked otherwise.
    """
    old, new = _Resumed(before, state), _Resumed(after, state)
    passed: dict[int, Passed] = {}
    scopes: dict[int, Mapping[int, int]] = {}
    results: list[int] = []
    for key in changed:
        one, other = old.reach_of(key), new.reach_of(key)
        if not _is_reach_known(one, other, state):
            return None
        match = match_outside(
            old.program.units[key],
            new.program.units[key],
            rows=(one.registering, other.registering),
            is_filled=old.is_filled,
        )
        if match is None:
            return None
        passed[key], scopes[key] = other.passed, match.scopes
        results += [old.program.units[key].first + local for local in match.results]
    if not all(_is_same_result(old.result(one), new.result(one), scopes) for one in results):
        return None
    if old.entries_elsewhere(changed) != new.entries_elsewhere(changed):
        return None
    links = old.link(changed), new.link(changed)
    if old.limits() != new.limits() or old.has_failed or new.has_failed:
        return None
    continued = _continued(state, passed, scopes)
    return None if continued is None else Relinked(*links, continued)


class _Resumed:
    """A program with what was found of it, or of one that is alike, before."""

    def __init__(self, text: ProgramText, state: WholeProgramState) -> None:
        self.program = Program.of(text)
        self._linker = Linker(self.program)
        self._linker.whole_program.resume(state)

    @property
    def has_failed(self) -> bool:
        """Whether linking ended in an error for any file."""
        return bool(self.program.fence.failures)

    def reach_of(self, key: int) -> FileReach:
        """What a file adds to what is known of the whole program."""
        return self._linker.reach_of(self.program.units[key])

    def is_filled(self, place: Place) -> bool:
        """Whether methods put something into what a variable holds."""
        return self._linker.is_filled(place)

    def result(self, number: int) -> Values:
        """What a function gives, in terms of what it is called with."""
        return self._linker.result_of(number)

    def entries_elsewhere(self, changed: Sequence[int]) -> set[tuple[object, ...]]:
        """The entry points that frameworks make in other files than the changed ones."""
        paths = {self.program.units[key].file.path for key in changed}
        rows, nodes = self._linker.whole_program.entries.rows, self._linker.nodes.rows
        return {(nodes[row.node].id, *row[1:]) for row in rows if row.path not in paths}

    def link(self, changed: Sequence[int]) -> ProgramLinks:
        """Link some files."""
        found = {}
        ledger, entries = self._linker.ledger, self._linker.whole_program.entries
        for key in changed:
            unit = self.program.units[key]
            edges, sites = len(ledger.edges), len(ledger.sites)
            self._linker.link(unit)
            own = [row for row in entries.rows if row.path == unit.file.path]
            found[key] = FileLinks(ledger.edges[edges:], ledger.sites[sites:], own)
        return ProgramLinks(self._linker.nodes.rows, found)

    def limits(self) -> Limits:
        """How often a bound was reached."""
        return self._linker.limits()


def _is_reach_known(old: FileReach, new: FileReach, state: WholeProgramState) -> bool:
    """Whether what a file adds now to what is known of the whole program is in that already.

    What it does not add any more must not be missed: others may know it from there.
    """
    one, other = old.passed, new.passed
    if one.arguments - other.arguments or one.made - other.made or old.named - new.named:
        return False
    if not other.made - one.made <= state.live or not new.named - old.named <= state.live:
        return False
    if (one.forwarded, one.made_with) != (other.forwarded, other.made_with):
        return False
    if (old.supers, old.forwarding) != (new.supers, new.forwarding):
        return False
    found = state.propagation
    return all(
        need not in found.limited and value in {known[:2] for known in found.shown.get(need, ())}
        for need, value in other.arguments - one.arguments
    )


def _is_same_result(old: Values, new: Values, scopes: Mapping[int, Mapping[int, int]]) -> bool:
    """Whether a function gives what it gave, by other expressions.

    Not of what holds something: constant keys and routers are followed to where they are written.
    """
    try:
        return all(value[0] in _PLAIN for value in old) and _moved(old, scopes) == new
    except KeyError:
        return False


def _continued(
    state: WholeProgramState,
    passed: Mapping[int, Passed],
    scopes: Mapping[int, Mapping[int, int]],
) -> WholeProgramState | None:
    """The state of the new program: what names rows or scopes of changed files names them as they
    are now; None where a value names a scope that is not there any more.
    """
    found = state.propagation
    makers: Makers = {
        need: {row: calls for row, calls in arguments.items() if row[0] not in passed}
        for need, arguments in found.makers.items()
    }
    for one in passed.values():
        for need, arguments in one.makers.items():
            makers.setdefault(need, {}).update(arguments)
    try:
        shown = {need: _moved(values, scopes) for need, values in found.shown.items()}
    except KeyError:
        return None
    return state._replace(propagation=found._replace(shown=shown, makers=makers))


def _moved(values: Values, scopes: Mapping[int, Mapping[int, int]]) -> Values:
    """Values with the type variables of changed files in the scopes that they have now."""
    found: list[Value] = []
    is_moved = False
    for value in values:
        kind, key, rule = value
        if kind == TYPE_VARIABLE:
            file, scope, name = place_of(key)
            now = scopes[file][scope] if file in scopes else scope
            value = kind, (file, now, name), rule
        elif kind in NESTED:
            value = (
                kind,
                (class_of(value), tuple([_moved(p, scopes) for p in parts_of(value)])),
                rule,
            )
        is_moved = is_moved or value[1] != key
        found.append(value)
    return tuple(found) if is_moved else values
