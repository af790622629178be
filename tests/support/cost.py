"""What each test costs: CPU seconds of this process and of those that it started and waited for.

A busy machine changes the wall time of a test and hardly its CPU time, so the latter is judged. A
fixture that several tests share does not count as a part of the one that comes first.
"""

import os
from collections.abc import Generator
from typing import Any

import pytest

from support.forked_processes import ForkedProcess

LIMIT = 2.0
"""CPU seconds that a test without the mark `slow` may cost."""

_COST = "cpu"
_SHARED = pytest.StashKey[float]()


def _used() -> float:
    times = os.times()
    children = times.children_user + times.children_system + ForkedProcess.spent
    return times.user + times.system + children


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--costs", type=int, default=0, help="show so many tests that cost the most")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """Note what is used before a test; its last report tells what was used since."""
    item.config.stash[_SHARED] = 0.0
    item.user_properties.append((_COST, _used()))
    return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(item: pytest.Item) -> Generator[None, object, object]:
    """Put the cost of the test in place of what was used before it."""
    try:
        return (yield)
    finally:
        before = dict(item.user_properties)[_COST]
        rest = [pair for pair in item.user_properties if pair[0] != _COST]
        cost = _used() - float(str(before)) - item.config.stash[_SHARED]
        item.user_properties[:] = [*rest, (_COST, cost), ("slow", _is_marked(item))]


@pytest.hookimpl(wrapper=True)
def pytest_fixture_setup(
    fixturedef: pytest.FixtureDef[Any], request: pytest.FixtureRequest
) -> Generator[None, object, object]:
    """Take what a shared fixture costs off the test that happens to come first."""
    stash = request.config.stash
    if fixturedef.scope == "function" or _SHARED not in stash:
        return (yield)
    before, within = _used(), stash[_SHARED]
    try:
        return (yield)
    finally:
        stash[_SHARED] = within + _used() - before


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    """Show the tests that cost the most, and those over the limit without a mark."""
    found = sorted(_costs(terminalreporter), reverse=True)
    shown = found[: config.getoption("--costs")]
    over = [(cost, name) for cost, name, is_marked in found if cost > LIMIT and not is_marked]
    if shown:
        terminalreporter.section("CPU seconds")
        terminalreporter.write_line("\n".join(f"{cost:7.2f}  {name}" for cost, name, _ in shown))
        total = sum(cost for cost, _, _ in found)
        terminalreporter.write_line(f"{total:7.2f}  in {len(found)} tests, shared fixtures apart")
    if over:
        terminalreporter.section(f"over {LIMIT:g} CPU seconds and not marked slow")
        terminalreporter.write_line("\n".join(f"{cost:7.2f}  {name}" for cost, name in over))


def _costs(reporter: pytest.TerminalReporter) -> list[tuple[float, str, bool]]:
    """Cost, name and mark of each test that ran to its end."""
    reports = (r for rows in reporter.stats.values() for r in rows)
    ended = [r for r in reports if isinstance(r, pytest.TestReport) and r.when == "teardown"]
    told = [(dict(report.user_properties), report.nodeid) for report in ended]
    return [(told_of[_COST], name, told_of["slow"]) for told_of, name in told if "slow" in told_of]


def _is_marked(item: pytest.Item) -> bool:
    return item.get_closest_marker("slow") is not None
