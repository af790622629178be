"""Which places of a source are code, which strings, and which comments.

Grammars name their nodes alike here, whatever the language: `string`, `string_literal`,
`template_string`, `comment`, `block_comment`, and `interpolation` or `template_substitution` for
the code inside a string. Source: the node types of the grammars of tree-sitter.
"""

from collections.abc import Sequence

import tree_sitter as ts

from mu.model.kinds import TextKind
from mu.syntax.grammars.grammar import load_grammar
from mu.syntax.text.embedded import code_in

_CODE_INSIDE = frozenset({"interpolation", "string_interpolation", "template_substitution"})
_STRINGS = ("string", "char_literal", "character_literal", "rune_literal", "jsx_text", "regex")


def text_kinds(text: bytes, language: str, *, starts: Sequence[int]) -> list[TextKind]:
    """Give the kind of what stands at each byte offset of UTF-8 `text`.

    `language` is a manifest's name; of a page of markup only its code has strings and comments.
    """
    grammar = load_grammar(language)
    if grammar.manifest.inside:
        text = code_in(text, grammar.manifest.inside).text
    root = ts.Parser(grammar.language).parse(text).root_node
    return [_kind(root, start) for start in starts]


def _kind(root: ts.Node, start: int) -> TextKind:
    node = root.descendant_for_byte_range(start, start + 1)
    while node is not None:
        if "comment" in node.type:
            return TextKind.COMMENT
        if node.type in _CODE_INSIDE:
            return TextKind.CODE
        if any(word in node.type for word in _STRINGS):
            return TextKind.STRING
        node = node.parent
    return TextKind.CODE
