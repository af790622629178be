"""What other files can see of the changes, and which of them name what came or went."""

import logging
import posixpath
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from functools import partial

from mu.model.facts import Definition, Op, ScopeKind
from mu.resolve.calls.injected_parameters import plugins_of
from mu.resolve.frameworks.entry_points import is_start
from mu.resolve.frameworks.framework_detection import words_found_by_text, words_of
from mu.resolve.incremental.altered_classes.operation_members import OperationMembers
from mu.resolve.incremental.comparison.file_difference import FileDifference
from mu.resolve.incremental.comparison.file_match import find_difference
from mu.resolve.incremental.comparison.module_values import binding_files, is_value
from mu.resolve.incremental.comparison.name_uses import FileFinder, NameUses
from mu.resolve.incremental.comparison.other_nodes import nodes_in_one
from mu.resolve.incremental.comparison.reexports import Reexports
from mu.resolve.incremental.comparison.visible_names import exported_as, imports_of, seen_by_imports
from mu.resolve.incremental.file_set import (
    AlteredElsewhereError,
    difference_of_all,
    found_otherwise,
    is_imported_by_folder,
    is_named,
    whole_difference,
)
from mu.resolve.incremental.program_version import ProgramVersion
from mu.resolve.lookup.name_lookup import listed_names
from mu.resolve.program.file_symbols import CONSTRUCTOR, FileSymbols
from mu.resolve.program.program import Program, ProgramText
from mu.resolve.semantics.library_models import CallModel
from mu.resolve.semantics.module_resolver import Target

_logger = logging.getLogger(__name__)

_CALL, _STRING = int(Op.CALL), int(Op.STRING)
_NAMING = frozenset((int(Op.NAME), int(Op.FUNCTION)))  # the base is no expression


