"""Ways out of the closed world, each refused before it runs."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from fakes.graphs import SHOP, make_graph, write
from mu.muql import MuqlError, compile_query
from mu.store import GraphFile, QueryError, open_graph

READS = """
read_csv('/etc/passwd')|read_csv_auto('/etc/passwd')|read_text('/etc/passwd')
read_blob('/etc/passwd')|read_json('/etc/passwd')|read_json_auto('/etc/passwd')
read_json_objects('/etc/passwd')|read_ndjson('/etc/passwd')|read_parquet('/etc/passwd')
parquet_scan('/etc/passwd')|parquet_metadata('/etc/passwd')|sniff_csv('/etc/passwd')
read_duckdb('other.db')|glob('/*')|query('SELECT 1')|query_table('node')
json_execute_serialized_sql('{}')|duckdb_settings()|duckdb_tables()|duckdb_functions()
duckdb_secrets()|duckdb_logs()|duckdb_temporary_files()|pragma_database_size()
pragma_table_info('node')|pragma_storage_info('node')|pragma_version()|which_secret('a', 's3')
checkpoint()|force_checkpoint()|enable_logging()|seq_scan('node')|summary('node')
arrow_scan(1, 2, 3)|pandas_scan(1)|python_map_function(1)|repeat('x', 9)|repeat_row(1)
test_all_types()|test_vector_types(1)|json_each('{}')|pg_timezone_names()
system.main.duckdb_tables()|main.range(3)
"""
TABLES = """
'/etc/passwd'|'data.parquet'|"data.json"|'s3://bucket/key'|'https://example.invalid/a.csv'
node|edge|site|file|measured|graph.node|graph.main.node|temp.nodes|main.nodes|memory.main.nodes
sqlite_master|sqlite_schema|duckdb_tables|pg_tables|pg_catalog.pg_class|information_schema.tables
system.main.sqlite_master|pragma_database_list|graph|self|open_file
"""
VALUES = """
getenv('HOME')|current_setting('memory_limit')|getvariable('x')|version()|current_user
current_database()|current_schema()|current_query()|txid_current()|nextval('s')|setseed(0.5)
random()|uuid()|gen_random_uuid()|now()|today()|current_timestamp|localtime|sleep_ms(1000)
pg_sleep(1)|write_log('x')|error('x')|repeat('x', 1000000)|lpad('x', 1000000, 'y')
rpad('x', 1000000, 'y')|range(1000000)|generate_series(1, 1000000)|list_resize([1], 1000000000)
array_resize([1], 1000000000)|format('{:1000000000}', 1)|printf('%1000000000d', 1)|bar(1, 0, 1, 9)
list_reduce([1], lambda a, b: a)|list_aggregate([1], 'sum')|json_serialize_sql('SELECT 1')
json_deserialize_sql('{}')|json_extract('{}', '$')|add_parquet_key(1, 2)|in_search_path('a', 'b')
stats(1)|vector_type(1)|main.lower('A')|graph.main.lower('A')|system.main.getenv('HOME')|$name|?
1::ENUM('a')|CAST('a' AS BLOB)|CAST(1 AS UNION(a INTEGER))|CAST('x' AS JSON)
"""
STATEMENTS = """
COPY nodes TO 'out.csv'|COPY nodes FROM 'in.csv'|EXPORT DATABASE 'x'|IMPORT DATABASE 'x'
ATTACH 'other.db'|DETACH graph|USE graph|PRAGMA database_list|SET threads = 8|RESET threads
INSTALL httpfs|LOAD httpfs|FORCE INSTALL httpfs|CREATE TABLE t(a INT)|CREATE TEMP TABLE t(a INT)
CREATE MACRO lower(x) AS 1|CREATE OR REPLACE TEMP VIEW nodes AS SELECT 1|DROP VIEW nodes
INSERT INTO nodes VALUES (1)|UPDATE node SET name = ''|DELETE FROM node|TRUNCATE node
MERGE INTO node USING edge ON true WHEN MATCHED THEN DELETE|ALTER TABLE node RENAME TO x
BEGIN|COMMIT|ROLLBACK|CHECKPOINT|VACUUM|ANALYZE|CALL duckdb_tables()|EXECUTE p|PREPARE p AS SELECT 1
DEALLOCATE p|EXPLAIN ANALYZE SELECT 1|DESCRIBE SELECT 1|SUMMARIZE nodes|SHOW DATABASES
SHOW ALL TABLES|PIVOT nodes ON kind|UNPIVOT nodes ON kind INTO NAME a VALUE b
COMMENT ON TABLE node IS ''
CREATE SECRET s (TYPE s3)|SELECT 1; DROP TABLE node|SELECT 1;;SELECT 2|;SELECT 1; COPY nodes TO 'x'
WITH x AS (INSERT INTO node VALUES (1) RETURNING key) FROM x
WITH x AS (UPDATE node SET name = '' RETURNING key) FROM x|FROM (DESCRIBE nodes)|FROM (SHOW TABLES)
FROM nodes PIVOT (count(*) FOR kind IN ('class'))|SELECT * FROM nodes AT (VERSION => 1)
WITH node AS (SELECT * FROM node) FROM node|WITH RECURSIVE node AS (SELECT * FROM node) FROM node
WITH a AS (FROM b), b AS (SELECT 1) FROM a|FROM (WITH node AS (SELECT 1) FROM node), node
WITH RECURSIVE node(a) AS (SELECT key FROM node UNION SELECT a FROM node) FROM node
SELECT (WITH sqlite_master AS (SELECT 1) SELECT 1), * FROM sqlite_master
SELECT 1 WHERE EXISTS (FROM read_text('/etc/passwd'))|SELECT 1 ORDER BY (SELECT getenv('HOME'))
SELECT 1 LIMIT (SELECT count(*) FROM duckdb_tables())|VALUES ((SELECT count(*) FROM node))
SELECT sum(1) OVER (PARTITION BY getenv('HOME'))|SELECT count(*) FILTER (WHERE getenv('X') = '')
FROM nodes JOIN LATERAL (FROM glob('*')) ON true|FROM nodes GROUP BY getenv('HOME')
SELECT CASE WHEN true THEN getenv('X') END|SELECT [getenv('X') for x in [1]]
SELECT * REPLACE (getenv('X') AS id) FROM nodes
"""


def pieces(text: str) -> list[str]:
    return [piece for line in text.strip().splitlines() for piece in line.split("|") if piece]


QUERIES = [
    *(f"SELECT * FROM {piece}" for piece in [*pieces(READS), *pieces(TABLES)]),
    *(f"SELECT {piece}" for piece in pieces(VALUES)),
    *pieces(STATEMENTS),
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("closed")


@pytest.fixture(scope="module")
def graph(folder: Path) -> Iterator[GraphFile]:
    with open_graph(write(make_graph(SHOP), folder)) as opened:
        yield opened


@pytest.mark.parametrize("query", QUERIES)
def test_it_is_refused_before_it_runs(query: str, graph: GraphFile, folder: Path) -> None:
    with pytest.raises(MuqlError) as raised:
        compile_query(query, graph)

    assert str(folder) not in raised.value.message
    assert [path.name for path in folder.iterdir()] == [".mubase"]


def test_the_next_query_runs(graph: GraphFile) -> None:
    for query in QUERIES:
        with pytest.raises(MuqlError):
            compile_query(query, graph)
    assert graph.run(compile_query("SELECT count(*) FROM classes", graph).relation).rows == ((4,),)


@pytest.mark.parametrize(
    "text",
    [
        "'",
        "''",
        '"',
        ";",
        "--",
        "/*",
        "*/",
        "\\",
        "' OR 1=1 --",
        "$$",
        "%",
        "_",
        "\n",
        "é",
        "\x1b[2J",
    ],
)
def test_text_within_quotes_is_only_text(text: str, graph: GraphFile) -> None:
    literal = "'" + text.replace("'", "''") + "'"

    answer = graph.run(compile_query(f"SELECT {literal} AS a FROM classes LIMIT 1", graph).relation)

    assert answer.rows == ((text,),)


@pytest.mark.parametrize("text", ["'x", "x'; DROP TABLE node; --", "a/b.py:c'", "../../etc/passwd"])
def test_a_node_reference_is_only_text(text: str, graph: GraphFile) -> None:
    with pytest.raises(Exception) as raised:  # noqa: PT011  several kinds of refusal fit
        compile_query(f'SHOW callers OF "{text}"', graph)

    assert not isinstance(raised.value, QueryError)
    assert graph.run(compile_query("SELECT count(*) FROM classes", graph).relation).rows == ((4,),)
