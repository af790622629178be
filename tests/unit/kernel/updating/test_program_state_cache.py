"""What was found of a program is kept under its graph, once for all graphs that share it."""

from pathlib import Path

import pytest

from mu.kernel.updating.program_state_cache import ProgramStateCache

STATE = b"what was found" * 100


@pytest.fixture
def states(tmp_path: Path) -> ProgramStateCache:
    return ProgramStateCache(tmp_path, "engine")


def names(states: ProgramStateCache, count: int) -> list[str]:
    return [states.name(f"{number:032x}", ()) for number in range(count)]


def test_a_state_is_found_under_the_graphs_that_edits_made_of_it(states: ProgramStateCache) -> None:
    first, second, third, other = names(states, 4)
    states.keep(first, state=STATE)

    states.keep_same(second, as_of=first)
    states.keep_same(third, as_of=second)

    assert [states.find(name) for name in (first, second, third, other)] == [STATE] * 3 + [None]


def test_it_takes_the_room_of_one(states: ProgramStateCache, tmp_path: Path) -> None:
    first, *others = names(states, 10)
    states.keep(first, state=STATE)

    for name in others:
        states.keep_same(name, as_of=first)

    sizes = sorted(path.stat().st_size for path in tmp_path.glob("*/*/*"))
    assert len(sizes) == 10
    assert sum(sizes[:-1]) < len(STATE)


def test_an_edit_that_is_undone_leaves_the_state(states: ProgramStateCache) -> None:
    first, second = names(states, 2)
    states.keep(first, state=STATE)

    for name, before in ((second, first), (first, second), (first, first)):
        states.keep_same(name, as_of=before)

    assert states.find(first) == states.find(second) == STATE


def test_of_a_state_that_is_not_kept_nothing_is(states: ProgramStateCache) -> None:
    first, second = names(states, 2)

    states.keep_same(second, as_of=first)
    states.keep(first, state=b"")

    assert states.find(first) is states.find(second) is None


@pytest.mark.parametrize("state", [b"x", b"same as", b"no name of another state here, but long"])
def test_a_short_state_is_not_taken_for_a_name(states: ProgramStateCache, state: bytes) -> None:
    (name,) = names(states, 1)

    states.keep(name, state=state)

    assert states.find(name) == state
