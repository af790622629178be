"""Split text and identifiers into words.

`AuthService`, `auth_service` and `auth service` are the same two words; an acronym is one word
(`HTTPServer`: http, server), digits belong to the letters before them (`sha256`), and words in
other scripts than Latin are not split at capitals. One-letter words and numbers are left out.
"""

import re

LONGEST = 40
"""The greatest length of a word, in characters; longer ones are data: digests, encoded bytes."""

TOKEN = re.compile(
    r"[A-Z]+(?=[A-Z][a-z])[0-9]*"  # an acronym before a word: HTTP in HTTPServer
    r"|[A-Z]?[^\W\dA-Z_]+[0-9]*"
    r"|[A-Z]+[0-9]*"
)


def split_words(text: str) -> list[str]:
    """Return the words of `text` in order, in lower case."""
    return [word.lower() for word in TOKEN.findall(text) if 2 <= len(word) <= LONGEST]
