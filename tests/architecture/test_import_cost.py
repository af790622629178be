"""Start-up stays cheap: help and completion load none of the heavy libraries."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from fakes.graphs import SHOP, make_graph, write

HEAVY = (
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
    ["import mu.cli", "from mu.cli import main; main(['--help'])", "import mu.errors, mu.model"],
)
def test_starting_loads_no_heavy_library(code: str) -> None:
    assert loaded_by(code) == []


def test_a_query_loads_nothing_of_a_session(tmp_path: Path) -> None:
    write(make_graph(SHOP), tmp_path)
    arguments = ["-C", str(tmp_path), "query", "SELECT name FROM classes"]

    loaded = loaded_by(f"from mu.cli import main; main({arguments})")

    assert "duckdb" in loaded
    assert {"asyncio", "prompt_toolkit", "networkx", "rich", "tree_sitter"} & set(loaded) == set()


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
