"""The built distributions are complete, and what the code imports is declared."""

import ast
import re
import sys
import tarfile
import tomllib
import zipfile
from collections.abc import Mapping
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest


@pytest.fixture
def data_files(root: Path) -> set[str]:
    """Every file of the data folders, relative to the root."""
    folders = (root / "grammars", root / "queries")
    return {
        path.relative_to(root).as_posix()
        for folder in folders
        for path in folder.rglob("*")
        if path.is_file() and not path.name.startswith(".")
    }


def test_wheel_holds_every_data_file(distributions: Path, data_files: set[str]) -> None:
    names = _wheel_names(distributions)

    assert any(name.endswith("language.toml") for name in data_files)
    assert any(name.endswith(".scm") for name in data_files)
    assert {f"mu/_bundled/{name}" for name in data_files} - names == set()


def test_wheel_holds_every_file_of_the_package(root: Path, distributions: Path) -> None:
    package = root / "src"
    files = {
        path.relative_to(package).as_posix()
        for path in (package / "mu").rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }

    assert "mu/py.typed" in files
    assert files - _wheel_names(distributions) == set()


def test_wheel_holds_nothing_but_the_package(distributions: Path) -> None:
    tops = {name.partition("/")[0] for name in _wheel_names(distributions)}

    assert {top for top in tops if not top.endswith(".dist-info")} == {"mu"}


def test_source_archive_holds_what_a_build_and_the_tests_need(
    distributions: Path, data_files: set[str]
) -> None:
    [archive] = distributions.glob("*.tar.gz")
    with tarfile.open(archive) as content:
        names = {name.partition("/")[2] for name in content.getnames()}

    needed = {"pyproject.toml", "Makefile", "LICENSE", "README.md", "tests/conftest.py"}
    assert (needed | data_files) - names == set()


def test_both_console_scripts_start_the_same(root: Path) -> None:
    scripts = _project(root)["project"]["scripts"]

    assert scripts == {"mu": "mu.cli:main", "mubase": "mu.cli:main"}


def test_imported_libraries_are_exactly_the_declared_ones(
    root: Path, modules: Mapping[str, ast.Module]
) -> None:
    owners = packages_distributions()
    imported = {
        _normal(owner)
        for tree in modules.values()
        for library in _libraries(tree)
        for owner in owners.get(library)
        or owners.get(library.removeprefix("_"))  # one of its parts
        or [f"{library} (not installed)"]
    }

    requirements = (_requirement(text) for text in _project(root)["project"]["dependencies"])
    languages = {manifest["grammar"].partition(":")[0] for manifest in _manifests(root)}
    assert imported == set(requirements) - {_normal(name) for name in languages}


def test_every_grammar_a_language_names_is_declared(root: Path) -> None:
    manifests = _manifests(root)
    declared = {_requirement(text) for text in _project(root)["project"]["dependencies"]}

    assert manifests
    assert {
        _normal(manifest["grammar"].partition(":")[0]) for manifest in manifests
    } - declared == set()


def _wheel_names(distributions: Path) -> set[str]:
    [wheel] = distributions.glob("*.whl")
    with zipfile.ZipFile(wheel) as content:
        return set(content.namelist())


def _project(root: Path) -> dict:
    return tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))


def _requirement(text: str) -> str:
    return _normal(re.split(r"[^A-Za-z0-9._-]", text, maxsplit=1)[0])


def _normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def _libraries(tree: ast.Module) -> set[str]:
    """Return the top-level names that a module imports and that are neither MU's nor Python's."""
    dotted: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            dotted |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            dotted.add(node.module or "")
    return {name.partition(".")[0] for name in dotted} - {"mu", ""} - sys.stdlib_module_names


def _manifests(root: Path) -> list[dict[str, str]]:
    return [
        tomllib.loads(path.read_text(encoding="utf-8"))
        for path in sorted((root / "grammars").glob("*/language.toml"))
    ]
