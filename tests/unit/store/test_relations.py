from collections.abc import Iterator

import pytest

from fakes.graphs import SHOP, make_graph, write
from mu.model.relation import Relation
from mu.store import ALIASES, PUBLIC, GraphFile, open_graph, relation_schema
from mu.store.relations import TABLES, view_statements

NODE_COLUMNS = """
id kind subkind name qualified_name module language path start_line end_line signature docstring
visibility is_async is_static is_abstract is_test is_generated decorators parameters returns
complexity lines digest
"""


@pytest.fixture(scope="module")
def graph(tmp_path_factory: pytest.TempPathFactory) -> Iterator[GraphFile]:
    with open_graph(write(make_graph(SHOP), tmp_path_factory.mktemp("g"))) as opened:
        yield opened


@pytest.mark.parametrize("name", PUBLIC)
def test_a_relation_has_the_columns_that_are_documented(name: str, graph: GraphFile) -> None:
    schema = relation_schema(name)

    documented = [column.name for column in schema.columns]
    assert list(graph.run(Relation(f"FROM {name}"), limit=0).columns) == documented
    assert schema.comment.endswith(".")
    assert all(column.comment for column in schema.columns)


def test_nodes_have_the_public_columns_in_order() -> None:
    assert [column.name for column in relation_schema("nodes").columns] == NODE_COLUMNS.split()


@pytest.mark.parametrize("alias", ALIASES)
def test_an_alias_gives_the_same_rows(alias: str, graph: GraphFile) -> None:
    one, other = (graph.run(Relation(f"FROM {n}")) for n in (alias, ALIASES[alias]))

    assert (one.columns, one.rows) == (other.columns, other.rows)


@pytest.mark.parametrize("name", TABLES)
def test_the_tables_of_the_file_are_reached_by_name(name: str, graph: GraphFile) -> None:
    direct = graph.run(Relation(f"FROM graph.main.{name}"))

    assert graph.run(Relation(f"FROM {name}")).rows == direct.rows


def test_only_the_views_a_query_names_are_made() -> None:
    assert list(view_statements("SELECT * FROM Functions", ())) == ["functions"]
    assert list(view_statements("SELECT * FROM methods", ())) == ["nodes", "methods"]
    assert list(view_statements("SELECT * FROM fn", ("nodes", "functions"))) == ["fn"]
    assert list(view_statements("SELECT 1", ())) == []
