"""The text form of file names: clean Unicode, and the way back is unique."""

import os

import pytest

from mu.source import native_path, path_text


@pytest.mark.parametrize(
    ("name", "text"),
    [
        (b"src/app.py", "src/app.py"),
        ("naïve/日本.py".encode(), "naïve/日本.py"),
        (b"caf\xe9.py", r"caf\xe9.py"),
        (rb"a\b.py", r"a\b.py"),
        (rb"a\xe9.py", r"a\x5cxe9.py"),
        (rb"a\x5c.py", r"a\x5cx5c.py"),
        (b"new\nline\x1b[31m.py", "new\nline\x1b[31m.py"),
    ],
)
def test_text_form_is_readable_and_reversible(name: bytes, text: str) -> None:
    assert path_text(os.fsdecode(name)) == text
    assert os.fsencode(native_path(text)) == name
