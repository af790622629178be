"""Turns the bytes of a source file into UTF-8 that a parser may count lines in.

A byte-order mark decides, then an encoding declared in a comment of the first two lines (PEP 263,
the form that Emacs and Vim know in any language), then UTF-8. Only ordinary text encodings are
believed. LF, CRLF and CR are the only line ends, and all become LF: tree-sitter counts no other.
"""

import codecs
import contextlib
import re

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),  # before UTF-16: its mark starts with theirs
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_DECLARATION = re.compile(
    rb"(?:[ \t\f]*(?:(?:#|//|/\*|--|;|%)[^\r\n]*)?(?:\r\n|\r|\n))?"
    rb"[ \t\f]*(?:#|//|/\*|--|;|%)[^\r\n]*?coding[:=][ \t]*([-.\w]{1,40})"
)
_LINE_END_SUFFIX = re.compile(r"-(?:unix|dos|mac)$")  # of Emacs
_ENCODINGS = frozenset(
    {"utf-8", "ascii", "koi8-r", "koi8-u", "mac-roman", "cp437", "cp850", "cp866"}
    | {f"iso8859-{part}" for part in range(1, 17)}
    | {f"cp{page}" for page in range(1250, 1259)}
    | {"euc_jp", "shift_jis", "cp932", "iso2022_jp", "euc_kr", "cp949"}
    | {"gb2312", "gbk", "gb18030", "big5", "cp950"}
)
"""The codecs that are believed, by Python's names; others (`utf-7`, `rot13`) are not for text."""


def decode(data: bytes) -> tuple[bytes, tuple[str, ...]]:
    """Give UTF-8 bytes with LF line ends, and what went wrong as `line: what` texts.

    Raises ValueError when the data is binary: it holds a NUL that no byte-order mark explains.
    """
    encoding, start = _mark(data)
    if encoding == "utf-8" and b"\0" in data:
        raise ValueError("binary")
    problems: tuple[str, ...] = ()
    if not start:
        encoding, problems = _declared(data)
    text, broken = _to_utf8(data[start:] if start else data, encoding)
    if b"\r" in text:
        text = text.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    return text, (*problems, *broken)


def _mark(data: bytes) -> tuple[str, int]:
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return encoding, len(mark)
    return "utf-8", 0


def _declared(data: bytes) -> tuple[str, tuple[str, ...]]:
    """Give the codec that the first two lines declare, else UTF-8; and a problem if unknown."""
    found = _DECLARATION.match(data) if b"coding" in data[:400] else None
    if found is None:
        return "utf-8", ()
    name = found[1].decode("ascii")
    with contextlib.suppress(LookupError):
        codec = codecs.lookup(_LINE_END_SUFFIX.sub("", name.lower())).name.removesuffix("-sig")
        if codec in _ENCODINGS:
            return ("utf-8" if codec == "ascii" else codec), ()
    line = _line_at(data, found.start(1))
    return "utf-8", (f"{line}: the encoding {name} is not known, read as UTF-8",)


def _to_utf8(data: bytes, encoding: str) -> tuple[bytes, tuple[str, ...]]:
    if encoding == "utf-8" and data.isascii():
        return data, ()
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError as error:
        line = _line_at(data, error.start)
        problem = f"{line}: bytes that are not {encoding.upper()}, replaced"
        return data.decode(encoding, "replace").encode("utf-8", "replace"), (problem,)
    return (data if encoding == "utf-8" else text.encode("utf-8", "replace")), ()


def _line_at(data: bytes, offset: int) -> int:
    before = data[:offset]
    return 1 + before.count(b"\n") + before.count(b"\r") - before.count(b"\r\n")
