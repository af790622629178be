"""A worker and a program that are set up before an edit, or while its files are read, serve the
update of their graph.
"""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from mu.kernel.building import build
from mu.kernel.settings import BuildSettings
from mu.kernel.updating.warm_start import prepare, take_pool, take_program
from mu.kernel.workers.worker_limits import WorkerLimits
from mu.model.graph import File
from mu.store import open_graph
from mu.store.graph_update import GraphUpdate
from support.updated_graphs import check_is_as_built, edit, linked_functions

CART = """
from shop.money import Money, total


class Cart:
    def __init__(self):
        self.rows = []

    def add(self, cents):
        self.rows.append(Money(cents))
        return self

    def sum(self):
        return total(self.rows)
"""
MONEY = """
class Money:
    def __init__(self, cents):
        self.cents = cents


def total(rows):
    return sum(row.cents for row in rows)
"""
EDITS = {
    "the file edited last": ("shop/cart.py", "return total(self.rows)", "return self.add(1)"),
    "another file": ("shop/money.py", "sum(row.cents for row in rows)", "Money(len(rows))"),
    "a comment": ("shop/money.py", "class Money:", "class Money:  # of a country"),
}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "repository"
    (root / "shop").mkdir(parents=True)
    for name, text in {"__init__": "", "cart": CART, "money": MONEY}.items():
        (root / "shop" / f"{name}.py").write_text(text)
    edit(root, "shop/money.py", None, MONEY)  # long ago
    return root


@pytest.fixture
def settings(tmp_path: Path) -> Iterator[BuildSettings]:
    settings = BuildSettings(facts=tmp_path / "facts", jobs=1)
    yield settings
    take_pool(tmp_path, settings)
    take_program("", [])


def make_ready(root: Path, settings: BuildSettings) -> tuple[str, list[File]]:
    """Make ready for an update; gives what is known of the program of the graph."""
    with open_graph(root / ".mubase") as graph:
        for _ in prepare(root, graph, settings=settings):
            pass
        digest = graph.meta()["digest"]
    with GraphUpdate(root / ".mubase") as update:
        return digest, update.files()


def refuse(*_: object, **__: object) -> None:
    raise AssertionError("made anew")


@pytest.mark.parametrize("name", EDITS)
def test_an_update_takes_over_what_is_ready(
    root: Path, settings: BuildSettings, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    build(root, settings)
    make_ready(root, settings)
    edit(root, *EDITS[name])
    with monkeypatch.context() as patched:
        patched.setattr("mu.kernel.workers.pool.WorkerProcess", refuse)
        patched.setattr("mu.kernel.updating.edited_program.set_up_program", refuse)
        report = build(root, settings)
    assert report.updated
    check_is_as_built(root, settings, report)


def test_what_is_ready_serves_the_graph_and_settings_it_was_made_for(
    root: Path, settings: BuildSettings
) -> None:
    build(root, settings)
    digest, files = make_ready(root, settings)
    assert take_program(digest, files[1:]) is None
    assert take_pool(root, replace(settings, limits=WorkerLimits(cpu=1))) is None
    make_ready(root, settings)
    assert take_program(digest, files) is not None
    assert take_program(digest, files) is None


def test_what_the_file_edited_last_tells_frameworks_leads_to_no_other_file(
    root: Path, settings: BuildSettings
) -> None:
    sold = "from django.dispatch import Signal\n\nsold = Signal()\n"
    signals = {
        "shop/money.py": f"{MONEY}\n\ndef free(rows):\n    return not rows\n",
        "shop/events.py": f"{sold}\n\ndef sell(item):\n    sold.send(item)\n",
        "shop/listeners.py": """
from django.dispatch import receiver
from shop.events import sold


@receiver(sold)
def tell(sender, **rest):
    return sender
""",
    }
    for path, text in signals.items():
        (root / path).write_text(text)
    edit(root, "shop/money.py", None, signals["shop/money.py"])  # long ago
    build(root, settings)
    make_ready(root, settings)
    edit(root, "shop/money.py", "return not rows", "return total(rows)")

    with linked_functions("shop/listeners.py") as linked:
        report = build(root, settings)

    assert report.updated == 1
    assert not linked
    check_is_as_built(root, settings, report)


def test_a_program_that_is_half_evaluated_is_not_taken_over(
    root: Path, settings: BuildSettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    build(root, settings)
    with monkeypatch.context() as patched:
        patched.setattr("mu.kernel.updating.edited_program.BuiltProgram.evaluate", refuse)
        with pytest.raises(AssertionError):
            make_ready(root, settings)
    edit(root, *EDITS["another file"])
    report = build(root, settings)
    assert report.updated
    check_is_as_built(root, settings, report)


AHEAD = "mu.kernel.extraction.collected_facts.CollectedFacts.is_waiting"
"""Tells whether there is time to set up the program while files are read."""


@pytest.mark.parametrize("name", EDITS)
@pytest.mark.parametrize("has_time", [True, False])
def test_a_program_is_set_up_while_files_are_read_or_when_it_is_needed(
    root: Path,
    settings: BuildSettings,
    monkeypatch: pytest.MonkeyPatch,
    name: str,
    *,
    has_time: bool,
) -> None:
    monkeypatch.setenv("MU_DEBUG", "1")
    build(root, settings)
    edit(root, *EDITS[name])
    with monkeypatch.context() as patched:
        patched.setattr(AHEAD, lambda _: has_time)
        report = build(root, settings)
    assert report.updated
    check_is_as_built(root, settings, report)


def test_a_fault_in_a_program_that_is_set_up_ahead_costs_those_edits_that_need_it_a_build(
    root: Path, settings: BuildSettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("MU_DEBUG", raising=False)
    build(root, settings)
    for name, is_updated in {"a comment": True, "another file": False}.items():
        edit(root, *EDITS[name])
        with monkeypatch.context() as patched:
            patched.setattr(AHEAD, lambda _: True)
            patched.setattr("mu.kernel.updating.edited_program.ProgramVersion.resume", refuse)
            report = build(root, settings)
        assert (report.updated is not None) is is_updated
        check_is_as_built(root, settings, report)
