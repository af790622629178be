"""`mu.open` and `mu.build`: the operations as methods, with the types of the operations."""

import inspect
import subprocess
import sys
from pathlib import Path

import pytest

import mu
from fakes.built import built_tree
from mu.api import OpenWorkspace
from mu.errors import ExitCode
from mu.operations.registry import OPERATIONS
from mu.render.shown import Shown

SOURCE = {
    "shop.py": "def price(n):\n    return n * 2\n\n\ndef bill(n):\n    return price(n) + 1\n",
}


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    built_tree(tmp_path, SOURCE).close()
    return tmp_path


def test_every_operation_is_a_method() -> None:
    methods = {name for name, _ in inspect.getmembers(OpenWorkspace, inspect.isfunction)}

    assert {operation.__name__ for operation in OPERATIONS} <= methods


@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda operation: operation.__name__)
def test_a_method_is_the_operation_and_documented(operation: object) -> None:
    method = getattr(OpenWorkspace, operation.__name__)

    takes_workspace = next(iter(inspect.signature(operation).parameters), "") == "workspace"
    assert (method is operation) == takes_workspace
    assert inspect.getdoc(method)


@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda operation: operation.__name__)
def test_every_result_shows_itself(operation: object) -> None:
    result = inspect.signature(operation, eval_str=True).return_annotation
    result = result.__args__[0] if hasattr(result, "__args__") else result

    assert issubclass(result, Shown)


def test_a_workspace_answers_and_is_closed(shop: Path) -> None:
    with mu.open(shop) as workspace:
        [row] = workspace.callers("price").records()

    assert (row["name"], row["site_line"]) == ("bill", 6)


def test_a_folder_below_the_graph_is_opened(shop: Path) -> None:
    (shop / "below").mkdir()

    with mu.open(str(shop / "below")) as workspace:
        assert isinstance(workspace, mu.OpenWorkspace)
        assert workspace.root == shop


def test_without_a_graph_the_error_names_the_call_to_make(tmp_path: Path) -> None:
    with pytest.raises(mu.MuError) as caught:
        mu.open(tmp_path)

    assert caught.value.code is ExitCode.NO_GRAPH
    assert caught.value.hint == f"call mu.build({str(tmp_path)!r}) to make it"


def test_a_missing_folder_is_an_error_of_usage(tmp_path: Path) -> None:
    for call in (mu.open, mu.build):
        with pytest.raises(mu.MuError) as caught:
            call(tmp_path / "absent")
        assert caught.value.code is ExitCode.USAGE


def test_a_build_takes_settings_and_reports(tmp_path: Path) -> None:
    (tmp_path / "shop.py").write_text(SOURCE["shop.py"])
    (tmp_path / "old.py").write_text("x = 1\n")
    events: list[object] = []

    report = mu.build(
        tmp_path, settings={"build.exclude": ("old.py",), "build.jobs": 1}, on_event=events.append
    )

    assert report.indexed == 1
    assert events
    assert "indexed" in str(report)


def test_a_workspace_answers_from_the_graph_it_built_again(shop: Path) -> None:
    with mu.open(shop) as workspace:
        assert workspace.callers("price").answer.total == 1
        with (shop / "shop.py").open("a") as file:
            file.write("\n\ndef tax(n):\n    return price(n)\n")
        workspace.build()

        assert workspace.callers("price").answer.total == 2


def test_what_takes_no_graph_is_answered_too(shop: Path) -> None:
    with mu.open(shop) as workspace:
        assert any(row.name == "build.jobs" for row in workspace.settings())
        assert any(row.name == "python" for row in workspace.languages())
        assert workspace.doctor().checks


def test_public_names_are_listed_and_others_refused() -> None:
    assert {"Scope", "MuError", "EdgeKind", "open", "build"} <= set(dir(mu))
    with pytest.raises(AttributeError, match="nothing"):
        _ = mu.nothing


@pytest.mark.slow(reason="mypy reads the package")
def test_users_see_the_types_of_the_operations(root: Path, tmp_path: Path) -> None:
    program = tmp_path / "script.py"
    program.write_text(
        "import mu\n"
        "with mu.open('.') as workspace:\n"
        "    reveal_type(workspace)\n"
        "    reveal_type(workspace.callers('f', limit=3))\n"
        "    reveal_type(workspace.path('f', goal='g'))\n"
        "    reveal_type(workspace.describe('f').used_by_tests)\n"
        "    workspace.callers(3)\n"
        "    workspace.callers('f', limits=3)\n"
        "reveal_type(mu.build('.').nodes)\n"
        "reveal_type(mu.Scope('src', tests=False))\n"
    )
    checked = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--follow-imports=silent", str(program)],
        cwd=root,
        capture_output=True,
        text=True,
        check=False,
    )
    said = checked.stdout
    for line, text in (
        (3, '"mu.api.OpenWorkspace"'),
        (4, '"mu.operations.results.NodeRows"'),
        (5, '"mu.operations.results.RouteRows"'),
        (6, '"int"'),
        (7, "arg-type"),
        (8, "call-arg"),
        (9, '"int"'),
        (10, '"mu.analysis.node_search.listing_scope.Scope"'),
    ):
        assert any(f"script.py:{line}: " in row and text in row for row in said.splitlines()), said
