"""What of a page of markup is code."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mu.syntax.text.embedded_code import embedded_code

PAGE = b"""\
<!-- <script>no()</script> -->
<template><p v-if="a > b">{{ no }}</p></template>
<script setup lang="ts" generic="T extends List<string>">
const a = 1;
</script>
<style>.a { color: red }</style>
<script>const b = 2</script>
"""


def test_code_stands_where_it_stood() -> None:
    code = embedded_code(PAGE, "script").text

    assert code.split() == b"const a = 1; const b = 2".split()
    assert code.index(b"const a") == PAGE.index(b"const a")
    assert code.count(b"\n") == PAGE.count(b"\n")


@pytest.mark.parametrize(
    ("page", "code"),
    [
        (b"<p>no</p>", b""),
        (b"<scripted>no</scripted>", b""),
        (b"<SCRIPT>a</SCRIPT >", b"a"),
        (b"<script src='x'></script><script>a", b"a"),
        (b"<!-- <script>no</script>", b""),
        (b"", b""),
    ],
)
def test_what_is_an_element(page: bytes, code: bytes) -> None:
    assert embedded_code(page, "script").text.strip() == code


MUSTACHE = r"\{\{(?P<code>[^{}]*)\}\}"
BRACES = r"\{(?P<code>[^{}]+)\}"
BOUND = r'(?<=\s):\w+="(?P<code>[^"]*)"'


@pytest.mark.parametrize(
    ("page", "code"),
    [
        (b"<p>{{ a }}{{b}}</p>", b";  ;( a ) ;(b)    ;"),
        (b'<p :is="a > b" on="c"/>', b";     ;(a > b)        ;"),
        (b"<p>{a}{b}\n{c}\n</p>", b";  +a;+b;\n+c;\n   ;"),
        (b"<p>{() => a}</p>", b";  {() => a}   ;"),
        (b'<p :is="a = 1; b()"/>', b";     ;{a = 1; b()} ;"),
        (b"<!-- {a} --><style>{b}</style> ", b";                             ;"),
    ],
)
def test_expressions_of_markup_are_statements(page: bytes, code: bytes) -> None:
    found = embedded_code(page, "script", markup=(MUSTACHE, BRACES, BOUND))

    assert found.text == code
    assert found.without(found.expressions).text.strip(b" ;\n") == b""


@given(st.binary(max_size=200))
def test_any_text_keeps_its_length_and_lines(text: bytes) -> None:
    code = embedded_code(text, "script", markup=(MUSTACHE, BRACES, BOUND)).text

    assert len(code) == len(text)
    assert code.count(b"\n") == text.count(b"\n")
