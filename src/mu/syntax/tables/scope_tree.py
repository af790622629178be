"""The tree of scopes: the nearest enclosing scope that binds a name, in logarithmic time.

A scope has a higher number than its parent. Besides its parent, each scope has a jump pointer
further out, so that any way outwards takes logarithmic steps: Myers, "An applicative random-access
stack" (1983). So code nested a thousand deep costs little.
"""

from bisect import bisect_right, insort


class ScopeTree:
    """The scopes of a file by number, and for each name the scopes that bind it."""

    def __init__(self) -> None:
        self._parents = [-1]  # the scope of the file always exists
        self._depths = [0]
        self._jumps = [0]
        self._binders: dict[str, list[int]] = {}  # ascending

    def open(self, parent: int) -> None:
        """Add the next scope, inside `parent`; -1 for the scope of the file."""
        if parent < 0:
            return
        depths, jumps = self._depths, self._jumps
        depth, jump = depths[parent], jumps[parent]
        is_as_long = depth - depths[jump] == depths[jump] - depths[jumps[jump]]
        self._parents.append(parent)
        depths.append(depth + 1)
        jumps.append(jumps[jump] if is_as_long else parent)

    def bind(self, scope: int, name: str) -> None:
        """Record that a scope binds a name."""
        insort(self._binders.setdefault(name, []), scope)

    def nearest(self, scope: int, name: str, *, limit: int) -> int:
        """Return the first scope from `scope` outwards that binds a name.

        `limit` is one of these scopes; it is returned if none further in binds the name.
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
        """Return the first scope from `scope` outwards whose number is at most `last`."""
        parents, jumps = self._parents, self._jumps
        while scope > last:
            jump = jumps[scope]
            scope = jump if jump >= last else parents[scope]
        return scope
