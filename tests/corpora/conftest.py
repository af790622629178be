"""Prints the corpora's tables at the end of a run."""

import pytest
from judging.judge import Outcome
from judging.score import summary

_OUTCOMES = pytest.StashKey[list[Outcome]]()


@pytest.fixture
def outcomes(request: pytest.FixtureRequest) -> list[Outcome]:
    """The outcomes of the whole run, to which each case adds its own."""
    return request.config.stash.setdefault(_OUTCOMES, [])


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    found = config.stash.get(_OUTCOMES, [])
    if found:
        terminalreporter.section("corpora")
        terminalreporter.write_line("\n".join(summary(found)))
