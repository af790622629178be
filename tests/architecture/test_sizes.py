"""Size budgets. The tail is what counts: one function of a thousand lines hides in any median."""

import ast
from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path, PurePosixPath

import pytest

LONGEST_FILE = 500
LONG_FILE = 300
LONG_FILES_SHARE = 0.1
LONGEST_FUNCTION = 60
MOST_PARAMETERS = 6
MOST_POSITIONAL = 2
LONGEST_PAGE = 400
MOST_MODULES = 14

Function = ast.FunctionDef | ast.AsyncFunctionDef
Check = Callable[[ast.Module], list[Function]]


def too_long(tree: ast.Module) -> list[Function]:
    return [
        function
        for function in _functions(tree)
        if (function.end_lineno or 0) - function.lineno + 1 > LONGEST_FUNCTION
    ]


def too_many_parameters(tree: ast.Module) -> list[Function]:
    return [
        function
        for function in _functions(tree)
        if len(_positional(function)) + len(function.args.kwonlyargs) > MOST_PARAMETERS
    ]


# It takes the saved workflows by place, after the catalogue, as the two functions beside it do:
# planners that call all three write them alike.
BY_PLACE = {"build_planning_context"}


def too_many_positional(tree: ast.Module) -> list[Function]:
    classes = [node for node in tree.body if isinstance(node, ast.ClassDef)]
    reachable = [node for holder in (tree, *classes) for node in holder.body]
    return [
        function
        for function in reachable
        if isinstance(function, Function)
        and not function.name.startswith("_")
        and function.name not in BY_PLACE
        and len(_positional(function)) > MOST_POSITIONAL
    ]


def _functions(tree: ast.Module) -> list[Function]:
    return [node for node in ast.walk(tree) if isinstance(node, Function)]


def _positional(function: Function) -> list[str]:
    names = [argument.arg for argument in (*function.args.posonlyargs, *function.args.args)]
    return names[1:] if names[:1] in (["self"], ["cls"]) else names


def _offences(modules: Mapping[str, ast.Module], check: Check) -> str:
    return "\n".join(
        f"{path}:{function.lineno} {function.name}"
        for path, tree in modules.items()
        for function in check(tree)
    )


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


def test_a_folder_has_few_modules(modules: Mapping[str, ast.Module]) -> None:
    paths = [PurePosixPath(path) for path in modules]
    folders = Counter(path.parent for path in paths if path.name != "__init__.py")

    assert len(folders) > 20
    assert {folder: count for folder, count in folders.items() if count > MOST_MODULES} == {}


def test_a_package_says_what_its_modules_have_in_common(modules: Mapping[str, ast.Module]) -> None:
    packages = {path for path in modules if path.endswith("__init__.py")}

    assert packages
    assert {path for path in packages if not ast.get_docstring(modules[path])} == set()
    without = {str(PurePosixPath(path).parent / "__init__.py") for path in modules} - packages
    assert without == set()


def test_a_page_of_the_corpora_can_be_read_at_a_sitting(root: Path) -> None:
    pages = (root / "tests" / "corpora").rglob("*.md")
    lengths = {str(page): len(page.read_text(encoding="utf-8").splitlines()) for page in pages}

    assert {name: count for name, count in lengths.items() if count > LONGEST_PAGE} == {}


def test_functions_are_short(modules: Mapping[str, ast.Module]) -> None:
    assert _offences(modules, too_long) == ""


def test_functions_take_few_parameters(modules: Mapping[str, ast.Module]) -> None:
    assert _offences(modules, too_many_parameters) == ""


def test_public_functions_take_keywords_after_the_second(
    modules: Mapping[str, ast.Module],
) -> None:
    assert _offences(modules, too_many_positional) == ""


@pytest.mark.parametrize(
    ("source", "check"),
    [
        ("def f():\n" + "    pass\n" * 60, too_long),
        ("def f(a, b, *, c, d, e, f, g): pass", too_many_parameters),
        ("def f(a, b, c): pass", too_many_positional),
        ("class C:\n    def f(self, a, b, c): pass", too_many_positional),
    ],
)
def test_an_offence_is_noticed(source: str, check: Check) -> None:
    assert check(ast.parse(source))


@pytest.mark.parametrize(
    "source",
    [
        "class C:\n    def f(self, a, b, *, c, d, e, g):\n" + "        pass\n" * 59,
        "def _private(a, b, c): pass",
        "def f():\n    def inner(a, b, c): pass",
    ],
)
def test_what_is_just_within_the_budgets_is_allowed(source: str) -> None:
    tree = ast.parse(source)

    assert (too_long(tree), too_many_parameters(tree), too_many_positional(tree)) == ([], [], [])
