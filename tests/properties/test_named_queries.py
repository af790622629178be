"""Any call of a named query, and any file of one, runs or is refused by MUQL; so is completion."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from fakes.graphs import SHOP, make_graph, write
from mu.analysis.node_search.node_resolution import AmbiguousNodeError, UnknownNodeError
from mu.muql import MuqlError, compile_query
from mu.muql.completion import MOST, complete
from mu.muql.named_queries.library import Library
from mu.muql.named_queries.named_query import parse_named
from mu.store import GraphFile, QueryError, QueryTimeoutError, open_graph

NAMES = [entry.name for entry in Library(None).entries()]
PIECES = [
    *("@", "(", ")", ",", ":=", ";", "'", '"', "''", "--", "/*", "*/", "$least", "?", " ", "\n"),
    *(
        "'a'",
        '"b"',
        "1",
        "-1",
        "1.5",
        "1e9",
        "true",
        "NULL",
        "least",
        "prefix",
        "node",
        "AuthService",
    ),
    *(
        "app/auth.py",
        "fn:app/db.py:Store.find",
        "x' OR 1=1 --",
        "\0",
        "é",
        "\u202e",
        "LIMIT",
        "sure",
    ),
]
LINES = [
    *("-- Some.", "--", "-- parameter least integer := 1: a", "-- parameter n node: b"),
    *("-- parameter t text := '': c", "-- parameter", "SELECT $least", "SHOW callers OF $n", ""),
    *("FROM nodes WHERE name = $t", "@hotspots", "COPY nodes TO 'x'", "SELECT 1; SELECT 2", "\t"),
    *("FIND functions CALLING $n LIMIT $least", "SELECT * FROM impact($n)", "EXPLAIN SELECT 1"),
]


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("project")
    write(make_graph(SHOP), folder)
    (folder / ".mu" / "queries").mkdir(parents=True)
    return folder


@pytest.fixture(scope="module")
def graph(project: Path) -> Iterator[GraphFile]:
    with open_graph(project / ".mubase") as opened:
        yield opened


def ask(text: str, graph: GraphFile, project: Path) -> None:
    """Run a query as a user does; only the errors that a user may see are let pass."""
    try:
        relation = compile_query(text, graph, project=project).relation
        graph.run(relation, limit=5, timeout=5)
    except (MuqlError, QueryError, QueryTimeoutError, AmbiguousNodeError, UnknownNodeError):
        return


@given(name=st.sampled_from(NAMES), pieces=st.lists(st.sampled_from(PIECES), max_size=9))
@example(name="tests_of", pieces=["(", "'a", ")"])
def test_any_call_runs_or_is_refused(
    graph: GraphFile, project: Path, name: str, pieces: list[str]
) -> None:
    ask(f"@{name}{''.join(pieces)}", graph, project)


@given(text=st.text(max_size=60))
def test_any_text_behind_the_sign_runs_or_is_refused(
    graph: GraphFile, project: Path, text: str
) -> None:
    ask(f"@{text}", graph, project)


@given(lines=st.lists(st.sampled_from(LINES), max_size=7), call=st.sampled_from(["", "(login)"]))
def test_any_file_runs_or_is_refused(
    graph: GraphFile, project: Path, lines: list[str], call: str
) -> None:
    (project / ".mu" / "queries" / "any.muql").write_text("\n".join(lines))

    ask(f"@any{call}", graph, project)


@given(text=st.text(max_size=200))
def test_any_text_is_a_file_or_is_refused(text: str) -> None:
    try:
        query = parse_named(text, "any", origin="any")
    except MuqlError:
        return
    assert query.description


@given(
    before=st.lists(
        st.sampled_from([*PIECES, "SHOW", "callers", "OF", "SELECT", "FROM", "impact", "functions",
                         "EXPLAIN", "FIND", "VIA", "WHERE", "f.", "JOIN", "PATH", "DESCRIBE"]),
        max_size=9,
    ),
    after=st.text(max_size=20),
)  # fmt: skip
def test_completion_never_fails_and_replaces_what_was_written(
    graph: GraphFile, project: Path, before: list[str], after: str
) -> None:
    text = " ".join(before)

    found = complete(text, after, graph=graph, project=project)

    assert len(found) <= MOST
    assert all(suggestion.length <= len(text) for suggestion in found)
