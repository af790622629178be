r"""The one escaper of text that came from a repository and goes to a terminal.

Names, comments and paths are data of a stranger: a terminal escape in one could rewrite the screen,
a right-to-left override could make a line read as another. What does not show as itself is written
as an escape (`\x1b`, `\u202e`), so that nothing is hidden and nothing acts.
"""

import json
import re

# C0 and C1 controls, zero-width and bidirectional formatting characters, line and paragraph
# separators, the byte-order mark, lone surrogates (bytes of names that are not UTF-8), tags.
_HIDDEN = re.compile(
    "[\x00-\x1f\x7f-\x9f\xad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff"
    "\ud800-\udfff\ufff9-\ufffb\U000e0000-\U000e007f]"
)
_HIDDEN_BUT_LINES = re.compile(_HIDDEN.pattern.replace("\x00-\x1f", "\x00-\x09\x0b-\x1f"))
_NAMED = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}


def printable(text: str, *, keep_lines: bool = False) -> str:
    """Return `text` with every character that does not show as itself written as an escape.

    Line feeds stay when `keep_lines` is true. Bytes of a name that was not UTF-8, held as lone
    surrogates, become the bytes they were: `\\xff`.
    """
    if text.isprintable():  # nearly all there is; the expression takes ten times as long
        return text
    return (_HIDDEN_BUT_LINES if keep_lines else _HIDDEN).sub(_escape, text)


def printable_source(text: str) -> str:
    """Return source text with line feeds and tabs as they are."""
    return "\t".join(printable(part, keep_lines=True) for part in text.split("\t"))


def visible_json(text: str) -> str:
    """Return a JSON text that says the same with every such character as an escape of JSON.

    Line feeds stay, which stand between its parts.
    """
    return _HIDDEN_BUT_LINES.sub(_json_escape, text)


def _json_escape(match: re.Match[str]) -> str:
    return json.dumps(match.group())[1:-1].replace("\x7f", "\\u007f")


def _escape(match: re.Match[str]) -> str:
    character = match.group()
    code = ord(character)
    if character in _NAMED:
        return _NAMED[character]
    if 0xDC80 <= code <= 0xDCFF:  # what `surrogateescape` makes of the byte code - 0xDC00
        return f"\\x{code - 0xDC00:02x}"
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
