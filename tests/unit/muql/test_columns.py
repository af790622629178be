"""The columns that are declared for functions, questions and metrics are those of the rows."""

from collections.abc import Iterator

import pytest

from fakes.graphs import SHOP, make_graph, write
from mu.model.relation import Derived, Relation
from mu.muql.grammar import METRICS, QUESTIONS
from mu.muql.graph_functions.functions import FUNCTIONS
from mu.muql.statements.analyze import analyze
from mu.muql.statements.row_clauses import Answering, call_function
from mu.muql.statements.show import show
from mu.muql.statements.statement_parser import parse_statement
from mu.store import GraphFile, open_graph

NODES = {"node": "Store.find", "a": "app/auth.py", "b": "Store.find", "words": "auth"}

OF_THE_PAST = {"diff"}
"""Functions whose rows no graph has: their columns are made from the declaration."""


@pytest.fixture(scope="module")
def graph(tmp_path_factory: pytest.TempPathFactory) -> Iterator[GraphFile]:
    with open_graph(write(make_graph(SHOP), tmp_path_factory.mktemp("columns"))) as opened:
        yield opened


@pytest.mark.parametrize("name", [name for name in FUNCTIONS if name not in OF_THE_PAST])
def test_of_functions(name: str, graph: GraphFile) -> None:
    known = [parameter.name for parameter in FUNCTIONS[name].parameters]
    given = {key: value for key, value in NODES.items() if key in known}

    check(call_function(name, graph, given=given), graph)


@pytest.mark.parametrize("question", QUESTIONS)
def test_of_questions(question: str, graph: GraphFile) -> None:
    parsed = parse_statement(f"SHOW {question} OF Store.find")

    check(show(parsed, graph, read_source=lambda paths: [["text"] * 100] * len(paths)), graph)


@pytest.mark.parametrize("metric", METRICS)
def test_of_metrics(metric: str, graph: GraphFile) -> None:
    check(analyze(parse_statement(f"ANALYZE {metric}"), graph), graph)


def check(answering: Answering, graph: GraphFile) -> None:
    describe = Relation(
        "SELECT column_name, column_type FROM (DESCRIBE made)",
        inputs=(Derived("made", answering.relation),),
    )
    declared = tuple((column.name, column.type) for column in answering.columns)
    assert graph.run(describe).rows == declared
