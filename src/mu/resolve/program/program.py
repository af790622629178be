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
    """The input of a program: its `files`, of which those with `facts` (by file key) are linked.

    `rules` has an entry for each of their languages; `roots` are folders that imports start from,
    in addition to those that the languages find; `manifests` are texts, by language and path. The
    order of `files` affects the result of linking. With `outlines`, by file key, files are set up
    on first access.
    """

    files: Sequence[File]
    facts: Mapping[int, FileFacts]
    rules: Mapping[str, LanguageRules]
    roots: Sequence[str] = ()
    manifests: Mapping[str, Mapping[str, str]] = MappingProxyType({})
    outlines: Mapping[int, FileOutline] = MappingProxyType({})


class Program:
    """All indexed files, and their definitions by program-wide number.

    The first `size` definitions are the repository's, in the order of its files; those of library
    modules follow as they are loaded. `files` are the rows of the files with facts, by key. `fence`
    confines errors to one file: one that cannot be set up is treated as if it were empty.
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
        self.extended: dict[int, dict[int, int]] = {}  # by file: the class of each extension
        self.added: dict[int, list[tuple[FileSymbols, int]]] = {}  # the extensions of each class
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
        """Number the definitions of a file without setting it up."""
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
        """The rules of the program's languages."""
        return self._finders.keys()

    @property
    def finders(self) -> Iterable[ModuleFinder]:
        """The module finders of the program's languages."""
        return self._finders.values()

    def rules_of(self, key: int) -> LanguageRules:
        """Return the rules of a file of the repository, without setting it up."""
        return self._text.rules[self.files[key].language]

    def finder_of(self, key: int) -> ModuleFinder:
        """Return the module finder of a file of the repository, without setting it up."""
        return self._finders[self.rules_of(key)]

    def outline(self, key: int) -> FileOutline:
        """Return the outline of a file of the repository, made if it is not known."""
        found = self._outlines.get(key)
        if found is None:
            run, file = self.fence.run, self.files[key]
            unit, facts = self.units[key], self._text.facts[key]
            found = run(file, outline_of, unit, facts, otherwise=NO_OUTLINE)
            self._outlines[key] = found
        return found

    def files_by(self, names: Callable[[FileOutline], Iterable[str]]) -> dict[str, list[int]]:
        """Index the repository's files by names in their outlines: keys, in file order."""
        found: dict[str, list[int]] = {}
        for key in self.files:
            for name in names(self.outline(key)):
                found.setdefault(name, []).append(key)
        return found

    def outlines(self) -> dict[int, FileOutline]:
        """Return the outlines of all files of the repository, by key."""
        return {key: self.outline(key) for key in self.files}

    def unforeseen_units(self) -> Iterator[FileSymbols]:
        """Return the repository's files that need to be set up although outlines were given.

        These are the files without one, and those with extensions; all files if none was given.
        """
        known = self._text.outlines
        keys = (key for key in self.files if key not in known or known[key].is_extending)
        return (self.units[key] for key in keys)

    def units_there(self) -> Iterator[FileSymbols]:
        """Yield the files that are set up, of the repository and of the library."""
        units = self.units
        yield from units.there() if isinstance(units, LazyUnits) else units.values()
        yield from self._library.units

    def unit(self, key: int) -> FileSymbols:
        """Return the file of a key, in the repository or in the library."""
        return self.units[key] if key < FIRST_KEY else self._library.unit(key)

    def library_modules(self) -> Sequence[LibraryModule]:
        """Return the library modules that are loaded or expected, in order."""
        return self._library.modules

    def expect_library(self, rules: LanguageRules, module: LibraryModule) -> None:
        """Number a library module next, and load it on first access.

        One with extensions is loaded at once, since they add members to classes; so is any module
        in a program that sets up all its files.
        """
        if module.is_extending or not isinstance(self.definitions, ByNumber):
            self.library(rules, module.dotted)
        else:
            key = self._library.expect(rules, module, first=len(self.definitions))
            self._expect(key, module.definitions)

    def library(self, rules: LanguageRules, dotted: str) -> FileSymbols | None:
        """Return the library module `dotted`, loaded if need be; None if it has no stub."""
        is_known = self._library.is_known(rules, dotted)
        unit = self._library.module(rules, dotted, first=len(self.definitions))
        if unit is not None and not is_known:
            self._number_library(unit)
            extended = unit.extensions()
            if extended:
                self.extend(unit, extended)
        return unit

    def library_class(self, rules: LanguageRules, dotted: str) -> int:
        """Return the number of a library class by its dotted name; -1 if it is not known."""
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
        """Return the number of the class of a kind of literal in a file; -1 if it is not known."""
        return self.library_class(unit.rules, unit.types.literal_type(kind))

    def root_class(self, rules: LanguageRules) -> int:
        """Return the number of the class that all others extend; -1 if it is not known."""
        return self.library_class(rules, rules.members.root_class)

    def dotted(self, number: int) -> str:
        """Return the dotted name of a library definition, by the package that re-exports it."""
        known = self._dotted.get(number)
        if known is None:
            unit = self.unit_of[number]
            path = dotted_path(unit, self.definitions[number])
            inside = path[len(unit.file.path) + 1 :]
            package = self._package_of(unit, unit.file.path, inside.partition(".")[0])
            known = self._dotted[number] = f"{package}.{inside}"
        return known

    def path_of(self, number: int) -> tuple[str, int]:
        """Return the dotted path of a definition, and how many with this path precede it.

        Several definitions of a file may have one path: object literals have no names.
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
        """Return the dotted name of a variable of a library module, or of a class in it."""
        file, scope, name = place
        unit = self.unit(file)
        owner = unit.scopes[scope].definition
        path = unit.file.path if owner < 0 else self.dotted(unit.first + owner)
        return f"{path}.{name}"

    def _package_of(self, unit: FileSymbols, module: str, name: str) -> str:
        """Return the parent package of a library module if it re-exports a name; else `module`."""
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
        """Set the classes that the extensions in a file, by their numbers there, extend."""
        unit.extend(extended)
        self.extended[unit.key] = extended
        for local, number in extended.items():
            body = unit.facts.definitions[local].body
            self.added.setdefault(number, []).append((unit, body))

    def place_of(self, number: int) -> tuple[str, int]:
        """Return a sort key: by the path of the file, however files were numbered."""
        key = self.file_of(number)
        file = self.files[key] if key < FIRST_KEY else self._library.unit(key).file
        return file.path, number

    def file_of(self, number: int) -> int:
        """Return the key of the file of a definition, without setting it up."""
        numbers = self.unit_of
        return numbers.file_of(number) if isinstance(numbers, ByNumber) else numbers[number].key

    def is_shape(self, number: int) -> bool:
        """Return whether a class of the repository is a structural type."""
        key = self.file_of(number)
        return number - self.first_of[key] in self.outline(key).shapes

    def is_library(self, number: int) -> bool:
        """Return whether a definition is outside the repository."""
        return number >= self.size

    def is_own(self, value: Value) -> bool:
        """Return whether a value is a function, or an instance of a class, of the repository."""
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
    """Return the facts as of a file with no code and as many lines."""
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
        visibilities=(),
    )


def _by_rules(
    text: ProgramText,
) -> dict[LanguageRules, tuple[dict[int, str], PartOf[FileFacts]]]:
    """Return the paths and facts of the files, by key, for each set of language rules."""
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
    """Return the package and the top-level names of the files whose outlines have a package."""
    known = ((key, outlines[key]) for key in keys if key in outlines)
    return {key: (one.package, one.top) for key, one in known if one.package}


def _texts(
    rules: Mapping[str, LanguageRules],
    shared: LanguageRules,
    manifests: Mapping[str, Mapping[str, str]],
) -> dict[str, str]:
    """Return the manifests of the languages that share some rules, by path."""
    texts: dict[str, str] = {}
    for name, own in rules.items():
        if own is shared:
            texts.update(manifests.get(name, {}))
    return texts
