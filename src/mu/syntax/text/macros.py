"""Calls of macros read again as calls of functions: what they are handed is words to a grammar.

A grammar takes `assert!(f(x))` for a name and words in brackets, since only the macro knows what
those mean. Most macros take expressions. So where all that a macro is handed would parse as the
arguments of a call, the text is parsed once more with the mark blanked and the brackets made round.
Not a byte moves and no line ends elsewhere, so the tree that comes of it fits the text as it was.
What does not parse so, and what a language says is never run, stays words. Source: the Rust
reference, "Macros".
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache

import tree_sitter as ts

from mu.syntax.grammars.grammar import Grammar, load_grammar
from mu.syntax.grammars.manifest import Macros

LONGEST = 20_000  # bytes of one call; what is longer is data
DEEPEST = 20  # macros in macros

_ROUND = {"(": b"(", ")": b")", "[": b"(", "]": b")"}
_VISIBLE = re.compile(rb"[^\s]")
_VARIABLE = re.compile(rb"\b[a-z_]\w*")  # what a pattern may bind
_RUN = (b":expr", b":tt", b":stmt", b":block")


def read_macros(text: bytes, tree: ts.Tree, *, grammar: Grammar, parser: ts.Parser) -> ts.Node:
    """The tree of the same text with macros taken for functions, by its root; that of `tree` where
    none can be.

    Costs a second parse of the calls of macros; a third, and one of each call by itself, where not
    all of them in a file can be read so.
    """
    macros, root = grammar.manifest.macros, tree.root_node
    captured = ts.QueryCursor(_query(grammar.manifest.name)).captures(root)
    calls = captured.get("call", [])
    if not calls:
        return root
    words = frozenset((*macros.only_words, *_own(text, captured.get("definition", ()))))
    rewriting = _Rewriting(text, macros, parser, words)
    for is_trusted in (True, False):
        rewritten, edited = rewriting.all(calls, tree, is_trusted=is_trusted)
        found = root if rewritten == text else parser.parse(rewritten, edited).root_node
        if not found.has_error:
            return found
    return found if root.has_error else root


class _Rewriting:
    """Rewrites the calls of one file, outermost first."""

    def __init__(
        self, text: bytes, macros: Macros, parser: ts.Parser, words: frozenset[str]
    ) -> None:
        self._text = text
        self._macros = macros
        self._parser = parser
        self._words = words
        self._labelling = frozenset(("=", ":", ";", *macros.sigils))  # stands where one has a label

    def all(
        self, calls: Sequence[ts.Node], tree: ts.Tree, *, is_trusted: bool
    ) -> tuple[bytes, ts.Tree]:
        """The text with what can be rewritten, and the tree that was told where that is; each call
        is tried alone if not `is_trusted`.
        """
        result, edited = bytearray(self._text), tree.copy()  # nodes of `tree` are still read
        for node in calls:
            parent = node.parent
            while parent is not None and parent.type in self._macros.statements:
                parent = parent.parent
            is_item = parent is None or parent.type in self._macros.items
            if is_item or node.end_byte - node.start_byte > LONGEST:
                continue
            for depth in (0, DEEPEST):  # with those in it, or without
                option = self._call(node, depth=depth)
                if option and (is_trusted or self._parses(option)):
                    result[node.start_byte : node.end_byte] = option
                    _edit(edited, node)
                    break
        return bytes(result), edited

    def _parses(self, call: bytes) -> bool:
        before, behind = self._macros.around
        root = self._parser.parse(before.encode() + call + behind.encode()).root_node
        return not root.has_error

    def _call(self, node: ts.Node, *, depth: int) -> bytes:
        """One call of a macro as one of a function; empty where it is none."""
        start = node.start_byte
        *_, name, mark, words = [child for child in node.children if not child.is_extra]
        option = bytearray(self._text[start : node.end_byte])
        if not self._rewrite(option, start, (name, mark, words), depth=depth):
            return b""
        return bytes(option)

    def _rewrite(
        self, option: bytearray, start: int, call: tuple[ts.Node, ts.Node, ts.Node], *, depth: int
    ) -> bool:
        """Make a call of a function of a name, the mark behind it and words in brackets."""
        name, mark, words = call
        tokens = words.children
        last = self._text[name.start_byte : name.end_byte].rpartition(b":")[2].decode()
        if last in self._words or len(tokens) < 2 or tokens[0].type not in _ROUND:
            return False
        _put(option, start, mark, b" " * (mark.end_byte - mark.start_byte))
        for bracket in (tokens[0], tokens[-1]):
            _put(option, start, bracket, _ROUND[bracket.type])
        inner: Sequence[ts.Node] = tokens[1:-1]
        if last in self._macros.first:
            inner = self._blank_rest(option, start, inner)
        self._blank_labels(option, start, inner)
        if depth < DEEPEST:
            self._inside(option, start, inner, depth=depth + 1)
        return True

    def _inside(
        self, option: bytearray, start: int, tokens: Sequence[ts.Node], *, depth: int
    ) -> None:
        """Rewrite what is called among words."""
        if self._macros.words not in [token.type for token in tokens]:
            return
        for place, token in enumerate(tokens):
            if token.type != self._macros.words:
                continue
            if place > 1 and tokens[place - 1].type == self._macros.mark:
                call = (tokens[place - 2], tokens[place - 1], token)
                if self._rewrite(option, start, call, depth=depth):
                    continue
            if depth < DEEPEST:
                self._inside(option, start, token.children[1:-1], depth=depth + 1)

    def _blank_rest(
        self, option: bytearray, start: int, tokens: Sequence[ts.Node]
    ) -> Sequence[ts.Node]:
        """Leave only the first argument, for the others are no values, and a guard behind them."""
        for place, token in enumerate(tokens):
            if token.type == ",":
                guard = self._guard(tokens[place + 1 :])
                first = token.end_byte if guard else token.start_byte
                last = guard[0].start_byte if guard else tokens[-1].end_byte
                rest = slice(first - start, last - start)
                option[rest] = _VISIBLE.sub(b" ", option[rest])
                return [*tokens[: place + bool(guard)], *guard]
        return tokens

    def _guard(self, tokens: Sequence[ts.Node]) -> Sequence[ts.Node]:
        """The condition behind a pattern; none where it reads a name that the pattern binds, which
        would be taken for one of the text around.
        """
        kinds = [token.type for token in tokens]
        if self._macros.guard not in kinds[:-1]:
            return ()
        place = kinds.index(self._macros.guard)
        start, middle, end = tokens[0].start_byte, tokens[place].start_byte, tokens[-1].end_byte
        bound = set(_VARIABLE.findall(self._text, start, middle))
        is_apart = bound.isdisjoint(_VARIABLE.findall(self._text, middle, end))
        return tokens[place + 1 :] if is_apart else ()

    def _blank_labels(self, option: bytearray, start: int, tokens: Sequence[ts.Node]) -> None:
        """Blank `name =` and `name:` before an argument; `[x; n]` has two arguments."""
        kinds = [token.type for token in tokens]
        if self._labelling.isdisjoint(kinds):
            return
        before = ","
        for place, (token, kind) in enumerate(zip(tokens, kinds, strict=True)):
            behind = kinds[place + 1] if place + 1 < len(kinds) else ""
            if before in (",", ";") and behind in ("=", ":"):
                label = (token, *tokens[place + 1 : place + 3])
                for part in label[: 2 + (label[-1].type in self._macros.sigils)]:
                    _put(option, start, part, b" " * (part.end_byte - part.start_byte))
            elif before in (",", ";") and kind in self._macros.sigils:
                _put(option, start, token, b" " * (token.end_byte - token.start_byte))
            elif kind == ";":
                _put(option, start, token, b",")
            before = kind


def _edit(tree: ts.Tree, node: ts.Node) -> None:
    """Tell a tree that there is another text, of the same length, in the place of a node."""
    first, last = node.start_point, node.end_point
    tree.edit(node.start_byte, node.end_byte, node.end_byte, first, last, last)


def _put(option: bytearray, start: int, node: ts.Node, text: bytes) -> None:
    option[node.start_byte - start : node.end_byte - start] = text


def _own(text: bytes, definitions: Iterable[ts.Node]) -> Iterator[str]:
    """The names of macros that a file defines and that are never handed an expression."""
    for node in definitions:
        name = node.child_by_field_name("name")
        takes = [child.child_by_field_name("left") for child in node.named_children]
        taken = [text[one.start_byte : one.end_byte] for one in takes if one is not None]
        if name is not None and not any(mark in one for one in taken for mark in _RUN):
            yield text[name.start_byte : name.end_byte].decode()


@cache
def _query(language: str) -> ts.Query:
    grammar = load_grammar(language)
    macros = grammar.manifest.macros
    return ts.Query(grammar.language, f"({macros.call}) @call ({macros.definition}) @definition")
