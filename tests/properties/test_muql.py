"""Any text compiles or is refused by MUQL, and the next query runs."""

from collections.abc import Iterator

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from fakes.graphs import SHOP, make_graph, write
from mu.analysis.node_search.node_resolution import AmbiguousNodeError, UnknownNodeError
from mu.errors import MuError
from mu.muql import MuqlError, compile_query
from mu.store import PUBLIC, GraphFile, QueryError, QueryTimeoutError, open_graph

VOCABULARY = """
SELECT FROM WHERE GROUP BY ALL ORDER HAVING QUALIFY LIMIT OFFSET WITH RECURSIVE AS UNION EXCEPT JOIN
LEFT ON USING LATERAL CASE WHEN THEN ELSE END AND OR NOT IN IS NULL LIKE BETWEEN EXISTS DISTINCT
OVER PARTITION ROWS FILTER CAST VALUES TABLE EXCLUDE REPLACE SHOW FIND CYCLES VIA callers impact OF
DEPTH COPY SET PIVOT DESCRIBE SUMMARIZE SAMPLE ( ) [ ] { } , . ; * + - / % = < > || :: : -> ? $1 #
@ ! 0 1 99999999999999999999 1e309 'a' '' '(' "name" 'é' -- /* */ lambda x name kind id path lines
parameters type n t count(*) sum max lower length list_value unnest range row_number rank read_csv
node INTEGER VARCHAR COLLATE nocase COLUMNS INTERVAL DATE TRY AT VERSION MATERIALIZED ASOF
"""
WORDS = [*VOCABULARY.split(), *PUBLIC]
SEEDS = [
    "SELECT name, complexity FROM functions ORDER BY complexity DESC LIMIT 5",
    "WITH a AS (SELECT kind, count(*) n FROM nodes GROUP BY ALL) FROM a WHERE n > 1",
    "SELECT [x.upper() for x in parameters if x <> 'a'], rank() OVER (ORDER BY id) FROM methods",
    "SELECT f.name FROM functions f JOIN calls c ON c.source = f.id WHERE c.line BETWEEN 1 AND 9",
    "SHOW impact OF app/db.py:Store.find DEPTH 2",
]


@pytest.fixture(scope="module")
def graph(tmp_path_factory: pytest.TempPathFactory) -> Iterator[GraphFile]:
    path = write(make_graph(SHOP), tmp_path_factory.mktemp("fuzz"))
    with open_graph(path) as opened:
        yield opened


def ask(text: str, graph: GraphFile) -> MuError | None:
    """Run a query as a user does, and give the error it was refused with."""
    refusals = (MuqlError, QueryError, QueryTimeoutError, AmbiguousNodeError, UnknownNodeError)
    try:
        graph.run(compile_query(text, graph).relation, limit=10, timeout=2)
    except refusals as error:
        return error
    return None


@st.composite
def mutations(draw: st.DrawFn) -> str:
    """Good queries with a few words put in, taken out or put elsewhere."""
    words = draw(st.sampled_from(SEEDS)).split()
    for _ in range(draw(st.integers(1, 4))):
        at = draw(st.integers(0, len(words)))
        words[at : at + draw(st.integers(0, 2))] = draw(
            st.lists(st.sampled_from(WORDS), max_size=2)
        )
    return " ".join(words)


texts = st.text(max_size=200) | st.lists(st.sampled_from(WORDS), max_size=25).map(" ".join)


@given(texts | mutations())
@example("SELECT name COLLATE nocase FROM nodes")
@example("FROM nodes TABLESAMPLE 200%")
def test_any_text_is_answered_or_refused_in_our_own_words(graph: GraphFile, text: str) -> None:
    error = ask(text, graph)

    if error is not None:
        assert error.message
        for foreign in ("DuckDB", "Binder", "Catalog Error", "LINE 1", "exception"):
            assert foreign not in error.message.replace(text, "")
    assert ask("SELECT count(*) FROM nodes", graph) is None


@given(st.text(max_size=60))
def test_any_text_may_stand_in_quotes(graph: GraphFile, text: str) -> None:
    literal = text.replace("'", "''")
    query = f"SELECT '{literal}' AS a"
    if "\0" in text:
        assert isinstance(ask(query, graph), MuqlError)
    else:
        assert graph.run(compile_query(query, graph).relation).rows == ((text,),)
