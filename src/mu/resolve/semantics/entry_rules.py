"""Entry rules: where execution starts: `main` functions, tests, manifests and frameworks."""

import re
from collections.abc import Sequence

import msgspec

from mu.model.facts import Definition, FileFacts
from mu.model.kinds import EntryRole
from mu.resolve.semantics.framework_models import Framework


class Injected(msgspec.Struct, frozen=True):
    """Which functions a framework gives arguments to, by the names of their parameters.

    `providers` are the dotted names of decorators that make a function a provider of what it
    returns, under its own name or the one of the argument `named`; with the argument `automatic` it
    runs for all it serves. Functions whose names begin with one of `receivers` are given what
    providers of the same file give, those that the file or the class has from elsewhere, those of
    files named in `shared`, for their folder and below, and those of modules that the variable
    `plugins` lists. Decorators `parametrized` give arguments themselves; decorators `marks` name
    providers in strings, as does the method `lookup` of the parameter `request`. In shared files
    and plugins, functions whose names begin with one of `hooks` are called by the framework.
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
    """Who runs tests: functions in files of tests, and methods of classes, by how names begin.

    Classes of tests are those whose names begin with one of `classes`, in files of tests, and those
    that extend one of `bases` (dotted names) anywhere.
    """

    name: str
    functions: tuple[str, ...] = ()
    methods: tuple[str, ...] = ()
    classes: tuple[str, ...] = ()
    bases: frozenset[str] = frozenset()


class Declared(msgspec.Struct, frozen=True):
    """Code that a manifest names: `attribute`, which may be empty or dotted, of a module.

    A `module` that begins with `./` is the path of a file, seen from the manifest.

    `manifest` says what sort of file it is, `path` and `line` where it says so.
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
    """What runs although nothing in the repository calls it."""

    main_modules: tuple[str, ...] = ()  # names of files that are run as programs
    main_check = ("", "", "")  # the comparison that asks whether a module is run: name, operator,
    # string
    manifests: frozenset[str] = frozenset()  # names of files that say where programs start, or
    # what modules are called
    test_mark: re.Pattern[str] | None = None  # decorators, as written, that make tests of functions

    @property
    def runners(self) -> tuple[Runner, ...]:
        """Who runs tests."""
        return ()

    @property
    def injected(self) -> Injected:
        """What a framework passes for parameters, by their names."""
        return Injected()

    @property
    def frameworks(self) -> tuple[Framework, ...]:
        """What calls and names mean to frameworks."""
        return ()

    def is_main(self, definition: Definition, *, package: str) -> bool:
        """Tell whether a function is where a program starts, in a file of this package."""
        return False

    def is_marked(self, definition: Definition) -> bool:
        """Tell whether a decorator says that it is a test."""
        mark = self.test_mark
        return mark is not None and any(mark.match(text) for _, _, text in definition.decorators)

    def declared(self, path: str, text: str) -> Sequence[Declared]:
        """What a manifest names as the start of programs. Raises ValueError: it cannot be read."""
        return ()

    def declared_in(self, path: str, facts: FileFacts) -> Sequence[Declared]:
        """What a manifest that is itself a program names as the start of programs."""
        return ()
