"""The externally visible difference of changed files, and the files that name what differs."""

import logging
import posixpath
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence, Set
from functools import partial

from mu.model.facts import Op, ScopeKind
from mu.resolve.frameworks.entry_points import is_start
from mu.resolve.incremental.altered_classes.operation_members import OperationMembers
from mu.resolve.incremental.comparison.file_difference import FileDifference
from mu.resolve.incremental.comparison.file_match import find_difference
from mu.resolve.incremental.comparison.module_values import binding_files, is_value
from mu.resolve.incremental.comparison.name_uses import FileFinder, NameUses
from mu.resolve.incremental.comparison.other_nodes import nodes_in_one
from mu.resolve.incremental.comparison.reexports import Reexports
from mu.resolve.incremental.comparison.visible_names import exported_as, imports_of, seen_by_imports
from mu.resolve.incremental.file_set import (
    NeedsBuildError,
    difference_of_all,
    find_changed_imports,
    is_imported_by_folder,
    is_named,
    whole_difference,
)
from mu.resolve.incremental.implicit_names import (
    plugin_names,
    provided_symbols,
    registered_names,
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
    """Comparison of the versions of changed files, and search for the files that name what differs.

    `uses` are the names in the facts of all files of the new program. `names` are those by which
    each file names what differs, and `unresolved` its nodes, by id, with unresolved references that
    may now resolve to that. `altered` are files affected without such a name: their imports resolve
    differently, their `operations` may call other members, or they declare changed entry points.
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
        """Files in `whole` count as changed altogether: their definitions are not paired."""
        self._old = old
        self._text = text
        self._changed = changed
        self.whole = whole
        self._find = find
        self._sought: set[str] = set()  # names that count in any file, whatever it imports
        self._giving: set[int] = set()  # added or removed files with wildcard imports
        ends = {file.path.rpartition(".")[2] for file in text.files if file.key in text.facts}
        self.uses = NameUses(text.facts, text.outlines, ends)
        self.names: defaultdict[int, set[str]] = defaultdict(set)
        self.unresolved: defaultdict[int, set[str]] = defaultdict(set)
        self.altered: set[int] = set()
        self.operations = OperationMembers(old)

    def differences(self, program: Program) -> dict[int, FileDifference]:
        """Return the externally visible difference of each changed file."""
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
        """Return whether adding or removing a file's definitions changes what their names resolve
        to in other files: those of its package, or with a wildcard import of it.
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
        """Return whether another file may name a module of both programs, or refers into it."""
        if any(is_named(one, key, uses=self.uses) for one in (self._old.program, program)):
            return True
        return bool(self._find.users([node.id for node in self._old.nodes_of(key)]) - {key})

    def of(self, new: ProgramVersion, differences: Mapping[int, FileDifference]) -> set[int]:
        """Find the files that name something added or removed, directly or by an import alias.

        Fills `names`, `unresolved` and `altered`, and returns the files in any of them.
        """
        program, gone = new.program, set[str]()
        imports: dict[int, set[str]] = {}
        if self._old.program.files.keys() != program.files.keys():
            imports = find_changed_imports(self._old.program, program)
            self.altered |= imports.keys()
        binding = {key: bound for key, bound in imports.items() if bound}
        reexports = Reexports((self._old.program, program), differences.keys() | binding.keys())
        for key, bound in binding.items():
            self._note_imports(program, program.units[key], bound, reexports)
        self.altered |= self._running_otherwise(program)
        self.altered |= self._operating_otherwise(new, differences)
        for key, difference in differences.items():
            unit = (program if key in program.units else self._old.program).units[key]
            names = difference.names | self._made_otherwise(new, key, difference)
            names |= self._given_out_otherwise(program, key)
            names |= registered_names(self._old, program, key=key, difference=difference)
            names |= plugin_names(self._old.program, program, key=key)
            members = difference.members - names
            nodes = nodes_in_one(self._old, new, key=key, difference=difference)
            gone |= self._note_names(new, unit, names, members, nodes=nodes, reexports=reexports)
            self._note_imports(program, unit, difference.imported, reexports, but=names)
        symbols = provided_symbols(self._old, new)
        self._note(self.uses.of(symbols), symbols)
        sought, readers = self._sought | symbols, _readers_in(program)
        for one, constants in self.uses.by_constants(sought, readers=readers).items():
            self.names[one] |= constants
        while True:
            files = self.names.keys() | self.unresolved.keys() | self.altered
            named = reexports.names([program.units[key] for key in new.there(files)], gone) - gone
            if not named:
                return files & self._text.facts.keys()
            gone |= named
            self._note(self.uses.of(named, is_meant=True), named)

    def _operating_otherwise(
        self, new: ProgramVersion, differences: Mapping[int, FileDifference]
    ) -> set[int]:
        """Return the files with operations that may call added or removed members; note those that
        name or override such methods.
        """
        operations = self.operations
        for key, difference in differences.items():
            operations.compare(new, key, difference=difference)
        for key, found in self._find.unresolved(operations.counted_otherwise(new)).items():
            self.unresolved[key] |= found
        for key, names in operations.overridden.items():
            self.names[key] |= names
        self._sought |= operations.called.union(*operations.overridden.values())
        self._note(self.uses.of(operations.called, is_meant=True), operations.called)
        return operations.files()

    def _given_out_otherwise(self, program: Program, key: int) -> set[str]:
        """Return the names that a changed export list adds to a module's exports, or removes."""
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

    def _running_otherwise(self, program: Program) -> set[int]:
        """Return the files that declare as a program an added or removed file, or a folder in which
        the file that starts its program changed.
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
        """Note the files that name something added or removed in a file; return all such names.

        `members` are the names of members of classes that were added or removed themselves, `nodes`
        those of added or removed nodes, each with whether one is visible elsewhere. Raises
        NeedsBuildError for a file in `_giving` whose names are used elsewhere.
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
            raise NeedsBuildError(f"{unit.file.path} re-exports names of other modules")
        self._note(used, sought)
        self._sought |= sought | members
        for one, read in readers.items():
            self.names[one] |= read
        self._note((key,) if is_in_both else (), imported)
        other = names | members | nodes.keys()
        other = {one for one in other if self._is_counted_otherwise(new, one)}
        meant = (names - imported) | other
        for one, found in self._find.unresolved(meant - self.operations.called).items():
            self.unresolved[one] |= found
        self._note(self.uses.beginning(members), members)
        return {*names, *members}

    def _fills_parameters(self, unit: FileSymbols) -> bool:
        """Return whether a file provides injected parameters of others, as a `conftest.py` does."""
        if unit.file.path.rpartition("/")[2] in unit.entries.injected.shared:
            return True
        injected = self._old.linker.evaluator.injected_parameters
        return unit.key in self._old.program.units and injected.is_shared(unit.key)

    def _note_imports(
        self,
        program: Program,
        unit: FileSymbols,
        names: Set[str],
        reexports: Reexports,
        *,
        but: Set[str] = frozenset(),
    ) -> None:
        """Note the files that may see changed import bindings of a file: those that import any of
        `names` from it (except those in `but`), and those that see them without naming the file.
        """
        given = names | exported_as(unit, names)
        for one, read in self._readers(program, unit, given - but, reexports).items():
            self.names[one] |= read
        if self._fills_parameters(unit):
            self._note(self.uses.of(names, is_meant=True), names)
        below = f"{unit.finder.name_of(unit.key)}."

        def sees(one: int) -> bool:
            is_inside = program.finder_of(one).name_of(one).startswith(below)
            return is_inside or is_imported_by_folder(program, unit.key, by=one)

        self.altered |= self.uses.of(names, among=sees)

    def readers(self, program: Program, key: int, *, names: Set[str]) -> Mapping[int, Set[str]]:
        """Return the files that may read some names of a file's module, the file itself included,
        each with the names that it uses.
        """
        reexports = Reexports((self._old.program, program), {key})
        found = self._readers(program, program.units[key], names, reexports)
        return {**found, key: {*names, *found.get(key, ())}}

    def _readers(
        self, program: Program, unit: FileSymbols, names: Set[str], reexports: Reexports
    ) -> dict[int, set[str]]:
        """Return the files that may read some names from a file, or from others that re-export
        them, each with the names that it uses.
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
        """Note a file with a wildcard import whose path runs through one of the changed `names`.

        Raises NeedsBuildError if the file re-exports what that binds.
        """
        rows = reexports.wildcards_through(unit, names)
        if any(row in rows for row in imports_of(unit)):
            raise NeedsBuildError(f"{unit.file.path} re-exports names of other modules")
        if rows:
            self.altered.add(unit.key)

    def _is_value(self, key: int, modules: Set[str]) -> bool:
        """Return whether the old program uses a module, known by dotted names, as a value."""
        old, facts = self._old, self._text.facts
        last = {module.rpartition(".")[2] for module in modules}
        mentioning = self.uses.with_strings(modules | {f".{one}" for one in last})
        files = old.there(mentioning | binding_files(old.program, key, names=modules))
        changed = {*self._changed}
        said = {k: old.program.units[k].facts if k in changed else facts[k] for k in files}
        return is_value(old, key, names=modules, facts=said)

    def _is_first_or_last(self, new: ProgramVersion, name: str) -> bool:
        """Return whether only one program has nodes of a name, or methods of that name."""
        old, now = self._old.linker.counts_named(name), new.linker.counts_named(name)
        return [*map(bool, old)] != [*map(bool, now)]

    def _is_counted_otherwise(self, new: ProgramVersion, name: str) -> bool:
        """Return whether references of which only a name is known have a different number of
        candidates.
        """
        return self._old.linker.counts_named(name) != new.linker.counts_named(name)

    def _made_otherwise(
        self, new: ProgramVersion, key: int, difference: FileDifference
    ) -> set[str]:
        """Return the names of the classes whose constructors were added or removed, and of their
        subclasses.
        """
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
        """Return the names of all old subclasses of a class, by its old number in a file; none for
        a number below 0.
        """
        if local < 0:
            return set()
        program, hierarchy = self._old.program, self._old.linker.evaluator.hierarchy
        below = hierarchy.descendants(program.units[key].first + local)
        return {program.definitions[one].name for one in below}


def _readers_in(program: Program) -> set[str]:
    """Return the names of what reads members by a string, as `getattr` does, in all languages of a
    program.
    """
    found: set[str] = set()
    for rules in program.rules:
        models = rules.library.call_models.items()
        found |= {name.rpartition(".")[2] for name, one in models if one is CallModel.ATTRIBUTE}
        found |= {*rules.library.namespace_functions, rules.members.namespace_attribute}
    return found - {""}


def _is_imported_by(program: Program, key: int, importer: int) -> bool:
    """Return whether a file imports another one without naming it."""
    return is_imported_by_folder(program, key, by=importer)


def _found_in(program: Program, key: int, module: str, level: int) -> Target:
    """Return the module that a dotted name resolves to in a file."""
    if key not in program.files:
        return Target(missing=module)
    return program.finder_of(key).find(key, module, level=level)
