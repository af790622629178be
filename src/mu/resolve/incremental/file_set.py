"""Effects of added and removed files on other files.

All definitions of such a file are added or removed with it. Besides what its names show, an import
elsewhere may resolve to another module, and a class may gain or lose subclasses.
"""

from collections.abc import Callable, Iterator, Mapping, Set
from typing import TypeVar

from mu.errors import MuError
from mu.model.facts import Definition, Flag, ScopeKind
from mu.resolve.incremental.comparison.file_difference import FileDifference
from mu.resolve.incremental.comparison.name_uses import NameUses
from mu.resolve.incremental.comparison.visible_names import (
    bound_name,
    class_around,
    imports_of,
    is_seen,
    stores_by_name,
    used_outside,
    variables_of,
)
from mu.resolve.linker import Linker
from mu.resolve.program.file_symbols import FileSymbols
from mu.resolve.program.mentioned_names import parts_of
from mu.resolve.program.program import Program
from mu.resolve.semantics.module_resolver import ModuleFinder

_Key = TypeVar("_Key")
_Member = TypeVar("_Member")


class NeedsBuildError(MuError):
    """An edit that may affect files in ways that only linking all of them shows."""


class ChangeWithoutNodeError(NeedsBuildError):
    """A change in some `files`, by key, of what has no node: what refers to it is not known."""

    def __init__(self, files: Set[int]) -> None:
        super().__init__("what is altered has no node")
        self.files = files


class OtherForwardingError(NeedsBuildError):
    """A change in what some `functions`, by old number, forward their arguments to: what others
    pass by them is not known.
    """

    def __init__(self, functions: Set[int]) -> None:
        super().__init__("arguments are forwarded otherwise")
        self.functions = functions


def whole_difference(unit: FileSymbols, *, is_new: bool, is_named: bool) -> FileDifference:
    """Return the externally visible difference of an added (`is_new`) or removed file.

    Unless another file names the module (`is_named`), its own names are not visible, except those
    by which frameworks, strings and macros find definitions.
    """
    unit.uses_of(0, "")
    seen = [(row.scope, row.name) for row in unit.facts.definitions if is_seen(unit, row)]
    seen += (place for place, _ in variables_of(unit))
    seen += used_outside(unit)
    found = {row.name for row in unit.facts.definitions if is_seen(unit, row) and _is_found(row)}
    names: set[str] = set()
    members: set[str] = set()
    for scope, name in seen:
        if class_around(unit, scope) >= 0:
            members.add(name)
        elif (
            is_named
            or name in found
            or name.isupper()
            or unit.scopes[scope].kind != ScopeKind.MODULE
        ):
            names.add(name)
    stores = [(is_new, store) for found in stores_by_name(unit).values() for store in found]
    return FileDifference(
        numbers={},
        scopes={-1: -1},
        changed=frozenset(),
        reset=frozenset(),
        rebased=frozenset(),
        results=(),
        variables=frozenset(),
        names=frozenset(names - {""}),
        members=frozenset(members - {""}),
        imported=frozenset(bound_name(unit, row) for row in imports_of(unit) if is_named),
        stores=stores,
    )


def difference_of_all(old: FileSymbols, new: FileSymbols, *, is_named: bool) -> FileDifference:
    """Return the externally visible difference of a file without pairing its two versions."""
    gone = whole_difference(old, is_new=False, is_named=is_named)
    come = whole_difference(new, is_new=True, is_named=is_named)
    return come._replace(
        names=gone.names | come.names,
        members=gone.members | come.members,
        imported=gone.imported | come.imported,
        stores=[*gone.stores, *come.stores],
    )


def _is_found(row: Definition) -> bool:
    return bool(row.decorators) or row.subkind == "macro"


def is_named(program: Program, key: int, *, uses: NameUses) -> bool:
    """Return whether another file may name a file's module, or share its names in a package."""
    unit = program.units[key]
    finder = unit.finder
    *above, last = finder.name_of(key).split(".")
    if finder.package_of(key):
        return True
    near = uses.of({last}, is_meant=True) - {key}
    folder = unit.file.path.rpartition("/")[0]
    paths = (program.files[one].path for one in near if one in program.files)
    if any(path.rpartition("/")[0] == folder for path in paths):
        return True
    if (uses.of_both({last}, {above[-1]}) if above else near) - {key}:
        return True
    return any(
        _leads_to(finder, one, found, key)
        for one in program.files
        if one != key and program.finder_of(one) is finder
        for found in program.outline(one).imports
    )


def importers_of(program: Program, keys: Set[int]) -> set[int]:
    """Return the files with an import that resolves to any of some files."""
    return {
        one
        for one in (program.files if keys else ())
        for module, level, _ in program.outline(one).imports
        if program.finder_of(one).find(one, module, level=level).file in keys
    }


def is_imported_by_folder(program: Program, key: int, *, by: int) -> bool:
    """Return whether a file imports another one without naming it, as by `..`."""
    finder = program.finder_of(by)
    if key not in program.files or program.finder_of(key) is not finder:
        return False
    last = finder.name_of(key).rpartition(".")[2]
    return any(
        last not in parts_of(f"{found[0]}.{found[2]}") and _leads_to(finder, by, found, key)
        for found in program.outline(by).imports
    )


