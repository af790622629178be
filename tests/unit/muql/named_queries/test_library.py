"""Named queries of a project: found in its folder, checked like any query, each on its own."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from fakes.graphs import SHOP, make_graph, write
from mu.analysis.node_search.node_resolution import UnknownNodeError
from mu.errors import MuError
from mu.muql import MuqlError, compile_query
from mu.muql.named_queries.library import SHIPPED, Library
from mu.store import GraphFile, open_graph

MOST = "-- The longest.\n-- parameter most integer := 2: how many\nSELECT name FROM functions "
CALLED = """\
-- What a function calls, in one file.
-- parameter node node: the function
-- parameter prefix text := '': only files whose path begins so
SELECT target_name FROM calls JOIN nodes ON nodes.id = target
WHERE source = $node AND starts_with(coalesce(nodes.path, ''), $prefix) ORDER BY ALL
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / ".mu" / "queries"
    folder.mkdir(parents=True)
    (folder / "longest.muql").write_text(MOST + "ORDER BY lines DESC, id LIMIT $most")
    (folder / "called.muql").write_text(CALLED)
    write(make_graph(SHOP), tmp_path)
    return tmp_path


@pytest.fixture
def graph(project: Path) -> Iterator[GraphFile]:
    with open_graph(project / ".mubase") as opened:
        yield opened


def names(call: str, graph: GraphFile, project: Path | None) -> list[object]:
    answer = graph.run(compile_query(call, graph, project=project).relation)
    return [row[0] for row in answer.rows]


@pytest.mark.parametrize(
    ("call", "rows"),
    [
        ("@longest", ["place", "login"]),
        ("@LONGEST ( ) ;", ["place", "login"]),
        ("-- one\n@longest(most := 1)", ["place"]),
        ("@longest(1)", ["place"]),
        ("@called(AuthService.login)", ["_audit", "find", "sha256"]),
        ("@called(node := app/auth.py:AuthService.login, prefix := app/db)", ["find"]),
        ("@called('AuthService.login', prefix := \"app/db\")", ["find"]),
        ("@called(AuthService.login, 'x'' OR true --')", []),
        ("@called(AuthService.login, $$)", []),
    ],
)
def test_a_call_binds_its_arguments(
    call: str, rows: list[str], graph: GraphFile, project: Path
) -> None:
    assert names(call, graph, project) == rows


ASKING = {
    "reached": "FROM impact($node, depth := $depth) SELECT id WHERE distance <= $depth ORDER BY id",
    "shown": "SHOW callers OF $node DEPTH $depth WHERE distance < $depth LIMIT $depth",
    "found": "FIND functions CALLING $node WHERE complexity > $depth",
    "named": "FIND nodes MATCHING $prefix WHERE NOT is_test LIMIT $depth",
    "way": "PATH FROM Orders.place TO $node MAX DEPTH $depth",
}


@pytest.mark.parametrize(
    ("call", "rows"),
    [
        (
            "@reached(AuthService.login, 1)",
            [*("fn:app/orders.py:Orders.place", "fn:tests/test_auth.py:test_login")],
        ),
        (
            "@shown(Store.find, 2)",
            ["fn:app/auth.py:AuthService.login"],
        ),
        ("@shown(Store.find, 1)", []),
        ("@found(AuthService.login, 5)", ["fn:app/orders.py:Orders.place"]),
        ("@named(Store, 9, prefix := make)", ["fn:app/auth.py:make_service"]),
        ('@named(Store, 9, prefix := "make\' OR TRUE")', []),
    ],
)
def test_parameters_stand_in_statements_and_graph_functions(
    call: str, rows: list[str], graph: GraphFile, project: Path
) -> None:
    for name, body in ASKING.items():
        head = (
            "-- Some.\n-- parameter node node: a\n-- parameter depth integer := 3: b\n"
            "-- parameter prefix text := '': c\n"
        )
        (project / ".mu" / "queries" / f"{name}.muql").write_text(head + body)

    assert names(call, graph, project) == rows


@pytest.mark.parametrize(
    ("body", "what"),
    [
        ("SHOW callers OF $nod", "unknown parameter `$nod`, did you mean `node`?"),
        ("SHOW callers OF $node DEPTH $far", "a depth is a whole number of 1 or more"),
        ("SHOW callers OF $node LIMIT $word", "LIMIT takes a whole number"),
        ("SHOW callers OF $node WHERE name = $other", "unknown parameter `$other`"),
        ("FROM impact($nod)", "unknown parameter `$nod`, did you mean `node`?"),
        ("$word callers OF $node", "a query does not begin with `$`"),
    ],
)
def test_a_parameter_that_does_not_fit_is_told(
    body: str, what: str, graph: GraphFile, project: Path
) -> None:
    head = (
        "-- Some.\n-- parameter node node: a\n-- parameter far integer := 0: b\n"
        "-- parameter word text := 'DROP': c\n"
    )
    (project / ".mu" / "queries" / "wrong.muql").write_text(head + body)

    with pytest.raises(MuqlError) as raised:
        compile_query("@wrong(AuthService.login)", graph, project=project)

    assert raised.value.what == f"in .mu/queries/wrong.muql: {what}"
    assert raised.value.place is not None
    assert raised.value.place.line == 5


