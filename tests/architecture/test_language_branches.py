"""A new language is files only: nothing outside `mu/languages` may know one by name."""

import ast
from collections.abc import Iterator, Mapping
from pathlib import Path, PurePosixPath

import pytest


@pytest.fixture(scope="session")
def names(root: Path) -> frozenset[str]:
    """The languages there are: one folder each."""
    return frozenset(path.name for path in (root / "grammars").iterdir() if path.is_dir())


def test_no_code_outside_the_language_rules_names_a_language(
    modules: Mapping[str, ast.Module], names: frozenset[str]
) -> None:
    outside = {
        path: tree for path, tree in modules.items() if PurePosixPath(path).parts[0] != "languages"
    }

    assert names
    assert [
        f"{path}:{line}" for path, tree in outside.items() for line in named_in(tree, names)
    ] == []


def test_no_module_outside_the_language_rules_is_called_after_a_language(
    modules: Mapping[str, ast.Module], names: frozenset[str]
) -> None:
    paths = [PurePosixPath(path) for path in modules]

    assert [
        path
        for path in paths
        if path.parts[0] != "languages" and names & set(path.with_suffix("").parts)
    ] == []


def test_no_language_imports_another(
    modules: Mapping[str, ast.Module], names: frozenset[str]
) -> None:
    rules = {
        path: tree
        for path, tree in modules.items()
        if PurePosixPath(path).parts[0] == "languages" and PurePosixPath(path).stem != "__init__"
    }

    assert [
        f"{path}: {other}"
        for path, tree in rules.items()
        for other in imported_by(tree) & names - set(PurePosixPath(path).with_suffix("").parts)
    ] == []


@pytest.mark.parametrize(
    "source",
    [
        "if language == 'python': pass",
        "if language in ('go', 'python'): pass",
        "match language:\n    case 'python': pass",
        "RULES = {'python': 1}",
        "RULES.get('python')",
        "def f(language='Python'): pass",
        "from mu.languages import python",
        "import mu.languages.python",
    ],
)
def test_naming_a_language_is_noticed(source: str) -> None:
    assert list(named_in(ast.parse(source), frozenset({"python"}))) == [1 + source.count("\n")]


def test_words_that_hold_a_language_name_are_allowed() -> None:
    source = "'''python is fine here'''\nX = 'python 3'\nimport tree_sitter"

    assert list(named_in(ast.parse(source), frozenset({"python"}))) == []


def named_in(tree: ast.Module, names: frozenset[str]) -> Iterator[int]:
    """Yield the line of every text and import in `tree` that is a language's name."""
    for node in ast.walk(tree):
        match node:
            case ast.Constant(value=str(text)) if text.casefold() in names:
                yield node.lineno
            case ast.Import() | ast.ImportFrom() if _languages_imported(node) & names:
                yield node.lineno


def imported_by(tree: ast.Module) -> frozenset[str]:
    """Return the names of all rules modules that `tree` imports."""
    return frozenset(
        name
        for node in ast.walk(tree)
        if isinstance(node, ast.Import | ast.ImportFrom)
        for name in _languages_imported(node)
    )


def _languages_imported(node: ast.Import | ast.ImportFrom) -> frozenset[str]:
    prefix = f"{node.module}." if isinstance(node, ast.ImportFrom) else ""
    dotted = (f"{prefix}{alias.name}" for alias in node.names)
    return frozenset(name.split(".")[2] for name in dotted if name.startswith("mu.languages."))
