"""What is suggested at each place of a query; `|` is the cursor, at the end where there is none."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from fakes.graphs import SHOP, make_graph, write
from mu.muql.completion import MOST, complete
from mu.muql.grammar import METRICS, QUESTIONS, STATEMENTS, THINGS, statement_words
from mu.muql.graph_functions.functions import FUNCTIONS
from mu.store import ALIASES, PUBLIC, GraphFile, open_graph, relation_schema


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("project")
    write(make_graph(SHOP), folder)
    queries = folder / ".mu" / "queries"
    queries.mkdir(parents=True)
    (queries / "calling.muql").write_text(
        "-- Callers.\n-- parameter node node: what\n-- parameter deep boolean := true: how\n"
        "FROM calls WHERE target = $node AND $deep"
    )
    return folder


@pytest.fixture(scope="module")
def graph(project: Path) -> Iterator[GraphFile]:
    with open_graph(project / ".mubase") as opened:
        yield opened


def suggested(text: str, graph: GraphFile, project: Path | None = None) -> list[str]:
    before, _, after = text.partition("|")
    found = complete(before, after, graph=graph, project=project)
    word = before.rsplit(maxsplit=1)[-1] if before.split() else ""
    assert all(suggestion.length <= len(word) for suggestion in found)
    return [suggestion.text for suggestion in found]


@pytest.mark.parametrize(
    ("text", "texts"),
    [
        ("SHO", ["SHOW"]),
        ("SHOW call", ["callers", "callees"]),
        ("show CALL", ["callers", "callees"]),
        ("SHOW callers ", ["OF"]),
        ("SHOW callers OF AuthService.lo", ["AuthService.login", "AuthService.logout"]),
        ("SHOW callers OF 'AuthService.logi", ["AuthService.login"]),
        ("SHOW callers OF app/au", ["app/auth.py", "app/auth.py:AuthService",
            "app/auth.py:make_service", "app/auth.py:AuthService.login",
            "app/auth.py:AuthService._audit", "app/auth.py:AuthService.logout"]),
        ("SHOW callers OF cls:app/o", ["cls:app/orders.py:Orders"]),
        ("SHOW callers OF nobody", []),
        ("SHOW callers OF login D", ["DEPTH"]),
        ("SHOW callers OF login DEPTH ", []),
        ("SHOW callers OF login DEPTH 2 D", []),
        ("SHOW callers OF login WHERE NOT is_t", ["is_test"]),
        ("SHOW callers OF login ORDER ", ["BY"]),
        ("SHOW callers OF login ORDER BY di", ["distance", "digest"]),
        ("SHOW impact OF login VIA ca", ["calls"]),
        ("SHOW impact OF login VIA calls, in", ["inherits"]),
        ("SHOW COLUMNS FROM func", ["functions"]),
        ("FIND cla", ["classes"]),
        ("FIND functions CALLED ", ["BY"]),
        ("FIND functions CALLED BY place", ["place"]),
        ("FIND functions CALLING login TRANS", ["TRANSITIVELY"]),
        ("PATH FROM login T", ["TO"]),
        ("PATH FROM login TO fin", ["find"]),
        ("ANALYZE unu", ["unused"]),
        ("DESCRIBE exter", ["externals"]),
        ("EXPLAIN SHOW callee", ["callees"]),
        ("EXPLAIN SELECT * FROM exter", ["externals"]),
        ("SELECT * FROM meth", ["methods"]),
        ("SELECT * FROM functions JOIN exter", ["externals"]),
        ("SELECT * FROM functions, exter", ["externals"]),
        ("SELECT * FROM impa", ["impact("]),
        ("SELECT * FROM impact('mak", ["make_service'"]),
        ("SELECT * FROM impact(mak", ["'make_service'"]),
        ("SELECT docst| FROM functions", ["docstring"]),
        ("SELECT f.docst| FROM functions f", ["f.docstring"]),
        ("SELECT c.docst| FROM functions f JOIN calls c ON true", []),
        ("SELECT c.tar| FROM functions f JOIN calls c ON true", ["c.target", "c.target_name"]),
        ("SELECT i.dist| FROM impact('x') AS i", ["i.distance"]),
        ("SELECT * FROM fn WHERE compl", ["complexity"]),
        ("SELECT * FROM functions WHERE name = 'compl", []),
        ("SELECT 1 FROM functions WHE", ["WHERE", "WHEN"]),
        ("@hotsp", ["@hotspots"]),
        ("@callin", ["@calling"]),
        ("@calling(", ["node := ", "deep := "]),
        ("@calling(d", ["deep := "]),
        ("@calling(node := mak", ["make_service"]),
        ("@calling(node := x, d", ["deep := "]),
        ("@calling(deep := ", []),
        ("@nobody(", []),
    ],
)  # fmt: skip
def test_what_fits_the_place_is_suggested(
    text: str, texts: list[str], graph: GraphFile, project: Path
) -> None:
    assert suggested(text, graph, project) == texts


def test_every_statement_begins_the_suggestions(graph: GraphFile) -> None:
    assert set(suggested("", graph)) >= {*statement_words(), "SELECT"}


def test_every_word_of_the_grammar_is_suggested_in_its_place(graph: GraphFile) -> None:
    assert {*QUESTIONS, "TABLES", "COLUMNS"} == set(suggested("SHOW ", graph))
    assert {*THINGS, "CYCLES"} == set(suggested("FIND ", graph))
    assert set(METRICS) == set(suggested("ANALYZE ", graph))
    for statement in STATEMENTS:
        if "{statement}" in statement.head:
            continue
        slots = {"{question}": "callers", "{things}": "nodes", "{metric}": next(iter(METRICS))}
        head = " ".join(slots.get(part, part.strip("{}?")) for part in statement.head)
        wanted = set(statement.clauses)
        assert wanted <= set(suggested(f"{head} ", graph)), statement.name


def test_every_relation_and_function_is_suggested_after_from(graph: GraphFile) -> None:
    offered = set(suggested("SELECT * FROM ", graph))

    assert offered == {*PUBLIC, *ALIASES, *(f"{name}(" for name in FUNCTIONS)}


@pytest.mark.parametrize("relation", PUBLIC)
def test_every_column_is_suggested_behind_its_relation(relation: str, graph: GraphFile) -> None:
    offered = suggested(f"SELECT x.| FROM {relation} AS x", graph)

    assert offered == [f"x.{column.name}" for column in relation_schema(relation).columns]


def test_a_name_that_several_nodes_have_is_given_as_the_id_of_each(tmp_path: Path) -> None:
    text = "a.py\n  def twin()\n  def other()\nb.py\n  def twin()\n"
    with open_graph(write(make_graph(text), tmp_path)) as graph:
        assert suggested("SHOW callers OF twi", graph) == ["fn:a.py:twin", "fn:b.py:twin"]
        assert suggested("SHOW callers OF a.twi", graph) == ["a.twin"]


def test_suggestions_are_bounded_in_number(tmp_path: Path) -> None:
    text = "a.py\n" + "".join(f"  def name{n}()\n" for n in range(200))
    with open_graph(write(make_graph(text), tmp_path)) as graph:
        assert len(suggested("SHOW callers OF name", graph)) == MOST
