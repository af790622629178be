"""Stubs of library modules, which are read when a module is first needed.

They are extracted like the repository's own files, in the process that links: in 30 ms for Python's
builtins and a few for any other module, after 50 ms to load the parser. Their facts are therefore
cached, see `stub_cache`.
"""

import re
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import TYPE_CHECKING

from mu.languages.stub_cache import StubCache
from mu.model.facts import FileFacts

if TYPE_CHECKING:
    from mu.syntax import Extractor

LONGEST_NAME = 200
"""In characters. Operating systems raise an error for file names over a limit of their own."""

_UNSAFE_PART = re.compile(r"/|.*[\\\0]", re.DOTALL)  # may escape the folder of the stubs
_REEXPORTED = re.compile(r"\b(\w+) as \1\b")


class Stubs:
    """The stub files of one language by dotted module name; earlier folders have precedence."""

    def __init__(
        self, language: str, folders: Sequence[str], *, extension: str, package_file: str
    ) -> None:
        self._language = language
        self._extension = extension
        self._package_file = package_file
        self._roots = [files("mu.languages").joinpath("data", *f.split("/")) for f in folders]
        self._extractor: Extractor | None = None
        self._cache = StubCache(language)
        self._facts: dict[str, FileFacts | None] = {}
        self._files: dict[str, Traversable | None] = {}

    def facts(self, dotted: str) -> FileFacts | None:
        """Return the facts of a module; None if it has no stub."""
        if dotted not in self._facts:
            self._facts[dotted] = self._extract(dotted)
        return self._facts[dotted]

    def clear(self) -> None:
        """Release the facts from memory; they are read again on demand."""
        self._facts.clear()
        self._files.clear()

    def _extract(self, dotted: str) -> FileFacts | None:
        file = self._find(dotted)
        if file is None:
            return None
        text = file.read_bytes()
        facts = self._cache.find(text)
        if facts is None:
            from mu.syntax import GrammarError

            try:
                facts = self._run_extractor(text)
            except GrammarError:  # reported for each file of the language; a dialect may still work
                return None
            self._cache.keep(text, facts)
        return facts

    def _run_extractor(self, text: bytes) -> FileFacts:
        if self._extractor is None:
            from mu.syntax import Extractor

            self._extractor = Extractor()
        return self._extractor.extract(text, self._language)

    def reexported_names(self, dotted: str) -> frozenset[str]:
        """Return the names that a stub re-exports: `import x as x`, see PEP 484, "Stub files"."""
        file = self._find(dotted)
        text = "" if file is None else file.read_text(encoding="utf-8")
        return frozenset(_REEXPORTED.findall(text))

    def is_package(self, dotted: str) -> bool:
        """Return whether the stub of a module is the package file of a folder."""
        file = self._find(dotted)
        return file is not None and file.name == f"{self._package_file}{self._extension}"

    def _find(self, dotted: str) -> Traversable | None:
        if dotted not in self._files:
            self._files[dotted] = self._search(dotted)
        return self._files[dotted]

    def _search(self, dotted: str) -> Traversable | None:
        """Return the stub file of a module; `dotted` is untrusted text."""
        *above, last = dotted.split(".")
        if len(dotted) > LONGEST_NAME or any(map(_UNSAFE_PART.match, (*above, last))):
            return None
        for root in self._roots:
            file = root.joinpath(*above, f"{last}{self._extension}")
            inside = root.joinpath(*above, last, f"{self._package_file}{self._extension}")
            if inside.is_file() or file.is_file():
                return inside if inside.is_file() else file
        return None


@cache
def go_stubs() -> Stubs:
    """Return the stubs of Go's packages, one file each, and of frameworks."""
    folders = ["stubs/go", "frameworks/go/stubs"]
    return Stubs("go", folders, extension=".go", package_file="doc")


@cache
def java_stubs() -> Stubs:
    """Return the stubs of Java's packages, one file each."""
    return Stubs("java", ["stubs/java"], extension=".java", package_file="package-info")


@cache
def python_stubs() -> Stubs:
    """Return the stubs of Python's standard library and of frameworks."""
    folders = ["stubs/python", "frameworks/python/stubs"]
    return Stubs("python", folders, extension=".pyi", package_file="__init__")


@cache
def typescript_stubs() -> Stubs:
    """Return the stubs of JavaScript's global objects and of frameworks."""
    folders = ["stubs/typescript", "frameworks/typescript/stubs"]
    return Stubs("typescript", folders, extension=".d.ts", package_file="index")


@cache
def rust_stubs() -> Stubs:
    """Return the stubs of Rust's standard library; one file has the names of the prelude."""
    return Stubs("rust", ["stubs/rust"], extension=".rs", package_file="mod")


def clear_stubs() -> None:
    """Release the facts of all stubs that this process has read."""
    for stubs in (go_stubs, java_stubs, python_stubs, typescript_stubs, rust_stubs):
        if stubs.cache_info().currsize:
            stubs().clear()
