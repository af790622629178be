"""Read the suites: markdown whose `##` headings are cases with a query and what it gives."""

import json
import re
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).parent
_CASE = re.compile(r"^## (?P<name>.+?)\n(?P<body>.*?)(?=^## |\Z)", re.MULTILINE | re.DOTALL)
_FENCE = re.compile(r"^```(?P<kind>\w+)\n(?P<text>.*?)\n?^```$", re.MULTILINE | re.DOTALL)
_ROW = re.compile(r"^\|(.*)\|$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Case:
    """One case: `expected` is a table of texts with the header first, or the error's text."""

    suite: str
    name: str
    query: str
    table: tuple[tuple[str, ...], ...]
    error: str

    def __str__(self) -> str:
        return f"{self.suite}: {self.name}"


def read_cases(folder: Path) -> list[Case]:
    """Read the cases of all suites in a folder."""
    paths = [path for path in sorted(folder.glob("*.md")) if path.name != "graph.md"]
    return [
        _case(path.stem, found["name"], found["body"])
        for path in paths
        for found in _CASE.finditer(path.read_text(encoding="utf-8"))
    ]


def graph_text(folder: Path = HERE) -> str:
    """Give the notation of the graph that all suites of a folder ask."""
    found = _FENCE.search((folder / "graph.md").read_text(encoding="utf-8"))
    assert found
    return found["text"]


def cell_text(value: object) -> str:
    """Write a cell as a suite does: NULL, JSON for lists and booleans, else its text."""
    if value is None:
        return "NULL"
    if isinstance(value, (bool, list, tuple)):
        return json.dumps(value, ensure_ascii=False)
    return str(value)


def _case(suite: str, name: str, body: str) -> Case:
    fences = {found["kind"]: found["text"] for found in _FENCE.finditer(body)}
    rows = [
        tuple(cell.strip() for cell in row.split(" | "))
        for row in (found[1] for found in _ROW.finditer(_FENCE.sub("", body)))
        if not set(row) <= set("-|")
    ]
    return Case(suite, name, fences["sql"], tuple(rows), fences.get("text", ""))
