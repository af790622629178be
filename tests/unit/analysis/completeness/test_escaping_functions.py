"""Functions that are passed to calls nobody could resolve."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from fakes.built import built_tree
from mu.model.kinds import Verdict
from mu.operations.navigation.dependencies import callees, callers
from mu.operations.workspace import Workspace

APP = """
class Signal:
    def __init__(self):
        self.receivers = []

    def connect(self, receiver):
        self.receivers.append(receiver)

    def send(self, task):
        for receiver in self.receivers:
            receiver(task)


class App:
    def __init__(self):
        self._signal = Signal()

    def signal(self):
        def decorator(handler):
            self._signal.connect(handler)
            return handler
        return decorator


app = App()


@app.signal()
def on_done(task):
    pass


def on_start(task):
    pass


app.signal()(on_start)
"""

STATS = """
class Stats:
    def __init__(self, app):
        self.app = app

    def connect(self):
        self.app.signal()(self.on_signal)

    def on_signal(self, task):
        pass
"""


@pytest.fixture
def known(tmp_path: Path) -> Iterator[Workspace]:
    with built_tree(tmp_path, {"app.py": APP}) as workspace:
        yield workspace


@pytest.fixture
def unknown(tmp_path: Path) -> Iterator[Workspace]:
    with built_tree(tmp_path, {"app.py": APP + STATS}) as workspace:
        yield workspace


def test_handlers_that_are_all_registered_by_resolved_calls_are_exact(known: Workspace) -> None:
    result = callees(known, "Signal.send")
    assert {row[1] for row in result.answer.rows} == {"on_done", "on_start"}
    assert result.answer.verdict is Verdict.EXACT


def test_a_handler_that_an_open_call_may_register_leaves_the_callees_open(
    unknown: Workspace,
) -> None:
    result = callees(unknown, "Signal.send")
    assert {row[1] for row in result.answer.rows} == {"on_done", "on_start"}
    assert result.answer.verdict is Verdict.AT_LEAST
    assert [row[3] for row in result.possible.rows] == ["self.app.signal"]


def test_a_function_passed_to_an_open_call_may_be_called_there(unknown: Workspace) -> None:
    result = callers(unknown, "Stats.on_signal")
    assert result.answer.verdict is Verdict.AT_LEAST
    assert [row[3] for row in result.possible.rows] == ["self.app.signal", "self.app.signal()"]


def test_a_function_passed_to_resolved_calls_alone_stays_exact(unknown: Workspace) -> None:
    assert callers(unknown, "on_start").answer.verdict is Verdict.EXACT


RUNNER = """
def run(job, table):
    step = table.get(job)
    step()


def work():
    pass


def start(table):
    run(work, table)
"""


def test_a_function_that_is_passed_to_what_makes_an_open_call_may_be_called(
    tmp_path: Path,
) -> None:
    with built_tree(tmp_path, {"runner.py": RUNNER}) as workspace:
        result = callers(workspace, "work")
    assert result.answer.verdict is Verdict.AT_LEAST
    assert result.possible is not None
    assert [row[3] for row in result.possible.rows] == ["step"]
