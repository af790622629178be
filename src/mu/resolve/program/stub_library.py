"""Library stubs: modules outside the repository whose text is known, loaded on demand.

Stubs are files like any other, but none of their references is linked. They are loaded when a name
first leads into them, their keys lie above all keys of the repository, and their definitions have
external nodes.
"""

from typing import NamedTuple

from mu.model.facts import Definition, FileFacts
from mu.model.graph import File
from mu.model.kinds import Category
from mu.resolve.program.file_symbols import FileSymbols
from mu.resolve.semantics.language_rules import LanguageRules
from mu.resolve.semantics.module_resolver import ModuleFinder, Target

FIRST_KEY = 1 << 40
"""The key of the first library file: more files than that no repository has."""


class LibraryModule(NamedTuple):
    """A module of a language's library that has a text, and what numbering others takes: how many
    definitions are in it. `is_extending` where some add members to classes.
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
        """Those that have a text, in order."""

    @property
    def units(self) -> list[FileSymbols]:
        """The modules that are set up, in order."""
        return [unit for unit in self._units if unit is not None]

    def module(self, rules: LanguageRules, dotted: str, *, first: int) -> FileSymbols | None:
        """The library module `dotted`, whose definitions are numbered from `first` if it is new."""
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
        """Have a module next that is set up when something is asked of it, with its definitions
        numbered from `first`; give its key.
        """
        key = self._keys[module[:2]] = FIRST_KEY + len(self._units)
        self._expected[key] = rules, module.dotted, first
        self._units.append(None)
        self.modules.append(module)
        return key

    def is_known(self, rules: LanguageRules, dotted: str) -> bool:
        """Tell whether the module was asked for before."""
        return (rules.name, dotted) in self._keys

    def unit(self, key: int) -> FileSymbols:
        """The library file of a key."""
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
    """The dotted name of a definition: of its module, and of what it stands in."""
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
    """Finds modules from within one library module: all are external to the repository."""

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
    """A library file; its path is its dotted name."""
    file = File(key, dotted, rules.name, Category.SOURCE, "library", "", "", 0, facts.lines, ())
    finder = _LibraryModules(dotted, is_package=rules.modules.is_stub_package(dotted))
    return FileSymbols(file, facts, first=first, rules=rules, finder=finder)
