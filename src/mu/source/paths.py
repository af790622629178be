"""The one reversible text form of file names, which are bytes.

Nearly every name is UTF-8 and is its own text. Elsewhere a byte that does not decode is written
`\\xNN`; so that the way back is unique, a backslash that would read as such an escape is written
`\\x5c`. The text is always valid Unicode, which the system's own surrogate form is not.
"""

import os
import re

_LONE_BYTES = re.compile("[\udc80-\udcff]")
_MISTAKABLE = re.compile(r"\\(?=x(?:[89a-f][0-9a-f]|5c))")
_ESCAPE = re.compile(rb"\\x([89a-f][0-9a-f]|5c)")


def path_text(name: str) -> str:
    """Write a name or path as the system gives it (`os.scandir`, surrogates) as clean text."""
    if name.isascii() and "\\" not in name:
        return name
    text = os.fsencode(name).decode("utf-8", "surrogateescape")
    text = _MISTAKABLE.sub(lambda _: r"\x5c", text)
    return _LONE_BYTES.sub(lambda found: f"\\x{ord(found[0]) - 0xDC00:02x}", text)


def native_path(text: str) -> str:
    """Give back the name or path that `path_text` wrote, as the system's calls take it."""
    if "\\" not in text:
        return text
    data = _ESCAPE.sub(lambda found: bytes.fromhex(found[1].decode()), text.encode("utf-8"))
    return os.fsdecode(data)