def _leads_to(finder: ModuleFinder, importer: int, found: tuple[str, int, str], key: int) -> bool:
    """Return whether an import resolves to a file, as a module or as a member of a package."""
    module, level, name = found
    target = finder.find(importer, module, level=level)
    inside = finder.submodule(target, name) if name else None
    return target.file == key or (inside is not None and inside.file == key)


def find_changed_imports(old: Program, new: Program) -> dict[int, set[str]]:
    """Return the files, by key, with an import in both programs that resolves differently.

    Each has the names that such imports bind in its module to something in a file of both programs:
    what only one program has is found by its own names. Raises NeedsBuildError where a module's own
    name or packages changed, and where it is not told which names are bound.
    """
    found: dict[int, set[str]] = {}
    for key in new.files:
        if key not in old.files:
            continue
        before, after = old.finder_of(key), new.finder_of(key)
        if _known_as(before, key) != _known_as(after, key):
            raise NeedsBuildError(f"{new.files[key].path} is known by another name")
        to_kept: set[tuple[str, int]] = set()  # imports of files that both programs have
        for module, level, _ in {*new.outline(key).imports} & {*old.outline(key).imports}:
            was, now = (one.find(key, module, level=level) for one in (before, after))
            if was != now:
                found.setdefault(key, set())
                files = {was.file, now.file} - {-1}
                if files and all(one in old.files and one in new.files for one in files):
                    to_kept.add((module, level))
        if to_kept:
            found[key] = _names_bound_by(new.units[key], to_kept)
    return found


def _names_bound_by(unit: FileSymbols, imported: Set[tuple[str, int]]) -> set[str]:
    """Return the names that imports of some modules, by (module, level), bind in a file's module.

    Raises NeedsBuildError for a wildcard import, which does not tell them.
    """
    names: set[str] = set()
    for row in imports_of(unit):
        if (row.module, row.level) in imported:
            if row.flags & Flag.WILDCARD:
                raise NeedsBuildError(f"{unit.file.path} re-exports names of other modules")
            names.add(bound_name(unit, row))
    return names


class ClassesBelow:
    """The effects of gained and lost subclasses on their superclasses.

    `callers` are the nodes, by id, whose callers may instantiate the subclasses; `files` those
    whose methods may reach a sibling class by `super()`, or whose classes satisfy them by their
    methods; `used` the nodes whose users may refer to members of the classes.
    """

    def __init__(self) -> None:
        self.callers: set[str] = set()
        self.used: set[str] = set()
        self.files: set[int] = set()

    def add(
        self,
        program: Program,
        linker: Linker,
        *,
        number: int,
        is_other: bool,
        makes_too_many: Callable[[int], bool],
    ) -> None:
        """Add the effects of a class, which only one program has if `is_other`.

        Callers of a superclass for which `makes_too_many` returns true are not affected.
        """
        members, hierarchy = linker.evaluator.members, linker.evaluator.hierarchy
        nodes, bases = linker.nodes, members.bases(number)
        if is_other and program.is_shape(number):
            self.files |= {program.file_of(one) for one in hierarchy.descendants(number)}
        for ancestor in members.order(number)[1:]:
            if not isinstance(ancestor, int) or ancestor >= program.size:
                continue
            if not makes_too_many(ancestor):
                made = [ancestor, *constructors_of(program, ancestor)]
                keys = (nodes.of_definition(one) for one in made)
                self.callers.update(nodes.node(key).id for key in keys if key >= 0)
            if len(bases) > 1:
                self.files.add(program.unit_of[ancestor].file.key)

    def note_members(self, program: Program, linker: Linker, *, number: int) -> None:
        """Add a class and its members to `used`."""
        unit = program.unit_of[number]
        names = unit.names[program.definitions[number].body]
        inside = (unit.first + one for entry in names.values() for one in entry.definitions)
        keys = (linker.nodes.of_definition(one) for one in (number, *inside))
        self.used.update(linker.nodes.node(key).id for key in keys if key >= 0)


def constructors_of(program: Program, number: int) -> Iterator[int]:
    """Yield the constructors that a class itself defines."""
    unit = program.unit_of[number]
    for name in unit.calls.constructors:
        entry = unit.names[program.definitions[number].body].get(name)
        yield from (unit.first + local for local in (entry.definitions if entry else ()))


def _known_as(finder: ModuleFinder, key: int) -> tuple[object, ...]:
    """Return the names and packages by which a file's module is known."""
    return (
        *(finder.name_of(key), finder.prefix_of(key), finder.package_of(key)),
        *(finder.is_package(key), finder.packages_of(key)),
    )


def add_all(found: dict[_Key, set[_Member]], more: Mapping[_Key, Set[_Member]]) -> None:
    """Add sets to those in `found`, key by key."""
    for key, members in more.items():
        found.setdefault(key, set()).update(members)
