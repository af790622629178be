"""The code in a page of markup: what stands in elements of one name, where it stands.

All else is blanked, byte by byte but for the ends of lines, so that every line and column of the
code is that of the file. Source: the HTML standard, 13.2.5 (tags, attributes, comments), as far as
it matters to where an element of raw text begins and ends.
"""

import re
from functools import cache

_VISIBLE = re.compile(rb"[^\n]")
_SKIPPED = rb"<!--.*?(?:-->|\Z)"
_ATTRIBUTES = rb"(?:\s+[^\s=>\"'/]+(?:\s*=\s*(?:\"[^\"]*\"|'[^']*'|[^\s>\"']+))?|\s*/(?!>))*\s*"


def code_in(text: bytes, element: str) -> bytes:
    """The same text with nothing but what stands in the elements of a name; of equal length."""
    parts: list[bytes] = []
    end = 0
    for match in _pattern(element).finditer(text):
        start, stop = match.span("code")
        if start >= 0:
            parts += [_VISIBLE.sub(b" ", text[end:start]), text[start:stop]]
            end = stop
    return b"".join([*parts, _VISIBLE.sub(b" ", text[end:])])


@cache
def _pattern(element: str) -> re.Pattern[bytes]:
    name = re.escape(element.encode())
    code = rb"<" + name + _ATTRIBUTES + rb">(?P<code>.*?)(?:</" + name + rb"\s*>|\Z)"
    return re.compile(_SKIPPED + rb"|" + code, re.DOTALL | re.IGNORECASE)
