"""Run the suites: each query gives the rows, or the error, that stand below it."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from suites import HERE, Case, cell_text, graph_text, read_cases

from fakes.graphs import make_graph, write
from mu.errors import MuError
from mu.model.graph import Measured
from mu.model.kinds import Rule
from mu.muql import compile_query
from mu.muql.errors import EXAMPLE
from mu.store import GraphFile, open_graph

MEASURED = (Measured("python", Rule.TYPED, 95, 100), Measured("python", Rule.SELF, 5, 5))


@pytest.fixture(scope="module")
def graph(tmp_path_factory: pytest.TempPathFactory) -> Iterator[GraphFile]:
    folder = tmp_path_factory.mktemp("suites")
    with open_graph(write(make_graph(graph_text()), folder, measured=MEASURED)) as opened:
        yield opened


@pytest.mark.parametrize("case", read_cases(HERE), ids=str)
def test_query_gives_the_rows_written_below_it(case: Case, graph: GraphFile) -> None:
    answer = graph.run(compile_query(case.query, graph).relation)

    rows = [tuple(map(cell_text, row)) for row in answer.rows]
    assert [answer.columns, *rows] == list(case.table)
    assert answer.total == len(rows)


@pytest.mark.parametrize("case", read_cases(HERE / "bad"), ids=str)
def test_bad_query_gives_the_error_written_below_it(case: Case, graph: GraphFile) -> None:
    with pytest.raises(MuError) as raised:
        graph.run(compile_query(case.query, graph).relation)

    hint = raised.value.hint
    text = raised.value.message + ("" if not hint or EXAMPLE in hint else f"\nhint: {hint}")
    assert text == case.error


def test_the_example_that_errors_show_runs(graph: GraphFile) -> None:
    assert graph.run(compile_query(EXAMPLE, graph).relation).columns == ("name", "complexity")
