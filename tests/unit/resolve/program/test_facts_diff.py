"""Versions of a file that linking cannot tell apart."""

import pytest

from mu.resolve.program.facts_diff import is_alike
from mu.syntax import Extractor

_TEXT = b'package main\n\nimport "C"\n\n//export Add\nfunc Add() {}\n\nfunc main() { C.put() }\n'


@pytest.mark.parametrize(
    ("before", "after", "alike"),
    [
        (b"package main\n", b"package main\n\n\n", True),
        (b"//export Add", b"//export Put", False),
        (b"//export Add\n", b"", False),
        (b"//export Add\nfunc Add() {}", b"func Add() {}\n//export Add", False),
    ],
)
def test_directives_count(before: bytes, after: bytes, alike: bool) -> None:
    extractor = Extractor()
    old = extractor.extract(_TEXT, "go")
    new = extractor.extract(_TEXT.replace(before, after, 1), "go")
    assert is_alike(old, new) is alike
