"""The order of the layers, as `pyproject.toml` states it, holds and leaves nothing out."""

import subprocess
import sys
import tomllib
from pathlib import Path

ONLY_IN = {
    "_duckdb": "mu.store",
    "duckdb": "mu.store",
    "tree_sitter": "mu.syntax",
    "click": "mu.cli",
    "pygit2": "mu.source",
}


def test_imports_only_point_down(root: Path) -> None:
    lint = Path(sys.executable).with_name("lint-imports")

    result = subprocess.run(
        [lint, "--no-cache"], cwd=root, capture_output=True, text=True, check=False
    )

    assert result.returncode == 0, result.stdout


def test_contracts_that_confine_a_library_name_every_other_package(root: Path) -> None:
    package = root / "src" / "mu"
    parts = {f"mu.{path.stem}" for path in package.glob("[!_]*") if _is_importable(path)}
    contracts = tomllib.loads((root / "pyproject.toml").read_text())["tool"]["importlinter"]

    confined = {
        library: parts - set(contract["source_modules"])
        for contract in contracts["contracts"]
        for library in contract.get("forbidden_modules", ())
        if not library.startswith("mu.")
    }

    assert confined == {library: {owner} for library, owner in ONLY_IN.items()}


def _is_importable(path: Path) -> bool:
    return path.suffix == ".py" or (path / "__init__.py").is_file()
