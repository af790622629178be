"""Which scopes stand around a scope, and the nearest of them that binds a name.

A scope has a higher number than the one it stands in. Beside the way to that one each has a jump
further out, over as many scopes as make any way out as long as the logarithm of the depth: Myers,
"An applicative random-access stack" (1983). So a name that is bound far out is found at once, and
in code that is nested a thousand deep no name is looked for in a thousand scopes.
"""

from bisect import bisect_right, insort


class Nesting:
    """The scopes of a file by their numbers, and by name those that bind it."""

    def __init__(self) -> None:
        self._parents = [-1]  # of the file's scope, which is there from the beginning
        self._depths = [0]
        self._jumps = [0]
        self._binders: dict[str, list[int]] = {}  # in the order of their numbers

    def open(self, parent: int) -> None:
        """Add the next scope, which stands in `parent`; that of the file stands in none."""
        if parent < 0:
            return
        depths, jumps = self._depths, self._jumps
        depth, jump = depths[parent], jumps[parent]
        is_as_long = depth - depths[jump] == depths[jump] - depths[jumps[jump]]
        self._parents.append(parent)
        depths.append(depth + 1)
        jumps.append(jumps[jump] if is_as_long else parent)

    def bind(self, scope: int, name: str) -> None:
        """Say that a scope binds a name."""
        insort(self._binders.setdefault(name, []), scope)

    def nearest(self, scope: int, name: str, *, limit: int) -> int:
        """The first scope from `scope` outwards that binds a name; `limit`, the number of one of
        them, if none does that is further in.
        """
        binders = self._binders.get(name, ())
        while scope > limit:
            before = bisect_right(binders, scope)
            last = binders[before - 1] if before else limit
            if last == scope:
                return scope
            scope = self._outwards(scope, max(last, limit))
        return limit

    def _outwards(self, scope: int, last: int) -> int:
        """The first scope from `scope` outwards with a number of at most `last`."""
        parents, jumps = self._parents, self._jumps
        while scope > last:
            jump = jumps[scope]
            scope = jump if jump >= last else parents[scope]
        return scope
