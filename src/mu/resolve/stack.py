"""Room on the interpreter's stack, so that linking meets its own bounds before that one.

Between two expressions that are open there are 9 frames as a rule, and 25 where calls of operators
are unpacked; `MOST_OPEN` of the evaluator times that, and the frames of the questions in between.
"""

import sys

FRAMES = 5000
"""What the limit on recursion is raised to. The frames of linking take 0.4 kB of C's stack each at
the most, which has 8 MB as a rule.
"""


def make_room() -> None:
    """Let the interpreter's stack be deep enough; for good, as other threads may be linking."""
    if sys.getrecursionlimit() < FRAMES:
        sys.setrecursionlimit(FRAMES)
