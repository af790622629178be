"""Pack what was ranked into a budget: source of the nearest, places and signatures of the near.

The best come first. A function or a section is shown as it stands, what is said about it shortened
to its first paragraph; a class or a module that is long is shown as its outline, as its members are
ranked themselves. What lies in lines that are there already is left out, and so is a body that was
shown elsewhere. Every piece is written out and counted before it is taken, so that a budget is
never passed.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from mu.context.layout import Style, write_place, write_source
from mu.context.relevance.ranked import Ranked
from mu.context.tokens import CHARACTERS, estimate_tokens

_LISTED = 0.25
"""The share of a budget that is kept for places without source, at first."""

_MOST_OF_ONE = 0.2
"""The share of a budget that one source may take."""

_PAGES = 0.3
"""The share of a budget that pages may take while there is code."""

_FEWEST_LINES = 6
"""A source of more lines is not begun for less of them."""

_FEWEST_DROPPED = 3
"""Lines of a docstring that are worth leaving out."""

_LEAST_ROOM = 150
"""Characters that a source is not begun for: its place would take most of them."""

_WHOLE = 40
"""Lines that a class or module may have and still be shown whole."""

_CONTAINERS = frozenset(("class", "module"))
_PAGE_KINDS = frozenset(("document", "section"))

Lines = Callable[[Ranked], Sequence[str]]
"""Gives the lines of a node, none when its file is not as it was when the graph was built."""

Outline = Callable[[Ranked], Sequence[str]]
"""Gives a line for each member of a class or module."""


@dataclass(frozen=True, slots=True)
class Sources:
    """Where the text of nodes comes from, safe to show."""

    lines: Lines
    outline: Outline


@dataclass(frozen=True, slots=True)
class Piece:
    """A node in a context: the `lines` of it that are shown, maybe none, and all as `text`."""

    node: Ranked
    lines: tuple[str, ...]
    is_cut: bool
    text: str


@dataclass(frozen=True, slots=True)
class Packed:
    """What fits, those with source first; `tokens` are estimated and at most the budget."""

    pieces: tuple[Piece, ...]
    tokens: int

    @property
    def text(self) -> str:
        """All pieces as one text."""
        return "".join(piece.text for piece in self.pieces)


def pack(
    ranked: Sequence[Ranked],
    sources: Sources,
    *,
    budget: int,
    style: Style,
    is_explained: bool = False,
) -> Packed:
    """Choose what to show of `ranked`, the best first, in at most `budget` tokens."""
    packing = _Packing(sources, budget, style, is_explained)
    late = []
    for node in ranked:
        if not packing.add_source(node, keep=_LISTED):
            late.append(node)
    for node in late:
        packing.add_place(node)
    for node in sorted(late, key=lambda node: node.kind in _PAGE_KINDS):
        packing.replace_by_source(node)
    for node in ranked:
        packing.lengthen(node)
    pieces = sorted(packing.taken.values(), key=lambda piece: not piece.lines)
    return Packed(tuple(pieces), estimate_tokens("".join(piece.text for piece in pieces)))


class _Packing:
    """What is taken so far, by the key of the node, and the characters that are left."""

    def __init__(self, sources: Sources, budget: int, style: Style, is_explained: bool) -> None:
        self._sources = sources
        self._style = style
        self._is_explained = is_explained
        self._whole = self._left = budget * CHARACTERS
        self._pages = int(self._whole * _PAGES)
        self._shown: dict[str, list[tuple[int, int]]] = {}
        self._bodies: set[str] = set()
        self.taken: dict[int, Piece] = {}

    def add_source(self, node: Ranked, *, keep: float) -> bool:
        """Take the source of a node if there is room beside `keep`, a share of the budget."""
        room = min(self._left - int(self._whole * keep), int(self._whole * _MOST_OF_ONE))
        is_page = node.kind in _PAGE_KINDS
        room = min(room, self._pages) if is_page else room
        if self._is_there(node) or room < _LEAST_ROOM:
            return False
        piece = self._fitting(node, room)
        if piece is None:
            return False
        self._take(piece)
        self._pages -= len(piece.text) if is_page else 0
        self._bodies.add(node.digest)
        if node.kind not in _CONTAINERS or len(piece.lines) >= node.end_line - node.line:
            spans = self._shown.setdefault(node.path, [])
            spans.append((node.line, node.end_line))
        return True

    def add_place(self, node: Ranked) -> None:
        """Take the place of a node if there is room."""
        text = write_place(node, style=self._style, why=self._why(node))
        if not self._is_there(node) and len(text) <= self._left:
            self._take(Piece(node, (), is_cut=True, text=text))

    def replace_by_source(self, node: Ranked) -> None:
        """Show the source of a node whose place is taken, if there is room after all."""
        place = self.taken.pop(node.key, None)
        if place is None:
            return
        self._left += len(place.text)
        self._pages = self._left
        if not self.add_source(node, keep=0):
            self._take(place)

    def lengthen(self, node: Ranked) -> None:
        """Show more of a source that was cut, or begin one, as far as there is room."""
        piece = self.taken.get(node.key)
        is_room = self._left >= _LEAST_ROOM and not self._is_inside(node)
        if piece and piece.is_cut and (piece.lines or is_room):
            longer = self._fitting(node, self._left + len(piece.text))
            if longer is not None:
                self._left += len(piece.text)
                self._take(longer)

    def _take(self, piece: Piece) -> None:
        self.taken[piece.node.key] = piece
        self._left -= len(piece.text)

    def _fitting(self, node: Ranked, room: int) -> Piece | None:
        """Write as many lines of a node as fit; None for fewer than are worth it."""
        lines = self._text(node)
        while lines and not lines[-1].strip():
            lines = lines[:-1]
        most = len(lines)
        while most >= min(_FEWEST_LINES, max(len(lines), 1)):
            is_cut = most < len(lines)
            shown = (*lines[:most], *([f"... {len(lines) - most} more lines"] if is_cut else []))
            text = write_source(node, shown, style=self._style, why=self._why(node))
            if len(text) <= room:
                return Piece(node, shown, is_cut, text)
            excess = len(text) - room
            while excess > 0 and most:
                most -= 1
                excess -= len(lines[most]) + 1
        return None

    def _text(self, node: Ranked) -> Sequence[str]:
        """Give the lines that stand for a node: all of them, or the outline of a long container."""
        length = node.end_line - node.line + 1
        if node.kind in _CONTAINERS and length > _WHOLE:
            return self._sources.outline(node)
        if node.kind == "variable" and length > _WHOLE:
            return self._sources.lines(node)[:_WHOLE]
        return shorten_docstring(self._sources.lines(node), node.docstring)

    def _is_there(self, node: Ranked) -> bool:
        """Tell whether a node, or its text, is shown already."""
        is_twin = node.digest != "" and node.digest in self._bodies
        return node.key in self.taken or is_twin or self._is_inside(node)

    def _is_inside(self, node: Ranked) -> bool:
        """Tell whether the lines of a node are shown as part of another."""
        spans = self._shown.get(node.path, ())
        return any(first <= node.line <= node.end_line <= last for first, last in spans)

    def _why(self, node: Ranked) -> str:
        return node.why if self._is_explained else ""


def shorten_docstring(lines: Sequence[str], docstring: str) -> Sequence[str]:
    """Leave out of a docstring what follows its first paragraph; it is found by its own lines."""
    said = [line.strip() for line in docstring.split("\n")]
    end = next((place for place, line in enumerate(said) if not line and place), len(said))
    dropped = len(said) - end
    if dropped < _FEWEST_DROPPED:
        return lines
    for first, line in enumerate(lines):
        if said[0] and said[0] in line:
            kept = first + end
            last = first + len(said) - 1
            if last < len(lines) and said[-1] in lines[last]:
                margin = lines[kept - 1][: len(lines[kept - 1]) - len(lines[kept - 1].lstrip())]
                ends_there = lines[last].strip() != said[-1]
                tail = [lines[last].replace(said[-1], "", 1)] if ends_there and said[-1] else []
                return [*lines[:kept], f"{margin}...", *tail, *lines[last + 1 :]]
            return lines
    return lines
