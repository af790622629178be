"""The text of library modules: stub files that are read when something of a module is first needed.

They are parsed by the same extractor as the repository's own files, in the process that links:
Python's builtins take 30 ms, any other module a few, and getting ready to parse 50. So their facts
are kept from one build to the next: see `stub_cache`.
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
"""In characters. Beyond some number that depends on the system, looking for a file is an error."""

_LEADS_OUT = re.compile(r"/|.*[\\\0]", re.DOTALL)  # a part that is no path below a folder
_EXPORTED = re.compile(r"\b(\w+) as \1\b")


class Stubs:
    """The stub files of one language by dotted names; the first of the folders has precedence."""

    def __init__(
        self, language: str, folders: Sequence[str], *, extension: str, package_file: str
    ) -> None:
        self._language = language
        self._extension = extension
        self._package_file = package_file
        self._roots = [files("mu.languages").joinpath("data", *f.split("/")) for f in folders]
        self._extractor: Extractor | None = None
        self._kept = StubCache(language)
        self._facts: dict[str, FileFacts | None] = {}
        self._files: dict[str, Traversable | None] = {}

    def facts(self, dotted: str) -> FileFacts | None:
        """The facts of a module, None where there is no stub of it."""
        if dotted not in self._facts:
            self._facts[dotted] = self._extract(dotted)
        return self._facts[dotted]

    def forget(self) -> None:
        """Let go of the facts that were read; what is needed again is read again."""
        self._facts.clear()
        self._files.clear()

    def _extract(self, dotted: str) -> FileFacts | None:
        file = self._find(dotted)
        if file is None:
            return None
        text = file.read_bytes()
        facts = self._kept.find(text)
        if facts is None:
            from mu.syntax import GrammarError

            try:
                facts = self._extracted(text)
            except GrammarError:  # each file of the language is told of; another may extend it
                return None
            self._kept.keep(text, facts)
        return facts

    def _extracted(self, text: bytes) -> FileFacts:
        if self._extractor is None:
            from mu.syntax import Extractor

            self._extractor = Extractor()
        return self._extractor.extract(text, self._language)

    def exports(self, dotted: str) -> frozenset[str]:
        """The names a stub gives out again: imported under their own name, as PEP 484 says."""
        file = self._find(dotted)
        text = "" if file is None else file.read_text(encoding="utf-8")
        return frozenset(_EXPORTED.findall(text))

    def is_package(self, dotted: str) -> bool:
        """Tell whether a module's stub is the file of a folder."""
        file = self._find(dotted)
        return file is not None and file.name == f"{self._package_file}{self._extension}"

    def _find(self, dotted: str) -> Traversable | None:
        if dotted not in self._files:
            self._files[dotted] = self._look_for(dotted)
        return self._files[dotted]

    def _look_for(self, dotted: str) -> Traversable | None:
        """The stub of a module; the name may be any text that stands in a repository."""
        *above, last = dotted.split(".")
        if len(dotted) > LONGEST_NAME or any(map(_LEADS_OUT.match, (*above, last))):
            return None
        for root in self._roots:
            file = root.joinpath(*above, f"{last}{self._extension}")
            inside = root.joinpath(*above, last, f"{self._package_file}{self._extension}")
            if inside.is_file() or file.is_file():
                return inside if inside.is_file() else file
        return None


@cache
def go_stubs() -> Stubs:
    """Those of Go's packages, each in one file, and of frameworks."""
    folders = ["stubs/go", "frameworks/go/stubs"]
    return Stubs("go", folders, extension=".go", package_file="doc")


@cache
def java_stubs() -> Stubs:
    """Those of Java's packages: the classes of each in one file."""
    return Stubs("java", ["stubs/java"], extension=".java", package_file="package-info")


@cache
def python_stubs() -> Stubs:
    """Those of Python's standard library, and of frameworks."""
    folders = ["stubs/python", "frameworks/python/stubs"]
    return Stubs("python", folders, extension=".pyi", package_file="__init__")


@cache
def typescript_stubs() -> Stubs:
    """Those of what every JavaScript program has, and of frameworks."""
    folders = ["stubs/typescript", "frameworks/typescript/stubs"]
    return Stubs("typescript", folders, extension=".d.ts", package_file="index")


@cache
def rust_stubs() -> Stubs:
    """Those of Rust's library, the names of the prelude in one file."""
    return Stubs("rust", ["stubs/rust"], extension=".rs", package_file="mod")


def forget_stubs() -> None:
    """Let go of all facts of stubs that were read in this process."""
    for stubs in (go_stubs, java_stubs, python_stubs, typescript_stubs, rust_stubs):
        if stubs.cache_info().currsize:
            stubs().forget()
