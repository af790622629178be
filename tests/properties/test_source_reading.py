"""Any bytes in a file or a name are read, or left out with a reason."""

import os
from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import given
from hypothesis import strategies as st

from mu.source import SkippedSource, SourceText, native_path, path_text, read_source

heads = st.sampled_from([b"", b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff", b"\xff\xfe\0\0"])
declarations = st.sampled_from(
    [b"", b"# coding: latin-1\n", b"#\r# -*- coding: utf-7 -*-\r", b"# coding: iso-2022-jp\n"]
)


@given(heads, declarations, st.binary(max_size=200))
def test_any_bytes_become_valid_utf8_with_lf_line_ends(
    head: bytes, declaration: bytes, rest: bytes
) -> None:
    with TemporaryDirectory() as folder:
        data = head + declaration + rest
        Path(folder, "a.py").write_bytes(data)
        source = read_or_reason(Path(folder))

    if isinstance(source, str):
        assert source == "binary"
        assert b"\0" in data
        return
    source.text.decode("utf-8")
    assert b"\r" not in source.text
    assert source.lines == len(source.text.removesuffix(b"\n").split(b"\n")) - (not source.text)
    assert source.size == len(data)


@given(st.binary(min_size=1, max_size=40).filter(lambda name: b"\0" not in name))
def test_any_name_has_one_clean_text_form(name: bytes) -> None:
    text = path_text(os.fsdecode(name))

    text.encode("utf-8")
    assert os.fsencode(native_path(text)) == name


@given(st.binary(max_size=12), st.binary(max_size=12))
def test_different_names_have_different_text_forms(one: bytes, other: bytes) -> None:
    assert (path_text(os.fsdecode(one)) == path_text(os.fsdecode(other))) is (one == other)


def read_or_reason(root: Path) -> SourceText | str:
    try:
        return read_source(root, "a.py", max_file_size=1_000)
    except SkippedSource as skipped:
        return skipped.message
