import ast
from collections.abc import Mapping
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def modules(root: Path) -> Mapping[str, ast.Module]:
    """The syntax tree of every module of MU, by its path relative to `src/mu`."""
    package = root / "src" / "mu"
    return {
        path.relative_to(package).as_posix(): ast.parse(path.read_text(encoding="utf-8"))
        for path in sorted(package.rglob("*.py"))
    }
