"""The functions of relinked files that keep their links, and their rows in the new version.

What a function refers to changes only with its text, or with something that its text names. So of
a file, only those functions are relinked whose text changed or names something that an edit
changed; the others are *kept*.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence, Set
from typing import NamedTuple

from mu.model.facts import Definition, Expression, Op, ReferenceKind
from mu.resolve.incremental.comparison.file_difference import FileDifference
from mu.resolve.incremental.comparison.function_texts import FunctionTexts
from mu.resolve.incremental.program_version import ProgramVersion
from mu.resolve.program.file_part import home_of
from mu.resolve.program.file_symbols import EXTENSION, FileSymbols
from mu.resolve.program.program import Program
from mu.resolve.solver.solver import ParameterKey

_NAME, _FUNCTION, _ATTRIBUTE = int(Op.NAME), int(Op.FUNCTION), int(Op.ATTRIBUTE)
_CALL = int(ReferenceKind.CALL)
_NOTHING: frozenset[str] = frozenset()


class KeptDefinition(NamedTuple):
    """A definition that is not relinked.

    `function` is the outermost function around it and `number` its number in the new version, both
    numbered in the file; `node` is the id of its node, `lines` the number of lines it moved by.
    """

    function: int
    number: int
    node: str
    lines: int


class KeptText:
    """The functions of a file that are not relinked.

    `numbers` maps the definitions inside them from the old version to the new one, both numbered
    in the file; `lines` maps the ids of their nodes to the number of lines they moved by; `share`
    is the fraction of the file's references that is outside of them.
    """

    def __init__(
        self, old: FileSymbols, new: FileSymbols, kept: Mapping[int, KeptDefinition]
    ) -> None:
        self.numbers = {number: one.number for number, one in kept.items()}
        self.lines = {one.node: one.lines for one in kept.values() if one.node}
        self._old, self._new, self._kept_definitions = old, new, kept
        self._scopes: dict[int, int] | None = None
        self._numbers: dict[Expression, int] | None = None  # of the rows of the new version
        self._rows: dict[int, int] = {0: 0}
        references = old.facts.references
        inside = [row for row in references if row[2] in kept]
        self._calls = {row[1] for row in inside if row[0] == _CALL}
        self.share = 1 - len(inside) / max(len(references), 1)

    def without(self, functions: Set[int]) -> "KeptText | None":
        """Return a copy that keeps no `functions`, by old number; None if none are left."""
        kept = {
            number: one
            for number, one in self._kept_definitions.items()
            if one.function not in functions
        }
        return KeptText(self._old, self._new, kept) if kept else None

    def functions_with(self, definitions: Set[int]) -> set[int]:
        """Return the kept functions, by old number, with any `definitions` of the new version."""
        kept = self._kept_definitions.values()
        return {one.function for one in kept if one.number in definitions}

    @property
    def before(self) -> frozenset[int]:
        """The kept definitions, by number in the old version of the file."""
        return frozenset(self.numbers)

    @property
    def after(self) -> frozenset[int]:
        """The kept definitions, by number in the new version of the file."""
        return frozenset(self.numbers.values())

    def may_name(self, names: Set[str]) -> bool:
        """Return whether the text of any kept function may contain one of `names`."""
        found = FunctionTexts(self._new).naming(names)
        return found is None or not found.isdisjoint(self.after)

    def calls(self, rows: Iterable[int]) -> list[int]:
        """Return the new rows of those calls of the old version that are in kept functions."""
        return [self.row(row) for row in rows if row in self._calls]

    def row(self, number: int) -> int:
        """Return the row in the new version of an expression of the old one.

        Raises KeyError if the new version does not have it.
        """
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


class TextComparison:
    """Finds the functions that need not be relinked, as they name nothing that changed.

    `named` are, by file, the names by which it may name what changed, and the ids of the nodes with
    unresolved references that may mean it. The files in `but` are linked as a whole, and so are
    changed ones with registrations.
    """

    def __init__(
        self,
        versions: tuple[ProgramVersion, ProgramVersion],
        differences: Mapping[int, FileDifference],
        *,
        named: tuple[Mapping[int, Set[str]], Mapping[int, Set[str]]],
        but: Set[int],
    ) -> None:
        self._old, self._new = versions
        self._differences = differences
        self._names, self._unresolved = named
        self._but = but
        self._texts: dict[int, FunctionTexts] = {}  # of the old version

    def kept(self, files: Iterable[int]) -> dict[int, KeptText]:
        """Find the functions of `files` that need not be relinked, by file."""
        found = {}
        for key in sorted(files):
            if self._may_keep(key):
                one, difference = None, self._differences.get(key)
                if difference is not None:
                    one = self._of_changed(key, difference)
                else:
                    named = self.naming(key, self._names.get(key, _NOTHING))
                    one = None if named is None else self._of_unchanged(key, named)
                if one is not None:
                    found[key] = one
        return found

    def but_functions(self, key: int, functions: Set[int]) -> KeptText | None:
        """Keep all but some functions of an unchanged file; None if all of it has to be linked."""
        return self._of_unchanged(key, functions) if self._may_keep(key) else None

    def functions_of(self, key: int, ids: Set[str]) -> set[int]:
        """Return the functions of a file that contain any of the nodes `ids`.

        If any node is outside of functions, also those that the enclosing code evaluates in part.
        """
        text, nodes = self._text(key), _ids(self._old, self._old.program.units[key])
        inside = [local for local, node in nodes.items() if node in ids]
        found = text.of(inside)
        is_outside = any(text.around[local] < 0 for local in inside) or not ids <= {*nodes.values()}
        return found | text.run_by_others() if is_outside else found

    def functions_around(self, key: int, definitions: Iterable[int]) -> set[int]:
        """Return the functions of an unchanged file that contain any of `definitions`."""
        return self._text(key).of(definitions)

    def having(self, key: int, rows: Set[int]) -> set[int] | None:
        """Return the functions of the old version of a file that contain any of `rows`.

        None if one of the rows has no known owner.
        """
        return self._text(key).having(rows)

    def functions_inside(self, key: int, classes: Iterable[int]) -> set[int]:
        """Return the functions of the old version of a file that are inside some classes."""
        return self._text(key).inside_of(classes)

    def _may_keep(self, key: int) -> bool:
        old, new = self._old, self._new
        if key in self._but:
            return False
        before, after = old.program.units.get(key), new.program.units.get(key)
        return (
            before is not None
            and after is not None
            and _is_plain(before)
            and (after.facts is before.facts or _is_plain(after))
        )

    def _text(self, key: int) -> FunctionTexts:
        found = self._texts.get(key)
        if found is None:
            found = self._texts[key] = FunctionTexts(self._old.program.units[key])
        return found

    def naming(self, key: int, names: Set[str]) -> set[int] | None:
        """Return the functions of the old version of a file that may name what changed.

        They do so by one of `names`, or by an unresolved reference. None if a match has no known
        owner.
        """
        named, ids = self._text(key).naming(names), self._unresolved.get(key)
        return named | self.functions_of(key, ids) if ids and named is not None else named

    def _of_unchanged(self, key: int, linked: Set[int]) -> KeptText | None:
        """Keep all functions of an unchanged file except those `linked`; None if none are left."""
        before, after = self._old.program.units[key], self._new.program.units[key]
        ids = _ids(self._old, before)
        kept = {
            local: KeptDefinition(function, local, ids[local], 0)
            for function, members in self._text(key).inside.items()
            if function not in linked
            for local in members
        }
        return KeptText(before, after, kept) if kept else None

    def _of_changed(self, key: int, difference: FileDifference) -> KeptText | None:
        """Keep the functions of a changed file with unchanged text that names nothing changed."""
        before, after = self._old.program.units[key], self._new.program.units[key]
        if difference.rebased or key in self._old.registering.files:
            return None
        ids = _ids(self._old, before), _ids(self._new, after)
        names = difference.names | difference.members | difference.imported
        names |= _names_of_unchanged(before, *ids) | _names_of_unchanged(after, *ids[::-1])
        names |= _names_read_of(before) ^ _names_read_of(after)
        if names & {*before.calls.constructors}:
            return None
        texts = self._text(key), FunctionTexts(after)
        names |= self._names.get(key, _NOTHING)
        named = self.naming(key, names), texts[1].naming(names)
        if named[0] is None or named[1] is None:
            return None
        kept: dict[int, KeptDefinition] = {}
        others = difference.changed | difference.reset | {*difference.results}
        for first, members in texts[0].inside.items():
            partner = difference.numbers.get(first, -1)
            inside = texts[1].inside.get(partner, [])
            pairs = dict(zip(members, inside, strict=False))
            if (
                len(members) == len(inside)
                and first not in named[0]
                and partner not in named[1]
                and others.isdisjoint(members)
                and _is_same_text(before.facts.definitions[first], after.facts.definitions[partner])
                and all(difference.numbers.get(one) == other for one, other in pairs.items())
                and all(ids[0][one] == ids[1][other] for one, other in pairs.items())
            ):
                rows = before.facts.definitions[first], after.facts.definitions[partner]
                lines = rows[1].start_line - rows[0].start_line
                for one, other in pairs.items():
                    kept[one] = KeptDefinition(first, other, ids[0][one], lines)
        return KeptText(before, after, kept) if kept else None


class GrownFunctions(NamedTuple):
    """Functions with parameters whose points-to sets grew.

    `functions`, by file and number in its new version, are kept or in files with no kept functions;
    `linked` are the files of the others: they are linked while other functions are kept.
    """

    functions: dict[int, set[int]]
    linked: set[int]


def grown_functions(
    program: Program, grown: Iterable[ParameterKey], *, kept: Mapping[int, KeptText]
) -> GrownFunctions:
    """Find the functions of the new program with any of the parameters `grown`."""
    found = GrownFunctions({}, set())
    for number in {number for number, _ in grown if number >= 0}:
        unit = program.unit_of[number]
        local = number - unit.first
        if unit.key in kept and local not in kept[unit.key].after:
            found.linked.add(unit.key)
        else:
            found.functions.setdefault(unit.key, set()).add(local)
    return found


def _is_plain(unit: FileSymbols) -> bool:
    """Return whether single functions of a file can be kept.

    Extensions of types, and functions used as classes (prototypes) rule that out.
    """
    prototypes, rows = unit.prototypes, unit.facts.definitions
    is_written = prototypes is None or not (prototypes.members or prototypes.receivers)
    return (
        is_written
        and (prototypes is None or prototypes.written >= len(rows))
        and all(row.kind != EXTENSION for row in rows)
    )


def _ids(version: ProgramVersion, unit: FileSymbols) -> dict[int, str]:
    """Return the node ids of definitions, by number in the file; "" for one without a node."""
    nodes = version.linker.nodes
    *owners, _ = nodes.owners(unit)
    return {local: nodes.node(node).id if node >= 0 else "" for local, node in enumerate(owners)}


def _names_read_of(unit: FileSymbols) -> set[str]:
    """Return the names of the receivers of attribute reads in a file, except local variables.

    Something external has no reference of its own where attributes are read from it, nor anywhere
    else in the file where the same expression is used.
    """
    bases = (unit.expressions[base] for op, _, base, _ in unit.expressions if op == _ATTRIBUTE)
    return {text for op, text, scope, _ in bases if op == _ATTRIBUTE or (op == _NAME and not scope)}


def _names_of_unchanged(
    unit: FileSymbols, own: Mapping[int, str], others: Mapping[int, str]
) -> set[str]:
    """Return the names of the definitions of one version that have no node in the other one."""
    there = {*others.values()}
    rows = unit.facts.definitions
    return {rows[local].own_name for local, node in own.items() if node not in there}


def _is_same_text(old: Definition, new: Definition) -> bool:
    """Return whether a function has the same text, and the same decorators equally far above it."""
    return (
        bool(old.digest)
        and old.digest == new.digest
        and (old.flags, old.end_line - old.start_line) == (new.flags, new.end_line - new.start_line)
        and _above(old) == _above(new)
    )


def _above(row: Definition) -> list[tuple[int, str]]:
    return [(line - row.start_line, text) for _, line, text in row.decorators]


def _paired_scopes(
    old: FileSymbols, new: FileSymbols, numbers: Mapping[int, int]
) -> dict[int, int]:
    """Map old scopes to new ones: those in kept functions, in order, and those around them."""
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
    """Return the scopes directly inside each definition, not in nested ones, in order."""
    found: defaultdict[int, list[int]] = defaultdict(list)
    for scope in range(1, len(unit.scopes)):
        own = unit.scopes[scope].definition
        found[own if own >= 0 else home_of(unit, scope)].append(scope)
    return dict(found)
