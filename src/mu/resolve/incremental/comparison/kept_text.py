"""The functions of a changed file whose text is as it was, and what their rows are now.

What such a function leads to changes only by something that others can see, too. So a file with a
changed body is linked but for these functions, as long as nothing that others see is another thing.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence, Set

from mu.model.facts import Definition, Expression, Op, ReferenceKind
from mu.model.kinds import Category
from mu.resolve.incremental.comparison.file_difference import FileDifference
from mu.resolve.incremental.program_version import ProgramVersion
from mu.resolve.program.file_outline import beginnings_in
from mu.resolve.program.file_part import home_of
from mu.resolve.program.file_symbols import EXTENSION, FileSymbols
from mu.resolve.program.mentioned_names import defined_names, mentioned_names

_NAME, _FUNCTION = int(Op.NAME), int(Op.FUNCTION)
_CALL = int(ReferenceKind.CALL)


class KeptText:
    """The functions of a changed file that are not linked.

    `numbers` are the definitions in their text, in the new version by those in the old one, both
    numbered in the file; `lines` are the lines that they moved by, by the ids of their nodes.
    """

    def __init__(
        self, old: FileSymbols, new: FileSymbols, numbers: Mapping[int, int], lines: dict[str, int]
    ) -> None:
        self.numbers = numbers
        self.lines: Mapping[str, int] = lines
        self._old, self._new = old, new
        self._scopes: dict[int, int] | None = None
        self._numbers: dict[Expression, int] | None = None  # of the rows of the new version
        self._rows: dict[int, int] = {0: 0}
        calls = (row for row in old.facts.references if row[0] == _CALL)
        self._calls = {row for _, row, owner, _ in calls if owner in numbers}

    @property
    def before(self) -> frozenset[int]:
        """The definitions in the old version."""
        return frozenset(self.numbers)

    @property
    def after(self) -> frozenset[int]:
        """The definitions in the new version."""
        return frozenset(self.numbers.values())

    def calls(self, rows: Iterable[int]) -> list[int]:
        """Those of some calls of the old version that are there, by their new rows."""
        return [self.row(row) for row in rows if row in self._calls]

    def row(self, number: int) -> int:
        """The row of an expression in the new version; KeyError where it is not there."""
        found = self._rows.get(number)
        if found is None:
            if self._numbers is None:
                self._numbers = {row: place for place, row in enumerate(self._new.expressions)}
                self._scopes = _paired_scopes(self._old, self._new, self.numbers)
            found = self._rows[number] = self._numbers[self._moved(number)]
        return found

    def _moved(self, number: int) -> Expression:
        op, text, base, args = self._old.expressions[number]
        if op == _NAME:
            return op, text, (self._scopes or {})[base], args
        if op == _FUNCTION:
            return op, text, self.numbers[base], args
        return op, text, self.row(base), tuple([self.row(arg) for arg in args])


def kept_texts(
    old: ProgramVersion,
    new: ProgramVersion,
    *,
    differences: Mapping[int, FileDifference],
    but: Set[int],
) -> dict[int, KeptText]:
    """What of changed files need not be linked, as it cannot see what differs: none of some files,
    nor of those whose calls frameworks may know, nor where files came or went.
    """
    if old.program.files.keys() != new.program.files.keys():
        return {}
    found = {}
    for key in sorted(differences.keys() - old.registering - but):
        kept = _kept_text(old, new, key, differences[key])
        if kept is not None:
            found[key] = kept
    return found


def grown_files(new: ProgramVersion, kept: Mapping[int, KeptText]) -> tuple[set[int], set[int]]:
    """The files with functions that are passed more than before: those that have to be linked for
    it, and those of which the text of these functions is linked anyway.
    """
    files: set[int] = set()
    linked: set[int] = set()
    for number in {number for number, _ in new.grown if number >= 0}:
        unit = new.program.unit_of[number]
        is_linked = unit.key in kept and number - unit.first not in kept[unit.key].after
        (linked if is_linked else files).add(unit.key)
    return files, linked


def _kept_text(
    old: ProgramVersion, new: ProgramVersion, key: int, difference: FileDifference
) -> KeptText | None:
    """Find the functions of a file that need not be linked; None where all of it has to be."""
    before, after = old.program.units[key], new.program.units[key]
    if difference.imported or difference.rebased or not _is_plain(before) or not _is_plain(after):
        return None
    ids = _ids(old, before), _ids(new, after)
    names = difference.names | difference.members
    names |= _names_of_others(before, *ids) | _names_of_others(after, *ids[::-1])
    if names and _may_mean(before, after, names):
        return None
    numbers: dict[int, int] = {}
    lines: dict[str, int] = {}
    others = difference.changed | difference.reset | {*difference.results}
    groups = _by_function(before), _by_function(after)
    for first, members in groups[0].items():
        partner = difference.numbers.get(first, -1)
        inside = groups[1].get(partner, [])
        pairs = dict(zip(members, inside, strict=False))
        if (
            len(members) == len(inside)
            and others.isdisjoint(members)
            and _is_same_text(before.facts.definitions[first], after.facts.definitions[partner])
            and all(difference.numbers.get(one) == other for one, other in pairs.items())
            and all(ids[0][one] == ids[1][other] for one, other in pairs.items())
        ):
            rows = before.facts.definitions[first], after.facts.definitions[partner]
            numbers |= pairs
            lines |= {ids[0][one]: rows[1].start_line - rows[0].start_line for one in members}
    lines.pop("", None)
    return KeptText(before, after, numbers, lines) if numbers else None


def _is_plain(unit: FileSymbols) -> bool:
    """Tell whether a file says nothing of the types of others, nor of functions as classes."""
    prototypes, rows = unit.prototypes, unit.facts.definitions
    is_written = prototypes is None or not (prototypes.members or prototypes.receivers)
    return (
        unit.file.category != Category.MINIFIED
        and is_written
        and (prototypes is None or prototypes.written >= len(rows))
        and all(row.kind != EXTENSION for row in rows)
    )


def _ids(version: ProgramVersion, unit: FileSymbols) -> dict[int, str]:
    """The ids of the nodes of definitions, by number in the file; empty for one without."""
    nodes = version.linker.nodes
    *owners, _ = nodes.owners(unit)
    return {local: nodes.node(node).id if node >= 0 else "" for local, node in enumerate(owners)}


def _names_of_others(
    unit: FileSymbols, own: Mapping[int, str], others: Mapping[int, str]
) -> set[str]:
    """The names of the definitions of one version that have no node in the other one."""
    there = {*others.values()}
    rows = unit.facts.definitions
    return {rows[local].own_name for local, node in own.items() if node not in there}


def _may_mean(old: FileSymbols, new: FileSymbols, names: frozenset[str]) -> bool:
    """Tell whether text that is in both versions may name what came or went, or define it, too."""
    if names & {*old.calls.constructors}:
        return True
    both = [mentioned_names(unit.facts) | defined_names(unit.facts) for unit in (old, new)]
    if not names.isdisjoint(both[0] & both[1]):
        return True
    begins = tuple({*beginnings_in(old.facts)} & {*beginnings_in(new.facts)})
    return bool(begins) and any(name.startswith(begins) for name in names)


def _is_same_text(old: Definition, new: Definition) -> bool:
    """Tell whether a function has the same text, and the same decorators as far above it."""
    return (
        bool(old.digest)
        and old.digest == new.digest
        and (old.flags, old.end_line - old.start_line) == (new.flags, new.end_line - new.start_line)
        and _above(old) == _above(new)
    )


def _above(row: Definition) -> list[tuple[int, str]]:
    return [(line - row.start_line, text) for _, line, text in row.decorators]


def _by_function(unit: FileSymbols) -> dict[int, list[int]]:
    """The definitions in the text of each function that stands in no other, itself first."""
    outermost = _outermost(unit)
    found: defaultdict[int, list[int]] = defaultdict(list)
    for local, function in enumerate(outermost):
        if function >= 0:
            found[function].append(local)
    return found


def _outermost(unit: FileSymbols) -> list[int]:
    """The outermost function that each definition is or stands in; -1 for none."""
    found: list[int] = []
    for local, row in enumerate(unit.facts.definitions):
        home = home_of(unit, row.scope)
        around = found[home] if 0 <= home < local else -1
        found.append(around if around >= 0 else local if row.kind == "function" else -1)
    return found


def _paired_scopes(
    old: FileSymbols, new: FileSymbols, numbers: Mapping[int, int]
) -> dict[int, int]:
    """The scopes of the new version by those of the old one: of kept functions in their order,
    and of what is around them.
    """
    before, after = _scopes_of(old), _scopes_of(new)
    pairs = {-1: -1, 0: 0}
    for number, partner in numbers.items():
        one, other = before.get(number, ()), after.get(partner, ())
        if len(one) != len(other):
            continue
        pairs.update(zip(one, other, strict=True))
        above = old.facts.definitions[number].scope, new.facts.definitions[partner].scope
        pairs.setdefault(*above)
    return pairs


def _scopes_of(unit: FileSymbols) -> dict[int, Sequence[int]]:
    """The scopes in the text of each definition, but not in others inside, in order."""
    found: defaultdict[int, list[int]] = defaultdict(list)
    for scope in range(1, len(unit.scopes)):
        own = unit.scopes[scope].definition
        found[own if own >= 0 else home_of(unit, scope)].append(scope)
    return dict(found)