@pytest.mark.parametrize(
    ("call", "what", "column"),
    [
        ("@", "expected the name of a query, and there is nothing more", 2),
        ("@longst", "no query is called `longst`, did you mean `longest`?", 2),
        ("@../longest", "no query is called `../longest`, did you mean `longest`?", 2),
        ("@longest(", "expected a value, and there is nothing more", 10),
        ("@longest(1", "expected `,` or `)`, and there is nothing more", 11),
        ("@longest(1,)", "expected a value, and not `)`", 12),
        ("@longest(most :=)", "expected the value of `most`, and not `)`", 17),
        ("@longest(1, 2)", "@longest takes 1 argument at most", 13),
        ("@longest(mst := 1)", "@longest has no parameter `mst`, did you mean `most`?", 10),
        ("@longest(1, most := 2)", "`most` is given twice", 13),
        ("@longest(most := many)", "`most` is a whole number, and not many", 18),
        ("@longest(most := '1')", "`most` is a whole number, and not '1'", 18),
        ("@longest(1) LIMIT 2", "`LIMIT` is one word too many", 13),
        ("@longest(1) @longest", "`@` is one word too many", 13),
        ("@called", "@called needs `node`: the function", 2),
        ("@called(prefix := app)", "@called needs `node`: the function", 2),
    ],
)
def test_a_wrong_call_is_told_with_its_place(
    call: str, what: str, column: int, graph: GraphFile, project: Path
) -> None:
    with pytest.raises(MuqlError) as raised:
        compile_query(call, graph, project=project)

    assert raised.value.what == what
    assert raised.value.place is not None
    assert raised.value.place.column == column


def test_a_node_that_is_none_is_told_as_everywhere(graph: GraphFile, project: Path) -> None:
    with pytest.raises(UnknownNodeError, match="no node is called 'AuthServce'"):
        compile_query("@called(AuthServce)", graph, project=project)


@pytest.mark.parametrize(
    ("text", "message", "line"),
    [
        ("SELECT 1", "begins with a comment", 1),
        ("-- All.\nSELECT $other", "a parameter is allowed only in a named query", 2),
        ("-- All.\n-- parameter a text := '': b\nSELECT $oter, $a", "unknown parameter `$oter`", 3),
        ("-- All.\n-- parameter a text := '': b\nSELECT ?", "unknown parameter `$1`", 3),
        ("-- All.\nSELECT complexty\nFROM functions", "unknown column `complexty`", 2),
        ("-- All.\nCOPY nodes TO 'out.csv'", "COPY is not part of MUQL", 2),
        ("-- All.\nSELECT 1; SELECT 2", "one statement at a time", 2),
        ("-- All.\nFROM '/etc/passwd'", "unknown relation `/etc/passwd`", 2),
        ("-- All.\n@hotspots", "a query does not begin with `@`", 2),
        ("-- Only words.", "the query is empty", None),
    ],
)
def test_a_broken_file_is_an_error_that_names_it(
    text: str, message: str, line: int | None, graph: GraphFile, project: Path
) -> None:
    (project / ".mu" / "queries" / "broken.muql").write_text(text)

    with pytest.raises(MuqlError) as raised:
        compile_query("@broken", graph, project=project)

    assert raised.value.what.startswith("in .mu/queries/broken.muql: ")
    assert message in raised.value.what
    assert (raised.value.place.line if raised.value.place else None) == line
    assert names("@longest(1)", graph, project) == ["place"]


def test_a_hostile_folder_is_told_file_by_file(graph: GraphFile, project: Path) -> None:
    folder = project / ".mu" / "queries"
    (project.parent / "secret.txt").write_text("secret")
    (folder / "linked.muql").symlink_to(project.parent / "secret.txt")
    (folder / "binary.muql").write_bytes(b"-- All.\n\0")
    (folder / "large.muql").write_text("-- All.\nSELECT 1 --" + "x" * 70_000)
    (folder / "Upper.muql").write_text("-- All.\nSELECT 1")
    (folder / "hotspots.muql").write_text("-- All.\nSELECT 1")
    (folder / "folder.muql").mkdir()
    os.mkfifo(folder / "pipe.muql")

    told = {e.name: e.problem for e in Library(project).entries() if e.origin != SHIPPED}

    assert told == {
        "Upper": ".mu/queries/Upper.muql: a query is called by small letters, digits and"
        " underscores",
        "binary": ".mu/queries/binary.muql cannot be used: binary",
        "called": "",
        "folder": ".mu/queries/folder.muql cannot be used: folder",
        "hotspots": "a query that ships with MU has this name: rename it",
        "large": ".mu/queries/large.muql cannot be used: larger than 65536 bytes",
        "linked": ".mu/queries/linked.muql cannot be used: symbolic link",
        "longest": "",
        "pipe": ".mu/queries/pipe.muql cannot be used: named pipe",
    }
    for name in ("linked", "binary", "large", "pipe"):
        with pytest.raises(MuError, match="cannot be used"):
            compile_query(f"@{name}", graph, project=project)


def test_a_linked_folder_is_not_followed(tmp_path: Path) -> None:
    elsewhere, project = tmp_path / "elsewhere", tmp_path / "project"
    elsewhere.mkdir()
    (elsewhere / "longest.muql").write_text(MOST)
    (project / ".mu").mkdir(parents=True)
    (project / ".mu" / "queries").symlink_to(elsewhere)

    assert {entry.origin for entry in Library(project).entries()} == {SHIPPED}


def test_without_a_project_there_is_what_ships_with_mu() -> None:
    assert {entry.origin for entry in Library(None).entries()} == {SHIPPED}


def test_a_shipped_query_is_not_replaced_by_the_project(graph: GraphFile, project: Path) -> None:
    (project / ".mu" / "queries" / "hotspots.muql").write_text("-- All.\nSELECT 1 AS one")

    compiled = compile_query("@hotspots", graph, project=project)

    assert compiled.relation.columns[0] == "id"
