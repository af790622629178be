"""The parts of a file that are visible by name: definitions, imports, variables, attributes."""

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
    """Return whether a definition is visible in other files under a name of its own."""
    is_own = row.kind != EXTENSION or len(row.bases) > 1
    return bool(row.name) and is_own and unit.scopes[row.scope].kind in _OPEN


def imports_of(unit: FileSymbols) -> list[Import]:
    """Return the imports whose names are visible: those in the module and in classes."""
    return [row for row in unit.facts.imports if unit.scopes[row.scope].kind in _OPEN]


def bound_name(unit: FileSymbols, row: Import) -> str:
    return row.local or unit.modules.bound_name(row)


def variables_of(unit: FileSymbols) -> Iterator[tuple[Variable, list[NameEntry]]]:
    """Yield the variables of the module and classes and the fields methods set, in order."""
    seen = dict.fromkeys(unit.variables)
    for owner, fields in unit.fields.items():
        body = unit.facts.definitions[owner].body
        seen.update(dict.fromkeys((body, name) for name in fields))
    for scope, name in seen:
        yield (scope, name), unit.bound(scope, name)


def seen_by_imports(versions: Sequence[FileSymbols], names: Set[str]) -> set[str]:
    """Return those of `names` that can be referred to only by way of an import of the file.

    They are undecorated functions and variables of its module, in one or two versions of it.
    Constants, classes and decorated definitions may be found by strings and frameworks, too.
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
    """Return the module variables that the language and frameworks look up by name."""
    modules, entries = rules.modules, rules.entries
    found = {entries.injected.plugins, modules.export_list, modules.default_export}
    for framework in entries.frameworks:
        found.update(name for one in framework.namings for name in (*one.variables, *one.beside))
        if framework.listed is not None:
            found |= {framework.listed.variable, framework.listed.root}
    return frozenset(found)


def rebound_in(unit: FileSymbols) -> Iterator[tuple[Variable, NameEntry]]:
    """Yield the names of the module and classes that are imported or defined, and also assigned."""
    for scope, names in enumerate(unit.names[:-1]):
        if unit.scopes[scope].kind in _OPEN:
            for name, entry in names.items():
                if entry.bindings and (entry.imports or entry.definitions):
                    yield (scope, name), entry


def exported_as(unit: FileSymbols, names: Set[str]) -> set[str]:
    """Return the aliases by which a file exports any of its own `names`."""
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
    """Yield the names of the module and of classes that are deleted in the end."""
    for scope, names in enumerate(unit.names[:-1]):
        if unit.scopes[scope].kind in _OPEN:
            yield from ((scope, name) for name, entry in names.items() if entry.deleted_line)


def used_outside(unit: FileSymbols) -> Iterator[Variable]:
    """Yield the variables of the module and classes, except receivers, that uses may fill.

    Module variables count only if the file binds them or, where it does not have such a name, if
    another file of its package may.
    """
    is_shared = bool(unit.finder.package_of(unit.key))
    for scope, name in unit.uses or ():
        if unit.scopes[scope].kind in _OPEN and name not in unit.receivers.get(scope, ()):
            entry = unit.names[scope].get(name)
            is_bound = is_shared if entry is None else bool(entry.bindings)
            if is_bound or unit.scopes[scope].kind != _MODULE:
                yield scope, name


def class_around(unit: FileSymbols, scope: int) -> int:
    """Return the class, by number in the file, whose body is `scope`; -1 for none.

    The body of an extension counts as none.
    """
    kind, _, owner, _, _ = unit.scopes[scope]
    is_class = kind == _CLASS and owner >= 0 and unit.facts.definitions[owner].kind == "class"
    return owner if is_class else -1


def stores_by_name(unit: FileSymbols) -> dict[tuple[str, str], list[FieldStore]]:
    """Return the attribute stores of a file, except those on receivers, by (name, how)."""
    found: defaultdict[tuple[str, str], list[FieldStore]] = defaultdict(list)
    for store in stores_in(unit):
        op, text, scope, _ = unit.expressions[store.base]
        if op != _NAME or text not in unit.receivers.get(scope, ()):
            found[store.name, store.how].append(store)
    return found


def parts_written(unit: FileSymbols, rows: Iterable[int]) -> Iterator[int]:
    """Yield the elements of collection literals among `rows`, and of those nested in them.

    A local variable counts as the literals that it is bound to.
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
