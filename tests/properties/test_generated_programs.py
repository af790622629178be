"""Programs that a grammar makes are extracted and linked, whatever goes in circles in them.

The stack is kept shallow, so that a recursion without a bound of its own shows in a small program.
"""

import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from judging.pipeline import Sources, link_sources, read_sources, write_files

from mu.model.graph import Graph
from mu.resolve.program import recursion_limit
from properties.programs import GRAMMARS, write_program
from properties.programs.found import FOUND
from properties.test_graph_invariants import readable

FRAMES = 400  # what linking may use
SOME = settings().max_examples // 3  # an example takes up to 0.1 s of CPU


def read(files: dict[str, str]) -> Sources:
    """Extract the files of a program."""
    with tempfile.TemporaryDirectory() as folder:
        write_files(files, Path(folder))
        return read_sources(Path(folder))


@contextmanager
def shallow_stack() -> Iterator[None]:
    """Leave few frames to what runs inside."""
    before, frame, depth = sys.getrecursionlimit(), sys._getframe(), 0
    while frame is not None:
        frame, depth = frame.f_back, depth + 1
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(recursion_limit, "STACK_FRAMES", depth + FRAMES)
        sys.setrecursionlimit(depth + FRAMES)
        try:
            yield
        finally:
            sys.setrecursionlimit(before)


def shuffled(sources: Sources, random: Random) -> Sources:
    """The same files in another order."""
    order = list(range(len(sources.files)))
    random.shuffle(order)
    return ordered(sources, order)


def ordered(sources: Sources, order: list[int]) -> Sources:
    """The files with these keys, in their order."""
    places = {key: place for place, key in enumerate(order)}
    return Sources(
        [sources.files[key]._replace(key=place) for place, key in enumerate(order)],
        {places[key]: sources.facts[key] for key in order if key in sources.facts},
        sources.rules,
        sources.roots,
        sources.declared,
        sources.manifests,
    )


def check_rows(graph: Graph) -> None:
    """Each row leads to rows that are there, and to lines that its file has."""
    nodes, files = range(len(graph.nodes)), range(len(graph.files))
    assert len({node.id for node in graph.nodes}) == len(graph.nodes)
    for edge in graph.edges:
        assert edge.source in nodes, edge
        assert edge.target in nodes, edge
    for node in graph.nodes:
        if node.file >= 0:
            assert node.file in files, node
            last = max(graph.files[node.file].lines, 1)
            assert 1 <= node.start_line <= node.end_line <= last, node
    for site in graph.sites:
        assert site.source in nodes, site
        assert site.target == -1 or site.target in nodes, site
        assert 1 <= site.line <= max(graph.files[site.file].lines, 1), site


@pytest.mark.parametrize("name", FOUND)
def test_programs_that_were_not_linked_once_are(name: str) -> None:
    sources = read(FOUND[name])

    with shallow_stack():
        graph = link_sources(sources)

    assert graph.failures == {}
    check_rows(graph)


@pytest.mark.parametrize("name", [name for name, files in FOUND.items() if len(files) > 1])
def test_programs_in_which_the_order_of_files_once_showed_are_the_same(name: str) -> None:
    sources = read(FOUND[name])
    last_first = [file.key for file in reversed(sources.files)]

    assert readable(link_sources(ordered(sources, last_first))) == readable(link_sources(sources))


@pytest.mark.parametrize("language", GRAMMARS)
@given(random=st.randoms(use_true_random=False))
@settings(max_examples=SOME, deadline=None, suppress_health_check=list(HealthCheck))
def test_every_program_is_linked_in_full(language: str, random: Random) -> None:
    sources = read(write_program(GRAMMARS[language], random))

    with shallow_stack():
        graph = link_sources(sources)

    assert graph.failures == {}
    check_rows(graph)


@pytest.mark.parametrize("language", GRAMMARS)
@given(random=st.randoms(use_true_random=False))
@settings(max_examples=SOME, deadline=None, suppress_health_check=list(HealthCheck))
def test_order_of_files_makes_no_difference(language: str, random: Random) -> None:
    sources = read(write_program(GRAMMARS[language], random))

    graph, other = link_sources(sources), link_sources(shuffled(sources, random))

    if graph.limits.depth == other.limits.depth == 0:  # what is cut there depends on who asks first
        assert readable(other) == readable(graph)
