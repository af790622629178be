"""What other files can see of the changes, and which of them name what came or went."""

import logging
from collections.abc import Mapping, Sequence, Set
from functools import partial

from mu.model.facts import ScopeKind
from mu.model.kinds import NodeKind
from mu.resolve.incremental.comparison.file_difference import FileDifference
from mu.resolve.incremental.comparison.file_match import find_difference
from mu.resolve.incremental.comparison.name_uses import FileFinder, NameUses
from mu.resolve.incremental.file_set import (
    AlteredElsewhereError,
    difference_of_all,
    found_otherwise,
    is_imported_by_folder,
    is_named,
    whole_difference,
)
from mu.resolve.incremental.other_bases import is_told
from mu.resolve.incremental.program_version import ProgramVersion
from mu.resolve.incremental.reexports import Reexports
from mu.resolve.program.file_symbols import CONSTRUCTOR
from mu.resolve.program.program import Program, ProgramText
from mu.resolve.semantics.module_resolver import Target

_logger = logging.getLogger(__name__)


class NamingFiles:
    """Compares the versions of changed files, and finds the files that name what differs.

    `uses` are the names in the facts of all files of the new program.
    """

    def __init__(
        self,
        old: ProgramVersion,
        text: ProgramText,
        *,
        changed: Sequence[int],
        whole: Set[int],
        find: FileFinder,
    ) -> None:
        """The files in `whole` are compared as such, and not by what is in them."""
        self._old = old
        self._text = text
        self._changed = changed
        self.whole = whole
        self._find = find
        self._giving: set[int] = set()  # those that came or went and give out names of others
        self.uses = NameUses(text.facts, text.outlines)

    def differences(self, program: Program) -> dict[int, FileDifference]:
        """What others can see of the changes, by file."""
        found = {}
        for key in self._changed:
            old, new = self._old.program.units.get(key), program.units.get(key)
            only = new if old is None else old if new is None else None
            if only is not None:
                home = program if only is new else self._old.program
                named = is_named(home, key, uses=self.uses)
                found[key] = whole_difference(only, is_new=only is new, is_named=named)
                if named and only.wildcards:
                    self._giving.add(key)
            if old is None or new is None:
                continue
            difference = None
            if key not in self.whole:
                difference = find_difference(old, new, is_filled=self._old.is_filled)
            if difference is None:
                _logger.debug("%s is compared as a whole", new.file.path)
                named = self._is_used(program, key)
                difference = difference_of_all(old, new, is_named=named)
            found[key] = difference
        return found

    def _is_used(self, program: Program, key: int) -> bool:
        """Tell whether another file may name, or refers to, anything in a file of both programs."""
        if any(is_named(one, key, uses=self.uses) for one in (self._old.program, program)):
            return True
        return bool(self._find.users([node.id for node in self._old.nodes_of(key)]) - {key})

    def of(self, new: ProgramVersion, differences: Mapping[int, FileDifference]) -> set[int]:
        """The files that name what came or went, by their own names or by those of imports."""
        files: set[int] = set()
        program, gone = new.program, set[str]()
        reexports = Reexports((self._old.program, program), differences)
        if self._old.program.files.keys() != program.files.keys():
            files |= found_otherwise(self._old.program, program)
        for key, difference in differences.items():
            is_in_both = key in self._old.program.units and key in program.units
            unit = (program if key in program.units else self._old.program).units[key]
            nodes = self._other_nodes(new, key)
            names = difference.names | self._made_otherwise(new, key, difference)
            if is_in_both:
                names |= {name for name, is_seen in nodes.items() if is_seen}
            members = difference.members - names
            gone |= names | members
            sought = names | {one for one in members if self._is_first_or_last(new, one)}
            sought -= {*unit.calls.constructors}
            used = self.uses.of(sought, is_meant=not is_in_both)
            used = self.uses.beside_modules(used, sought, find=partial(_found_in, program))
            if key in self._giving and used - {key}:
                raise AlteredElsewhereError(f"{unit.file.path} gives out names of others")
            files |= used | self._find.open(names | members | nodes.keys())
            files |= self.uses.beginning(members)
            files |= {
                one
                for one in self.uses.reading(
                    difference.imported - names,
                    unit.finder.name_of(key),
                    may_give=reexports.may_give,
                )
                if program.rules_of(one) is unit.rules
            }
            files |= {
                one
                for one in self.uses.of(difference.imported)
                if is_imported_by_folder(program, key, by=one)
            }
            if difference.imported and unit.finder.is_package(key):
                folder = unit.file.path.rpartition("/")[0]
                files |= {
                    one
                    for one in self.uses.of(difference.imported)
                    if program.files[one].path.startswith(f"{folder}/")
                }
        while True:
            named = reexports.names([program.units[key] for key in new.there(files)], gone) - gone
            if not named:
                return files & self._text.facts.keys()
            gone |= named
            files |= self.uses.of(named, is_meant=True)

    def _is_first_or_last(self, new: ProgramVersion, name: str) -> bool:
        """Tell whether a name is in one program alone, or is that of methods in one alone."""
        return self._old.linker.kinds_named(name) != new.linker.kinds_named(name)

    def _made_otherwise(
        self, new: ProgramVersion, key: int, difference: FileDifference
    ) -> set[str]:
        """The names of the classes whose constructors came or went.

        Raises AlteredElsewhereError where the language calls a method that came or went by itself.
        """
        names: set[str] = set()
        for version, paired in (
            (self._old, difference.numbers.keys()),
            (new, {*difference.numbers.values()}),
        ):
            one = version.program
            unit = one.units.get(key)
            if unit is None:
                continue
            for local, row in enumerate(unit.facts.definitions):
                home = unit.scopes[row.scope].definition
                if local in paired or unit.scopes[row.scope].kind != ScopeKind.CLASS:
                    continue
                if row.name in unit.calls.constructors or row.subkind == CONSTRUCTOR:
                    names |= self._classes_below(one, unit.first + home)
                elif row.name and unit.rules.is_called_implicitly(row.name):
                    self._check_told(
                        version, unit.first + home, row.name, is_new=home not in paired
                    )
        return names

    def _check_told(self, one: ProgramVersion, number: int, name: str, *, is_new: bool) -> None:
        """Make sure that references tell where the language may call a method that came or went
        with its class: as a method of a class above.
        """
        above = one.linker.evaluator.members.order(number)[1:]
        if not is_new or not all(
            is_told(one, ancestor, name=name) for ancestor in above if isinstance(ancestor, int)
        ):
            raise AlteredElsewhereError(f"{name} is called where nothing names it")

    def _classes_below(self, program: Program, number: int) -> set[str]:
        """The names of a class and of those that extended it before."""
        names = {program.definitions[number].name}
        if program is self._old.program:
            hierarchy = self._old.linker.evaluator.hierarchy
            below = hierarchy.descendants(number)
            names.update(program.definitions[one].name for one in below)
        return names

    def _other_nodes(self, new: ProgramVersion, key: int) -> dict[str, bool]:
        """The names of the nodes that a file has in one program alone, and whether one is seen
        outside of what it is defined in: not in a function, nor in a class that is in one alone.
        """
        before, after = self._old.nodes_of(key), new.nodes_of(key)
        both = {row.id for row in before} & {row.id for row in after}
        found: dict[str, bool] = {}
        for rows in (before, after):
            inner = {
                row.key
                for row in rows
                if row.kind == NodeKind.FUNCTION
                or (row.kind == NodeKind.CLASS and row.id not in both)
            }
            for row in rows:
                if row.id not in both:
                    found[row.name] = found.get(row.name, False) or row.parent not in inner
        return found


def _found_in(program: Program, key: int, module: str, level: int) -> Target:
    """What a dotted name leads to in a file."""
    if key not in program.files:
        return Target(missing=module)
    return program.finder_of(key).find(key, module, level=level)
