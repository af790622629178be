"""Recursion limit of the interpreter, high enough for linking to meet its own bounds first.

Linking django has 45 expressions open at most, in 399 frames: 9 for each. The evaluator's bound,
`MOST_OPEN`, is three times as many, and the programs of `tests/unit/resolve/test_depth.py` reach it
in under half of what is asked for here.
"""

import sys

FRAMES = 5000
"""What the limit on recursion is raised to. So many frames, each second one of which is a generator
that C runs, fit into 1.5 MB of C's stack (measured with CPython 3.11 on x86-64), which has 8 MB as
a rule.
"""


def make_room() -> None:
    """Let the interpreter's stack be deep enough; for good, as other threads may be linking."""
    if sys.getrecursionlimit() < FRAMES:
        sys.setrecursionlimit(FRAMES)
