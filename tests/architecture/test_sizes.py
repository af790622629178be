"""Size budgets. The tail is what counts: one function of a thousand lines hides in any median."""

import ast
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

LONGEST_FILE = 500
LONG_FILE = 300
LONG_FILES_SHARE = 0.1
LONGEST_FUNCTION = 60
MOST_PARAMETERS = 6
MOST_POSITIONAL = 2

Function = ast.FunctionDef | ast.AsyncFunctionDef


@pytest.fixture(scope="session")
def file_lengths(root: Path) -> Mapping[str, int]:
    """Lines of each Python file of the code, the tests and the benchmarks."""
    return {
        path.relative_to(root).as_posix(): len(path.read_text(encoding="utf-8").splitlines())
        for folder in ("src", "tests", "benchmarks", "scripts")
        for path in (root / folder).rglob("*.py")
        if "projects" not in path.parts
    }


def test_no_file_is_longer_than_the_hard_limit(file_lengths: Mapping[str, int]) -> None:
    assert {name: count for name, count in file_lengths.items() if count > LONGEST_FILE} == {}


def test_nine_files_in_ten_are_short(file_lengths: Mapping[str, int]) -> None:
    long = {name: count for name, count in file_lengths.items() if count >= LONG_FILE}

    assert len(long) <= LONG_FILES_SHARE * len(file_lengths), long


def test_functions_are_short(modules: Mapping[str, ast.Module]) -> None:
    assert list(_offences(modules, too_long)) == []


def test_functions_take_few_parameters(modules: Mapping[str, ast.Module]) -> None:
    assert list(_offences(modules, too_many_parameters)) == []


def test_public_functions_take_keywords_after_the_second(
    modules: Mapping[str, ast.Module],
) -> None:
    assert list(_offences(modules, too_many_positional)) == []


@pytest.mark.parametrize(
    ("source", "check"),
    [
        ("def f():\n" + "    pass\n" * 60, "too_long"),
        ("def f(a, b, *, c, d, e, f, g): pass", "too_many_parameters"),
        ("def f(a, b, c): pass", "too_many_positional"),
        ("class C:\n    def f(self, a, b, c): pass", "too_many_positional"),
    ],
)
def test_budgets_notice_an_offence(source: str, check: str) -> None:
    assert list(_offences({"example.py": ast.parse(source)}, globals()[check]))


def test_budgets_allow_what_is_just_within() -> None:
    source = "class C:\n    def f(self, a, b, *, c, d, e, g):\n" + "        pass\n" * 59
    tree = ast.parse(source + "def _private(a, b, c): pass")

    for check in (too_long, too_many_parameters, too_many_positional):
        assert list(_offences({"example.py": tree}, check)) == []


def too_long(function: Function) -> bool:
    return (function.end_lineno or function.lineno) - function.lineno + 1 > LONGEST_FUNCTION


def too_many_parameters(function: Function) -> bool:
    return len(_positional(function)) + len(function.args.kwonlyargs) > MOST_PARAMETERS


def too_many_positional(function: Function) -> bool:
    return not function.name.startswith("_") and len(_positional(function)) > MOST_POSITIONAL


def _positional(function: Function) -> list[str]:
    names = [argument.arg for argument in (*function.args.posonlyargs, *function.args.args)]
    return names[1:] if names[:1] in (["self"], ["cls"]) else names


def _offences(modules: Mapping[str, ast.Module], check) -> Iterator[str]:
    for path, tree in modules.items():
        for node in ast.walk(tree):
            if isinstance(node, Function) and check(node):
                yield f"{path}:{node.lineno} {node.name}"
