"""Directive lines, which address a language's tools; rules interpret them."""

import re
from collections.abc import Sequence
from functools import cache


def read_directives(text: bytes, beginnings: Sequence[str]) -> tuple[tuple[int, str], ...]:
    """Return (line, text) of lines that begin with one of `beginnings`, indentation aside."""
    if not any(one.encode() in text for one in beginnings):
        return ()
    return tuple(
        (text.count(b"\n", 0, match.start(1)) + 1, match[1].decode("utf-8", "replace").rstrip())
        for match in _pattern(tuple(beginnings)).finditer(text)
    )


@cache
def _pattern(beginnings: tuple[str, ...]) -> re.Pattern[bytes]:
    words = b"|".join(re.escape(one.encode()) for one in beginnings)
    return re.compile(rb"^[ \t]*((?:%s)[^\n]*)" % words, re.MULTILINE)
