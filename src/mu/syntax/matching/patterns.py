"""Static analysis of query patterns: which nodes and texts a match of a pattern depends on.

A pattern is *flat* if it looks at a node and its children alone and compares no text: whether it
matches depends on the kinds of those nodes, so the result can be cached. For any other pattern, its
first level is a cheap filter that finds the nodes where the whole may match.
"""

import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass

_TOKEN = re.compile(r'"(?:[^"\\\n]|\\.)*"|@[\w.]+|#[\w.?!-]+|\w+:|[\w-]+|[()\[\].!/?*+]')
_COMMENT = re.compile(r"(\"(?:[^\"\\\n]|\\.)*\")|;[^\n]*")
_QUANTIFIERS = frozenset("?*+")
_COMPARISONS = frozenset(("#eq?", "#not-eq?", "#any-of?", "#not-any-of?"))

MISSING = (
    9  # the depth of a pattern that deep_patterns for what is missing, which no kind of node tells
)


@dataclass(frozen=True, slots=True)
class PatternAnalysis:
    """What the matches of one pattern depend on.

    `roots` are the kinds of its outermost node, `_` for any. `depth` is the number of levels below
    that node. `is_textual` means that it compares texts or asks for missing nodes. `only_child` are
    the kinds of the single child that it asks for at any position, None if it asks for more than
    that. `first_level` is the pattern reduced to its first level. A file must contain all `words`
    for the pattern to match anywhere; `child_words` are the captures of children that must equal a
    word. `inner_depths` are the kinds of children that it looks below, `_` for any, with the number
    of levels. `compared` are the captures whose texts it compares, with the words, and `textless`
    is the pattern without those comparisons; both are empty if it compares texts in another way.
    """

    roots: tuple[str, ...]
    is_bare: bool
    depth: int
    is_textual: bool
    only_child: tuple[str, ...] | None
    first_level: str
    words: tuple[bytes, ...]
    child_words: tuple[tuple[str, bytes], ...]
    captures_root_only: bool
    inner_depths: tuple[tuple[str, int], ...]
    compared: tuple[tuple[str, frozenset[bytes]], ...]
    textless: str

    @property
    def is_flat(self) -> bool:
        """True if a match depends on the kinds of the node and its children alone."""
        return self.depth <= 1 and not self.is_textual


def split_patterns(text: str) -> list[tuple[int, str]]:
    """Return the patterns of a query file, each with its first line, counted from 1.

    Raises ValueError for unbalanced brackets.
    """
    plain = _COMMENT.sub(lambda found: found[1] or " " * len(found[0]), text)
    spans: list[list[int]] = []
    depth = 0
    for token in _TOKEN.finditer(plain):
        if depth == 0 and token[0][0] not in "@?*+)]":
            spans.append([token.start(), token.end()])
        depth += (token[0] in ("(", "[")) - (token[0] in (")", "]"))
        if depth < 0 or not spans:
            break
        spans[-1][1] = token.end()
    if depth:
        raise ValueError("unbalanced brackets")
    return [(plain.count("\n", 0, start) + 1, text[start:end]) for start, end in spans]


def analyze_pattern(text: str) -> PatternAnalysis:
    """Return the analysis of a pattern, which must be well formed."""
    predicates: list[list[str]] = []
    tokens = _TOKEN.findall(_COMMENT.sub(r"\1", text))
    root = _read(tokens[::-1], predicates)
    while not root.kind and len(root.children) == 1:
        root = root.children[0]
    options = root.options
    words = _words(root, predicates)
    compared = _compared(predicates, root)
    child_words = tuple((name[1:], word) for name, word in words if _captures_child(root, name))
    return PatternAnalysis(
        roots=tuple(option.kind for option in options),
        is_bare=not predicates and not any(option.children for option in options),
        depth=min(max(option.depth for option in options), MISSING),
        is_textual=bool(predicates) or any(option.depth >= MISSING for option in options),
        only_child=None if predicates or len(options) > 1 else _lone_child(options[0]),
        first_level=root.text(1, frozenset(f"@{name}" for name, _ in child_words)),
        words=tuple(word for _, word in words),
        child_words=child_words,
        captures_root_only=bool(root.captures)
        and not any(child.captures for child in root.children),
        inner_depths=tuple(_inner(options)),
        compared=compared,
        textless=root.text(MISSING, _captures(root)) if compared else "",
    )


