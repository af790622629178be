"""Query latency: warm in this process on a large graph, and from the shell, start-up included."""

import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from benchmarks.building import MU
from benchmarks.measuring import median_usage, run, time_calls
from benchmarks.synthetic import make_graph
from mu.analysis.metrics.dependency_cycles import cycles
from mu.analysis.node_search.node_resolution import resolve_node
from mu.analysis.node_search.word_search import find
from mu.analysis.walks.breadth_first import walk_graph
from mu.analysis.walks.dependency_walks import callers, impact, reach
from mu.analysis.walks.traversal import Walk
from mu.lexical import index_words
from mu.model.relation import Relation
from mu.muql import compile_query
from mu.operations.answers.possible_references import find_possible
from mu.store import GraphFile, open_graph, write_graph

DIGEST = "synthetic"
_DEEP = 50  # steps; beyond the width of the graph
_SHELL_QUERY = "SELECT name, complexity FROM functions ORDER BY complexity DESC LIMIT 5"
_LOOKUP = "SELECT id, path, start_line FROM nodes WHERE id = ?"
_FANS = "SELECT target, count(*) AS fans FROM edges GROUP BY target ORDER BY fans DESC, target"


@dataclass(frozen=True, slots=True)
class QueryFigures:
    """One question: the rows it has, seconds (median of the runs), the goal or the comparison.

    Seconds are of processor time in this process, of wall time from the shell.
    """

    question: str
    rows: int
    seconds: float
    against: str
    ratio: float


def write_synthetic(path: Path, *, nodes: int, edges: int) -> tuple[int, int]:
    """Write the synthetic graph and give how many nodes and edges it has."""
    graph = make_graph(nodes, edges)
    write_graph(
        graph,
        path,
        words=index_words(graph),
        measured=(),
        meta={"digest": DIGEST, "mu_version": "benchmark"},
    )
    return len(graph.nodes), len(graph.edges)


def measure_warm(path: Path, *, runs: int) -> list[QueryFigures]:
    """Ask an open graph the questions of the goals; each ratio is to its goal."""
    with open_graph(path) as graph:
        return [_figure(name, call, goal, runs=runs) for name, call, goal in _questions(graph)]


def measure_shell(path: Path, *, runs: int) -> list[QueryFigures]:
    """Ask from the shell; each ratio is to a Python process that does the least there is to do."""
    folder = str(path.parent)
    python = [sys.executable, "-c"]
    engine = [*python, "import duckdb; duckdb.sql('SELECT 1').fetchall()"]
    pairs = (
        ("mu query", [MU, "-C", folder, "query", _SHELL_QUERY], "duckdb SELECT 1", engine),
        ("mu --help", [MU, "--help"], "python -c pass", [*python, "pass"]),
    )
    figures = []
    for name, command, other_name, other in pairs:
        uses = [(run(command).usage, run(other).usage) for _ in range(runs)]
        ours = median_usage([mine for mine, _ in uses]).wall
        theirs = median_usage([floor for _, floor in uses]).wall
        against = f"{other_name} {theirs * 1000:.0f} ms"
        figures.append(QueryFigures(name, 0, ours, against, ours / theirs))
    return figures


def _questions(graph: GraphFile) -> list[tuple[str, Callable[[], int], float]]:
    last = graph.run(Relation("SELECT id, key FROM node ORDER BY key DESC LIMIT 2")).rows
    (_, hub_key), (one, one_key) = last
    assert isinstance(hub_key, int)
    assert isinstance(one_key, int)

    def total(relation: Relation) -> Callable[[], int]:
        return lambda: graph.run(relation).total

    def nodes(walk: Walk) -> Callable[[], int]:
        return lambda: graph.run(reach(walk_graph(graph, walk))).total

    def judged(walk: Walk) -> Callable[[], int]:
        def call() -> int:
            walked = walk_graph(graph, walk)
            rows = graph.run(reach(walked)).total
            find_possible(graph, walked)
            return rows

        return call

    cluster, whole = impact(one_key, depth=_DEEP), impact(hub_key, depth=_DEEP)
    return [
        ("parse and lower a SELECT", lambda: bool(compile_query(_SHELL_QUERY, graph)), 0.001),
        ("point lookup", total(Relation(_LOOKUP, (one,))), 0.010),
        ("find a node by its id", lambda: bool(resolve_node(graph, str(one))), 0.010),
        ("find a node by its name", lambda: bool(resolve_node(graph, _name(one))), 0.010),
        ("one hop", nodes(callers(one_key)), 0.010),
        ("one hop and its verdict", judged(callers(one_key)), 0.010),
        ("impact in one cluster", nodes(cluster), 0.100),
        ("impact in one cluster and its verdict", judged(cluster), 0.100),
        ("impact in the whole graph", nodes(whole), 0.400),
        ("impact in the whole graph and its verdict", judged(whole), 0.400),
        ("cycles of imports", lambda: graph.run(cycles(graph)).total, 0.200),
        ("fan-in of every node", total(Relation(_FANS)), 0.400),
        ("search", lambda: len(find(graph, "what handles function 77?")), 0.050),
    ]


def _name(node_id: object) -> str:
    return str(node_id).rpartition(":")[2]


def _figure(name: str, call: Callable[[], int], goal: float, *, runs: int) -> QueryFigures:
    seconds = time_calls(call, runs=runs)
    return QueryFigures(name, call(), seconds, f"goal {goal * 1000:.0f} ms", seconds / goal)
