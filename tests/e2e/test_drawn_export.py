"""Exports for other tools, of the whole graph and of chosen parts of it."""

import re
from pathlib import Path

import networkx as nx
import pytest

from e2e.command import SMALL, mu, write_tree
from fakes.built import with_graph

Edges = set[tuple[str, str, str]]


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = write_tree(tmp_path_factory.mktemp("tree"), SMALL)
    with_graph(folder)
    return folder


def graphml(folder: Path, *arguments: str) -> tuple[set[str], Edges]:
    """The nodes and edges of the document that the arguments ask for, as NetworkX reads it."""
    path = folder / "graph.graphml"
    result = mu("kernel", "export", "--format", "graphml", "-o", path.name, *arguments, cwd=folder)
    assert (result.returncode, result.stdout, result.stderr) == (0, "", "")
    graph = nx.read_graphml(path)
    edges = {(source, target, data["kind"]) for source, target, data in graph.edges(data=True)}
    return set(graph.nodes), edges


def test_graphml_holds_the_whole_graph(built: Path) -> None:
    nodes, edges = graphml(built)

    ids = mu("query", "SELECT id FROM nodes", "--format", "csv", cwd=built).stdout.split()
    ends = mu("query", "SELECT DISTINCT source, target, kind FROM edges", "--format", "csv",
              cwd=built).stdout.split()  # fmt: skip
    assert sorted(nodes) == sorted(ids[1:])
    assert sorted(edges) == sorted(tuple(line.split(",")) for line in ends[1:])


def test_an_attribute_has_its_type(built: Path) -> None:
    graphml(built)

    login = nx.read_graphml(built / "graph.graphml").nodes["fn:app/auth.py:login"]

    assert login["name"] == "login"
    assert (login["start_line"], login["is_test"]) == (1, False)


@pytest.mark.parametrize(
    ("arguments", "nodes", "edges"),
    [
        (
            ("--node-kind", "module", "--edge-kind", "imports"),
            {
                "mod:app/__init__.py",
                "mod:app/auth.py",
                "mod:app/views.py",
                "mod:tests/test_auth.py",
            },
            {
                ("mod:app/views.py", "mod:app/auth.py", "imports"),
                ("mod:tests/test_auth.py", "mod:app/auth.py", "imports"),
                ("mod:tests/test_auth.py", "mod:app/__init__.py", "imports"),
            },
        ),
        (
            ("--node-kind", "function", "--edge-kind", "calls", "--path", "app/a"),
            {"fn:app/auth.py:login", "fn:app/auth.py:check"},
            {("fn:app/auth.py:login", "fn:app/auth.py:check", "calls")},
        ),
        (("--path", "nowhere/"), set(), set()),
    ],
)
def test_a_part_has_the_nodes_chosen_and_the_edges_between_them(
    built: Path, arguments: tuple[str, ...], nodes: set[str], edges: Edges
) -> None:
    assert graphml(built, *arguments) == (nodes, edges)


CALLS = ("--node-kind", "function", "--edge-kind", "calls", "--path", "app/")


def test_dot_has_the_same_nodes_and_edges(built: Path) -> None:
    text = mu("kernel", "export", "--format", "dot", *CALLS, cwd=built).stdout

    assert re.findall(r'^  "([^"]+)" \[label=', text, re.MULTILINE) == [
        "fn:app/auth.py:login",
        "fn:app/auth.py:check",
        "fn:app/views.py:page",
    ]
    assert re.findall(r'^  "([^"]+)" -> "([^"]+)" ', text, re.MULTILINE) == [
        ("fn:app/auth.py:login", "fn:app/auth.py:check"),
        ("fn:app/views.py:page", "fn:app/auth.py:login"),
    ]


def test_mermaid_has_the_same_nodes_and_edges(built: Path) -> None:
    result = mu("kernel", "export", "--format", "mermaid", *CALLS, cwd=built)

    assert (result.returncode, result.stderr) == (0, "")
    assert result.stdout.splitlines() == [
        "flowchart LR",
        '  n0("app/auth.py:login")',
        '  n1("app/auth.py:check")',
        '  n0 -->|"calls"| n1',
        '  n2("app/views.py:page")',
        '  n2 -->|"calls"| n0',
    ]


def test_a_chart_that_is_cut_says_so(tmp_path: Path) -> None:
    calls = "".join(f"def f{n}():\n    return f{n + 1}()\n" for n in range(600))
    write_tree(tmp_path, {"long.py": f"{calls}def f600():\n    pass\n"})
    with_graph(tmp_path)

    result = mu("kernel", "export", "--format", "mermaid", "--edge-kind", "calls", cwd=tmp_path)

    assert result.returncode == 0
    assert result.stdout.count(' -->|"calls"| ') == 500
    assert re.search(r"note: Mermaid draws 500 edges .*: 100 of 600 edges and", result.stderr)


@pytest.mark.parametrize("option", [("--path", "app/"), ("--node-kind", "class")])
def test_json_is_the_whole_graph_or_an_error(built: Path, option: tuple[str, str]) -> None:
    result = mu("kernel", "export", *option, cwd=built)

    assert (result.returncode, result.stdout) == (2, "")
    assert result.stderr.startswith("error: the JSON document is the whole graph\nhint: leave out")


def test_an_unknown_kind_is_an_error_that_names_the_kinds(built: Path) -> None:
    result = mu("kernel", "export", "--format", "dot", "--edge-kind", "call", cwd=built)

    assert result.returncode == 2
    assert "'call' is not one of 'contains', 'imports', 'calls'" in result.stderr


def test_no_path_of_this_machine_is_in_a_drawing(built: Path) -> None:
    for form in ("graphml", "dot", "mermaid"):
        assert str(built.parent) not in mu("kernel", "export", "--format", form, cwd=built).stdout
