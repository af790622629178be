"""Lines that speak to a language's tools: kept as they stand, for what they mean is for rules."""

import re
from collections.abc import Sequence
from functools import cache


def read_directives(text: bytes, beginnings: Sequence[str]) -> tuple[tuple[int, str], ...]:
    """(line, text) of the lines of a file that begin so, but for space before it."""
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
