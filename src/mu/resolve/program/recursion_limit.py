"""Recursion limit of the interpreter, high enough for linking to reach its own bounds first.

Linking django has at most 45 expressions open, in 399 frames: 9 for each. The evaluator's bound,
`MOST_OPEN_EXPRESSIONS`, is three times as many, and the programs of
`tests/unit/resolve/test_depth.py` reach it in under half of `STACK_FRAMES`.
"""

import sys

from mu.resolve.limits import STACK_FRAMES


def make_room() -> None:
    """Raise the interpreter's recursion limit, for good, as other threads may be linking."""
    if sys.getrecursionlimit() < STACK_FRAMES:
        sys.setrecursionlimit(STACK_FRAMES)
