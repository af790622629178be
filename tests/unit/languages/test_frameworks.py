"""Framework models, compared with the frameworks that are installed."""

import ast
import importlib
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from types import ModuleType

import msgspec
import pytest

import mu.languages
from mu.languages.frameworks import load_frameworks
from mu.languages.stubs import go_stubs, java_stubs, typescript_stubs
from mu.model.kinds import EntryRole
from mu.resolve import Framework
from mu.syntax import Extractor

DATA = Path(mu.languages.__file__).parent / "data"
FOLDER = DATA / "frameworks" / "python"
STUBS = {
    ".".join(path.relative_to(FOLDER / "stubs").with_suffix("").parts).removesuffix(
        ".__init__"
    ): path
    for path in sorted((FOLDER / "stubs").rglob("*.pyi"))
}
FRAMEWORKS = {framework.name: framework for framework in load_frameworks("python")}
METHOD = (ast.FunctionDef, ast.AsyncFunctionDef)
# in versions that are still in use, but not in the one that is installed
FORMER = {"django.conf.urls.url"}


def found(dotted: str) -> object:
    """What a dotted name means in what is installed; skips where the package is not."""
    first, *rest = dotted.split(".")
    value: object = pytest.importorskip(first)
    if first in ("django", "rest_framework"):
        _set_up_django()
    for name in rest:
        if isinstance(value, ModuleType) and not hasattr(value, name):
            value = importlib.import_module(f"{value.__name__}.{name}")
        else:
            value = getattr(value, name)
    return value


@cache
def _set_up_django() -> None:
    import django
    from django.conf import settings

    apps = ("admin", "auth", "contenttypes", "messages", "sessions")
    settings.configure(INSTALLED_APPS=[f"django.contrib.{name}" for name in apps])
    django.setup()


def names(framework: Framework) -> Iterator[str]:
    for meaning in (*framework.meanings(), *framework.holders, *framework.extendings):
        yield from meaning.names
    yield from (*framework.makers, *framework.wrappers, *framework.named_sources)
    if framework.listed is not None:
        yield from (*framework.listed.includes, *framework.listed.around)


ALL_NAMES = sorted({name for framework in FRAMEWORKS.values() for name in names(framework)})


def _unknown(table: object, understood: object) -> list[str]:
    if isinstance(table, dict) and isinstance(understood, dict):
        unknown = [key for key in table if key not in understood]
        return unknown + [
            name
            for key in table
            if key in understood
            for name in _unknown(table[key], understood[key])
        ]
    if isinstance(table, list) and isinstance(understood, (list, tuple)):
        return [
            name
            for one, other in zip(table, understood, strict=True)
            for name in _unknown(one, other)
        ]
    return []


@pytest.mark.parametrize("name", [name for name in ALL_NAMES if name not in FORMER])
def test_a_name_exists_in_the_framework(name: str) -> None:
    assert found(name) is not None


@pytest.mark.parametrize("framework", FRAMEWORKS.values(), ids=lambda framework: framework.name)
def test_a_route_has_a_pattern_and_other_roles_no_method(framework: Framework) -> None:
    for handling in framework.handlings:
        is_route = handling.role == EntryRole.ROUTE
        assert is_route or not (handling.method or handling.methods or handling.has_holder)
        assert handling.takes


@pytest.mark.parametrize("module", STUBS)
def test_a_stub_is_read_without_a_problem(module: str) -> None:
    facts = Extractor().extract(STUBS[module].read_bytes(), "python")

    assert facts.problems == ()


@pytest.mark.parametrize("module", STUBS)
def test_what_a_stub_defines_exists(module: str) -> None:
    tree = ast.parse(STUBS[module].read_text(encoding="utf-8"))
    missing = []
    for row in tree.body:
        if isinstance(row, (ast.ClassDef, *METHOD)) and not row.name.startswith("_"):
            value = _member(found(module), row.name)
            parts = row.body if isinstance(row, ast.ClassDef) else ()
            methods = [part.name for part in parts if isinstance(part, METHOD)]
            missing += [row.name] if value is None else []
            missing += [
                f"{row.name}.{name}"
                for name in methods
                if name != "__getattr__" and not hasattr(value, name)
            ]

    assert missing == []


def _member(module: object, name: str) -> object:
    return getattr(module, name, None)


@pytest.mark.parametrize("module", STUBS)
def test_a_class_of_a_stub_may_have_other_members(module: str) -> None:
    tree = ast.parse(STUBS[module].read_text(encoding="utf-8"))
    closed = []
    for row in tree.body:
        if isinstance(row, ast.ClassDef):
            names = {part.name for part in row.body if isinstance(part, METHOD)}
            if not row.bases and "__getattr__" not in names:
                closed.append(row.name)

    assert closed == []


# Frameworks of other languages are not installed: names are held against the stubs.
OTHERS = [
    (language, framework)
    for language in ("go", "java", "typescript")
    for framework in load_frameworks(language)
]


@pytest.mark.parametrize("path", sorted(DATA.glob("frameworks/*/*.toml")), ids=lambda p: p.stem)
def test_every_key_of_every_data_file_is_understood(path: Path) -> None:
    table = tomllib.loads(path.read_text(encoding="utf-8")).get("framework", {})
    known = {framework.name: framework for framework in load_frameworks(path.parent.name)}

    if table:
        assert table["name"] == path.stem
        assert _unknown(table, msgspec.to_builtins(known[path.stem])) == []


@pytest.mark.parametrize(
    ("language", "framework"), OTHERS, ids=lambda one: getattr(one, "name", one)
)
def test_a_name_is_in_the_stub_of_the_framework(language: str, framework: Framework) -> None:
    stubs = {"go": go_stubs, "typescript": typescript_stubs, "java": java_stubs}[language]()
    missing = []
    for name in sorted(set(names(framework))):
        folder, slash, inside = name.rpartition("/")
        module, *parts = inside.split(".")
        facts = stubs.facts(f"{folder}{slash}{module}")
        if facts is None or module == "globalThis":
            continue  # no values flow through what is only called, or only decorates
        defined = {row.name for row in facts.definitions}
        missing += [name for part in parts if part not in defined]

    assert missing == []


@pytest.mark.parametrize(
    "path",
    [*DATA.glob("frameworks/go/stubs/**/*.go"), *DATA.glob("frameworks/typescript/stubs/*.d.ts")],
    ids=lambda path: path.name,
)
def test_a_stub_in_another_language_is_read_without_a_problem(path: Path) -> None:
    language = "go" if path.suffix == ".go" else "typescript"

    assert Extractor().extract(path.read_bytes(), language).problems == ()
