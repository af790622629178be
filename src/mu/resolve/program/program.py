"""The program: all files of a repository and the library stubs they need, in one numbering.

Definitions of all files are numbered in one sequence, so a definition is one `int`; everything else
is reached by (file, row). Nothing is resolved here.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from types import MappingProxyType
from typing import NamedTuple

from msgspec.structs import replace

from mu.model.facts import Definition, FileFacts
from mu.model.graph import File
from mu.model.references import References
from mu.resolve.abstract_values import CALLABLES, INSTANCES, Place, Value, class_of, number_of
from mu.resolve.program.blanket_impls import BlanketImpls
from mu.resolve.program.fault_isolation import Fence
from mu.resolve.program.file_outline import NO_OUTLINE, FileOutline, outline_of
from mu.resolve.program.file_symbols import FileSymbols
from mu.resolve.program.lazy_units import ByNumber, LazyUnits, PartOf
from mu.resolve.program.stub_library import FIRST_KEY, LibraryModule, StubLibrary, dotted_path
from mu.resolve.semantics.language_rules import LanguageRules
from mu.resolve.semantics.module_resolver import Layout, ModuleFinder


class ProgramText(NamedTuple):
    """What a program is made of: its `files`, of which those with `facts` (by file key) are linked.

    `rules` has an entry for each language among them; `roots` are folders that imports start from,
    besides those the languages find themselves; `manifests` are texts, by language and path. The
    order of `files` is part of what linking gives. Where `outlines` of files are known, by key,
    these are set up when something is asked of them.
    """

    files: Sequence[File]
    facts: Mapping[int, FileFacts]
    rules: Mapping[str, LanguageRules]
    roots: Sequence[str] = ()
    manifests: Mapping[str, Mapping[str, str]] = MappingProxyType({})
    outlines: Mapping[int, FileOutline] = MappingProxyType({})


class Program:
    """Every indexed file, and definitions by their program-wide number.

    The first `size` definitions are the repository's, in the order of its files; those of library
    modules follow as they are read. `files` are the rows of the files with a text, by key. `fence`
    keeps an error in one file from ending all. A file that cannot be set up is one without a text.
    """

    def __init__(self, text: ProgramText) -> None:
        self._text = text
        self.files = {file.key: file for file in text.files if file.key in text.facts}
        self._finders = {
            shared: shared.modules.module_finder(
                Layout(
                    *(paths, own, text.roots, _texts(text.rules, shared, text.manifests)),
                    outlined=_packages(text.outlines, paths),
                )
            )
            for shared, (paths, own) in _by_rules(text).items()
        }
        self.fence = Fence()
        self.units: Mapping[int, FileSymbols]
        self.definitions: list[Definition] | ByNumber[Definition]
        self.unit_of: list[FileSymbols] | ByNumber[FileSymbols]
        self.first_of: dict[int, int] = {}  # the number of the first definition, by file
        self._outlines = dict(text.outlines)
        self._library = StubLibrary()
        if text.outlines:
            self._set_up_by_need()
        else:
            self._set_up_all()
        self.size = len(self.definitions)
        self.extended: dict[int, dict[int, int]] = {}  # classes by their extensions, by file
        self.added: dict[int, list[tuple[FileSymbols, int]]] = {}  # the bodies that extend a class
        self.blankets = BlanketImpls()
        self._dotted: dict[int, str] = {}
        self._paths: dict[int, list[tuple[str, int]]] = {}  # by file
        self._classes: dict[tuple[str, str], int] = {}

    def _set_up_all(self) -> None:
        units: dict[int, FileSymbols] = {}
        self.units, self.definitions, self.unit_of = units, [], []
        for key in self.files:
            self.first_of[key] = len(self.definitions)
            unit = units[key] = self._set_up(key)
            self.definitions += unit.facts.definitions
            self.unit_of += [unit] * len(unit.facts.definitions)

    def _set_up_by_need(self) -> None:
        self.units = units = LazyUnits(self._set_up)
        self.definitions = ByNumber(self.unit, lambda unit, local: unit.facts.definitions[local])
        self.unit_of = ByNumber(self.unit, lambda unit, _: unit)
        first = 0
        for key in self.files:
            self.first_of[key] = first
            units.expect(key)
            count = self.outline(key).definitions
            self._expect(key, count)
            first += count

    def _expect(self, key: int, count: int) -> None:
        """Number the definitions of a file that need not be set up."""
        for numbers in (self.definitions, self.unit_of):
            if isinstance(numbers, ByNumber):
                numbers.expect(key, count)

    def _set_up(self, key: int) -> FileSymbols:
        file, facts = self.files[key], self._text.facts[key]
        rules = self._text.rules[file.language]
        make = partial(
            FileSymbols, first=self.first_of[key], rules=rules, finder=self._finders[rules]
        )
        made = self.fence.run(file, make, file, facts, otherwise=None)
        return made or make(file, _without_text(facts))

    @property
    def rules(self) -> Iterable[LanguageRules]:
        """The rules of its languages."""
        return self._finders.keys()

    @property
    def finders(self) -> Iterable[ModuleFinder]:
        """What finds the modules of each language."""
        return self._finders.values()

    def rules_of(self, key: int) -> LanguageRules:
        """The rules of a file of the repository, which need not be set up."""
        return self._text.rules[self.files[key].language]

    def finder_of(self, key: int) -> ModuleFinder:
        """What finds the modules that a file of the repository names."""
        return self._finders[self.rules_of(key)]

    def outline(self, key: int) -> FileOutline:
        """The outline of a file of the repository."""
        found = self._outlines.get(key)
        if found is None:
            run, file = self.fence.run, self.files[key]
            unit, facts = self.units[key], self._text.facts[key]
            found = run(file, outline_of, unit, facts, otherwise=NO_OUTLINE)
            self._outlines[key] = found
        return found

    def files_by(self, names: Callable[[FileOutline], Iterable[str]]) -> dict[str, list[int]]:
        """The files, by key and in order, by some names in their outlines."""
        found: dict[str, list[int]] = {}
        for key in self.files:
            for name in names(self.outline(key)):
                found.setdefault(name, []).append(key)
        return found

    def outlines(self) -> dict[int, FileOutline]:
        """The outlines of the files of the repository."""
        return {key: self.outline(key) for key in self.files}

    def unforeseen_units(self) -> Iterator[FileSymbols]:
        """The files of the repository of which no outline was given that is all others see of them:
        all files where none was.
        """
        known = self._text.outlines
        keys = (key for key in self.files if key not in known or known[key].is_extending)
        return (self.units[key] for key in keys)

    def units_there(self) -> Iterator[FileSymbols]:
        """The files that are set up, of the repository and outside."""
        units = self.units
        yield from units.there() if isinstance(units, LazyUnits) else units.values()
        yield from self._library.units

    def unit(self, key: int) -> FileSymbols:
        """The file of a key, in the repository or outside."""
        return self.units[key] if key < FIRST_KEY else self._library.unit(key)

    def library_modules(self) -> Sequence[LibraryModule]:
        """The library modules that were read or are expected, in their order."""
        return self._library.modules

    def expect_library(self, rules: LanguageRules, module: LibraryModule) -> None:
        """Have a library module next, which is read when something is asked of it if that alters
        nothing.
        """
        if module.is_extending or not isinstance(self.definitions, ByNumber):
            self.library(rules, module.dotted)
        else:
            key = self._library.expect(rules, module, first=len(self.definitions))
            self._expect(key, module.definitions)

    def library(self, rules: LanguageRules, dotted: str) -> FileSymbols | None:
        """The library module `dotted`, None where nothing is known of it."""
        is_known = self._library.is_known(rules, dotted)
        unit = self._library.module(rules, dotted, first=len(self.definitions))
        if unit is not None and not is_known:
            self._number_library(unit)
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

    def path_of(self, number: int) -> tuple[str, int]:
        """The dotted path of a definition, by its file, and how many of that path come before it:
        objects in place have no names.
        """
        unit = self.unit_of[number]
        known = self._paths.get(unit.key)
        if known is None:
            known, count = self._paths.setdefault(unit.key, []), Counter[str]()
            for row in unit.facts.definitions:
                path = dotted_path(unit, row)
                known.append((path, count[path]))
                count[path] += 1
        return known[number - unit.first]

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
            target = package.finder.find(package.key, row.module, level=row.level)
            if target.external == module and row.name == name:
                return above
        return module

    def extend(self, unit: FileSymbols, extended: dict[int, int]) -> None:
        """Say which classes the extensions in a file, by their numbers there, belong to."""
        unit.extend(extended)
        self.extended[unit.key] = extended
        for local, number in extended.items():
            body = unit.facts.definitions[local].body
            self.added.setdefault(number, []).append((unit, body))

    def place_of(self, number: int) -> tuple[str, int]:
        """Where a definition comes in the order of paths, however files were numbered."""
        key = self.file_of(number)
        file = self.files[key] if key < FIRST_KEY else self._library.unit(key).file
        return file.path, number

    def file_of(self, number: int) -> int:
        """The key of the file of a definition, which need not be set up."""
        numbers = self.unit_of
        return numbers.file_of(number) if isinstance(numbers, ByNumber) else numbers[number].key

    def is_shape(self, number: int) -> bool:
        """Tell whether others satisfy a class of the repository by having its methods."""
        key = self.file_of(number)
        return number - self.first_of[key] in self.outline(key).shapes

    def is_library(self, number: int) -> bool:
        """Tell whether a definition lies outside the repository."""
        return number >= self.size

    def is_own(self, value: Value) -> bool:
        """Tell whether a value is a function of the repository, or an instance of its class."""
        if value[0] in CALLABLES:
            return not self.is_library(number_of(value[1]))
        if value[0] not in INSTANCES or class_of(value) < 0:
            return False
        return not self.is_library(class_of(value))

    def _number_library(self, unit: FileSymbols) -> None:
        rows = unit.facts.definitions
        if isinstance(self.definitions, list) and isinstance(self.unit_of, list):
            self.definitions += rows
            self.unit_of += [unit] * len(rows)
        else:
            self._expect(unit.key, len(rows))


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
    text: ProgramText,
) -> dict[LanguageRules, tuple[dict[int, str], PartOf[FileFacts]]]:
    """The paths and the facts of the files by key, those of languages that share rules together."""
    found: dict[LanguageRules, tuple[dict[int, str], PartOf[FileFacts]]] = {}
    for file in text.files:
        if file.key in text.facts:
            paths, own = found.setdefault(text.rules[file.language], ({}, PartOf(text.facts)))
            paths[file.key] = file.path
            own.add(file.key)
    return found


def _packages(
    outlines: Mapping[int, FileOutline], keys: Iterable[int]
) -> dict[int, tuple[str, Sequence[str]]]:
    """The packages of some files and the names that they define, as far as outlines tell."""
    known = ((key, outlines[key]) for key in keys if key in outlines)
    return {key: (one.package, one.top) for key, one in known if one.package}


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
