"""The text of a pattern, read far enough to know what it looks at.

A pattern is *flat* when it looks at a node and its children alone and compares no text: what it
says of a node depends on the kinds of those children, and can be kept. Of any other pattern the
*gist*, which is its first level, tells for which nodes the whole is worth asking.
"""

import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass

_TOKEN = re.compile(r'"(?:[^"\\\n]|\\.)*"|@[\w.]+|#[\w.?!-]+|\w+:|[\w-]+|[()\[\].!/?*+]')
_COMMENT = re.compile(r"(\"(?:[^\"\\\n]|\\.)*\")|;[^\n]*")
_QUANTIFIERS = frozenset("?*+")
_COMPARISONS = frozenset(("#eq?", "#not-eq?", "#any-of?", "#not-any-of?"))

MISSING = 9  # the depth of a pattern that asks for what is missing, which no kind of node tells


@dataclass(frozen=True, slots=True)
class Pattern:
    """What one pattern looks at.

    `roots` are the node kinds it begins with, `_` among them for any; `depth` is how many levels
    below those it looks at; one that `is_textual` asks for more than kinds of nodes. `children` are
    the kinds of the one child it looks for, wherever among its siblings that stands; None if it is
    not so simple. `words` must all stand in a text for the pattern to fit anywhere in it. `inner`
    are the kinds of its children that it looks below, `_` among them for any, each with how many
    levels. `watched` are the captures whose texts it compares with words, with these words, and
    `loose` is the pattern without that; both are empty if it compares texts otherwise.
    """

    roots: tuple[str, ...]
    is_bare: bool
    depth: int
    is_textual: bool
    children: tuple[str, ...] | None
    gist: str
    words: tuple[bytes, ...]
    spelled: tuple[tuple[str, bytes], ...]
    is_of_root: bool
    inner: tuple[tuple[str, int], ...]
    watched: tuple[tuple[str, frozenset[bytes]], ...]
    loose: str

    @property
    def is_flat(self) -> bool:
        """True if the kinds of a node and of its children are all that matters."""
        return self.depth <= 1 and not self.is_textual


def split_patterns(text: str) -> list[tuple[int, str]]:
    """The patterns of a query file, each with the line it begins on, from 1.

    Raises ValueError for a bracket that is left open, or closed twice.
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
        raise ValueError("a bracket has no other end")
    return [(plain.count("\n", 0, start) + 1, text[start:end]) for start, end in spans]


def read_pattern(text: str) -> Pattern:
    """Read a pattern that tree-sitter has found to be well formed."""
    predicates: list[list[str]] = []
    tokens = _TOKEN.findall(_COMMENT.sub(r"\1", text))
    root = _read(tokens[::-1], predicates)
    while not root.kind and len(root.children) == 1:
        root = root.children[0]
    options = root.options
    words = _words(root, predicates)
    watched = _watched(predicates, root)
    spelled = tuple((name[1:], word) for name, word in words if _captures_child(root, name))
    return Pattern(
        roots=tuple(option.kind for option in options),
        is_bare=not predicates and not any(option.children for option in options),
        depth=min(max(option.depth for option in options), MISSING),
        is_textual=bool(predicates) or any(option.depth >= MISSING for option in options),
        children=None if predicates or len(options) > 1 else _lone_child(options[0]),
        gist=root.gist(1, frozenset(f"@{name}" for name, _ in spelled)),
        words=tuple(word for _, word in words),
        spelled=spelled,
        is_of_root=bool(root.captures) and not any(child.captures for child in root.children),
        inner=tuple(_inner(options)),
        watched=watched,
        loose=root.gist(MISSING, _captures(root)) if watched else "",
    )


@dataclass(frozen=True, slots=True)
class _Item:
    """One thing in a pattern: a node, a group with no `kind`, a choice `[`, a token, an anchor."""

    kind: str
    field: str
    children: tuple["_Item", ...]
    captures: frozenset[str]
    quantifier: str
    is_open: bool  # without brackets of its own

    @property
    def options(self) -> tuple["_Item", ...]:
        """What may stand here: the item itself, or what a choice leaves open."""
        return self.children if self.kind == "[" else (self,)

    @property
    def depth(self) -> int:
        """How many levels below it are looked at; a search for what is missing never is flat."""
        if self.kind == "[":
            return max(child.depth for child in self.children)
        inside = [child.depth + bool(self.kind) for child in self.children]
        return max(inside, default=MISSING if self.kind == "MISSING" else 0)

    def gist(self, levels: int, kept: Collection[str] = ()) -> str:
        """The text of the item without captures that are not `kept`, and without what is further
        down than `levels`.
        """
        if self.kind == "[":
            text = f"[{' '.join(child.gist(levels, kept) for child in self.children)}]"
        elif self.is_open:
            text = self.kind
        else:
            inside = [child.gist(levels - 1, kept) for child in self.children if levels]
            text = f"({' '.join((self.kind, *inside))})"
        marks = "".join(f" {name}" for name in sorted(self.captures.intersection(kept)))
        return f"{self.field}{text}{self.quantifier}{marks}"

    def count(self, name: str) -> int:
        """How often a name stands in the item."""
        return (name in self.captures) + sum(child.count(name) for child in self.children)

    def always_captures(self, name: str) -> bool:
        """Tell whether nothing can fit the item without being captured as `name`."""
        if self.quantifier in ("?", "*"):
            return False
        inside = [child.always_captures(name) for child in self.children]
        return name in self.captures or (all(inside) if self.kind == "[" else any(inside))


def _read(tokens: list[str], predicates: list[list[str]]) -> _Item:
    """Take one item off the end of `tokens`, which are in reverse."""
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
    """The kinds of children that are looked below, with how many levels; groups are no level."""
    for child in (child for item in items for child in item.children):
        options = child.options
        yield from ((one.kind, one.depth) for one in options if one.kind and one.depth)
        yield from _inner([one for one in options if not one.kind])


def _captures(item: _Item) -> frozenset[str]:
    """All that is captured in an item, and the item itself."""
    return item.captures.union(*map(_captures, item.children))


def _captures_child(root: _Item, name: str) -> bool:
    """Tell whether a name is that of one child of the node, and of nothing else."""
    named = [child for child in root.children if name in child.captures and child.kind]
    return len(named) == 1 and root.kind not in ("", "[") and root.count(name) == 1


def _watched(predicates: list[list[str]], root: _Item) -> tuple[tuple[str, frozenset[bytes]], ...]:
    """What `Pattern.watched` is: nothing, too, where the node itself is compared."""
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
