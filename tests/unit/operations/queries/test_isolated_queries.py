"""Queries in a process of their own: a real one each time, stopped and killed for real."""

import os
import signal
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import psutil
import pytest

from fakes.graphs import SHOP, make_graph, write
from mu.errors import MuError
from mu.operations.queries.isolated_queries import ConfinedQueries
from mu.operations.queries.query import query
from mu.operations.results import Rows
from mu.operations.workspace import Workspace
from mu.store import QueryTimeoutError

ANSWERED = [
    "SELECT id, parameters, is_async, complexity / 3 AS part, NULL AS nothing FROM functions",
    "SELECT 1 / 0 AS endless, 170141183460469231731687303715884105727::HUGEINT AS huge",
    "SELECT [170141183460469231731687303715884105727::HUGEINT] AS huge",
    "SHOW callers OF Store.find",
    "SELECT name FROM impact('Store.save') JOIN functions USING (id, name)",
]
REFUSED = [
    "SELEC name",
    "SHOW callers OF nowhere",
    "SELECT content FROM read_text('/etc/passwd')",
    "SELECT CAST(name AS INTEGER) FROM nodes",
]
ENDLESS = "SELECT count(*) FROM range(1000000) AS a, range(1000000) AS b"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    write(make_graph(SHOP), tmp_path)
    return tmp_path


@pytest.fixture
def confined(root: Path) -> Iterator[ConfinedQueries]:
    with ConfinedQueries(root) as queries:
        yield queries


def count(confined: ConfinedQueries) -> object:
    return confined.query("SELECT count(*) FROM classes").answer.rows


def kill_at_work(pid: int) -> None:
    """Kill a process as soon as it has worked for a tenth of a second more."""
    process = psutil.Process(pid)
    before = process.cpu_times().user
    while process.cpu_times().user < before + 0.1:
        threading.Event().wait(0.01)
    process.kill()


def untimed(rows: Rows) -> Rows:
    possible = replace(rows.possible, elapsed_ms=0.0) if rows.possible else None
    return replace(rows, answer=replace(rows.answer, elapsed_ms=0.0), possible=possible)


@pytest.mark.parametrize("text", ANSWERED)
def test_it_answers_as_the_operation_does(confined: ConfinedQueries, root: Path, text: str) -> None:
    with Workspace(root) as workspace:
        expected = query(workspace, text, limit=3, offset=1)

    found = confined.query(text, limit=3, offset=1)

    assert repr(untimed(found)).replace("(", "[") == repr(untimed(expected)).replace("(", "[")


@pytest.mark.parametrize("text", REFUSED)
def test_it_refuses_in_the_same_words(confined: ConfinedQueries, root: Path, text: str) -> None:
    with Workspace(root) as workspace, pytest.raises(MuError) as expected:
        query(workspace, text)

    with pytest.raises(MuError) as raised:
        confined.query(text)

    assert raised.value.message == expected.value.message
    assert raised.value.hint == expected.value.hint
    assert raised.value.code == expected.value.code


def test_an_endless_query_ends_and_leaves_the_process(
    confined: ConfinedQueries, monkeypatch: pytest.MonkeyPatch
) -> None:
    grace = "mu.operations.queries.isolated_queries._GRACE"
    monkeypatch.setattr(grace, 300.0)  # however busy the machine is
    before = confined.pid
    with pytest.raises(QueryTimeoutError, match=r"stopped after 0\.3 s"):
        confined.query(ENDLESS, timeout=0.3)
    assert count(confined) == ((4,),)
    assert confined.pid == before


def test_a_process_that_does_not_stop_is_killed_and_replaced(confined: ConfinedQueries) -> None:
    count(confined)
    stuck = confined.pid
    assert stuck
    os.kill(stuck, signal.SIGSTOP)  # as deaf as an engine that forgets its interrupts

    with pytest.raises(QueryTimeoutError, match=r"stopped after 0\.2 s"):
        confined.query("SELECT 1 AS one", timeout=0.2)

    assert not psutil.pid_exists(stuck)
    assert count(confined) == ((4,),)


def test_a_function_that_takes_hours_is_stopped(confined: ConfinedQueries) -> None:
    """Comparing two texts of a million letters is one call; DuckDB 2.0.0 hears no interrupt in it,
    and the process is killed, later versions do.
    """
    count(confined)
    text = "WITH RECURSIVE t(s, n) AS (SELECT 'x', 0 UNION ALL SELECT s || s, n + 1 FROM t"
    text += " WHERE n < 20) SELECT max(levenshtein(s, reverse(s) || 'y')) FROM t WHERE n = 20"

    with pytest.raises(QueryTimeoutError, match=r"stopped after 1 s"):
        confined.query(text, timeout=1)

    assert count(confined) == ((4,),)


def test_a_process_that_dies_amid_a_query_is_replaced(confined: ConfinedQueries) -> None:
    count(confined)
    victim = confined.pid
    assert victim
    killer = threading.Thread(target=kill_at_work, args=(victim,))
    killer.start()

    with pytest.raises(MuError, match="process was ended by SIGKILL"):
        confined.query(ENDLESS)

    killer.join()
    assert count(confined) == ((4,),)


def test_a_query_that_asks_for_too_much_memory_is_refused(root: Path) -> None:
    text = "SELECT list(a.n || b.n || c.n) AS all_of FROM "
    text += ", ".join(f"(SELECT lower(name) AS n FROM range(200), nodes) AS {x}" for x in "abc")
    with ConfinedQueries(root, memory=1 << 30) as confined:
        greedy = confined.pid
        with pytest.raises(MuError, match=r"memory|process"):
            confined.query(text)
        assert greedy
        assert not psutil.pid_exists(greedy)
        assert count(confined) == ((4,),)


def test_a_graph_built_anew_is_seen_by_the_next_query(
    confined: ConfinedQueries, root: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    assert count(confined) == ((4,),)
    other = write(make_graph("a.py\n  class Only @ 1-2\n"), tmp_path_factory.mktemp("new"))
    other.replace(root / ".mubase")

    assert count(confined) == ((1,),)


def test_a_graph_that_is_not_there_is_an_error_of_the_query(tmp_path: Path) -> None:
    with ConfinedQueries(tmp_path) as confined, pytest.raises(MuError, match="no graph here"):
        count(confined)


def test_closing_ends_the_process(root: Path) -> None:
    confined = ConfinedQueries(root)
    pid = confined.pid
    confined.close()
    assert pid
    assert not psutil.pid_exists(pid)
    with pytest.raises(MuError, match="closed"):
        count(confined)


@pytest.mark.parametrize("timeout", [0, -1, 1e9, float("nan")])
def test_a_time_that_cannot_be_is_refused(confined: ConfinedQueries, timeout: float) -> None:
    with pytest.raises(MuError, match="out of range"):
        confined.query("SELECT 1 AS one", timeout=timeout)
