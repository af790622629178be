"""Calls inside `in_one_chunk` map no memory for their frames, however deep they are."""

import sys

import pytest

from mu.kernel.frame_memory import in_one_chunk

resource = pytest.importorskip("resource")

DEEPEST = 150
"""Calls that are open; CPython's first chunk holds fewer."""


def _leaf() -> None:
    """A call that needs a frame."""


def _call_at(depth: int) -> int:
    """Call 500 times below `depth` open calls; gives the pages that the system mapped meanwhile."""
    if depth:
        return _call_at(depth - 1)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    for _ in range(500):
        _leaf()
    return int(resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before)


def _most_pages() -> int:
    return max(_call_at(depth) for depth in range(DEEPEST))


@pytest.mark.skipif(sys.implementation.name != "cpython", reason="its frames lie in chunks")
def test_calls_at_the_edge_of_a_chunk_map_no_memory() -> None:
    assert in_one_chunk(_most_pages)() < 100


def test_arguments_results_and_errors_pass_through() -> None:
    @in_one_chunk
    def divide(number: int, *, by: int) -> int:
        """Divide."""
        return number // by

    assert divide(7, by=2) == 3
    assert (divide.__name__, divide.__doc__) == ("divide", "Divide.")
    with pytest.raises(ZeroDivisionError):
        divide(1, by=0)


def test_deep_recursion_goes_on_beyond_the_chunk() -> None:
    depth = 20_000

    def count(left: int) -> int:
        return 1 + count(left - 1) if left else 0

    before = sys.getrecursionlimit()
    sys.setrecursionlimit(depth + 1_000)
    try:
        assert in_one_chunk(count)(depth) == depth
    finally:
        sys.setrecursionlimit(before)
