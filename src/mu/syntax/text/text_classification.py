"""Classification of source positions as code, string or comment.

Grammars use the same names for these nodes in all languages: `string`, `string_literal`,
`template_string`, `comment`, `block_comment`, and `interpolation` or `template_substitution` for
code inside a string. Source: the node types of the tree-sitter grammars.
"""

from collections.abc import Sequence

import tree_sitter as ts

from mu.model.kinds import TextKind
from mu.syntax.grammars.grammar import load_grammar
from mu.syntax.text.embedded_code import embedded_code

_CODE_INSIDE = frozenset({"interpolation", "string_interpolation", "template_substitution"})
_STRINGS = ("string", "char_literal", "character_literal", "rune_literal", "jsx_text", "regex")


def text_kinds(text: bytes, language: str, *, starts: Sequence[int]) -> list[TextKind]:
    """Return the kind of text at each byte offset of UTF-8 `text`.

    `language` is the name of a manifest. In markup, only embedded code has strings and comments.
    """
    grammar = load_grammar(language)
    if grammar.manifest.inside:
        text = embedded_code(text, grammar.manifest.inside).text
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
