"""What a stranger's text may do to a terminal: nothing."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mu.render.text import printable


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain näme 変数", "plain näme 変数"),
        ("\x1b[31mred\x1b[0m", "\\x1b[31mred\\x1b[0m"),
        ("a\nb\tc\rd", "a\\nb\\tc\\rd"),
        ("\x9b2J", "\\x9b2J"),
        ("abc\u202edef", "abc\\u202edef"),
        ("zero\u200bwidth", "zero\\u200bwidth"),
        ("caf\udce9.py", "caf\\xe9.py"),
        ("\U000e0041", "\\U000e0041"),
        ("\x00\x7f", "\\x00\\x7f"),
    ],
)
def test_what_does_not_show_as_itself_is_an_escape(text: str, shown: str) -> None:
    assert printable(text) == shown


def test_lines_stay_when_asked() -> None:
    assert printable("a\nb\r\x1b", keep_lines=True) == "a\nb\\r\\x1b"


@given(st.text(alphabet=st.characters()), st.booleans())
def test_nothing_that_acts_or_hides_is_left(text: str, keep_lines: bool) -> None:
    shown = printable(text, keep_lines=keep_lines)
    allowed = "\n" if keep_lines else ""
    assert not [c for c in shown if unicodedata.category(c) in {"Cc", "Cs"} and c not in allowed]
    assert not [c for c in shown if unicodedata.bidirectional(c) in {"RLO", "LRO", "RLI", "PDF"}]
    shown.encode()
