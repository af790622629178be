"""Framework detection: which frameworks a repository uses, and what their names resolve to.

A name of a framework may be external (`ext:`), in a library stub, or in the repository itself, if
that is the framework. All three are looked up in the same way.
"""

from collections.abc import Iterable, Sequence, Set
from enum import IntEnum
from functools import cache

from mu.model.kinds import EntryRole
from mu.resolve.abstract_values import (
    CLASSES,
    DEFINITION,
    EXTERNAL,
    FUNCTION,
    MODULE,
    VARIABLE,
    Key,
    Symbols,
    Values,
)
from mu.resolve.evaluator import Evaluator
from mu.resolve.program.file_symbols import FileSymbols
from mu.resolve.program.program import Program
from mu.resolve.semantics.framework_models import (
    Framework,
    Group,
    Handling,
    Listening,
    Meaning,
    Mount,
    Providing,
    Sending,
)
from mu.resolve.semantics.language_rules import LanguageRules

_CALLED = CLASSES | {FUNCTION, EXTERNAL}


class SharedKind(IntEnum):
    """The kinds of registrations that are composed from several files."""

    ROUTES = 0
    EVENTS = 1
    PROVIDERS = 2


class FrameworkDetection:
    """The frameworks of one language that a repository uses, and the meaning of calls to them."""

    def __init__(self, program: Program, evaluator: Evaluator, rules: LanguageRules) -> None:
        self._program = program
        self._evaluator = evaluator
        self._meanings: dict[Key, list[tuple[Framework, Meaning]]] = {}
        self._found: dict[str, frozenset[Key]] = {}
        self._own: set[int] = set()
        self._is_prepared = False
        self._packages: frozenset[str] = frozenset()  # of `own`
        files = [key for key in program.files if program.rules_of(key) is rules]
        self._unit = program.units[files[0]]
        modules = {module for key in files for module, _, _ in program.outline(key).imports}
        imported = modules | {module.partition(".")[0] for module in modules}
        self.used = [
            framework
            for framework in rules.entries.frameworks
            if not framework.packages or not imported.isdisjoint(framework.packages)
        ]
        self.words = _last_parts(m for one in self.used for m in one.meanings())

    def words_sharing(self, kinds: Set[SharedKind]) -> set[str]:
        """Return the last parts of the names that make registrations of some shared kinds."""
        meanings = (m for one in self.used for m in one.meanings())
        return _last_parts(m for m in meanings if shared_kind(m) in kinds)

    @property
    def own(self) -> Set[int]:
        """The definitions of frameworks that are in the repository."""
        if not self._is_prepared:
            self._is_prepared = True
            self._prepare()
        return self._own

    def _prepare(self) -> None:
        """Resolve the names of the frameworks, when they are first needed (30 ms for django)."""
        for framework in self.used:
            for meaning in framework.meanings():
                for name in meaning.names:
                    for key in self.keys((name,)):
                        self._meanings.setdefault(key, []).append((framework, meaning))
                        self._note_own(key)
                    for key in self.keys((name.rpartition(".")[0],)):
                        self._note_own(key)
        unit_of = self._program.unit_of
        self._packages = frozenset(self._package(unit_of[number]) for number in self._own)

    def is_of_framework(self, unit: FileSymbols) -> bool:
        """Return whether a file belongs to the package of a framework that is in the repository."""
        return bool(self.own) and self._package(unit) in self._packages

    def is_own(self, unit: FileSymbols, owner: int) -> bool:
        """Return whether a definition of a file (-1: none) is part of a framework's own code."""
        while owner >= 0 and self.own:
            if unit.first + owner in self.own:
                return True
            scope = unit.facts.definitions[owner].scope
            while scope > 0 and unit.scopes[scope].definition < 0:
                scope = unit.scopes[scope].parent
            owner = unit.scopes[scope].definition if scope > 0 else -1
        return False

    def meanings(self, values: Values) -> list[tuple[Framework, Meaning]]:
        """Return what calls of `values` mean to frameworks."""
        if not self._is_prepared:
            self._is_prepared = True
            self._prepare()
        found = {  # by identity, since equality compares all fields of a meaning
            id(pair[1]): pair
            for kind, key, _ in values
            if kind in _CALLED
            for pair in self._meanings.get(key, ())
        }
        return list(found.values())

    def keys(self, names: Iterable[str]) -> frozenset[Key]:
        """Return the keys of what dotted names resolve to: definitions, variables, externals."""
        return frozenset(key for name in names for key in self._keys(name))

    def _keys(self, name: str) -> frozenset[Key]:
        found = self._found.get(name)
        if found is None:
            keys: set[Key] = set()
            for symbol in self._symbols(_parts(name)):
                if symbol[0] in (DEFINITION, EXTERNAL, VARIABLE):
                    keys.add(symbol[1])
                if symbol[0] in (VARIABLE, MODULE):  # of a module, what it exports as a whole
                    keys |= {v[1] for v in self._evaluator.meant(symbol) if v[0] in _CALLED}
            found = self._found[name] = frozenset(keys)
        return found

    def _package(self, unit: FileSymbols) -> str:
        return unit.finder.name_of(unit.key).partition(".")[0]

    def _note_own(self, key: Key) -> None:
        """Record a definition of the repository, and the class around it."""
        if not isinstance(key, int) or self._program.is_library(key):
            return
        self._own.add(key)
        unit = self._program.unit_of[key]
        owner = unit.scopes[self._program.definitions[key].scope].definition
        if owner >= 0:
            self._own.add(unit.first + owner)

    def _symbols(self, parts: Sequence[str]) -> Symbols:
        unit, finder = self._unit, self._unit.finder
        target = finder.find(unit.key, parts[0])
        symbols: Symbols = (self._evaluator.names.of_module(unit, target),)
        for part in parts[1:]:
            values = [v for symbol in symbols for v in self._evaluator.meant(symbol)]
            symbols = tuple(
                s for value in values for s in self._evaluator.members.of(unit, value, name=part)
            )
        return symbols


def _last_parts(meanings: Iterable[Meaning]) -> set[str]:
    """Return the last parts of all names in some meanings."""
    return {name.rpartition(".")[2] for meaning in meanings for name in meaning.names}


def _parts(name: str) -> list[str]:
    """Split a dotted name that begins with a module, whose path may have dots, too."""
    folder, slash, inside = name.rpartition("/")
    first, *rest = inside.split(".")
    return [f"{folder}{slash}{first}", *rest]


def shared_kind(meaning: Meaning) -> SharedKind | None:
    """Return the kind of a registration that is composed from several files; None for others."""
    if isinstance(meaning, (Listening, Sending)):
        return SharedKind.EVENTS
    if isinstance(meaning, Providing):
        return SharedKind.PROVIDERS
    if isinstance(meaning, (Mount, Group)):
        return SharedKind.ROUTES
    is_route = isinstance(meaning, Handling) and meaning.role == EntryRole.ROUTE
    return SharedKind.ROUTES if is_route else None


@cache
def words_found_by_text(rules: LanguageRules) -> frozenset[str]:
    """Return the last parts of all names that register what other files may find by a string.

    These are the names for events and providers, of all frameworks of a language, used or not.
    """
    meanings = (meaning for one in rules.entries.frameworks for meaning in one.meanings())
    found = (one for one in meanings if isinstance(one, (Listening, Sending, Providing)))
    return frozenset(_last_parts(found))


def words_of(unit: FileSymbols, words: Set[str]) -> Set[str]:
    """Return the words and the aliases by which a file imports them."""
    aliases = {row.local for row in unit.facts.imports if row.local and row.name in words}
    return words | aliases if aliases else words
