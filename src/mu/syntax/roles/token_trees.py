"""Names in token trees: macro arguments that the grammar leaves as tokens.

A chain of names (`a::b`, `x.y`) is read as in code, and is called if a round bracket or the macro
mark follows. What the text does not determine is left open: a member of something that is not a
name (`f(x).y`, `Vec::<T>::new`), and a name that the tree may bind itself. Each of these has a row,
and no expansion is guessed. Most words in attributes are labels; only paths, assigned values (`x =
name`, also in a string) and lists of names are read. Source: the Rust reference, "Macros by
Example" and "Attributes".
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

import tree_sitter as ts

from mu.model.facts import Op
from mu.syntax.grammars.grammar import load_grammar
from mu.syntax.roles.tree_walk import Walk
from mu.syntax.tables.scope_records import add_line

_ATTRIBUTE, _CALL = int(Op.ATTRIBUTE), int(Op.CALL)
_MEMBER, _LABEL, _SET, _ROUND, _CLOSURE = b".", b":", b"=", b"(", b"|"
_MAYBE = (0,)  # marks an attribute that may not exist


@dataclass(frozen=True, slots=True)
class _Marks:
    """The settings of a language for token trees, as bytes."""

    words: str
    string: str
    inner: frozenset[str]
    names: frozenset[int]
    joints: frozenset[bytes]
    mark: bytes
    root: bytes
    binders: frozenset[bytes]
    escapes: frozenset[bytes]
    keywords: frozenset[bytes]
    lists: frozenset[str]
    known: frozenset[bytes]


@cache
def _marks(language: str) -> _Marks:
    grammar = load_grammar(language)
    manifest = grammar.manifest
    macros = manifest.macros
    return _Marks(
        words=macros.words,
        string=macros.string,
        inner=frozenset(macros.inner),
        names=grammar.nodes.names,
        joints=frozenset((_MEMBER, manifest.path_separator.encode())),
        mark=macros.mark.encode(),
        root=macros.root.encode(),
        binders=frozenset(map(str.encode, macros.binders)),
        escapes=frozenset(map(str.encode, macros.escapes)),
        keywords=frozenset(map(str.encode, macros.keywords)),
        lists=frozenset(macros.lists),
        known=frozenset(map(str.encode, macros.known)),
    )


@dataclass(frozen=True, slots=True)
class _Level:
    """The tokens from one bracket to its counterpart, with their texts."""

    tokens: Sequence[ts.Node]
    texts: Sequence[bytes]
    chains: Sequence[tuple[int, int]]  # the indices of the first and last name of each


@dataclass(frozen=True, slots=True)
class _Own:
    """The names that a token tree binds, and those that it may bind."""

    bound: frozenset[bytes] = frozenset()
    labels: frozenset[bytes] = frozenset()


def read_words(walk: Walk, node: ts.Node) -> int:
    """Note the names in the arguments or the body of a macro; return 0, which is no value."""
    marks = _marks(walk.grammar.manifest.name)
    levels = list(_levels(walk, node, marks))
    own = _own_names(levels, marks)
    for level in levels:
        for first, last in level.chains:
            before, after = level.texts[first - 1], level.texts[last + 1]
            name = level.texts[first]
            is_passed = before in marks.binders or after == _LABEL or name in marks.keywords
            is_passed = is_passed or (name in own.bound and before != _MEMBER)
            if first < last or not is_passed:
                _note(walk, level, (first, last), marks, own)
    return 0


def read_settings(walk: Walk, node: ts.Node) -> int:
    """Note the names in the arguments of an attribute that are not labels; return 0."""
    marks, own = _marks(walk.grammar.manifest.name), _Own()
    holder = node.prev_sibling
    is_list = holder is not None and walk.text(holder) in marks.lists
    for level in _levels(walk, node, marks):
        for first, last in level.chains:
            before, after = level.texts[first - 1], level.texts[last + 1]
            is_value = before == _SET or before in marks.joints
            is_listed = is_list and level.texts[last] not in marks.known
            if after != _SET and (first < last or is_value or is_listed):
                _note(walk, level, (first, last), marks, own)
        for index, token in enumerate(level.tokens):
            if token.type == marks.string and level.texts[index - 1] == _SET:
                _note_quoted(walk, token, level.texts[index])
    return 0


def _levels(walk: Walk, node: ts.Node, marks: _Marks) -> Iterator[_Level]:
    """Yield each pair of brackets with its tokens, outermost first."""
    stack, source = [node], walk.source
    while stack:
        tokens = [child for child in stack.pop().children if not child.is_extra]
        stack += [token for token in reversed(tokens) if token.type in marks.inner]
        texts = [source[token.start_byte : token.end_byte] for token in tokens]
        yield _Level(tokens, texts, list(_chains(tokens, texts, marks)))


def _chains(
    tokens: Sequence[ts.Node], texts: Sequence[bytes], marks: _Marks
) -> Iterator[tuple[int, int]]:
    """Yield the indices of the first and the last name of each chain."""
    are_names = [
        token.kind_id in marks.names or text == marks.root
        for token, text in zip(tokens, texts, strict=True)
    ]
    index, last = 1, len(tokens) - 1  # between the brackets
    while index < last:
        first = index
        if are_names[index]:
            while index + 2 < last and texts[index + 1] in marks.joints and are_names[index + 2]:
                index += 2
            yield first, index
        index += 1


def _own_names(levels: Sequence[_Level], marks: _Marks) -> _Own:
    """Return the names that a token tree binds or may bind itself."""
    bound: set[bytes] = set()
    labels: set[bytes] = set()
    for level in levels:
        for first, last in level.chains:
            before, after = level.texts[first - 1], level.texts[last + 1]
            if first == last and before in marks.binders:
                bound.add(level.texts[first])
            elif first == last and (before == _CLOSURE or after == _LABEL):
                labels.add(level.texts[first])
    return _Own(frozenset(bound), frozenset(labels))


def _note(walk: Walk, level: _Level, index: tuple[int, int], marks: _Marks, own: _Own) -> None:
    """Note the reference that a chain of names is, and the call if it may be one."""
    first, last = index
    names = list(level.texts[first : last + 1 : 2])
    before = level.texts[first - 1]
    is_root = marks.root in (names[0], before + names[0])
    if is_root:
        names[0] = marks.root[1:]
    is_open = before in marks.joints or (before in marks.escapes and not is_root)
    is_own = names[0] in own.bound or names[0] in own.labels
    if is_own and not is_open and first < last:
        names = names[1:]
    line = level.tokens[last].end_point[0] + 1
    is_called = _is_called(level, last + 1, marks)
    row = _row(walk, names, is_open=is_open or is_own)
    add_line(walk.records.named[walk.scope][is_called and is_open], row, line=line)
    if is_called:
        member = _ATTRIBUTE, names[-1].decode("utf-8", "replace"), 0, _MAYBE
        called = walk.table.row((_CALL, "", walk.table.row(member), ()))
        walk.records.add_call(called, line, scope=walk.scope)


def _is_called(level: _Level, index: int, marks: _Marks) -> bool:
    """Tell whether a chain is followed by something that may call it."""
    if level.texts[index] == marks.mark and index + 1 < len(level.tokens):
        return level.tokens[index + 1].type == marks.words
    return level.tokens[index].type == marks.words and level.texts[index].startswith(_ROUND)


def _row(walk: Walk, names: Sequence[bytes], *, is_open: bool) -> int:
    """Return the row of a chain of names; if open, of members of an unknown value."""
    table = walk.table
    if is_open:
        number = 0
        for name in names:
            number = table.row((_ATTRIBUTE, name.decode("utf-8", "replace"), number, ()))
        return number
    text = _MEMBER.join(names)
    dotted = table.dotted_names.get(text) or table.parse_dotted(text)
    parts, rows = dotted
    if not parts:
        return _row(walk, names[-1:], is_open=True)
    home = walk.names.home(walk.scope, parts[0])
    return rows.get(home) or table.dotted_row(dotted, home)


def _note_quoted(walk: Walk, node: ts.Node, text: bytes) -> None:
    """Note the path or name that a string spells which something is set to."""
    separator = walk.grammar.manifest.path_separator
    names = text.decode("utf-8", "replace").strip('"').split(separator)
    if all(map(str.isidentifier, names)):
        row = _row(walk, [name.encode() for name in names], is_open=len(names) == 1)
        add_line(walk.records.named[walk.scope][0], row, line=node.start_point[0] + 1)
