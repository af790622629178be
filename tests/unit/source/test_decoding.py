"""From the bytes on disk to UTF-8 with LF line ends."""

import codecs

import pytest

from mu.source.decoding import decode


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b"", b""),
        (b"x = 1\n", b"x = 1\n"),
        ("x = 'é'\n".encode(), "x = 'é'\n".encode()),
        (codecs.BOM_UTF8 + b"x = 1\n", b"x = 1\n"),
        (codecs.BOM_UTF16_LE + "x = 'é'\n".encode("utf-16-le"), "x = 'é'\n".encode()),
        (codecs.BOM_UTF16_BE + "x = 'é'\n".encode("utf-16-be"), "x = 'é'\n".encode()),
        (codecs.BOM_UTF32_LE + "x = 'é'\n".encode("utf-32-le"), "x = 'é'\n".encode()),
        (b"a\r\nb\rc\n\r\r\n", b"a\nb\nc\n\n\n"),
        (b"a\x0cb\x0b\n", b"a\x0cb\x0b\n"),
        (b"# coding: latin-1\n'\xe9'\n", "# coding: latin-1\n'é'\n".encode()),
        (b"#!/bin/x\r# vim: set fileencoding=cp1252 :\r\x80", None),
        (b"/* -*- coding: iso-8859-15-unix -*- */\n\xa4", None),
        ("# coding=shift_jis\n日本".encode("shift_jis"), "# coding=shift_jis\n日本".encode()),
        ("# coding: utf-8-sig\né".encode(), "# coding: utf-8-sig\né".encode()),
        ("# coding: ascii\né".encode(), "# coding: ascii\né".encode()),
    ],
)
def test_text_is_read(data: bytes, text: bytes | None) -> None:
    decoded, problems = decode(data)

    assert problems == ()
    assert decoded == text if text is not None else decoded.endswith("€".encode())


def test_declaration_counts_in_the_first_two_lines_only() -> None:
    late = b"#\n#\n# coding: latin-1\n'\xe9'\n"
    after_code = b"x = 1\n# coding: latin-1\n'\xe9'\n"

    assert decode(late)[1] == ("4: bytes that are not UTF-8, replaced",)
    assert decode(after_code)[1] == ("3: bytes that are not UTF-8, replaced",)


@pytest.mark.parametrize("name", ["rot13", "utf-7", "unicode_escape", "idna", "nonsense"])
def test_encoding_that_is_not_for_text_is_a_problem(name: str) -> None:
    text, problems = decode(f"#\n# coding: {name}\nx\n".encode())

    assert text.endswith(b"\nx\n")
    assert problems == (f"2: the encoding {name} is not known, read as UTF-8",)


def test_bytes_that_do_not_decode_are_replaced_with_the_line() -> None:
    text, problems = decode(b"a\r\nb\rx = '\xff'\n")

    assert text == "a\nb\nx = '\ufffd'\n".encode()
    assert problems == ("3: bytes that are not UTF-8, replaced",)


def test_declared_encoding_that_does_not_fit_is_replaced() -> None:
    _, problems = decode(b"# coding: euc-jp\n\xff\n")

    assert problems == ("2: bytes that are not EUC_JP, replaced",)


@pytest.mark.parametrize("data", [b"\0", b"\x7fELF\0\0", codecs.BOM_UTF8 + b"a\0"])
def test_unexplained_nul_is_binary(data: bytes) -> None:
    with pytest.raises(ValueError, match="binary"):
        decode(data)
