"""Entry points: `main` functions, tests, manifests, and what frameworks call."""

import re
from collections.abc import Sequence

import msgspec

from mu.model.facts import Definition, FileFacts
from mu.model.kinds import EntryRole
from mu.resolve.semantics.framework_models import Framework


class Injected(msgspec.Struct, frozen=True):
    """Dependency injection by parameter name: a framework fills parameters by calling providers.

    `providers` are the dotted names of decorators that make a function a provider of its result,
    under its own name or the one in the argument `named`; one with the argument `automatic` runs
    for all functions that it serves. Parameters of providers are filled, and those of functions in
    test files whose names begin with one of `receivers`. They see the providers of their file,
    those that the file imports or the class inherits, those of files named in `shared`, for their
    folder and below, and those of modules that the variable `plugins` lists. Decorators
    `parametrized` pass arguments themselves; decorators `marks` name providers in strings, as does
    the method `lookup` of the parameter `request`. In shared files and plugins, the framework calls
    functions whose names begin with one of `hooks`.
    """

    framework: str = ""
    providers: frozenset[str] = frozenset()
    receivers: tuple[str, ...] = ()
    shared: frozenset[str] = frozenset()
    named: str = ""
    automatic: str = ""
    plugins: str = ""
    parametrized: frozenset[str] = frozenset()
    marks: frozenset[str] = frozenset()
    request: str = ""
    lookup: str = ""
    hooks: tuple[str, ...] = ()


class Runner(msgspec.Struct, frozen=True):
    """A test runner: it runs functions in test files and methods of test classes, by prefix.

    Test classes are those in test files whose names begin with one of `classes`, and those in any
    file that extend one of `bases` (dotted names).
    """

    name: str
    functions: tuple[str, ...] = ()
    methods: tuple[str, ...] = ()
    classes: tuple[str, ...] = ()
    bases: frozenset[str] = frozenset()


class Declared(msgspec.Struct, frozen=True):
    """An entry point in a manifest: `attribute`, which may be empty or dotted, of a module.

    A `module` that begins with `./` is the path of a file, relative to the manifest. `manifest` is
    the sort of manifest; `path` and `line` are the place of the entry.
    """

    language: str
    manifest: str
    path: str
    line: int
    role: EntryRole
    label: str
    module: str
    attribute: str


class EntryRules:
    """Entry points of a language: what runs although nothing in the repository calls it."""

    main_modules: tuple[str, ...] = ()  # names of files that are run as programs
    main_check = ("", "", "")  # the comparison that tests whether a module is run as a program:
    # name, operator, string
    manifests: frozenset[str] = frozenset()  # names of files that declare entry points, or the
    # names of modules
    test_mark: re.Pattern[str] | None = None  # decorators, as written, that mark tests

    @property
    def runners(self) -> tuple[Runner, ...]:
        """The test runners."""
        return ()

    @property
    def injected(self) -> Injected:
        """The dependency injection by parameter names."""
        return Injected()

    @property
    def frameworks(self) -> tuple[Framework, ...]:
        """The framework models."""
        return ()

    def is_main(self, definition: Definition, *, package: str) -> bool:
        """Return whether a function is where a program starts, in a file of this package."""
        return False

    def is_marked(self, definition: Definition) -> bool:
        """Return whether a decorator marks a definition as a test."""
        mark = self.test_mark
        return mark is not None and any(mark.match(text) for _, _, text in definition.decorators)

    def declared(self, path: str, text: str) -> Sequence[Declared]:
        """Return the entry points in a manifest; raise ValueError if it cannot be read."""
        return ()

    def declared_in(self, path: str, facts: FileFacts) -> Sequence[Declared]:
        """Return the entry points in a manifest that is itself a program."""
        return ()
