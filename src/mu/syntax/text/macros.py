"""Macro calls, parsed again as function calls where their arguments are expressions.

A grammar parses `assert!(f(x))` as a name and a token tree, since only the macro knows what the
tokens mean. Most macros take expressions. So where all arguments would parse as those of a call,
the text is parsed again with the mark blanked and the brackets made round. No byte moves and all
line ends stay, so the new tree fits the original text. Anything else, and macros whose arguments
the manifest excludes, remain token trees. Source: the Rust reference, "Macros".
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache

import tree_sitter as ts

from mu.syntax.grammars.grammar import Grammar, load_grammar

LONGEST = 20_000  # bytes of one call; longer ones are data
DEEPEST = 20  # nested macro calls

_ROUND = {"(": b"(", ")": b")", "[": b"(", "]": b")"}
_VISIBLE = re.compile(rb"[^\s]")
_VARIABLE = re.compile(rb"\b[a-z_]\w*")  # names that a pattern may bind
_WORD = re.compile(rb"[A-Za-z_]\w*").fullmatch
_RUN = (b":expr", b":tt", b":stmt", b":block")


def parse_macro_calls(
    text: bytes, tree: ts.Tree, *, grammar: Grammar, parser: ts.Parser
) -> ts.Node:
    """Return the root of a tree in which macro calls are function calls, else that of `tree`.

    Takes a second parse of the changed ranges. If that has errors, takes a third one and a parse of
    each call by itself.
    """
    macros, root = grammar.manifest.macros, tree.root_node
    captured = ts.QueryCursor(_query(grammar.manifest.name)).captures(root)
    calls = captured.get("call", [])
    if not calls:
        return root
    words = frozenset(
        (*macros.only_words, *_token_only_macros(text, captured.get("definition", ())))
    )
    rewriting = _CallRewriter(text, grammar, parser, words)
    for is_trusted in (True, False):
        rewritten, edited = rewriting.all(calls, tree, is_trusted=is_trusted)
        found = root if rewritten == text else parser.parse(rewritten, edited).root_node
        if not found.has_error:
            return found
    return found if root.has_error else root


class _CallRewriter:
    """Rewrites the macro calls of one file, outermost first."""

    def __init__(
        self, text: bytes, grammar: Grammar, parser: ts.Parser, words: frozenset[str]
    ) -> None:
        self._text = text
        self._macros = macros = grammar.manifest.macros
        self._joint = grammar.manifest.path_separator.encode()
        self._parser = parser
        self._words = words
        self._labelling = frozenset(("=", ":", ";", *macros.sigils))  # tokens near a label

    def all(
        self, calls: Sequence[ts.Node], tree: ts.Tree, *, is_trusted: bool
    ) -> tuple[bytes, ts.Tree]:
        """Return the rewritten text, and a copy of `tree` that is marked as edited there.

        Unless `is_trusted`, each rewritten call must parse by itself.
        """
        result, edited = bytearray(self._text), tree.copy()  # nodes of `tree` are still in use
        for node in calls:
            parent = node.parent
            while parent is not None and parent.type in self._macros.statements:
                parent = parent.parent
            is_item = parent is None or parent.type in self._macros.items
            if is_item or node.end_byte - node.start_byte > LONGEST:
                continue
            for depth in (0, DEEPEST):  # nested calls included, or not
                option = self._call(node, depth=depth)
                if option and (is_trusted or self._parses(option)):
                    result[node.start_byte : node.end_byte] = option
                    _edit(edited, node)
                    break
        return bytes(result), edited

    def _parses(self, call: bytes) -> bool:
        before, after = self._macros.around
        root = self._parser.parse(before.encode() + call + after.encode()).root_node
        return not root.has_error

    def _call(self, node: ts.Node, *, depth: int) -> bytes:
        """Return a macro call as a function call; empty if it cannot be one."""
        start = node.start_byte
        *_, name, mark, words = [child for child in node.children if not child.is_extra]
        option = bytearray(self._text[start : node.end_byte])
        if not self._rewrite(option, start, (name, mark, words), depth=depth):
            return b""
        return bytes(option)

    def _rewrite(
        self, option: bytearray, start: int, call: tuple[ts.Node, ts.Node, ts.Node], *, depth: int
    ) -> bool:
        """Rewrite a call, given as name, mark and token tree; return False if it cannot be one."""
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
        """Rewrite the macro calls among tokens."""
        if self._macros.words not in [token.type for token in tokens]:
            return
        for index, token in enumerate(tokens):
            if token.type != self._macros.words:
                continue
            if index > 1 and tokens[index - 1].type == self._macros.mark:
                call = (tokens[index - 2], tokens[index - 1], token)
                if self._rewrite(option, start, call, depth=depth):
                    continue
            if depth < DEEPEST:
                self._inside(option, start, token.children[1:-1], depth=depth + 1)

    def _blank_rest(
        self, option: bytearray, start: int, tokens: Sequence[ts.Node]
    ) -> Sequence[ts.Node]:
        """Keep of a pattern, which is behind the first argument, the constants and types it names.

        They become arguments, each behind a comma. Returns the tokens before them and those of the
        guard, which may be calls of macros.
        """
        for index, token in enumerate(tokens):
            if token.type == ",":
                guard = self._guard(tokens[index + 1 :])
                pattern = tokens[index + 1 : -len(guard) or None]
                last = guard[0].start_byte if guard else tokens[-1].end_byte
                self._blank_pattern(option, (start, token.start_byte, last), pattern)
                if guard:
                    _put_comma(option, last - start)
                return [*tokens[:index], *guard]
        return tokens

    def _blank_pattern(
        self, option: bytearray, span: tuple[int, int, int], pattern: Sequence[ts.Node]
    ) -> None:
        """Blank the text of a pattern from its comma on, except the paths in it.

        `span` is (start of the text in `option`, start of the comma, end of the pattern).
        """
        start, first, last = span
        blank = bytearray(_VISIBLE.sub(b" ", option[first - start : last - start]))
        for begin, end in self._paths(pattern):
            blank[begin - first : end - first] = self._text[begin:end]
            _put_comma(blank, begin - first)
        option[first - start : last - start] = blank

    def _paths(self, tokens: Iterable[ts.Node]) -> Iterator[tuple[int, int]]:
        """Yield start and end of each path among tokens, and of each name with a capital."""
        begin = end = -1
        is_joined = is_path = False
        for token in self._leaves(tokens):
            text = self._text[token.start_byte : token.end_byte]
            if text == self._joint:
                is_joined = is_path = True
            elif is_joined:
                begin = begin if _WORD(text) else -1  # what is behind type arguments is no name
                end, is_joined = token.end_byte, False
            else:
                if begin >= 0 and is_path and text != self._macros.mark.encode():
                    yield begin, end
                begin, end = (token.start_byte, token.end_byte) if _WORD(text) else (-1, -1)
                is_path = text[:1].isupper()
        if begin >= 0 and is_path and not is_joined:
            yield begin, end

    def _leaves(self, tokens: Iterable[ts.Node]) -> Iterator[ts.Node]:
        for token in tokens:
            if token.type == self._macros.words:
                yield from self._leaves(token.children)
            else:
                yield token

    def _guard(self, tokens: Sequence[ts.Node]) -> Sequence[ts.Node]:
        """Return the tokens of the guard after a pattern.

        There is none if it reads a name that the pattern binds, which would resolve to an outer
        one.
        """
        kinds = [token.type for token in tokens]
        if self._macros.guard not in kinds[:-1]:
            return ()
        index = kinds.index(self._macros.guard)
        start, middle, end = tokens[0].start_byte, tokens[index].start_byte, tokens[-1].end_byte
        bound = set(_VARIABLE.findall(self._text, start, middle))
        is_apart = bound.isdisjoint(_VARIABLE.findall(self._text, middle, end))
        return tokens[index + 1 :] if is_apart else ()

    def _blank_labels(self, option: bytearray, start: int, tokens: Sequence[ts.Node]) -> None:
        """Blank `name =` and `name:` before arguments; make the `;` in `[x; n]` a comma."""
        kinds = [token.type for token in tokens]
        if self._labelling.isdisjoint(kinds):
            return
        before = ","
        for index, (token, kind) in enumerate(zip(tokens, kinds, strict=True)):
            after = kinds[index + 1] if index + 1 < len(kinds) else ""
            if before in (",", ";") and after in ("=", ":"):
                label = (token, *tokens[index + 1 : index + 3])
                for part in label[: 2 + (label[-1].type in self._macros.sigils)]:
                    _put(option, start, part, b" " * (part.end_byte - part.start_byte))
            elif before in (",", ";") and kind in self._macros.sigils:
                _put(option, start, token, b" " * (token.end_byte - token.start_byte))
            elif kind == ";":
                _put(option, start, token, b",")
            before = kind


def _edit(tree: ts.Tree, node: ts.Node) -> None:
    """Mark a node's range in a tree as changed, with its length unchanged."""
    first, last = node.start_point, node.end_point
    tree.edit(node.start_byte, node.end_byte, node.end_byte, first, last, last)


def _put_comma(text: bytearray, end: int) -> None:
    """Replace the last byte before `end` that is no line end by a comma."""
    while text[end - 1] in b"\r\n":
        end -= 1
    text[end - 1] = ord(",")


def _put(option: bytearray, start: int, node: ts.Node, text: bytes) -> None:
    option[node.start_byte - start : node.end_byte - start] = text


def _token_only_macros(text: bytes, definitions: Iterable[ts.Node]) -> Iterator[str]:
    """Yield the names of macros that a file defines and that take no expressions."""
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
