"""The functions of files that need not be linked, and what their rows are now.

What a function leads to changes only with its text, or with something that its text names. So a
file is linked but for the functions whose text is as it was and names nothing that an edit altered.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence, Set
from typing import NamedTuple

from mu.model.facts import Definition, Expression, Op, ReferenceKind
from mu.model.kinds import Category
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
    """A definition that is not linked: the function around it and its number in the new version,
    numbered in the file, the id of its node, and the lines that it moved by.
    """

    function: int
    number: int
    node: str
    lines: int


class KeptText:
    """The functions of a file that are not linked.

    `numbers` are the definitions in their text, in the new version by those in the old one, both
    numbered in the file; `lines` are the lines that they moved by, by the ids of their nodes;
    `share` is the part of the references of the file that stands elsewhere.
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
        """Keep all but some functions, by their old numbers in the file; None if none are left."""
        kept = {
            number: one
            for number, one in self._kept_definitions.items()
            if one.function not in functions
        }
        return KeptText(self._old, self._new, kept) if kept else None

    def functions_with(self, definitions: Set[int]) -> set[int]:
        """The kept functions, by their old numbers, with some definitions of the new version."""
        kept = self._kept_definitions.values()
        return {one.function for one in kept if one.number in definitions}

    @property
    def before(self) -> frozenset[int]:
        """The definitions in the old version."""
        return frozenset(self.numbers)

    @property
    def after(self) -> frozenset[int]:
        """The definitions in the new version."""
        return frozenset(self.numbers.values())

    def may_name(self, names: Set[str]) -> bool:
        """Tell whether any kept function may name something by one of some names."""
        found = FunctionTexts(self._new).naming(names)
        return found is None or not found.isdisjoint(self.after)

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


class TextComparison:
    """Tells what of files need not be linked, as it names nothing that differs.

    `named` are the names by which a file may name that, and the nodes, by id, of which references
    may mean it. All of some files is linked, and of changed ones whose calls frameworks may know.
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
        self._names, self._open = named
        self._but = but
        self._texts: dict[int, FunctionTexts] = {}  # of the old version

    def kept(self, files: Iterable[int]) -> dict[int, KeptText]:
        """What need not be linked of some files that name what differs."""
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
        """Keep all but some functions of a file that did not change; None where all is linked."""
        return self._of_unchanged(key, functions) if self._may_keep(key) else None

    def functions_of(self, key: int, ids: Set[str]) -> set[int]:
        """The functions of a file with some nodes in their text, and if one of these is none, those
        that text around them runs in part.
        """
        text, nodes = self._text(key), _ids(self._old, self._old.program.units[key])
        inside = [local for local, node in nodes.items() if node in ids]
        found = text.of(inside)
        is_outside = any(text.around[local] < 0 for local in inside) or not ids <= {*nodes.values()}
        return found | text.run_by_others() if is_outside else found

    def functions_around(self, key: int, definitions: Iterable[int]) -> set[int]:
        """The functions of a file that did not change with some definitions in their text."""
        return self._text(key).of(definitions)

    def having(self, key: int, rows: Set[int]) -> set[int] | None:
        """The functions of the old version of a file whose text has any of some expressions; None
        where that cannot be told.
        """
        return self._text(key).having(rows)

    def functions_inside(self, key: int, classes: Iterable[int]) -> set[int]:
        """The functions of the old version of a file that stand in some classes."""
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
        """The functions of the old version of a file that may name what differs, by some names or
        by references to what is not known; None where that cannot be told.
        """
        named, ids = self._text(key).naming(names), self._open.get(key)
        return named | self.functions_of(key, ids) if ids and named is not None else named

    def _of_unchanged(self, key: int, linked: Set[int]) -> KeptText | None:
        """Keep all functions but some of a file that did not change."""
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
        """Keep the functions of a changed file whose text is as it was."""
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
    """Functions that are passed more than before, by file and number in its new version, where they
    are not linked; and the files of those that are, while others of them are not.
    """

    functions: dict[int, set[int]]
    linked: set[int]


def grown_functions(
    program: Program, grown: Iterable[ParameterKey], *, kept: Mapping[int, KeptText]
) -> GrownFunctions:
    """Find the functions with parameters that have grown, in a new program."""
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


def _names_read_of(unit: FileSymbols) -> set[str]:
    """The names of what a file reads attributes of, but for variables of functions. What is outside
    the repository is no use of its own there, nor anywhere in the file by the same expression.
    """
    bases = (unit.expressions[base] for op, _, base, _ in unit.expressions if op == _ATTRIBUTE)
    return {text for op, text, scope, _ in bases if op == _ATTRIBUTE or (op == _NAME and not scope)}


def _names_of_unchanged(
    unit: FileSymbols, own: Mapping[int, str], others: Mapping[int, str]
) -> set[str]:
    """The names of the definitions of one version that have no node in the other one."""
    there = {*others.values()}
    rows = unit.facts.definitions
    return {rows[local].own_name for local, node in own.items() if node not in there}


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
