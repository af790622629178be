"""A program that several processes link has the graph that one process makes."""

import os
import threading
from dataclasses import replace
from pathlib import Path

import pytest
from judging.cases import Case
from judging.format import read_corpora
from judging.pipeline import Sources, link_sources, read_sources, write_files

from mu.kernel.indexing.graph_digest import graph_digest
from mu.model.graph import Graph
from mu.resolve import pipeline
from mu.resolve.parallel import process_group

CORPORA = Path(__file__).parents[1] / "corpora"
CASES = read_corpora(CORPORA)
LANGUAGES = sorted({case.place.partition("/")[0] for case in CASES})


@pytest.fixture(autouse=True)
def _small_programs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pipeline, "FEWEST_EXPRESSIONS_PER_PROCESS", 1)
    monkeypatch.setattr(pipeline, "can_fork", lambda: True)  # whatever threads other tests have


def all_cases_of(language: str, folder: Path) -> Sources:
    """Read all cases of a language as one program, each in a folder of its own."""
    cases: list[Case] = [case for case in CASES if case.place.startswith(f"{language}/")]
    for number, case in enumerate(cases):
        write_files(case.files, folder / f"case_{number}")
    return read_sources(folder)


def linked(sources: Sources, processes: int) -> tuple[str, Graph]:
    graph = link_sources(sources, processes=processes)
    return graph_digest(graph), graph


@pytest.mark.parametrize("language", LANGUAGES)
def test_any_number_of_processes_makes_the_same_graph(language: str, tmp_path: Path) -> None:
    sources = all_cases_of(language, tmp_path)
    digest, alone = linked(sources, 1)
    for processes in (2, 3):
        found, graph = linked(sources, processes)
        assert [*graph.edges] == [*alone.edges]
        assert [*graph.sites] == [*alone.sites]
        assert graph == replace(graph, limits=alone.limits)
        assert graph.limits == alone.limits
        assert found == digest


def test_a_program_is_linked_alone_after_a_process_was_lost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sources = all_cases_of("go", tmp_path)
    digest, _ = linked(sources, 1)
    gather, here = process_group.ProcessGroup.all_gather, os.getpid()
    lost: list[bytes] = []

    def all_gather(self: process_group.ProcessGroup, message: bytes) -> list[bytes]:
        if os.getpid() != here:
            os._exit(9)
        lost.append(message)
        return gather(self, message)

    monkeypatch.setattr(process_group.ProcessGroup, "all_gather", all_gather)
    assert linked(sources, 2)[0] == digest
    assert lost


def test_a_program_with_threads_of_its_own_is_linked_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pipeline, "can_fork", process_group.can_fork)
    monkeypatch.setattr(pipeline, "run_in_group", None)  # not called
    sources, is_over = all_cases_of("go", tmp_path), threading.Event()
    threads = [threading.Thread(target=is_over.wait) for _ in range(2)]
    for thread in threads:
        thread.start()
    try:
        digest, _ = linked(sources, 2)
    finally:
        is_over.set()
    assert digest == linked(sources, 1)[0]
