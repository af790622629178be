import json
from collections.abc import Iterator

import pytest

from fakes.graphs import SHOP, make_graph, write
from mu.errors import ExitCode
from mu.muql import MuqlError, compile_query
from mu.store import GraphFile, open_graph

NESTED = {
    "brackets": ("(", "1", ")"),
    "lists": ("[", "1", "]"),
    "structs": ("{'a': ", "1", "}"),
    "calls": ("abs(", "1", ")"),
    "casts": ("", "1", "::INTEGER"),
    "minus": ("- ", "x", ""),
    "not": ("NOT ", "true", ""),
    "sums": ("1 + ", "1", ""),
    "texts": ("'a' || ", "'b'", ""),
    "cases": ("CASE WHEN true THEN ", "1", " END"),
    "subqueries": ("(SELECT ", "1", ")"),
    "indexes": ("", "x", "[1]"),
    "lambdas": ("list_transform([1], lambda x: ", "x", ")"),
    "fields": ("x", "", ".x"),
    "collations": ("", "'a'", " COLLATE nocase"),
    "conditions": ("", "1", " IS NULL"),
    "types": ("", "1::INTEGER", "[]"),
    "comprehensions": ("[x for x in ", "[1]", "]"),
}
WIDE = {
    "tables": ("FROM nodes", ", nodes"),
    "joins": ("FROM nodes", " JOIN nodes USING (id)"),
    "sets": ("SELECT 1", " UNION SELECT 1"),
    "conditions": ("SELECT true", " AND true"),
    "columns": ("SELECT 1", ", 1"),
    "rows": ("VALUES (1)", ", (1)"),
}


@pytest.fixture(scope="module")
def graph(tmp_path_factory: pytest.TempPathFactory) -> Iterator[GraphFile]:
    with open_graph(write(make_graph(SHOP), tmp_path_factory.mktemp("g"))) as opened:
        yield opened


def test_a_select_becomes_the_same_text_and_its_columns(graph: GraphFile) -> None:
    relation = compile_query("SELECT name AS n FROM nodes;", graph).relation

    assert (relation.sql, relation.columns) == ("SELECT name AS n FROM nodes", ("n",))


def test_an_error_tells_its_place_and_asks_for_the_usage_status(graph: GraphFile) -> None:
    with pytest.raises(MuqlError) as raised:
        compile_query("SELECT\n  nmae FROM nodes", graph)

    assert raised.value.what == "unknown column `nmae`, did you mean `name`?"
    assert raised.value.place is not None
    assert (raised.value.place.line, raised.value.place.column) == (2, 3)
    assert raised.value.code is ExitCode.USAGE


@pytest.mark.parametrize("depth", [150, 1_000, 5_000])
@pytest.mark.parametrize("shape", NESTED)
def test_deep_nesting_is_refused(shape: str, depth: int, graph: GraphFile) -> None:
    before, middle, after = NESTED[shape]
    query = f"SELECT {before * depth}{middle}{after * depth}"

    with pytest.raises(MuqlError):
        compile_query(query[:60_000], graph)


@pytest.mark.parametrize("shape", WIDE)
def test_what_is_very_long_is_refused(shape: str, graph: GraphFile) -> None:
    first, more = WIDE[shape]

    with pytest.raises(MuqlError):
        compile_query(first + more * 1_001, graph)


@pytest.mark.parametrize("shape", NESTED)
def test_modest_nesting_is_no_matter_of_depth(shape: str, graph: GraphFile) -> None:
    before, middle, after = NESTED[shape]
    try:
        compile_query(f"SELECT {before * 8}{middle}{after * 8}", graph)
    except MuqlError as error:
        assert "deep" not in error.what  # noqa: PT017  most shapes run, some have no such column


def test_a_query_of_the_greatest_size_is_taken_and_one_byte_more_is_not(graph: GraphFile) -> None:
    query = "SELECT 1 -- é"
    query += "x" * (65_536 - len(query.encode()))

    assert compile_query(query, graph).relation.columns == ("1",)
    with pytest.raises(MuqlError, match="65,537 bytes"):
        compile_query(query + "x", graph)


def test_a_list_of_a_thousand_is_taken_and_one_more_is_not(graph: GraphFile) -> None:
    query = "SELECT name FROM nodes WHERE lines IN ({})"

    assert compile_query(query.format(", ".join(["1"] * 1_000)), graph).relation.columns == (
        "name",
    )
    with pytest.raises(MuqlError, match="more than 1,000 items"):
        compile_query(query.format(", ".join(["1"] * 1_001)), graph)


@pytest.mark.parametrize("text", ["\x00", "SELECT '\x00'", "SELECT '\ud800'"])
def test_text_that_is_not_text_is_refused(text: str, graph: GraphFile) -> None:
    with pytest.raises(MuqlError):
        compile_query(text, graph)


def test_more_brackets_than_anyone_writes_are_refused_wherever_they_stand(graph: GraphFile) -> None:
    with pytest.raises(MuqlError, match="brackets"):
        compile_query(f"SELECT '{'(' * 2_001}'", graph)


def test_the_engines_tree_of_a_public_query_is_json(graph: GraphFile) -> None:
    assert json.loads(graph.serialize("SELECT 1"))["error"] is False
