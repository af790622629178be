"""Framework models, read from data files: one folder per language, one file per framework."""

import tomllib
from collections.abc import Iterator
from importlib.resources import files

import msgspec

from mu.resolve import Framework, Injected, Runner


class _Tests(msgspec.Struct, frozen=True):
    """The table `tests` of a data file; its keys are the fields of `Runner` but the name."""

    functions: tuple[str, ...] = ()
    methods: tuple[str, ...] = ()
    classes: tuple[str, ...] = ()
    bases: frozenset[str] = frozenset()


class _FrameworkFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A data file; the keys of `framework` are the fields of `Framework`."""

    injection: Injected | None = None
    tests: _Tests | None = None
    framework: Framework | None = None


def load_injected(language: str) -> Injected:
    """Return how a framework injects arguments by parameter name: at most one per language does."""
    for _, content in _load(language):
        if content.injection is not None:
            return content.injection
    return Injected()


def load_runners(language: str) -> tuple[Runner, ...]:
    """Return the test runners of a language."""
    return tuple(
        Runner(name, **msgspec.structs.asdict(content.tests))
        for name, content in _load(language)
        if content.tests is not None
    )


def load_frameworks(language: str) -> tuple[Framework, ...]:
    """Return the models of the frameworks of a language."""
    return tuple(
        content.framework for _, content in _load(language) if content.framework is not None
    )


def _load(language: str) -> Iterator[tuple[str, _FrameworkFile]]:
    """Yield the name, without extension, and the content of each data file of a language."""
    folder = files("mu.languages").joinpath("data", "frameworks", language)
    for file in sorted(folder.iterdir(), key=lambda file: file.name):
        if file.name.endswith(".toml"):
            table = tomllib.loads(file.read_text(encoding="utf-8"))
            yield file.name.removesuffix(".toml"), msgspec.convert(table, _FrameworkFile)
