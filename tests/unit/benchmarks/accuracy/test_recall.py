"""Every traced call is told: an edge, a site of the ledger, or missed."""

from pathlib import Path

import pytest
from benchmarks.accuracy.graph import TracedGraph, build_graph
from benchmarks.accuracy.precision import Finding, check_targets
from benchmarks.accuracy.recall import CallKind, Recall, Status, measure_recall
from benchmarks.accuracy.report import write_rows
from benchmarks.accuracy.tracing import Code, Trace


@pytest.fixture(scope="session")
def graph(project: Path) -> TracedGraph:
    return build_graph(project)


@pytest.fixture(scope="session")
def recall(trace: Trace, graph: TracedGraph) -> Recall:
    return measure_recall(trace, graph)


def kinds(recall: Recall) -> dict[tuple[str, str], CallKind]:
    return {(row.caller.name, row.callee.name): row.kind for row in recall.rows}


def statuses(recall: Recall) -> dict[tuple[str, str], Status]:
    return {(row.caller.name, row.callee.name): row.status for row in recall.rows}


def test_code_is_found_by_place_and_name(graph: TracedGraph) -> None:
    decorated = next(node for node in graph.nodes if node.id == "fn:shop.py:decorated")

    found = graph.find(Code("shop.py", decorated.start - 1, "decorated"))

    assert found == decorated
    assert graph.find(Code("shop.py", decorated.start + 1, "decorated")) is None
    assert graph.find(Code("shop.py", 1, "elsewhere.<locals>.decorated")) is None


def test_code_without_a_node_belongs_to_what_stands_around_it(graph: TracedGraph) -> None:
    others = next(node for node in graph.nodes if node.name == "others")
    double = next(node for node in graph.nodes if node.name == "double")

    assert graph.find(Code("main.py", others.end, "others.<locals>.<genexpr>")) == others
    assert graph.find(Code("shop.py", double.start, "<lambda>")) == double
    found = graph.find(Code("main.py", 1, "<module>"))
    assert found is not None
    assert found.kind == "module"


def test_kind_of_call_is_told(recall: Recall) -> None:
    found = kinds(recall)

    assert found["consume", "hand_on"] is CallKind.FUNCTION
    assert found["operators", "__init__"] is CallKind.CONSTRUCTOR
    assert found["operators", "__enter__"] is CallKind.IMPLICIT
    assert found["operators", "__exit__"] is CallKind.IMPLICIT
    assert found["operators", "__call__"] is CallKind.OBJECT
    assert found["operators", "total"] is CallKind.PROPERTY
    assert found["others", "wrapper"] is CallKind.CLOSURE


def test_decorator_is_told_from_the_call_that_gives_it(recall: Recall) -> None:
    found = kinds(recall)

    assert found["shop", "traced"] is CallKind.DECORATOR
    assert found["shop", "named"] is CallKind.FUNCTION
    assert found["shop", "apply"] is CallKind.DECORATOR


def test_calls_that_have_an_edge_say_so(recall: Recall) -> None:
    found = statuses(recall)

    plain = [("consume", "hand_on"), ("hand_on", "numbers"), ("numbers", "leaf")]
    folded = [("__init__", "leaf"), ("others", "leaf"), ("through_c", "leaf"), ("Basket", "leaf")]
    constructor = [("operators", "__init__")]
    assert {found[pair] for pair in (*plain, *folded, *constructor)} == {Status.EDGE}


def test_call_that_the_graph_lacks_stays_in_the_count(recall: Recall) -> None:
    lacking = [row for row in recall.rows if row.status is not Status.EDGE]

    assert all(row.cause for row in lacking)
    assert all(not row.rule for row in lacking)


def test_unresolved_site_of_that_name_is_told_by_its_reason(
    trace: Trace, graph: TracedGraph
) -> None:
    emptied = TracedGraph(graph.nodes, [])
    assert {row.status for row in measure_recall(trace, emptied).rows} == {Status.MISSED}

    sites = [
        site
        for rows in graph.sites.values()
        for site in rows
        if site.name == "hand_on" and site.kind == "call"
    ]
    for reason in (Status.AMBIGUOUS, Status.DYNAMIC, Status.UNKNOWN, Status.EXTERNAL):
        fields = (sites[0].kind, sites[0].source, sites[0].line, sites[0].text, sites[0].name)
        unresolved = type(sites[0])(*fields, target=-1, rule="", reason=reason)
        found = statuses(measure_recall(trace, TracedGraph(graph.nodes, [unresolved])))
        assert found["consume", "hand_on"] is reason


def test_rows_are_written_one_a_pair(recall: Recall) -> None:
    header, *lines = write_rows({"project": recall}).splitlines()

    assert header.split("\t")[1:3] == ["caller", "callee"]
    assert len(lines) == len(recall.rows)
    assert lines == sorted(lines)
    assert ["fn:main.py:consume", "fn:shop.py:hand_on"] in [x.split("\t")[1:3] for x in lines]


def test_what_does_not_count_is_counted_apart(recall: Recall) -> None:
    assert recall.absent.total() == 0
    assert recall.left_out["other code in between"] == 1
    assert recall.left_out["lambda or generator expression without a name"] == 2


def test_executed_targets_are_confirmed(trace: Trace, graph: TracedGraph) -> None:
    found = {(row.caller.name, row.target.name): row.finding for row in check_targets(trace, graph)}

    assert found["consume", "hand_on"] is Finding.CONFIRMED
    assert found["others", "decorated"] is Finding.CONFIRMED
    assert found["operators", "Basket"] is Finding.CONFIRMED
    assert found["total", "add"] is Finding.CONFIRMED
    assert Finding.CONTRADICTED not in found.values()


def test_target_that_another_of_its_name_ran_for_is_contradicted(
    trace: Trace, graph: TracedGraph
) -> None:
    key = next(node.key for node in graph.nodes if node.id == "fn:shop.py:leaf")
    sites = [site for rows in graph.sites.values() for site in rows if site.name == "hand_on"]
    call = next(site for site in sites if site.kind == "call")
    fields = (call.kind, call.source, call.line, call.text, call.name)
    wrong = type(call)(*fields, target=key, rule="module", reason="")

    checked = check_targets(trace, TracedGraph(graph.nodes, [wrong]))

    assert [row.finding for row in checked] == [Finding.CONTRADICTED]
    assert checked[0].called[0].endswith("hand_on")
