"""What is known of frameworks: data files, a folder for each language."""

import tomllib
from collections.abc import Iterator
from importlib.resources import files

import msgspec

from mu.resolve import Framework, Injected, Runner


class _Tests(msgspec.Struct, frozen=True):
    functions: tuple[str, ...] = ()
    methods: tuple[str, ...] = ()
    classes: tuple[str, ...] = ()
    bases: frozenset[str] = frozenset()


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A data file; the keys of `framework` are the fields of `Framework`."""

    injection: Injected | None = None
    tests: _Tests | None = None
    framework: Framework | None = None


def load_injected(language: str) -> Injected:
    """What a framework of a language fills in by the names of parameters: one at most does."""
    for _, found in _load(language):
        if found.injection is not None:
            return found.injection
    return Injected()


def load_runners(language: str) -> tuple[Runner, ...]:
    """Who runs the tests of a language."""
    return tuple(
        Runner(name, **msgspec.structs.asdict(found.tests))
        for name, found in _load(language)
        if found.tests is not None
    )


def load_frameworks(language: str) -> tuple[Framework, ...]:
    """What calls and names mean to the frameworks of a language."""
    return tuple(found.framework for _, found in _load(language) if found.framework is not None)


def _load(language: str) -> Iterator[tuple[str, _File]]:
    """The frameworks of a language, by the names of their files."""
    folder = files("mu.languages").joinpath("data", "frameworks", language)
    for file in sorted(folder.iterdir(), key=lambda file: file.name):
        if file.name.endswith(".toml"):
            table = tomllib.loads(file.read_text(encoding="utf-8"))
            yield file.name.removesuffix(".toml"), msgspec.convert(table, _File)
