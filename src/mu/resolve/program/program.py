"""The program: all files of a repository and the library stubs they need, in one numbering.

Definitions of all files are numbered in one sequence, so a definition is one `int`; everything else
is reached by (file, row). Nothing is resolved here.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from types import MappingProxyType
from typing import NamedTuple, Self

from msgspec.structs import replace

from mu.model.facts import Definition, FileFacts
from mu.model.graph import File
from mu.model.references import References
from mu.resolve.abstract_values import CALLABLES, INSTANCES, Place, Value, class_of, number_of
from mu.resolve.program.blanket_impls import BlanketImpls
from mu.resolve.program.fault_isolation import Fence
from mu.resolve.program.file_symbols import FileSymbols
from mu.resolve.program.stub_library import FIRST_KEY, StubLibrary, dotted_path
from mu.resolve.semantics.language_rules import LanguageRules
from mu.resolve.semantics.module_resolver import Layout


class ProgramText(NamedTuple):
    """What a program is made of: its `files`, of which those with `facts` (by file key) are linked.

    `rules` has an entry for each language among them; `roots` are folders that imports start from,
    besides those the languages find themselves; `manifests` are texts, by language and path. The
    order of `files` is part of what linking gives.
    """

    files: Sequence[File]
    facts: Mapping[int, FileFacts]
    rules: Mapping[str, LanguageRules]
    roots: Sequence[str] = ()
    manifests: Mapping[str, Mapping[str, str]] = MappingProxyType({})


class Program:
    """Every indexed file, and definitions by their program-wide number.

    The first `size` definitions are the repository's, in the order of its files; those of library
    modules follow as they are read. `fence` keeps an error in one file from ending all. A file that
    cannot be set up is one without a text.
    """

    def __init__(
        self,
        files: Sequence[File],
        facts: Mapping[int, FileFacts],
        *,
        rules: Mapping[str, LanguageRules],
        roots: Sequence[str],
        manifests: Mapping[str, Mapping[str, str]],
    ) -> None:
        finders = {
            shared: shared.modules.module_finder(
                Layout(paths, own, roots, _texts(rules, shared, manifests))
            )
            for shared, (paths, own) in _by_rules(files, facts, rules).items()
        }
        self.fence = Fence()
        self.units: dict[int, FileSymbols] = {}
        self.definitions: list[Definition] = []
        self.unit_of: list[FileSymbols] = []
        self._library = StubLibrary()
        for file in files:
            if file.key in facts:
                own = rules[file.language]
                make = partial(
                    FileSymbols, first=len(self.definitions), rules=own, finder=finders[own]
                )
                made = self.fence.run(file, make, file, facts[file.key], otherwise=None)
                unit = self.units[file.key] = made or make(file, _without_text(facts[file.key]))
                self._number(unit)
        self.size = len(self.definitions)
        self.added: dict[int, list[tuple[FileSymbols, int]]] = {}  # the bodies that extend a class
        self.blankets = BlanketImpls()
        self._dotted: dict[int, str] = {}
        self._classes: dict[tuple[str, str], int] = {}

    @classmethod
    def of(cls, text: ProgramText) -> Self:
        """The program that is made of all that."""
        files, facts, rules, roots, manifests = text
        return cls(files, facts, rules=rules, roots=roots, manifests=manifests)

    def unit(self, key: int) -> FileSymbols:
        """The file of a key, in the repository or outside."""
        return self.units[key] if key < FIRST_KEY else self._library.unit(key)

    def all_units(self) -> Iterator[FileSymbols]:
        """The files of the repository, then those outside that were read."""
        yield from self.units.values()
        yield from self._library.units

    def library_units(self) -> Sequence[FileSymbols]:
        """The library modules that were read, in their order."""
        return self._library.units

    def library(self, rules: LanguageRules, dotted: str) -> FileSymbols | None:
        """The library module `dotted`, None where nothing is known of it."""
        is_known = self._library.is_known(rules, dotted)
        unit = self._library.module(rules, dotted, first=len(self.definitions))
        if unit is not None and not is_known:
            self._number(unit)
            extended = unit.extensions()
            if extended:
                self.extend(unit, extended)
        return unit

    def library_class(self, rules: LanguageRules, dotted: str) -> int:
        """The number of a class of the library by its dotted name; -1 where it is not known."""
        place = (rules.name, dotted)
        number = self._classes.get(place)
        if number is None:
            module, _, name = dotted.rpartition(".")
            unit = self.library(rules, module) if module else None
            entry = None if unit is None else unit.names[0].get(name)
            number = -1
            if unit is not None and entry is not None and entry.definitions:
                number = unit.first + entry.definitions[-1]
            self._classes[place] = number
        return number

    def literal_class(self, unit: FileSymbols, kind: str) -> int:
        """The number of the class of a kind of literals in a file; -1 where it is not known."""
        return self.library_class(unit.rules, unit.types.literal_type(kind))

    def root_class(self, rules: LanguageRules) -> int:
        """The number of the class that all others extend; -1 where there is none."""
        return self.library_class(rules, rules.members.root_class)

    def dotted(self, number: int) -> str:
        """The dotted name of a definition of the library, by the package that gives it out."""
        known = self._dotted.get(number)
        if known is None:
            unit = self.unit_of[number]
            path = dotted_path(unit, self.definitions[number])
            inside = path[len(unit.file.path) + 1 :]
            package = self._package_of(unit, unit.file.path, inside.partition(".")[0])
            known = self._dotted[number] = f"{package}.{inside}"
        return known

    def dotted_variable(self, place: Place) -> str:
        """The dotted name of a variable of a library module, or of a class in it."""
        file, scope, name = place
        unit = self.unit(file)
        owner = unit.scopes[scope].definition
        path = unit.file.path if owner < 0 else self.dotted(unit.first + owner)
        return f"{path}.{name}"

    def _package_of(self, unit: FileSymbols, module: str, name: str) -> str:
        """The nearest package above a library module that takes a name out of it; else itself."""
        above = module.rpartition(".")[0]
        package = self.library(unit.rules, above) if above else None
        entry = None if package is None else package.names[0].get(name)
        if package is None or entry is None or name not in unit.modules.stub_exports(above):
            return module
        for row in entry.imports:
            target = package.finder.find(package.file.key, row.module, level=row.level)
            if target.external == module and row.name == name:
                return above
        return module

    def extend(self, unit: FileSymbols, extended: dict[int, int]) -> None:
        """Say which classes the extensions in a file, by their numbers there, belong to."""
        unit.extend(extended)
        for local, number in extended.items():
            body = unit.facts.definitions[local].body
            self.added.setdefault(number, []).append((unit, body))

    def place_of(self, number: int) -> tuple[str, int]:
        """Where a definition comes in the order of paths, however files were numbered."""
        return self.unit_of[number].file.path, number

    def is_library(self, number: int) -> bool:
        """Whether a definition lies outside the repository."""
        return number >= self.size

    def is_own(self, value: Value) -> bool:
        """Whether a value is a function of the repository, or an instance of its class."""
        if value[0] in CALLABLES:
            return not self.is_library(number_of(value[1]))
        if value[0] not in INSTANCES or class_of(value) < 0:
            return False
        return not self.is_library(class_of(value))

    def _number(self, unit: FileSymbols) -> None:
        self.definitions += unit.facts.definitions
        self.unit_of += [unit] * len(unit.facts.definitions)


def _without_text(facts: FileFacts) -> FileFacts:
    """The facts of a file that has no text but as many lines."""
    return replace(
        facts,
        scopes=facts.scopes[:1],
        definitions=(),
        imports=(),
        expressions=facts.expressions[:1],
        bindings=(),
        references=References(()),
        prose=(),
        directives=(),
    )


def _by_rules(
    files: Sequence[File], facts: Mapping[int, FileFacts], rules: Mapping[str, LanguageRules]
) -> dict[LanguageRules, tuple[dict[int, str], dict[int, FileFacts]]]:
    """The paths and the facts of the files by key, those of languages that share rules together."""
    found: dict[LanguageRules, tuple[dict[int, str], dict[int, FileFacts]]] = {}
    for file in files:
        if file.key in facts:
            paths, own = found.setdefault(rules[file.language], ({}, {}))
            paths[file.key], own[file.key] = file.path, facts[file.key]
    return found


def _texts(
    rules: Mapping[str, LanguageRules],
    shared: LanguageRules,
    manifests: Mapping[str, Mapping[str, str]],
) -> dict[str, str]:
    """The manifests of the languages that share some rules, by path."""
    texts: dict[str, str] = {}
    for name, own in rules.items():
        if own is shared:
            texts.update(manifests.get(name, {}))
    return texts
