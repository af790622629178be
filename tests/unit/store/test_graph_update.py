"""Rows that an update sets are those that it is given, of every sort of column."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from mu.kernel import BuildSettings, build
from mu.model.graph import FileRows
from mu.model.kinds import Category, Reason
from mu.store.graph_update import GraphUpdate
from support.session import kept_facts

SOURCES = {
    "a.py": "import b\n\n\nclass A(b.B):\n    @property\n    def f(self): return g(b.h())\n",
    "b.py": "class B:\n    pass\n\n\ndef h(x, y=1): return unknown(x)\n",
}


@pytest.fixture
def graph(tmp_path: Path) -> Iterator[GraphUpdate]:
    for name, text in SOURCES.items():
        (tmp_path / name).write_text(text)
    build(tmp_path, BuildSettings(facts=kept_facts()))
    with GraphUpdate(tmp_path / ".mubase") as graph:
        yield graph


def rows_of(graph: GraphUpdate, path: str) -> FileRows:
    rows = graph.file_rows(path)
    assert rows is not None
    return rows


def altered(rows: FileRows) -> FileRows:
    """Change cells of every sort: numbers, texts, flags, lists, members of enumerations, and keys
    that are missing now.
    """
    return replace(
        rows,
        file=rows.file._replace(category=Category.TEST, problems=("1: one", "2: two"), lines=99),
        nodes=[
            row._replace(
                parent=-1,
                start_line=row.start_line + 10,
                docstring="it's \u00e4\x01",
                is_async=not row.is_async,
                decorators=["one", "two"] if place % 2 else [],
                parameters=[] if row.parameters else ["x"],
            )
            for place, row in enumerate(rows.nodes)
        ],
        sites=[
            row._replace(line=row.line + 10, target=-1, rule=None, reason=Reason.DYNAMIC)
            for row in rows.sites
        ],
    )


def test_every_sort_of_cell_is_set(graph: GraphUpdate) -> None:
    before, other = rows_of(graph, "a.py"), rows_of(graph, "b.py")
    after = altered(before)
    assert len(after.nodes) > 2
    assert len(after.sites) > 2

    graph.replace_files([(before, after)])

    assert rows_of(graph, "a.py") == after
    assert rows_of(graph, "b.py") == other


def test_rows_that_were_read_ahead_are_those_that_are_there(graph: GraphUpdate) -> None:
    before, other = rows_of(graph, "a.py"), rows_of(graph, "b.py")
    graph.read_ahead(["a.py", "b.py", "none.py"])

    graph.replace_files([(before, altered(before))])

    assert rows_of(graph, "a.py") == altered(before)
    assert rows_of(graph, "b.py") == other
    assert graph.file_rows("none.py") is None
    graph.read_ahead(["b.py"])
    graph.replace_files([(other, None)])
    assert graph.file_rows("b.py") is None
