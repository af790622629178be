"""Which definition of one side is which of the other, where files, names or places changed.

First what has the same id. Then files that were moved, by what is in them; then what a moved or
renamed definition holds, by name; then what has another place and the same name, or another name
in the same place, by its text; at last what has both. The most alike come first, and each
definition is taken once.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from mu.analysis.review.sides import Definition, Side
from mu.analysis.review.similarity import Fingerprint, fingerprint, likeness

_MOVED = 0.5  # as git takes files for renamed
_RENAMED = 0.6
_BOTH = 0.8
_MOST_PAIRS = 300_000  # compared for one kind; some 3 s
_ORDER = ("module", "class", "function", "variable")


@dataclass(frozen=True, slots=True)
class Pair:
    """A definition before and after; one of them is None where it was added or removed.

    `is_implied` says that it moved only because what it stands in did.
    """

    before: Definition | None
    after: Definition | None
    is_implied: bool = False


@dataclass(eq=False, slots=True)
class Matching:
    """What is paired so far, and what is left on each side, by key."""

    before: Side
    after: Side
    pairs: list[Pair] = field(default_factory=list)
    removed: dict[int, Definition] = field(default_factory=dict)
    added: dict[int, Definition] = field(default_factory=dict)
    new_keys: dict[int, int] = field(default_factory=dict)  # keys after by keys before
    is_whole: bool = True
    _prints: dict[tuple[bool, int], Fingerprint] = field(default_factory=dict)

    def take(self, one: Definition, other: Definition, *, is_implied: bool = False) -> None:
        """Pair two definitions, and what they hold by name."""
        self.pair(one, other, is_implied=is_implied)
        held = {
            _within(child): child
            for child in self.after.children.get(other.key, ())
            if child.key in self.added
        }
        for child in self.before.children.get(one.key, ()):
            same = held.get(_within(child))
            if child.key in self.removed and same is not None:
                self.take(child, same, is_implied=True)

    def pair(self, one: Definition, other: Definition, *, is_implied: bool = False) -> None:
        """Pair two definitions alone."""
        self.removed.pop(one.key, None)
        self.added.pop(other.key, None)
        self.new_keys[one.key] = other.key
        self.pairs.append(Pair(one, other, is_implied))

    def likeness(self, one: Definition, other: Definition, *, least: float) -> float:
        """Say how alike the texts of two definitions are; 0 where it is less than `least`."""
        first, second = self._print(self.before, one), self._print(self.after, other)
        return likeness(first, second, least=least)

    def _print(self, side: Side, one: Definition) -> Fingerprint:
        place = side is self.before, one.key
        known = self._prints.get(place)
        if known is None:
            known = self._prints[place] = fingerprint(side.whole_text(one), name=one.name)
        return known


def match(before: Side, after: Side) -> Matching:
    """Pair the definitions of both sides as far as they are alike.

    `is_whole` is False where there were too many to compare all of them.
    """
    found = Matching(before, after)
    old, new = _by_place(before), _by_place(after)
    found.removed = dict(before.definitions)
    found.added = dict(after.definitions)
    for place, those in old.items():
        others = new.get(place, ())
        if len(those) == len(others):
            for one, other in zip(those, others, strict=True):
                found.pair(one, other)
    for place, those in old.items():
        _take_best(found, _same_name(found, those, new.get(place, ())))
    for kind in _ORDER:
        _take_best(found, _moved(found, kind))
        _take_best(found, _renamed(found, kind))
        if kind in ("class", "function"):
            _take_best(found, _both(found, kind))
    found.pairs += [Pair(one, None) for one in found.removed.values()]
    found.pairs += [Pair(None, one) for one in found.added.values()]
    return found


Candidate = tuple[float, Definition, Definition]

Choices = Callable[[Definition], Sequence[Definition]]


def _take_best(found: Matching, candidates: Iterable[Candidate]) -> None:
    best = sorted(candidates, key=lambda row: (-row[0], row[1].id, row[2].id))
    for _, one, other in best:
        if one.key in found.removed and other.key in found.added:
            found.take(one, other)


def _by_place(side: Side) -> dict[tuple[str, str, str], list[Definition]]:
    """Give the definitions by kind, file and name; there may be several of one name."""
    found: dict[tuple[str, str, str], list[Definition]] = {}
    for one in side.definitions.values():
        found.setdefault((one.kind, one.path, one.local_name), []).append(one)
    return found


def _same_name(
    found: Matching, those: Sequence[Definition], others: Sequence[Definition]
) -> Iterator[Candidate]:
    """Give the pairs of definitions of one name in one place, where their numbers differ."""
    for one in those:
        for other in others:
            if one.key in found.removed and other.key in found.added:
                is_last = (one is those[-1]) == (other is others[-1])
                yield found.likeness(one, other, least=0.0) + 0.01 * is_last, one, other


def _moved(found: Matching, kind: str) -> Iterator[Candidate]:
    """Give what has the same name in another place; files, whatever their names.

    Many classes have methods of one name, so those of other classes must be nearly the same, and
    special methods stay with their class.
    """
    added: dict[str, list[Definition]] = {}
    for other in found.added.values():
        if other.kind == kind:
            added.setdefault("" if kind == "module" else other.name, []).append(other)
    removed = [one for one in found.removed.values() if one.kind == kind]
    for one, other in _bounded(
        found,
        removed,
        lambda one: added.get("" if kind == "module" else one.name, ()),
    ):
        is_near = one.local_name == other.local_name
        is_member = kind != "module" and "." in one.local_name and not is_near
        is_special = one.name.startswith("__") and one.name.endswith("__")
        if one.is_test == other.is_test and not (is_member and is_special):
            score = found.likeness(one, other, least=_BOTH if is_member else _MOVED)
            if score:
                yield score + 0.1 * is_near, one, other


def _renamed(found: Matching, kind: str) -> Iterator[Candidate]:
    """Give what has another name in the same class or file."""
    added: dict[int, list[Definition]] = {}
    for other in found.added.values():
        if other.kind == kind:
            added.setdefault(other.parent, []).append(other)
    removed = [one for one in found.removed.values() if one.kind == kind and one.parent >= 0]
    for one, other in _bounded(
        found, removed, lambda one: added.get(found.new_keys.get(one.parent, -1), ())
    ):
        score = found.likeness(one, other, least=_RENAMED)
        if score:
            yield score, one, other


def _both(found: Matching, kind: str) -> Iterator[Candidate]:
    """Give what has another name in another place, which must be nearly the same."""
    added = [other for other in found.added.values() if other.kind == kind and not other.is_test]
    removed = [one for one in found.removed.values() if one.kind == kind and not one.is_test]
    for one, other in _bounded(found, removed, lambda _: added):
        score = found.likeness(one, other, least=_BOTH)
        if score and min(len(found.before.whole_text(one)), len(found.after.whole_text(other))) > 3:
            yield score, one, other


def _bounded(
    found: Matching, removed: Sequence[Definition], choices: Choices
) -> Iterator[tuple[Definition, Definition]]:
    """Give the pairs to compare, unless there are too many."""
    left = _MOST_PAIRS
    for one in removed:
        others = choices(one)
        left -= len(others)
        if left < 0:
            found.is_whole = False
            return
        for other in others:
            yield one, other


def _within(child: Definition) -> tuple[str, str]:
    """The kind of a definition, and its name in what it stands in, with its number."""
    return child.kind, child.id.rpartition(".")[2].rpartition(":")[2]
