"""The names by which imports re-export the definitions of changed files."""

from collections.abc import Iterable, Iterator, Sequence, Set

from mu.model.facts import Flag, Import
from mu.resolve.incremental.comparison.visible_names import exported_as, imports_of
from mu.resolve.program.file_symbols import FileSymbols
from mu.resolve.program.mentioned_names import parts_of
from mu.resolve.program.program import Program
from mu.resolve.semantics.language_rules import LanguageRules
from mu.resolve.semantics.module_resolver import Target

_WILDCARD = int(Flag.WILDCARD)


class Reexports:
    """Follows imports of the changed files, and of files that re-export their definitions."""

    def __init__(self, programs: Sequence[Program], changed: Iterable[int]) -> None:
        """Set up for the old and new `programs`; `changed` are the keys of the changed files."""
        self._programs = programs
        self._giving = {*changed}

    def names(self, units: Sequence[FileSymbols], sought: Set[str]) -> set[str]:
        """Return the names that imports of `units` bind to something named in `sought`."""
        rows = [
            (unit, row)
            for unit in units
            for row in imports_of(unit)
            if not sought.isdisjoint((row.name, _last_part(row.module)))
        ]
        found: set[str] = set()
        while True:
            giving = [(unit, row) for unit, row in rows if self.may_give(unit.key, row)]
            files = {unit.key for unit, _ in giving}
            found.update(row.local for _, row in giving if row.local)
            if files <= self._giving:
                return found
            self._giving |= files

    def taken(self, unit: FileSymbols, names: Set[str]) -> tuple[set[str], set[str]]:
        """Return the names by which a file imports, and re-exports, any of the exported `names`.

        Members of one of them count as well, as `Circle` of `round` in `crate::round::Circle`.

        If it re-exports any, the file counts as an exporter from now on.
        """
        rows = [
            row
            for row in unit.facts.imports
            if takes_any(row, names) and self.may_give(unit.key, row)
        ]
        seen = [row for row in imports_of(unit) if row in rows]
        if seen:
            self._giving.add(unit.key)
        given = self._bound(seen, names)
        return self._bound(rows, names), given | exported_as(unit, given)

    def wildcards_through(self, unit: FileSymbols, names: Set[str]) -> list[Import]:
        """Return the wildcard imports of a file whose module path runs through one of `names`."""
        return [
            row
            for row in unit.facts.imports
            if row.flags & _WILDCARD
            and not names.isdisjoint(parts_of(row.module))
            and self.may_give(unit.key, row)
        ]

    def takers(self, key: int) -> Iterator[int]:
        """Yield the files that re-export all names of a file by a wildcard import.

        Each counts as an exporter from now on.
        """
        program = self._programs[-1]
        for one in program.files:
            find = program.finder_of(one).find
            if any(
                not name and find(one, module, level=level).file == key
                for module, level, name in program.outline(one).imports
            ) and any(
                row.flags & _WILDCARD and find(one, row.module, level=row.level).file == key
                for row in imports_of(program.units[one])
            ):
                self._giving.add(one)
                yield one

    def aliases(self, file: int, *, last: str, rules: LanguageRules) -> set[str]:
        """Return the aliases under which files of one language re-export the module of a file.

        `last` is the last part of the module's dotted name.
        """
        program, found, waiting = self._programs[-1], set[str](), [last]
        while waiting:
            name = waiting.pop()
            for key in program.files:
                if program.rules_of(key) is not rules or not any(
                    self._may_bind(name, file, importer=key, row=row)
                    for row in program.outline(key).imports
                ):
                    continue
                for row in imports_of(program.units[key]):
                    is_other = row.local not in ("", "*", last) and row.local not in found
                    said = row.module, row.level, row.name
                    if (
                        is_other
                        and self._may_bind(name, file, importer=key, row=said)
                        and self.may_give(key, row)
                    ):
                        self._giving.add(key)
                        found.add(row.local)
                        waiting.append(row.local)
        return found

    def _may_bind(self, name: str, file: int, *, importer: int, row: tuple[str, int, str]) -> bool:
        """Return whether an import may bind the module of a file itself, by its name or an alias.

        An import of something inside the module does not count.
        """
        module, level, taken = row
        if taken not in ("", "*"):
            return taken == name
        if _last_part(module) == name:
            return True
        finder = self._programs[-1].finder_of(importer)
        return finder.find(importer, module, level=level).file == file

    def _bound(self, rows: Iterable[Import], names: Set[str]) -> set[str]:
        """Return the names that imports bind; for a wildcard import, all `names`."""
        return {one for row in rows for one in ((row.local,) if row.local else names)}

    def may_give(self, importer: int, row: Import) -> bool:
        """Return whether an import may resolve to an exporter, in the old program or the new one.

        Exporters are the changed files and those found to re-export their definitions.
        """
        return any(
            self._leads_on(program, importer, row, seen=set())
            for program in self._programs
            if importer in program.files
        )

    def _leads_on(self, program: Program, importer: int, row: Import, *, seen: set[int]) -> bool:
        finder = program.finder_of(importer)
        target = finder.find(importer, row.module, level=row.level)
        inside = finder.submodule(target, row.name) if row.name else None
        is_module = inside is not None and inside.file in self._giving
        return is_module or self._gives(program, target, seen)

    def _gives(self, program: Program, target: Target, seen: set[int]) -> bool:
        """Return whether the target of an import may be an exporter.

        It is one itself, or takes over all names of one.
        """
        key = target.file
        if key < 0:
            return not target.external
        if key in self._giving:
            return True
        if key in seen:
            return False
        seen.add(key)
        rows = program.units[key].facts.imports
        return any(self._leads_on(program, key, r, seen=seen) for r in rows if _takes_all(r))


def takes_any(row: Import, names: Set[str]) -> bool:
    """Return whether an import may bind one of `names` of a module, or a member of one.

    `use crate::shapes::round::Circle` binds a member of `round`.
    """
    is_inside = not names.isdisjoint(parts_of(row.module))
    return bool(row.flags & _WILDCARD) or row.name in names or is_inside


def _takes_all(row: Import) -> bool:
    """Return whether an import may re-export all names of another module."""
    return bool(row.flags & _WILDCARD) or not (row.local or row.name)


def _last_part(module: str) -> str:
    return module.replace("/", ".").rpartition(".")[2]
