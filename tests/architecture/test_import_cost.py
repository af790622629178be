"""Start-up stays cheap: help and completion load none of the heavy libraries."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from fakes.graphs import SHOP, make_graph, write

HEAVY = (
    "_duckdb",
    "asyncio",
    "duckdb",
    "msgspec",
    "multiprocessing",
    "networkx",
    "numpy",
    "pathspec",
    "platformdirs",
    "prompt_toolkit",
    "rich",
    "tree_sitter",
)


@pytest.mark.parametrize(
    "code",
    [
        "import mu.cli",
        "from mu.cli import main; main(['--help'])",
        "import mu",
        "import mu.errors, mu.model",
    ],
)
def test_starting_loads_no_heavy_library(code: str) -> None:
    assert loaded_by(code) == []


def test_a_query_loads_nothing_of_a_session(tmp_path: Path) -> None:
    write(make_graph(SHOP), tmp_path)
    arguments = ["-C", str(tmp_path), "query", "SELECT name FROM classes"]

    loaded = loaded_by(f"from mu.cli import main; main({arguments})")

    assert "_duckdb" in loaded
    assert {"duckdb", "asyncio", "prompt_toolkit", "networkx", "rich", "tree_sitter"} & set(
        loaded
    ) == set()


def test_a_question_about_callers_loads_the_engine_and_little_else(tmp_path: Path) -> None:
    write(make_graph(SHOP), tmp_path)
    arguments = ["-C", str(tmp_path), "callers", "AuthService.login"]

    loaded = loaded_by(f"from mu.cli import main; main({arguments})")

    assert set(loaded) <= {"_duckdb", "platformdirs"}
    assert "_duckdb" in loaded


def test_a_loaded_library_is_noticed() -> None:
    assert loaded_by("import msgspec") == ["msgspec"]


def loaded_by(code: str) -> list[str]:
    """Return those of HEAVY that a fresh interpreter has loaded after `code`."""
    program = (
        f"{code}\nimport json, sys\nprint(file=sys.stdout)\nprint(json.dumps(list(sys.modules)))"
    )
    result = subprocess.run(
        [sys.executable, "-I", "-c", program], capture_output=True, text=True, check=True
    )
    return sorted(set(json.loads(result.stdout.splitlines()[-1])) & set(HEAVY))


def test_a_select_loads_nothing_of_statements_and_walks(tmp_path: Path) -> None:
    write(make_graph(SHOP), tmp_path)
    program = (
        "import sys, pathlib\n"
        "from mu.operations.queries.query import query\n"
        "from mu.operations.workspace import Workspace\n"
        "with Workspace(pathlib.Path(sys.argv[1])) as here:\n"
        "    query(here, 'SELECT name FROM functions ORDER BY 1 LIMIT 1')\n"
        "print(*sorted(name for name in sys.modules if name.startswith('mu.')))"
    )
    result = subprocess.run(
        [sys.executable, "-I", "-c", program, str(tmp_path)],
        capture_output=True,
        text=True,
        check=True,
    )
    loaded = set(result.stdout.split())
    assert "mu.muql.selects.select" in loaded
    assert not loaded & {
        "mu.muql.grammar",
        "mu.muql.graph_functions.functions",
        "mu.muql.statements.row_clauses",
    }
    assert not {name for name in loaded if name.startswith("mu.analysis")}
