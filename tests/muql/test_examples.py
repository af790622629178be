"""Every query that documentation, help or an error shows runs, on a graph with its names."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from fakes.graphs import make_graph, write
from fakes.past import everything
from mu.muql import compile_query
from mu.muql.grammar import CLAUSES, STATEMENTS, card
from mu.muql.graph_functions.functions import FUNCTIONS
from mu.store import GraphFile, open_graph

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted([ROOT / "README.md", *(ROOT / "docs").rglob("*.md")])

NAMES = """
src/app/base.py
  class Service @ 1-9
    def start() @ 2-4 ^2
src/app/store.py
  class Store < Service @ 1-20
    def save(row) @ 3-9 ^6
src/app/auth.py
  class AuthService < Service @ 1-40
    def login(user) @ 10-20 ^11
  def login(request) @ 50-60
src/app/orders.py
  def place() @ 1-9
src/flask/app.py
  class Flask
    def dispatch_request() @ 3-9
src/app/orders.py:place -> src/app/store.py:Store.save calls 3 typed
src/app/orders.py:place -> src/app/auth.py:AuthService.login calls 4 typed
src/app/auth.py:AuthService.login -> src/app/store.py:Store.save calls 12 typed
src/app/orders.py -> src/app/auth.py imports 1 import
src/app/auth.py -> src/app/orders.py imports 1 import
? src/app/auth.py:login import missing unknown 51
"""

_BLOCK = re.compile(r"^```(?:sql|muql)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_COMMAND = re.compile(r"mu query ([\"'])(.+?)\1(?=[\s`]|$)", re.DOTALL)
_HINT = re.compile(r"this works: (.+)$", re.MULTILINE)
_CONTINUED = re.compile(r" *\\\n *")
_ELSEWHERE = {"tutorial.md", "trusting.md", "columns.md", "queries.md"}
"""Pages with a graph or a library of their own, whose examples are run by their own tests."""


def collected() -> Iterator[tuple[str, str]]:
    """Where an example stands, and its text."""
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        if page.name in _ELSEWHERE:
            continue
        for block in _BLOCK.findall(text):
            yield from ((page.name, query) for query in _queries(block))
        commands = _COMMAND.findall(_CONTINUED.sub(" ", text))
        yield from ((page.name, query) for _, query in commands if query != "...")
    for statement in STATEMENTS:
        yield from (("grammar", example) for example in statement.examples)
    for function in FUNCTIONS.values():
        yield "functions", f"SELECT * FROM {function.call}"
    yield from (("card", query) for query in re.findall(r"Example: (.+)$", card(), re.MULTILINE))
    for suite in sorted((ROOT / "tests" / "muql" / "bad").glob("*.md")):
        for hint in _HINT.findall(suite.read_text(encoding="utf-8")):
            yield f"errors in {suite.name}", hint


def _queries(block: str) -> Iterator[str]:
    """The queries of a block: one, or several statements, a line each."""
    words = {statement.head[0] for statement in STATEMENTS}
    lines = block.strip().splitlines()
    if all(line.split()[0] in words for line in lines if line.strip()):
        yield from lines
    else:
        yield block.strip()


EXAMPLES = list(dict.fromkeys(collected()))


@pytest.fixture(scope="module")
def graph(tmp_path_factory: pytest.TempPathFactory) -> Iterator[GraphFile]:
    with open_graph(write(make_graph(NAMES), tmp_path_factory.mktemp("examples"))) as opened:
        yield opened


@pytest.mark.parametrize(("where", "query"), EXAMPLES)
def test_an_example_runs(where: str, query: str, graph: GraphFile) -> None:
    graph.run(compile_query(query, graph, beyond=everything(graph)).relation)


def test_the_composed_query_gives_what_two_steps_give(graph: GraphFile) -> None:
    def rows(query: str) -> list[tuple[object, ...]]:
        return list(graph.run(compile_query(query, graph).relation).rows)

    reached = {row[0]: row[5] for row in rows("SHOW impact OF AuthService")}
    functions = rows("SELECT id, path, name, complexity FROM functions WHERE NOT is_test")
    both = [
        (path, name, grade, reached[key]) for key, path, name, grade in functions if key in reached
    ]

    assert both
    assert rows(
        "SELECT f.path, f.name, f.complexity, i.distance FROM impact('AuthService') i"
        " JOIN functions f USING (id) WHERE NOT f.is_test ORDER BY f.complexity DESC LIMIT 10"
    ) == sorted(both, key=lambda row: -int(str(row[2])))


def test_examples_are_found_everywhere() -> None:
    places = {where for where, _ in EXAMPLES}

    assert {"README.md", "cli.md", "muql.md", "grammar", "functions", "card"} <= places
    assert any(place.startswith("errors in") for place in places)


@pytest.mark.parametrize("clause", CLAUSES)
def test_a_clause_that_parses_runs(clause: str, graph: GraphFile) -> None:
    """Each clause of each statement, with something fit for its slot."""
    fitting = {"number": "2", "kinds": "calls, imports", "node": "Store.save", "": ""}
    fitting |= {"text": "'src/app'", "condition": "name <> ''", "order": "name"}
    tried = 0
    for statement in STATEMENTS:
        if clause not in statement.clauses:
            continue
        head = {"{question}": "impact", "{things}": "nodes", "{metric}": "complexity"}
        head |= {"{node}": "AuthService", "{goal}": "Store"}
        words = [head.get(part, part) for part in statement.head]
        query = " ".join([*words, clause, fitting[CLAUSES[clause].slot]])
        tried += 1
        graph.run(compile_query(query, graph, beyond=everything(graph)).relation)
    assert tried
