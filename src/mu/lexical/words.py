"""Split text and identifiers into words.

`AuthService`, `auth_service` and `auth service` are the same two words; an acronym is one word
(`HTTPServer`: http, server), digits belong to the letters before them (`sha256`), and other scripts
than Latin have no case to split at. Words of one letter and numbers say nothing and are left out.
"""

import re

LONGEST = 40
"""Longer ones are data: digests, encoded bytes."""

TOKEN = re.compile(
    r"[A-Z]+(?=[A-Z][a-z])[0-9]*"  # an acronym before a word: HTTP in HTTPServer
    r"|[A-Z]?[^\W\dA-Z_]+[0-9]*"
    r"|[A-Z]+[0-9]*"
)


def split_words(text: str) -> list[str]:
    """Give the words of `text` in order, in lower case."""
    return [word.lower() for word in TOKEN.findall(text) if 2 <= len(word) <= LONGEST]