@dataclass(frozen=True, slots=True)
class _Item:
    """A part of a pattern: a node, a group (no `kind`), a choice (`[`), a token or an anchor."""

    kind: str
    field: str
    children: tuple["_Item", ...]
    captures: frozenset[str]
    quantifier: str
    is_open: bool  # not in brackets

    @property
    def options(self) -> tuple["_Item", ...]:
        """The alternatives of a choice; for anything else the item itself."""
        return self.children if self.kind == "[" else (self,)

    @property
    def depth(self) -> int:
        """The number of levels below the item; `MISSING` if it asks for missing nodes."""
        if self.kind == "[":
            return max(child.depth for child in self.children)
        inside = [child.depth + bool(self.kind) for child in self.children]
        return max(inside, default=MISSING if self.kind == "MISSING" else 0)

    def text(self, levels: int, kept: Collection[str] = ()) -> str:
        """Return the pattern text down to a number of levels, with only the captures `kept`."""
        if self.kind == "[":
            text = f"[{' '.join(child.text(levels, kept) for child in self.children)}]"
        elif self.is_open:
            text = self.kind
        else:
            inside = [child.text(levels - 1, kept) for child in self.children if levels]
            text = f"({' '.join((self.kind, *inside))})"
        marks = "".join(f" {name}" for name in sorted(self.captures.intersection(kept)))
        return f"{self.field}{text}{self.quantifier}{marks}"

    def count(self, name: str) -> int:
        """Return how often a capture occurs in the item."""
        return (name in self.captures) + sum(child.count(name) for child in self.children)

    def always_captures(self, name: str) -> bool:
        """Tell whether every match of the item has the capture `name`."""
        if self.quantifier in ("?", "*"):
            return False
        inside = [child.always_captures(name) for child in self.children]
        return name in self.captures or (all(inside) if self.kind == "[" else any(inside))


def _read(tokens: list[str], predicates: list[list[str]]) -> _Item:
    """Parse one item off the end of `tokens`, which are in reverse order."""
    field = tokens.pop() if tokens[-1].endswith(":") else ""
    kind = tokens.pop()
    is_open = kind not in ("(", "[")
    children: list[_Item] = []
    if kind in ("(", "["):
        closing = ")" if kind == "(" else "]"
        if kind == "(":
            kind = "" if tokens[-1] in ("(", "[", '"') else tokens.pop()
            while tokens[-1] == "/":
                kind += tokens.pop() + tokens.pop()
        while tokens[-1] != closing:
            if tokens[-1] == "(" and tokens[-2].startswith("#"):
                predicates.append(_predicate(tokens))
            else:
                children.append(_read(tokens, predicates))
        tokens.pop()
    elif kind == "!":
        kind += tokens.pop()
    captures, quantifier = set(), ""
    while tokens and (tokens[-1].startswith("@") or tokens[-1] in _QUANTIFIERS):
        mark = tokens.pop()
        if mark in _QUANTIFIERS:
            quantifier = mark
        else:
            captures.add(mark)
    return _Item(kind, field, tuple(children), frozenset(captures), quantifier, is_open)


def _predicate(tokens: list[str]) -> list[str]:
    tokens.pop()
    words = []
    while (token := tokens.pop()) != ")":
        words.append(token)
    return words


def _lone_child(root: _Item) -> tuple[str, ...] | None:
    if len(root.children) != 1 or root.depth > 1:
        return None
    child = root.children[0]
    kinds = tuple(option.kind for option in child.options)
    plain = all(kind.isidentifier() and kind != "_" for kind in kinds)
    return None if child.field or child.quantifier or not plain else kinds


def _inner(items: Iterable[_Item]) -> Iterator[tuple[str, int]]:
    """Yield the kinds of children with something below them, and the number of levels."""
    for child in (child for item in items for child in item.children):
        options = child.options
        yield from ((one.kind, one.depth) for one in options if one.kind and one.depth)
        yield from _inner([one for one in options if not one.kind])


def _captures(item: _Item) -> frozenset[str]:
    """Return all captures in an item, including its own."""
    return item.captures.union(*map(_captures, item.children))


def _captures_child(root: _Item, name: str) -> bool:
    """Tell whether `name` captures exactly one direct child of the root."""
    named = [child for child in root.children if name in child.captures and child.kind]
    return len(named) == 1 and root.kind not in ("", "[") and root.count(name) == 1


def _compared(predicates: list[list[str]], root: _Item) -> tuple[tuple[str, frozenset[bytes]], ...]:
    """Return `PatternAnalysis.compared`; empty if the root node's own text is compared."""
    tops = root.captures.union(*(option.captures for option in root.options))
    found = []
    for how, *about in predicates:
        name, *words = about
        is_plain = all(word.startswith('"') and "\\" not in word for word in words)
        if how not in _COMPARISONS or not is_plain or name in tops:
            return ()
        found.append((name[1:], frozenset(word[1:-1].encode() for word in words)))
    return tuple(found)


def _words(root: _Item, predicates: list[list[str]]) -> tuple[tuple[str, bytes], ...]:
    return tuple(
        (predicate[1], predicate[2][1:-1].encode())
        for predicate in predicates
        if predicate[0] == "#eq?"
        and predicate[2].startswith('"')
        and "\\" not in predicate[2]
        and root.always_captures(predicate[1])
    )
