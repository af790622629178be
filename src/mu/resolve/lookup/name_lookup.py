"""Name lookup: scopes from the inside out, re-exports, wildcard imports, builtins.

Names imported from a module are looked up in the same way, so re-exports, aliases and `__all__`
need no special code.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple, Protocol

from mu.model.facts import Expression, Flag, Import, Op, ScopeKind
from mu.model.kinds import Rule
from mu.resolve.abstract_values import (
    DEFINITION,
    EXTERNAL,
    LOCAL,
    MISSING,
    MODULE,
    NAMESPACE,
    VARIABLE,
    Symbol,
    Symbols,
    Value,
    Values,
)
from mu.resolve.program.file_symbols import EXPORT, OBJECT, WHOLE, FileSymbols, NameEntry
from mu.resolve.program.file_symbols import NAMESPACE as NAMESPACE_CLASS
from mu.resolve.program.program import Program
from mu.resolve.program.stub_library import FIRST_KEY
from mu.resolve.semantics.call_semantics import Overloading
from mu.resolve.semantics.member_semantics import Namespaces
from mu.resolve.semantics.module_names import Wildcards
from mu.resolve.semantics.module_resolver import Target
from mu.resolve.solver.solver import Solver

_CONDITIONAL = int(Flag.CONDITIONAL)
_IN_MODULE, _IN_CLASS = int(ScopeKind.MODULE), int(ScopeKind.CLASS)
_VERSION, _NAME = int(ScopeKind.VERSION), int(Op.NAME)
_BY_IMPORT, _BY_MODULE, _BY_LOCAL = Rule.IMPORT, Rule.MODULE, Rule.LOCAL


class _Candidate(NamedTuple):
    line: int
    is_conditional: bool
    symbols: Symbols


class MemberFinder(Protocol):
    """The part of member lookup that name lookup uses."""

    def of(self, unit: FileSymbols, value: Value, *, name: str) -> Symbols:
        """Resolve `name` as an attribute of `value`."""


class ExportEvaluator(Protocol):
    """The part of the evaluator that name lookup uses, for modules that export one value."""

    @property
    def members(self) -> MemberFinder:
        """The member lookup."""

    def symbols(self, unit: FileSymbols, number: int) -> Symbols:
        """Return the symbols that expression `number` of a file names."""

    def meant(self, symbol: Symbol) -> Values:
        """Return the values that a symbol may hold."""


class NameLookup:
    """Looks up the symbols of a name in a scope or module."""

    def __init__(self, program: Program, search: Solver) -> None:
        self._program = program
        self._search = search
        self._members: dict[tuple[int, str], Symbols] = {}
        self._exports: dict[int, frozenset[str] | None] = {}
        self._packages: dict[tuple[str, str], dict[str, list[int]]] = {}
        self._outside: dict[tuple[str, str, str], Symbols] = {}
        self.evaluator: ExportEvaluator  # set by the evaluator, which needs this first

    def find(self, unit: FileSymbols, row: Expression) -> Symbols:
        """Resolve a name in its scope; names that no scope binds are in scope 0."""
        _, name, scope, _ = row
        entry = unit.names[scope].get(name)
        if entry is not None:
            found = entry.symbols
            return self._entry(unit, scope, name, entry) if found is None else found
        if scope and not unit.modules.is_placed(name):
            return ()
        words = unit.modules.module_words
        if scope and name in words and name not in unit.receivers.get(scope, ()):
            around = _namespace_around(unit, scope, name)
            if around is not None:
                return (around,)
        known = unit.outer.get(name)
        return self._beyond(unit, name) if known is None else known

    def in_class(self, unit: FileSymbols, name: str, *, body: int) -> Symbols | None:
        """Return what the body of a class binds to `name`; None if it binds nothing."""
        entry = unit.names[body].get(name)
        return None if entry is None else self._entry(unit, body, name, entry)

    def around(self, number: int, word: str) -> Symbols:
        """Resolve a keyword for a module in the body of definition `number`, a namespace."""
        unit, body = self._program.unit_of[number], self._program.definitions[number].body
        around = _namespace_around(unit, body, word)
        return () if around is None else (around,)

    def member(self, file: int, name: str) -> Symbols:
        """Resolve `name` as an attribute of the module of a file."""
        known = self._members.get((file, name))
        if known is not None:
            return known
        unit = self._program.unit(file)
        found, is_final = self._search.solve(("member", file, name), self._find_member, unit, name)
        if is_final:
            self._members[file, name] = found
        return found

    def _beyond(self, unit: FileSymbols, name: str) -> Symbols:
        """Resolve a name that the file does not bind."""
        unsettled = self._search.unsettled
        found = self._beside(unit, name)
        if not found and name == unit.modules.parent_module:  # a keyword, which nothing else binds
            found = self._module_called(unit, name)
        if not found and unit.modules.wildcards is not Wildcards.EXPORTED:
            found = self._wildcard(unit, name)
        if not found or found[0][0] == EXTERNAL:  # an external wildcard is a guess
            found = self._module_called(unit, name) or found or self._builtin(unit, name)
        if self._search.unsettled == unsettled:
            unit.outer[name] = found
        return found

    def _beside(self, unit: FileSymbols, name: str) -> Symbols:
        """Resolve a name by what other files of the package define."""
        package = unit.finder.package_of(unit.key)
        if package:
            found = self._in_package(unit, package, name)
        else:
            file = unit.finder.beside(unit.key, name)
            found = self.member(file, name) if file >= 0 else ()
        return tuple([(kind, key, Rule.PACKAGE) for kind, key, _ in found])

    def _in_package(self, unit: FileSymbols, package: str, name: str) -> Symbols:
        """Resolve a name among those that the files of a package share."""
        place = (unit.rules.name, package)
        shared = self._packages.get(place)
        if shared is None:
            shared = self._packages[place] = {}
            for file in unit.finder.files_of(package):
                for own, entry in self._program.unit(file).names[0].items():
                    if entry.definitions or entry.bindings:
                        shared.setdefault(own, []).append(file)
        return tuple([s for file in shared.get(name, ()) for s in self.member(file, name)])

    def _entry(self, unit: FileSymbols, scope: int, name: str, entry: NameEntry) -> Symbols:
        """Resolve the entry of a name in a scope: to the last of successive bindings."""
        if entry.symbols is None:
            unsettled = self._search.unsettled
            found: Symbols = ()
            if not scope and unit.wildcards and unit.modules.wildcards is Wildcards.ASSIGNED:
                found = self._later_wildcard(unit, name, entry)
            found = found or self._found_entry(unit, scope, name, entry)
            if self._search.unsettled != unsettled:
                return found
            entry.symbols = found
        return entry.symbols

    def _found_entry(self, unit: FileSymbols, scope: int, name: str, entry: NameEntry) -> Symbols:
        """Resolve an entry; as a query if a class body imports it, since that may be cyclic."""
        if not entry.imports or unit.scopes[scope].kind != _IN_CLASS:
            return self._find_entry(unit, scope, name, entry)
        key = ("entry", unit.key, scope, name)
        return self._search.solve(key, self._find_entry, unit, scope, name, entry)[0]

    def _find_entry(self, unit: FileSymbols, scope: int, name: str, entry: NameEntry) -> Symbols:
        definitions, imports = entry.definitions, entry.imports
        kind, home, *_ = unit.scopes[scope]
        if kind == _VERSION:
            return self.find(unit, (_NAME, name, home, ()))
        if not (imports or definitions):
            return (self._variable(unit, scope, name),)
        if not entry.bindings and len(definitions) + len(imports) == 1:
            for number in definitions:
                return (self._definition(unit, scope, number),)
            for row in imports:
                return self.imported(unit, row)
        candidates = sorted(self._candidates(unit, scope, entry), key=lambda c: c.line)
        live: list[_Candidate] = []
        for candidate in candidates:
            live = [*live, candidate] if candidate.is_conditional else [candidate]
        found = [symbol for candidate in live for symbol in candidate.symbols]
        if entry.bindings:
            found.append(self._variable(unit, scope, name))
        return tuple(dict.fromkeys(found))

    def before(self, unit: FileSymbols, number: int) -> Symbols:
        """Resolve the name of definition `number` as of before that definition."""
        row = unit.facts.definitions[number]
        entry = unit.names[row.scope].get(row.name)
        if entry is None:  # a class without a name, assigned to a variable elsewhere
            return ()
        candidates = [
            candidate
            for candidate in self._candidates(unit, row.scope, entry)
            if candidate.line < row.start_line
        ]
        return max(candidates, key=lambda c: c.line).symbols if candidates else ()

    def imported(self, unit: FileSymbols, row: Import) -> Symbols:
        """Resolve what an import binds."""
        found = unit.finder.find(unit.key, row.module, level=row.level)
        target, name = self.taken(unit, row, target=found)
        if name:
            return self.of_target(unit, target, name=name)
        if unit.modules.binds_first_part(row):
            first = unit.finder.find(unit.key, unit.modules.bound_name(row))
            return (self.of_module(unit, first),)
        return (self.of_module(unit, target),)

    def taken(self, unit: FileSymbols, row: Import, *, target: Target) -> tuple[Target, str]:
        """Return what an import takes a name from, and the name; empty for all of `target`."""
        name = unit.modules.taken_name(row)
        if target.inside and not name:
            *inside, name = target.inside
            target = replace(target, inside=tuple(inside))
        return target, name

    def of_module(self, unit: FileSymbols, target: Target) -> Symbol:
        """Return the symbol of a resolved module, as seen from the file `unit`."""
        if target.external:
            library = self._program.library(unit.rules, target.external)
            if library is not None:
                return MODULE, library.file.key, _BY_IMPORT
            return EXTERNAL, target.external, _BY_IMPORT
        if target.file >= 0:
            return MODULE, target.file, _BY_IMPORT
        if target.namespace:
            return NAMESPACE, target.namespace, _BY_IMPORT
        return MISSING, target.missing, _BY_IMPORT

    def _module_called(self, unit: FileSymbols, name: str) -> Symbols:
        target = unit.finder.module_called(unit.key, name)
        return () if target is None else (self.of_module(unit, target),)

    def _further_in(self, unit: FileSymbols, target: Target, name: str) -> Symbols:
        """Resolve a name in what the names `inside` of a target resolve to."""
        first, *inside = target.inside
        symbols = self.of_target(unit, replace(target, inside=()), name=first)
        for part in (*inside, name):
            values = [value for symbol in symbols for value in self.evaluator.meant(symbol)]
            symbols = tuple(
                found
                for value in values
                for found in self.evaluator.members.of(unit, value, name=part)
            )
        return symbols or ((MISSING, name, _BY_IMPORT),)

    def of_target(self, unit: FileSymbols, target: Target, *, name: str) -> Symbols:
        """Resolve `name` as an attribute of a resolved module."""
        if target.inside:
            return self._further_in(unit, target, name)
        if target.external:
            return self.outside(unit, target.external, name=name)
        if target.missing:
            dots = "" if target.missing.endswith(".") else "."
            return ((MISSING, f"{target.missing}{dots}{name}", _BY_IMPORT),)
        if target.file >= 0:
            if target.file >= FIRST_KEY:
                return self.outside(unit, self._program.unit(target.file).file.path, name=name)
            found = self.member(target.file, name)
            if found:
                return tuple([(kind, key, _BY_IMPORT) for kind, key, _ in found])
        if target.namespace:
            shared = self._in_package(unit, target.namespace, name)
            if shared:
                return tuple([(kind, key, _BY_IMPORT) for kind, key, _ in shared])
        inside = unit.finder.submodule(target, name)
        if inside is not None and inside.inside:
            return self.of_target(unit, replace(inside, inside=()), name=name)
        if inside is not None:
            return (self.of_module(unit, inside),)
        return ((MISSING, name, _BY_IMPORT),)

    def outside(self, unit: FileSymbols, module: str, *, name: str) -> Symbols:
        """Resolve `name` in a module outside the repository."""
        place = (unit.rules.name, module, name)
        known = self._outside.get(place)
        if known is None:
            unsettled = self._search.unsettled
            known = self._find_outside(unit, module, name)
            if self._search.unsettled == unsettled:
                self._outside[place] = known
        return known

    def _find_outside(self, unit: FileSymbols, module: str, name: str) -> Symbols:
        dotted = f"{module}.{name}"
        if not unit.library.is_special(dotted):
            library = self._program.library(unit.rules, module)
            if library is not None:
                found = tuple(
                    [(k, key, _BY_IMPORT) for k, key, _ in self.member(library.file.key, name)]
                )
                if found and unit.members.namespaces is not Namespaces.KINDS:
                    return found
                inside = self._program.library(unit.rules, dotted)  # it may be named like a type
                if inside is not None and inside is not library:
                    return (*found, (MODULE, inside.file.key, _BY_IMPORT))
                if found:
                    return found
        return ((EXTERNAL, dotted, _BY_IMPORT),)

    def whole(self, file: int) -> Symbols:
        """Return the one value that a module exports; nothing if it exports its names."""
        unit = self._program.unit(file)
        entry = unit.names[0].get(WHOLE)
        if entry is None:
            return ()
        found: list[Symbol] = []
        for binding in entry.bindings:
            op, _, number, _ = unit.expressions[binding.value]
            row = unit.facts.definitions[number] if op == Op.FUNCTION else None
            if row is not None and row.subkind != OBJECT:
                found.append((DEFINITION, unit.first + number, _BY_MODULE))
            else:
                found += self.evaluator.symbols(unit, binding.value)
        return tuple(found) or ((VARIABLE, (file, 0, WHOLE), _BY_MODULE),)

    def _listed_member(self, unit: FileSymbols, name: str) -> Symbols:
        """Resolve `name` in a module that assigns its exports, or members of them."""
        entry = unit.names[0].get(f"{EXPORT}{name}")
        if entry is not None:
            found: list[Symbol] = []
            for binding in entry.bindings:
                op, _, number, _ = unit.expressions[binding.value]
                if op == Op.FUNCTION and unit.facts.definitions[number].subkind != OBJECT:
                    found.append((DEFINITION, unit.first + number, _BY_MODULE))
                else:
                    found += self.evaluator.symbols(unit, binding.value)
            return tuple(found) or ((VARIABLE, (unit.key, 0, f"{EXPORT}{name}"), _BY_MODULE),)
        whole = self.whole(unit.key)
        if name == unit.modules.default_export:
            return whole or ((MODULE, unit.key, _BY_MODULE),)
        return tuple(
            symbol
            for one in whole
            for value in self.evaluator.meant(one)
            if value[0] != MODULE
            for symbol in self.evaluator.members.of(unit, value, name=name)
        )

    def _find_member(self, unit: FileSymbols, name: str) -> Symbols:
        if unit.is_listing_exports:
            return self._listed_member(unit, name)
        entry = unit.names[0].get(name)
        if entry is not None:
            if entry.deleted_line:
                return ()
            is_own = bool(entry.definitions or entry.bindings)
            if not is_own and unit.wildcards and unit.modules.wildcards is Wildcards.EXPORTED:
                # An imported name may be exported or not, which the facts do not tell.
                found = self._later_wildcard(unit, name, entry)
                if found:
                    return found
            return self._entry(unit, 0, name, entry)
        if name == unit.modules.default_export and unit.modules.is_component(unit.file.path):
            return ((MODULE, unit.key, _BY_MODULE),)
        found = self._wildcard(unit, name)
        if not found and unit.finder.is_package(unit.key):  # names that its files share
            file = unit.finder.beside(unit.key, name)
            found = self.member(file, name) if file >= 0 else ()
        return found

    def _candidates(self, unit: FileSymbols, scope: int, entry: NameEntry) -> Iterator[_Candidate]:
        are_apart = unit.calls.overloading is Overloading.BY_SIGNATURE
        for number in entry.definitions:
            row = unit.facts.definitions[number]
            if len(entry.definitions) > 1 and unit.members.continues(row):
                continue
            symbol = self._definition(unit, scope, number)
            is_one_of_several = are_apart or bool(row.flags & _CONDITIONAL)
            if len(entry.definitions) > 1:
                first = unit.facts.definitions[entry.definitions[0]]
                is_merged = unit.members.merges_with(row, first)
                is_one_of_several |= is_merged and first.kind == "function"
            yield _Candidate(row.start_line, is_one_of_several, (symbol,))
        for taken in entry.imports:
            symbols = self.imported(unit, taken)
            yield _Candidate(taken.line, bool(taken.flags & _CONDITIONAL), symbols)

    def _definition(self, unit: FileSymbols, scope: int, number: int) -> Symbol:
        rule = _BY_MODULE if unit.scopes[scope][0] == _IN_MODULE else _BY_LOCAL
        return DEFINITION, unit.first + number, rule

    def _variable(self, unit: FileSymbols, scope: int, name: str) -> Symbol:
        place = (unit.key, scope, name)
        kind = unit.scopes[scope][0]
        if kind == _IN_MODULE:
            return VARIABLE, place, _BY_MODULE
        return VARIABLE if kind == _IN_CLASS else LOCAL, place, _BY_LOCAL

    def _later_wildcard(self, unit: FileSymbols, name: str, entry: NameEntry) -> Symbols:
        """Resolve a name by a wildcard import after all bindings of the name in the module."""
        found = self._wildcard(unit, name, after=unit.last_line(entry))
        return tuple(symbol for symbol in found if symbol[0] != EXTERNAL)

    def _wildcard(self, unit: FileSymbols, name: str, *, after: int = 0) -> Symbols:
        """Resolve `name` by the last wildcard import that has it."""
        outside: list[str] = []
        for row in reversed(unit.wildcards):
            if row.line <= after:
                continue
            target = unit.finder.find(unit.key, row.module, level=row.level)
            if target.external:
                found = self._in_library(unit, target, name)
                if found:
                    return found
                outside.append(".".join((target.external, *target.inside)))
                continue
            if target.inside:
                found = self.of_target(unit, target, name=name)
                if found[0][0] not in (MISSING, EXTERNAL):  # a base of a class gives none
                    return found
                continue
            file = target.file
            if target.namespace:
                shared = self._in_package(unit, target.namespace, name)
                if shared:
                    return tuple([(kind, key, _BY_IMPORT) for kind, key, _ in shared])
                file = unit.finder.inside(target.namespace, name)
            if file >= 0 and self._exports_name(file, name):
                found = self.member(file, name)
                if found and found[0][0] != MISSING:  # it may import the name from here
                    return tuple((kind, key, _BY_IMPORT) for kind, key, _ in found)
        is_keyword = name in (unit.members.this_name, unit.members.super_name)
        if len(outside) == 1 and not is_keyword and unit.modules.builtin(name) is None:
            return self.outside(unit, outside[0], name=name)
        return ()

    def _in_library(self, unit: FileSymbols, target: Target, name: str) -> Symbols:
        """Resolve `name` in a library module, or in names of it, if the stub has it."""
        if self._program.library(unit.rules, target.external) is None:
            return ()
        found = self.of_target(unit, target, name=name)
        return tuple([symbol for symbol in found if symbol[0] not in (EXTERNAL, MISSING)])

    def _builtin(self, unit: FileSymbols, name: str) -> Symbols:
        if name in unit.modules.export_objects:
            return ((MODULE, unit.key, _BY_MODULE),)
        dotted = unit.modules.builtin(name)
        if dotted is None:
            return ()
        module, _, own = dotted.rpartition(".")
        if unit.file.path == unit.modules.builtin_module:  # it may have another name there
            return self.member(unit.key, own) if own != name else ()
        found = self.outside(unit, module, name=own)
        return tuple([(kind, key, _BY_MODULE) for kind, key, _ in found])

    def _exports_name(self, file: int, name: str) -> bool:
        if file not in self._exports:
            self._exports[file] = listed_names(self._program.unit(file))
        listed = self._exports[file]
        if listed is not None:
            return name in listed
        return self._program.unit(file).modules.is_exported(name)


def _namespace_around(unit: FileSymbols, scope: int, word: str) -> Symbol | None:
    """Resolve a keyword for a module in a scope: to an enclosing namespace, or to the file.

    None where no namespace of the file encloses the scope.
    """
    wanted, inside = unit.modules.module_words[word], 0
    while scope >= 0:
        kind, parent, number, _, _ = unit.scopes[scope]
        if kind == _IN_CLASS and unit.facts.definitions[number].subkind == NAMESPACE_CLASS:
            inside += 1
            if inside == wanted:
                return DEFINITION, unit.first + number, _BY_IMPORT
        scope = parent
    return (MODULE, unit.key, _BY_IMPORT) if inside else None


def listed_names(unit: FileSymbols) -> frozenset[str] | None:
    """Return the names in a module's export list; None if it has none, or a computed one."""
    entry = unit.names[0].get(unit.modules.export_list)
    if entry is None or not entry.bindings:
        return None
    names: set[str] = set()
    for binding in entry.bindings:
        if not binding.value:
            continue
        op, _, _, args = unit.expressions[binding.value]
        if op != Op.COLLECTION:
            return None
        texts = (unit.expressions[arg] for arg in args)
        names.update(text for kind, text, _, _ in texts if kind == Op.STRING)
    return frozenset(names)
