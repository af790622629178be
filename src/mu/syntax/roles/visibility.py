"""The names that the text of a file shows to other code, with the modifiers that say so."""

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable

from mu.syntax.roles.role_match import RoleMatch
from mu.syntax.roles.tree_walk import Walk

_PUBLIC = "public"

_Span = tuple[int, int, str]
"""The first byte of a declaration whose names are shown, the byte after it, and the modifier."""

BoundName = tuple[int, int, str]
"""A byte in the text that binds a name, the scope and the name."""


class Visibilities:
    """Collect the names that are shown, one by one or as all those that a declaration binds."""

    def __init__(self) -> None:
        self._names: dict[tuple[int, str, str], None] = {}
        self._spans: defaultdict[int, list[_Span]] = defaultdict(list)  # by scope, in text order

    def add(self, walk: Walk, match: RoleMatch) -> None:
        """Record that a name, a declaration or nothing but the scope is shown here."""
        modifier, name = match.part("modifier"), match.part("name")
        declaration = match.part("declaration")
        text = _PUBLIC if modifier is None else walk.text(modifier)
        if declaration is not None:
            span = declaration.start_byte, declaration.end_byte, text
            self._spans[walk.scope].append(span)
        self._names[walk.scope, "" if name is None else walk.text(name), text] = None

    def rows(self, bound: Iterable[BoundName]) -> tuple[tuple[int, str, str], ...]:
        """Return the rows of `FileFacts.visibilities`, given the names that the file binds."""
        names = dict(self._names)
        for start, scope, name in bound if self._spans else ():
            spans = self._spans.get(scope, [])
            before = bisect_right(spans, start, key=_first_byte)
            if before and start < spans[before - 1][1]:
                names[scope, name, spans[before - 1][2]] = None
        return tuple(names)


def _first_byte(span: _Span) -> int:
    return span[0]
