"""Ctrl-C may come at any moment: it is pressed a little later each time, and only it is seen."""

import signal
from collections.abc import Callable
from pathlib import Path

import pytest

from fakes.graphs import SHOP, make_graph, write, write_anew
from mu.model.relation import Relation
from mu.store import open_graph
from mu.store.engine.interruption import uninterrupted

_STEPS = 40


def read(path: Path) -> None:
    with open_graph(path) as graph:
        graph.run(Relation("SELECT count(*) FROM nodes"))


def build(path: Path) -> None:
    path.unlink(missing_ok=True)
    write_anew(make_graph(SHOP), path)


def interrupted(work: Callable[[Path], None], path: Path, after: float) -> bool:
    """Tell whether a signal that comes `after` seconds ended the work."""
    signal.setitimer(signal.ITIMER_REAL, after)
    try:
        work(path)
        signal.setitimer(signal.ITIMER_REAL, 0)
    except KeyboardInterrupt:
        return True
    return False


@pytest.mark.parametrize(("work", "seconds"), [(read, 0.02), (build, 0.04)])
def test_a_signal_while_the_engine_works_is_a_keyboard_interrupt(
    work: Callable[[Path], None], seconds: float, tmp_path: Path
) -> None:
    path = write(make_graph(SHOP), tmp_path)
    earlier = signal.signal(signal.SIGALRM, lambda *_: signal.raise_signal(signal.SIGINT))
    try:
        ends = [interrupted(work, path, seconds * step / _STEPS) for step in range(1, _STEPS + 1)]
    finally:
        signal.signal(signal.SIGALRM, earlier)

    assert any(ends)
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_a_signal_counts_when_what_it_must_not_break_is_done() -> None:
    done = []

    def load() -> None:
        with uninterrupted():
            signal.raise_signal(signal.SIGINT)
            done.append("the rest")

    with pytest.raises(KeyboardInterrupt):
        load()
    assert done == ["the rest"]
    with pytest.raises(KeyboardInterrupt):
        signal.raise_signal(signal.SIGINT)


def test_nothing_is_held_back_where_nobody_asked_to_be_interrupted() -> None:
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with uninterrupted():
            signal.raise_signal(signal.SIGINT)
    finally:
        signal.signal(signal.SIGINT, before)
