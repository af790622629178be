"""Entry points: the roots of reachability.

Programs, definitions named by manifests, tests, and methods that override a library method, so that
the library may call them. Those registered by calls and decorators are found in `registrations`.
"""

import posixpath
from collections.abc import Iterable, Iterator, Sequence

from mu.model.facts import Definition, Op, ReferenceKind, ScopeKind
from mu.model.graph import Entry
from mu.model.kinds import Category, EntryRole
from mu.resolve.abstract_values import CLASS, DEFINITION, EXTERNAL, number_of
from mu.resolve.emit.nodes import NodeTable
from mu.resolve.evaluator import Evaluator
from mu.resolve.program.file_symbols import EXTENSION, FileSymbols
from mu.resolve.program.program import Program
from mu.resolve.semantics.entry_rules import Declared, Runner

_OPERATION = int(ReferenceKind.OPERATION)
_OPERATOR, _NAME, _STRING = int(Op.OPERATOR), int(Op.NAME), int(Op.STRING)
_INDEX = int(Op.INDEX)  # `From<u8>`
_IN_MODULE = int(ScopeKind.MODULE)


class EntryPoints:
    """Collects entry points; `rows` has them in the order of nodes."""

    def __init__(self, program: Program, evaluator: Evaluator, nodes: NodeTable) -> None:
        self._program = program
        self._evaluator = evaluator
        self._nodes = nodes
        self._rows: set[Entry] = set()
        self._files: dict[str, int] = {}

    @property
    def rows(self) -> tuple[Entry, ...]:
        return tuple(sorted(self._rows))

    def add(self, entry: Entry) -> None:
        """Add an entry point; a second equal one is ignored."""
        self._rows.add(entry)

    def note_declared(self, declared: Iterable[Declared]) -> None:
        """Add the entry points that manifests name, if they are in the repository."""
        for row in declared:
            node = self._named(row)
            if node >= 0:
                self.add(Entry(node, row.role, "", row.label, row.manifest, row.path, row.line))

    def note_file(self, unit: FileSymbols) -> None:
        """Add the entry points that a file has by itself: programs, tests, library overrides."""
        self._note_program(unit)
        self.note_declared(unit.entries.declared_in(unit.file.path, unit.facts))
        is_test = unit.file.category == Category.TEST
        for owner, row in enumerate(unit.facts.definitions):
            if row.kind == "class":
                self._note_class(unit, owner, is_test=is_test)
            elif row.kind == EXTENSION:
                self._note_implementation(unit, row)
            elif unit.entries.is_main(row, package=unit.facts.package):
                self._add_method(unit, row, EntryRole.MAIN, unit.rules.name)
            elif row.decorators and unit.entries.is_marked(row):
                self._add_method(unit, row, EntryRole.TEST, unit.entries.runners[0].name)
            elif is_test and unit.scopes[row.scope].kind == _IN_MODULE:
                for runner in unit.entries.runners:
                    if runner.functions and row.name.startswith(runner.functions):
                        self._add_method(unit, row, EntryRole.TEST, runner.name)

    def _note_program(self, unit: FileSymbols) -> None:
        module = self._nodes.of_module(unit.key)
        stem = unit.file.path.rpartition("/")[2].partition(".")[0]
        line = 1 if stem in unit.entries.main_modules else self._main_line(unit)
        if line:
            self.add(Entry(module, EntryRole.MAIN, "", "", unit.rules.name, unit.file.path, line))

    def _main_line(self, unit: FileSymbols) -> int:
        """Return the line of `__name__ == "__main__"` or its equivalent; 0 if there is none."""
        name, operator, text = unit.entries.main_check
        asked = [(_NAME, name), (_STRING, text)]
        rows = unit.expressions
        for kind, number, owner, line in unit.facts.references if name else ():
            if kind == _OPERATION and owner < 0 and rows[number][:2] == (_OPERATOR, operator):
                sides = [rows[side][:2] for side in rows[number][3]]
                if sides == asked:
                    return line
        return 0

    def _note_class(self, unit: FileSymbols, owner: int, *, is_test: bool) -> None:
        row = unit.facts.definitions[owner]
        above = self._library_above(unit, unit.first + owner)
        runner = self._runner(unit, row, above, is_test=is_test)
        if not above and runner is None:
            return
        for local in self._methods(unit, row):
            method = unit.facts.definitions[local]
            if runner is not None and method.name.startswith(runner.methods):
                self._add_method(unit, method, EntryRole.TEST, runner.name)
            label = self._overridden(method.name, above)
            if label:
                framework = label.partition(".")[0]
                self._add_method(unit, method, EntryRole.OVERRIDE, framework, label=label)

    def _note_implementation(self, unit: FileSymbols, row: Definition) -> None:
        """Add the methods of a block that implements a trait of the library."""
        if len(row.bases) < 2:
            return
        trait, named = "", row.bases[1][0]
        op, _, base, _ = unit.expressions[named]
        for kind, key, _ in self._evaluator.values(unit, base if op == _INDEX else named):
            if kind == EXTERNAL:
                trait = str(key)
            elif kind == CLASS and self._program.is_library(number_of(key)):
                trait = self._program.dotted(number_of(key))
        for local in self._methods(unit, row) if trait else ():
            method = unit.facts.definitions[local]
            label, framework = f"{trait}.{method.name}", trait.partition(".")[0]
            self._add_method(unit, method, EntryRole.OVERRIDE, framework, label=label)

    def _methods(self, unit: FileSymbols, owner: Definition) -> Iterator[int]:
        for entry in unit.names[owner.body].values():
            for number in entry.definitions:
                if unit.facts.definitions[number].kind == "function":
                    yield number

    def _library_above(self, unit: FileSymbols, number: int) -> tuple[int, ...]:
        """Return the ancestors of a class that are library classes, except the root class."""
        root = self._program.root_class(unit.rules)
        return tuple(
            ancestor
            for ancestor in self._evaluator.members.order(number)[1:]
            if isinstance(ancestor, int) and ancestor != root and self._program.is_library(ancestor)
        )

    def _runner(
        self, unit: FileSymbols, row: Definition, above: Sequence[int], *, is_test: bool
    ) -> Runner | None:
        """Return the test runner that runs the methods of a class, if any."""
        for runner in unit.entries.runners:
            if is_test and runner.classes and row.name.startswith(runner.classes):
                return runner
            if runner.bases and any(self._program.dotted(n) in runner.bases for n in above):
                return runner
        return None

    def _overridden(self, name: str, above: Sequence[int]) -> str:
        """Return the dotted name of the library method that `name` overrides; empty if none."""
        for ancestor in above:
            holder = self._program.unit_of[ancestor]
            entry = holder.names[self._program.definitions[ancestor].body].get(name)
            if entry is not None and entry.definitions:
                return self._program.dotted(holder.first + entry.definitions[-1])
        return ""

    def _add_method(
        self,
        unit: FileSymbols,
        row: Definition,
        role: EntryRole,
        framework: str,
        *,
        label: str = "",
    ) -> None:
        local = unit.scopes[row.body].definition
        node = self._nodes.of_definition(unit.first + local)
        self.add(Entry(node, role, "", label, framework, unit.file.path, row.start_line))

    def _named(self, row: Declared) -> int:
        """Return the node that a manifest names, a module or a member of one; -1 if none."""
        folder = row.path.rpartition("/")[0]
        if row.module.startswith("./"):
            return self._of_path(posixpath.normpath(posixpath.join(folder, row.module)))
        for unit in self._beside(folder, row.language):
            target = unit.finder.find(unit.key, row.module)
            if target.file < 0:
                continue
            if not row.attribute:
                return self._nodes.of_module(target.file)
            return self._member(target.file, row.attribute.split("."))
        return -1

    def _of_path(self, path: str) -> int:
        """Return the module of a file, or of the file with `main` in a folder; -1 if none."""
        if not self._files:
            for key, unit in self._program.units.items():
                self._files[unit.file.path] = key
                folder = unit.file.path.rpartition("/")[0]
                if folder not in self._files and is_start(unit):
                    self._files[folder] = key
        file = self._files.get(path)
        return -1 if file is None else self._nodes.of_module(file)

    def _beside(self, folder: str, language: str) -> Iterator[FileSymbols]:
        """Yield one file for each entry of a manifest's folder, to resolve imports from there."""
        seen: set[str] = set()
        start = len(folder) + 1 if folder else 0
        for key, file in self._program.files.items():
            path = file.path
            if file.language == language and (not folder or path.startswith(f"{folder}/")):
                first = path[start:].partition("/")[0]
                if first not in seen:
                    seen.add(first)
                    yield self._program.units[key]

    def _member(self, file: int, names: Sequence[str]) -> int:
        symbols = self._evaluator.names.member(file, names[0])
        for name in names[1:]:
            held = [v for symbol in symbols for v in self._evaluator.meant(symbol)]
            unit = self._program.unit(file)
            symbols = tuple(
                s for value in held for s in self._evaluator.members.of(unit, value, name=name)
            )
        for kind, key, _ in symbols:
            if kind == DEFINITION and not self._program.is_library(number_of(key)):
                return self._nodes.of_definition(number_of(key))
        return -1


def is_start(unit: FileSymbols) -> bool:
    """Return whether a file defines the `main` of a program."""
    rows = unit.facts.definitions
    return any(unit.entries.is_main(row, package=unit.facts.package) for row in rows)
