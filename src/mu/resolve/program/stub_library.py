"""Library stubs: modules outside the repository whose text is known, loaded on demand.

Stubs are files like any other, but none of their references is linked. They are loaded when a name
first resolves into them, their keys are above all keys of the repository, and their definitions
have external nodes.
"""

from typing import NamedTuple

from mu.model.facts import Definition, FileFacts
from mu.model.graph import File
from mu.model.kinds import Category
from mu.resolve.program.file_symbols import FileSymbols
from mu.resolve.semantics.language_rules import LanguageRules
from mu.resolve.semantics.module_resolver import ModuleFinder, Target

FIRST_KEY = 1 << 40
"""The key of the first library file, higher than the number of files of any repository."""


class LibraryModule(NamedTuple):
    """A library module with a stub, and its number of definitions, to number the next modules.

    `is_extending` says that some of them add members to classes.
    """

    language: str
    dotted: str
    definitions: int
    is_extending: bool


class StubLibrary:
    """The stub modules loaded so far, by language and dotted name."""

    def __init__(self) -> None:
        self._keys: dict[tuple[str, str], int | None] = {}
        self._units: list[FileSymbols | None] = []
        self._expected: dict[int, tuple[LanguageRules, str, int]] = {}  # those not set up, by key
        self.modules: list[LibraryModule] = []
        """The modules that have a stub, in order."""

    @property
    def units(self) -> list[FileSymbols]:
        """The modules that are set up, in order."""
        return [unit for unit in self._units if unit is not None]

    def module(self, rules: LanguageRules, dotted: str, *, first: int) -> FileSymbols | None:
        """Return the library module `dotted`; None if it has no stub.

        The definitions of a new one are numbered from `first`.
        """
        place = (rules.name, dotted)
        if place not in self._keys:
            facts = rules.modules.stub(dotted)
            if facts is None:
                self._keys[place] = None
            else:
                key = self._keys[place] = FIRST_KEY + len(self._units)
                unit = _unit(key, dotted, facts, first=first, rules=rules)
                count, is_extending = len(unit.facts.definitions), bool(unit.extensions())
                self._units.append(unit)
                self.modules.append(LibraryModule(*place, count, is_extending))
        found = self._keys[place]
        return None if found is None else self.unit(found)

    def expect(self, rules: LanguageRules, module: LibraryModule, *, first: int) -> int:
        """Append a module that is set up on first access, and return its key.

        Its definitions are numbered from `first`.
        """
        key = self._keys[module[:2]] = FIRST_KEY + len(self._units)
        self._expected[key] = rules, module.dotted, first
        self._units.append(None)
        self.modules.append(module)
        return key

    def is_known(self, rules: LanguageRules, dotted: str) -> bool:
        """Return whether the module was asked for before, with or without a stub."""
        return (rules.name, dotted) in self._keys

    def unit(self, key: int) -> FileSymbols:
        """Return the library file of a key; raise KeyError if an expected one has no stub."""
        unit = self._units[key - FIRST_KEY]
        if unit is None:
            rules, dotted, first = self._expected.pop(key)
            facts = rules.modules.stub(dotted)
            if facts is None:
                raise KeyError(dotted)
            unit = _unit(key, dotted, facts, first=first, rules=rules)
            self._units[key - FIRST_KEY] = unit
        return unit


def dotted_path(unit: FileSymbols, row: Definition) -> str:
    """Return the dotted name of a definition: module, enclosing definitions, own name."""
    names = [row.name]
    scope = row.scope
    while scope > 0:
        _, parent, definition, _, _ = unit.scopes[scope]
        if definition >= 0:
            names.append(unit.facts.definitions[definition].name)
        scope = parent
    names.append(unit.file.path)
    return ".".join(reversed(names))


class _LibraryModules(ModuleFinder):
    """Finds modules that one library module imports: all are external to the repository."""

    def __init__(self, dotted: str, *, is_package: bool) -> None:
        super().__init__({})
        self._dotted = dotted
        self._package = dotted if is_package else dotted.rpartition(".")[0]

    def name_of(self, file: int) -> str:  # noqa: ARG002 - the same for any file
        return self._dotted

    def find(self, importer: int, dotted: str, *, level: int = 0) -> Target:  # noqa: ARG002 - as above
        if not level:
            return Target(external=dotted)
        parts = self._package.split(".")
        above = ".".join(parts[: len(parts) - level + 1])
        return Target(external=f"{above}.{dotted}" if dotted else above)


def _unit(
    key: int, dotted: str, facts: FileFacts, *, first: int, rules: LanguageRules
) -> FileSymbols:
    """Return a library file; its path is its dotted name."""
    file = File(key, dotted, rules.name, Category.SOURCE, "library", "", "", 0, facts.lines, ())
    finder = _LibraryModules(dotted, is_package=rules.modules.is_stub_package(dotted))
    return FileSymbols(file, facts, first=first, rules=rules, finder=finder)
