"""What other files can see of one by name: definitions, imports, variables, stored attributes."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence, Set
from functools import cache

from mu.model.facts import Definition, Import, Op, ScopeKind
from mu.resolve.program.attribute_stores import FieldStore, stores_in
from mu.resolve.program.file_symbols import EXPORT, EXTENSION, FileSymbols, NameEntry
from mu.resolve.semantics.language_rules import LanguageRules

_NAME, _COLLECTION, _PAIR = int(Op.NAME), int(Op.COLLECTION), int(Op.PAIR)
_MODULE, _CLASS = ScopeKind.MODULE, ScopeKind.CLASS
_OPEN = frozenset((_MODULE, _CLASS))

Variable = tuple[int, str]
"""A variable of a module or class: its scope and name."""


def is_seen(unit: FileSymbols, row: Definition) -> bool:
    """Tell whether the name of a definition is visible elsewhere, and is its own."""
    is_own = row.kind != EXTENSION or len(row.bases) > 1
    return bool(row.name) and is_own and unit.scopes[row.scope].kind in _OPEN


def imports_of(unit: FileSymbols) -> list[Import]:
    """The imports whose names others can ask for."""
    return [row for row in unit.facts.imports if unit.scopes[row.scope].kind in _OPEN]


def bound_name(unit: FileSymbols, row: Import) -> str:
    return row.local or unit.modules.bound_name(row)


def variables_of(unit: FileSymbols) -> Iterator[tuple[Variable, list[NameEntry]]]:
    """The variables of the module and of classes, and the fields that methods set, in order."""
    seen = dict.fromkeys(unit.variables)
    for owner, fields in unit.fields.items():
        body = unit.facts.definitions[owner].body
        seen.update(dict.fromkeys((body, name) for name in fields))
    for scope, name in seen:
        yield (scope, name), unit.bound(scope, name)


def seen_by_imports(versions: Sequence[FileSymbols], names: Set[str]) -> set[str]:
    """Those of some names in one or two versions of a file that nothing else means but what imports
    it: of functions and variables of its module. Constants, classes and what is decorated may be
    found by texts and frameworks, too.
    """
    if any(unit.finder.package_of(unit.key) for unit in versions):
        return set()  # other files of the package see them
    found = {name for unit in versions for name in names & unit.names[0].keys()}
    for unit in versions:
        for row in unit.facts.definitions:
            is_plain = row.kind == "function" and not row.decorators and row.subkind != "macro"
            if not is_plain or unit.scopes[row.scope].kind == _CLASS:
                found.discard(row.name)
        for (scope, name), _ in variables_of(unit):
            if unit.scopes[scope].kind == _CLASS:
                found.discard(name)
        found -= _found_by_frameworks(unit.rules)
    return {name for name in found if not name.isupper()}


@cache
def _found_by_frameworks(rules: LanguageRules) -> frozenset[str]:
    """The variables of modules that the language and frameworks look for by their names."""
    modules, entries = rules.modules, rules.entries
    found = {entries.injected.plugins, modules.export_list, modules.default_export}
    for framework in entries.frameworks:
        found.update(name for one in framework.namings for name in (*one.variables, *one.beside))
        if framework.listed is not None:
            found |= {framework.listed.variable, framework.listed.root}
    return frozenset(found)


def rebound_in(unit: FileSymbols) -> Iterator[tuple[Variable, NameEntry]]:
    """The names of the module and of classes that are imported or defined, and bound as well."""
    for scope, names in enumerate(unit.names[:-1]):
        if unit.scopes[scope].kind in _OPEN:
            for name, entry in names.items():
                if entry.bindings and (entry.imports or entry.definitions):
                    yield (scope, name), entry


def exported_as(unit: FileSymbols, names: Set[str]) -> set[str]:
    """The names by which a file gives out some names that it has itself, beside these."""
    rows = unit.expressions
    found = {
        row.local
        for row in imports_of(unit)
        if row.name in names and not row.module and not row.level
    }
    for name, entry in unit.names[0].items() if unit.modules.export_objects else ():
        held = [rows[one.value] for one in entry.bindings if name.startswith(EXPORT)]
        if any(op == _NAME and text in names for op, text, _, _ in held):
            found.add(name.removeprefix(EXPORT))
    return found


def deleted_in(unit: FileSymbols) -> Iterator[Variable]:
    """The names of the module and of classes that are deleted in the end."""
    for scope, names in enumerate(unit.names[:-1]):
        if unit.scopes[scope].kind in _OPEN:
            yield from ((scope, name) for name, entry in names.items() if entry.deleted_line)


def used_outside(unit: FileSymbols) -> Iterator[Variable]:
    """The variables of the module and of classes, but what methods are called on, that something is
    done with. Of the module only what holds something there, or may in another file of a package.
    """
    is_shared = bool(unit.finder.package_of(unit.key))
    for scope, name in unit.uses or ():
        if unit.scopes[scope].kind in _OPEN and name not in unit.receivers.get(scope, ()):
            entry = unit.names[scope].get(name)
            is_bound = is_shared if entry is None else bool(entry.bindings)
            if is_bound or unit.scopes[scope].kind != _MODULE:
                yield scope, name


def class_around(unit: FileSymbols, scope: int) -> int:
    """The class, by number in the file, of which a scope is the body; -1 for none, or for what only
    adds to one.
    """
    kind, _, owner, _, _ = unit.scopes[scope]
    is_class = kind == _CLASS and owner >= 0 and unit.facts.definitions[owner].kind == "class"
    return owner if is_class else -1


def stores_by_name(unit: FileSymbols) -> dict[tuple[str, str], list[FieldStore]]:
    """The places that set attributes of other things than receivers, by name and how."""
    found: defaultdict[tuple[str, str], list[FieldStore]] = defaultdict(list)
    for store in stores_in(unit):
        op, text, scope, _ = unit.expressions[store.base]
        if op != _NAME or text not in unit.receivers.get(scope, ()):
            found[store.name, store.how].append(store)
    return found


def parts_written(unit: FileSymbols, rows: Iterable[int]) -> Iterator[int]:
    """The rows of what stands in those of some rows that are literals of lists, tables and the
    like, or variables of a function that hold such, and in what is written there in turn.
    """
    waiting = []
    for row in rows:
        op, text, scope, _ = unit.expressions[row]
        entry = unit.names[scope].get(text) if op == _NAME else None
        held = [one.value for one in entry.bindings] if entry and entry.is_local else [row]
        waiting += [one for one in held if unit.expressions[one][0] == _COLLECTION]
    while waiting:
        for part in unit.expressions[waiting.pop()][3]:
            if unit.expressions[part][0] in (_COLLECTION, _PAIR):
                waiting.append(part)
            else:
                yield part