class NamingFiles:
    """Compares the versions of changed files, and finds the files that name what differs.

    `uses` are the names in the facts of all files of the new program. `names` are those by which
    files name what differs, by file; `open` the nodes, by id, whose references may mean that and
    meant nothing before, by file; `altered` are files in which imports lead elsewhere, or of which
    `operations` may call other members.
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
        self._sought: set[str] = set()  # names by which anything may be meant, whatever it imports
        self._giving: set[int] = set()  # those that came or went and give out names of others
        ends = {file.path.rpartition(".")[2] for file in text.files if file.key in text.facts}
        self.uses = NameUses(text.facts, text.outlines, ends)
        self.names: defaultdict[int, set[str]] = defaultdict(set)
        self.open: defaultdict[int, set[str]] = defaultdict(set)
        self.altered: set[int] = set()
        self.operations = OperationMembers(old)

    def differences(self, program: Program) -> dict[int, FileDifference]:
        """What others can see of the changes, by file."""
        found = {}
        for key in self._changed:
            old, new = self._old.program.units.get(key), program.units.get(key)
            only = new if old is None else old if new is None else None
            if only is not None:
                home = program if only is new else self._old.program
                named = is_named(home, key, uses=self.uses) or self._is_seen_beside(program, only)
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

    def _is_seen_beside(self, program: Program, unit: FileSymbols) -> bool:
        """Tell whether other files mean something else by the names of what a file defines that
        came or went: those of its package, or those that take all of this.
        """
        both = self._old.program, program
        package = unit.finder.name_of(unit.key).rpartition(".")[0]
        for name in {row.name for row in unit.facts.definitions if not row.scope}:
            for one in self.uses.of({name}, is_meant=True):
                if any(one not in home.files for home in both):
                    continue
                old, new = (home.finder_of(one) for home in both)
                was, now = old.beside(one, name), new.beside(one, name)
                if was != now or old.inside(package, name) != new.inside(package, name):
                    return True
        return False

    def _is_used(self, program: Program, key: int) -> bool:
        """Tell whether another file may name, or refers to, anything in a file of both programs."""
        if any(is_named(one, key, uses=self.uses) for one in (self._old.program, program)):
            return True
        return bool(self._find.users([node.id for node in self._old.nodes_of(key)]) - {key})

    def of(self, new: ProgramVersion, differences: Mapping[int, FileDifference]) -> set[int]:
        """The files that name what came or went, by their own names or by those of imports."""
        program, gone = new.program, set[str]()
        reexports = Reexports((self._old.program, program), differences)
        if self._old.program.files.keys() != program.files.keys():
            self.altered |= found_otherwise(self._old.program, program)
        self.altered |= self._running_otherwise(program)
        self.altered |= self._operating_otherwise(new, differences)
        for key, difference in differences.items():
            unit = (program if key in program.units else self._old.program).units[key]
            names = difference.names | self._made_otherwise(new, key, difference)
            names |= self._given_out_otherwise(program, key)
            names |= self._registered_otherwise(program, key, difference)
            names |= self._plugged_in_otherwise(program, key)
            members = difference.members - names
            nodes = nodes_in_one(self._old, new, key=key, difference=difference)
            gone |= self._note_names(new, unit, names, members, nodes=nodes, reexports=reexports)
            self._note_imports(program, unit, difference.imported)
            given = difference.imported | exported_as(unit, difference.imported)
            for one, read in self._readers(program, unit, given - names, reexports).items():
                self.names[one] |= read
        symbols = self._provided_otherwise(new)
        self._note(self.uses.of(symbols), symbols)
        sought, readers = self._sought | symbols, _readers_in(program)
        for one, constants in self.uses.by_constants(sought, readers=readers).items():
            self.names[one] |= constants
        while True:
            files = self.names.keys() | self.open.keys() | self.altered
            named = reexports.names([program.units[key] for key in new.there(files)], gone) - gone
            if not named:
                return files & self._text.facts.keys()
            gone |= named
            self._note(self.uses.of(named, is_meant=True), named)

    def _operating_otherwise(
        self, new: ProgramVersion, differences: Mapping[int, FileDifference]
    ) -> set[int]:
        """The files with operations that may call members which came or went; those that name or
        override such methods are noted.
        """
        operations = self.operations
        for key, difference in differences.items():
            operations.compare(new, key, difference=difference)
        for key, found in self._find.open(operations.counted_otherwise(new)).items():
            self.open[key] |= found
        for key, names in operations.overridden.items():
            self.names[key] |= names
        self._sought |= operations.called.union(*operations.overridden.values())
        self._note(self.uses.of(operations.called, is_meant=True), operations.called)
        return operations.files()

    def _given_out_otherwise(self, program: Program, key: int) -> set[str]:
        """The names that a module in both programs gives out in one of them alone."""
        if key not in self._old.program.units or key not in program.units:
            return set()
        units = self._old.program.units[key], program.units[key]
        listed = [listed_names(unit) for unit in units]
        if listed[0] == listed[1]:
            return set()
        names = {name for unit in units for name in unit.names[0]}
        given = [
            {name for name in names if unit.modules.is_exported(name)} if known is None else known
            for unit, known in zip(units, listed, strict=True)
        ]
        return {*(given[0] ^ given[1])}

    def _registered_otherwise(
        self, program: Program, key: int, difference: FileDifference
    ) -> set[str]:
        """The texts in decorators of changed definitions by which other files may find these, since
        they tell a framework so or have it fill parameters, and the names of what does.
        """
        found: set[str] = set()
        both = self._old.program, program
        is_providing = any(one.outline(key).is_providing for one in both if key in one.files)
        if not is_providing and key not in self._old.registering.files:
            return found
        pairs = difference.numbers
        same = pairs.keys() - difference.changed
        for one, alike in zip(both, (same, {pairs[local] for local in same}), strict=True):
            unit = one.units.get(key)
            rows = unit.facts.definitions if unit is not None else ()
            for local, row in enumerate(rows):
                if unit is not None and row.decorators and local not in alike:
                    found |= _texts_in(unit, _telling_others(unit, row))
                    found |= {row.name} if is_providing else set()
        return found

    def _provided_otherwise(self, new: ProgramVersion) -> set[str]:
        """The symbols that native code provides otherwise, and the names that they may be put
        together of: `Java_shop_Till_open_1all` is that of a method `open_all`.
        """
        old, now = self._old.linker.foreign.libraries, new.linker.foreign.libraries
        found: set[str] = set()
        for symbol in old.keys() | now.keys():
            if [*old.get(symbol, ())] != [*now.get(symbol, ())]:
                parts = symbol.replace(".", "_").split("_")
                ends = ("_".join(parts[place:]) for place in range(len(parts)))
                found.update((symbol, *(end.replace("_1", "_") for end in ends)))
        return found - {""}

    def _plugged_in_otherwise(self, program: Program, key: int) -> set[str]:
        """The names by which modules may provide what parameters are filled with that a file lists
        as plugins in one program alone.
        """
        found: set[str] = set()
        both = self._old.program, program
        old, new = (plugins_of(one.units[key]) if key in one.units else set() for one in both)
        for one, plugins in zip(both, (old - new, new - old), strict=True):
            for unit in (one.units[file] for file in plugins):
                for row in unit.facts.definitions:
                    if row.decorators:
                        rows = (number for number, _, _ in row.decorators)
                        found |= {row.name} | _texts_in(unit, rows)
        return found

    def _running_otherwise(self, program: Program) -> set[int]:
        """The files that say that a file is run which came or went, or the program of a folder
        which starts in another one now.
        """
        paths, modules, words = set[str](), set[str](), set[str]()
        for key in self._changed:
            homes = [one for one in (self._old.program, program) if key in one.units]
            units = [one.units[key] for one in homes]
            path = units[0].file.path
            if len(units) == 1:
                paths.add(path)
                modules.add(f".{homes[0].finder_of(key).name_of(key)}")
                words.add(posixpath.basename(path).partition(".")[0])
            if sum(map(is_start, units)) == 1:
                paths.add(posixpath.dirname(path))
                words |= {posixpath.basename(posixpath.dirname(path)), ""}  # or by `../`
        return {
            key
            for key in self.uses.of(words, is_meant=True)
            for row in program.rules_of(key).entries.declared_in(
                program.files[key].path, self._text.facts[key]
            )
            if any(module.endswith(f".{row.module}") for module in modules)
            or posixpath.normpath(posixpath.join(posixpath.dirname(row.path), row.module)) in paths
        }

    def _note(self, files: Iterable[int], names: Set[str]) -> None:
        for key in files:
            self.names[key] |= names

    def _note_names(
        self,
        new: ProgramVersion,
        unit: FileSymbols,
        names: Set[str],
        members: Set[str],
        *,
        nodes: Mapping[str, bool],
        reexports: Reexports,
    ) -> set[str]:
        """Note the files that name what came or went in a file; give the names of that.

        `members` are the names of members of classes that came or went themselves, `nodes` those of
        nodes, and whether others see one.
        """
        program, key = new.program, unit.key
        is_in_both = key in self._old.program.units and key in program.units
        if is_in_both:
            names |= {name for name, is_seen in nodes.items() if is_seen}
            members -= names
        both = self._old.program, program
        versions = [one.units[key] for one in both if key in one.units]
        imported = set() if self._fills_parameters(unit) else seen_by_imports(versions, names)
        imported = {one for one in imported if not self._is_first_or_last(new, one)}
        sought = names - imported
        sought |= {one for one in members if self._is_first_or_last(new, one)}
        sought -= {*unit.calls.constructors} | self.operations.called
        used = self.uses.of(sought, is_meant=not is_in_both)
        used = self.uses.beside_modules(used, sought, find=partial(_found_in, program))
        readers = self._readers(program, unit, imported, reexports)
        if key in self._giving and (used | readers.keys()) - {key}:
            raise AlteredElsewhereError(f"{unit.file.path} gives out names of others")
        self._note(used, sought)
        self._sought |= sought | members
        for one, read in readers.items():
            self.names[one] |= read
        self._note((key,) if is_in_both else (), imported)
        other = names | members | nodes.keys()
        other = {one for one in other if self._is_counted_otherwise(new, one)}
        meant = (names - imported) | other
        for one, found in self._find.open(meant - self.operations.called).items():
            self.open[one] |= found
        self._note(self.uses.beginning(members), members)
        return {*names, *members}

    def _fills_parameters(self, unit: FileSymbols) -> bool:
        """Tell whether parameters elsewhere are filled by what a file has: a `conftest.py`."""
        if unit.file.path.rpartition("/")[2] in unit.entries.injected.shared:
            return True
        injected = self._old.linker.evaluator.injected_parameters
        return unit.key in self._old.program.units and injected.is_shared(unit.key)

    def _note_imports(self, program: Program, unit: FileSymbols, names: Set[str]) -> None:
        """Note the files that see a file without naming it, where its imports bind other names."""
        if self._fills_parameters(unit):
            self._note(self.uses.of(names, is_meant=True), names)
        below = f"{unit.finder.name_of(unit.key)}."

        def sees(one: int) -> bool:
            is_inside = program.finder_of(one).name_of(one).startswith(below)
            return is_inside or is_imported_by_folder(program, unit.key, by=one)

        self.altered |= self.uses.of(names, among=sees)

    def readers(self, program: Program, key: int, *, names: Set[str]) -> Mapping[int, Set[str]]:
        """The files that may read some names of the module of a file, itself among them, each with
        the names by which it does.
        """
        reexports = Reexports((self._old.program, program), {key})
        found = self._readers(program, program.units[key], names, reexports)
        return {**found, key: {*names, *found.get(key, ())}}

    def _readers(
        self, program: Program, unit: FileSymbols, names: Set[str], reexports: Reexports
    ) -> dict[int, set[str]]:
        """The files that may read names out of a file, and out of those that give them out in turn,
        each with the names by which it does.
        """
        found: defaultdict[int, set[str]] = defaultdict(set)
        waiting: list[tuple[int, Set[str]]] = [(unit.key, names)] if names else []
        known: defaultdict[int, set[str]] = defaultdict(set)
        while waiting:
            key, names = waiting.pop()
            known[key] |= names
            finder = unit.finder if key == unit.key else program.finder_of(key)
            dotted = finder.name_of(key)
            modules = {
                dotted,
                *reexports.aliases(key, last=dotted.rpartition(".")[2], rules=unit.rules),
            }
            is_value = self._is_value(key, modules)
            if is_value:
                for one in self.uses.of_members(names):
                    found[one] |= names
            lasts = None if is_value else {module.rpartition(".")[2] for module in modules}
            constants = self.uses.by_constants(
                names, readers=_readers_in(program), modules=lasts, home=key
            )
            for one, read in constants.items():
                found[one] |= read
            sees = partial(_is_imported_by, program, key)
            reading = self.uses.of(names, among=sees) if key != unit.key else set()
            for module in modules:
                reading |= self.uses.reading(names, module, may_give=reexports.may_give)
            given = dict.fromkeys(reexports.takers(key), names)
            for one in reading:
                if program.rules_of(one) is unit.rules:
                    taken, out = reexports.taken(program.units[one], names)
                    self._note_wildcards(program.units[one], names, reexports)
                    found[one] |= names | taken
                    given[one] = out | given.get(one, set())
            waiting += [(one, out - known[one]) for one, out in given.items() if out - known[one]]
        return found

    def _note_wildcards(self, unit: FileSymbols, names: Set[str], reexports: Reexports) -> None:
        """Note a file with a wildcard import from inside something that changed; raise
        AlteredElsewhereError where it exports what that binds.
        """
        rows = reexports.wildcards_through(unit, names)
        if any(row in rows for row in imports_of(unit)):
            raise AlteredElsewhereError(f"{unit.file.path} gives out names of others")
        if rows:
            self.altered.add(unit.key)

    def _is_value(self, key: int, modules: Set[str]) -> bool:
        """Tell whether a module stands as a value anywhere, by its names before the edit."""
        old, facts = self._old, self._text.facts
        last = {module.rpartition(".")[2] for module in modules}
        told = self.uses.told_in(modules | {f".{one}" for one in last})
        files = old.there(told | binding_files(old.program, key, names=modules))
        changed = {*self._changed}
        said = {k: old.program.units[k].facts if k in changed else facts[k] for k in files}
        return is_value(old, key, names=modules, facts=said)

    def _is_first_or_last(self, new: ProgramVersion, name: str) -> bool:
        """Tell whether a name is in one program alone, or is that of methods in one alone."""
        old, now = self._old.linker.counts_named(name), new.linker.counts_named(name)
        return [*map(bool, old)] != [*map(bool, now)]

    def _is_counted_otherwise(self, new: ProgramVersion, name: str) -> bool:
        """Tell whether references of which no more than a name is known have other numbers of
        candidates.
        """
        return self._old.linker.counts_named(name) != new.linker.counts_named(name)

    def _made_otherwise(
        self, new: ProgramVersion, key: int, difference: FileDifference
    ) -> set[str]:
        """The names of the classes whose constructors came or went."""
        names: set[str] = set()
        before = {other: one for one, other in difference.numbers.items()}
        for version, paired in ((self._old, difference.numbers.keys()), (new, before.keys())):
            one = version.program
            unit = one.units.get(key)
            if unit is None:
                continue
            for local, row in enumerate(unit.facts.definitions):
                home = unit.scopes[row.scope].definition
                if local in paired or unit.scopes[row.scope].kind != ScopeKind.CLASS:
                    continue
                if row.name in unit.calls.constructors or row.subkind == CONSTRUCTOR:
                    names.add(unit.facts.definitions[home].name)
                    number = before.get(home, -1) if version is new else home
                    names |= self._names_below(key, number)
        return names

    def _names_below(self, key: int, local: int) -> set[str]:
        """The names of the classes that extended one before, by its old number in a file; none if
        it was not there.
        """
        if local < 0:
            return set()
        program, hierarchy = self._old.program, self._old.linker.evaluator.hierarchy
        below = hierarchy.descendants(program.units[key].first + local)
        return {program.definitions[one].name for one in below}


def _readers_in(program: Program) -> set[str]:
    """The names of what takes members by strings, in the languages of a program."""
    found: set[str] = set()
    for rules in program.rules:
        models = rules.library.call_models.items()
        found |= {name.rpartition(".")[2] for name, one in models if one is CallModel.ATTRIBUTE}
        found |= {*rules.library.namespace_functions, rules.members.namespace_attribute}
    return found - {""}


def _is_imported_by(program: Program, key: int, importer: int) -> bool:
    """Tell whether a file imports another one without its name."""
    return is_imported_by_folder(program, key, by=importer)


def _found_in(program: Program, key: int, module: str, level: int) -> Target:
    """What a dotted name leads to in a file."""
    if key not in program.files:
        return Target(missing=module)
    return program.finder_of(key).find(key, module, level=level)


def _telling_others(unit: FileSymbols, row: Definition) -> Iterator[int]:
    """The decorators of a definition that may tell other files of it."""
    words = words_of(unit, words_found_by_text(unit.rules))
    ends = [name.rpartition(".")[2] for name in unit.entries.injected.providers]
    for number, _, text in row.decorators:
        op, name, function, _ = unit.expressions[number]
        name = unit.expressions[function][1] if op == _CALL else name
        if name in words or any(end in text for end in ends):
            yield number


def _texts_in(unit: FileSymbols, rows: Iterable[int]) -> set[str]:
    """The texts of the strings in some expressions."""
    found: set[str] = set()
    waiting = [*rows]
    while waiting:
        op, text, base, args = unit.expressions[waiting.pop()]
        if op == _STRING:
            found.add(text)
        elif op not in _NAMING:
            waiting += (one for one in (base, *args) if one)
    return found
