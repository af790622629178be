"""All bounds of linking stand in `mu.resolve.limits`, each with its reason."""

import ast
import re
from pathlib import Path

from mu.resolve import limits

FOLDER = Path(limits.__file__).parent
BOUND = re.compile(r"_?(?:MOST|DEEPEST|LONGEST)_?[A-Z_]*")


def test_every_bound_stands_in_limits() -> None:
    elsewhere = [
        f"{path.relative_to(FOLDER)}: {name}"
        for path in sorted(FOLDER.rglob("*.py"))
        if path.name != "limits.py"
        for name in _bounds(path)
    ]

    assert elsewhere == []


def test_every_bound_is_explained_and_used() -> None:
    path = FOLDER / "limits.py"
    body = ast.parse(path.read_text(encoding="utf-8")).body
    after = dict(zip(map(_name, body), body[1:], strict=False))
    explained = [name for name, next_one in after.items() if name and _is_text(next_one)]
    files = [*FOLDER.rglob("*.py"), *(FOLDER.parent / "languages").rglob("*.py")]
    sources = "".join(p.read_text(encoding="utf-8") for p in files if p != path)

    assert explained == [name for name in map(_name, body) if name]
    assert [name for name in explained if not re.search(rf"\b{name}\b", sources)] == []


def _bounds(path: Path) -> list[str]:
    body = ast.parse(path.read_text(encoding="utf-8")).body
    return [name for name in map(_name, body) if BOUND.fullmatch(name)]


def _name(statement: ast.stmt) -> str:
    """Give the name that a statement sets, or nothing."""
    target = statement.targets[0] if isinstance(statement, ast.Assign) else None
    return target.id if isinstance(target, ast.Name) else ""


def _is_text(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
