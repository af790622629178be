"""Extraction takes work in proportion to the length of a text, whatever grows in it.

Work is counted in lines of MU's code that run, which is the same on any machine. What tree-sitter
does is not in it; `python -m benchmarks inputs` measures all of it, by the clock.
"""

import sys
from collections.abc import Callable
from types import FrameType

import pytest
from benchmarks.inputs.case import Case
from benchmarks.inputs.measuring import all_cases

from mu.syntax import Extractor, load_manifests

_SHORT, _TIMES = 1_000, 4  # bytes, and how many times longer the other text is
_MOST = 5.5  # times the work for four times the text; 16 where it is quadratic

_LANGUAGES = {end: name for name, one in load_manifests().items() for end in one.extensions}
_CASES = {f"{case.name} ({case.suffix})": case for case in all_cases() if case.suffix in _LANGUAGES}

_KNOWN = {
    # A name is looked for in each of the scopes around it, and again when one of them binds it.
    "else if (.go)", "else if that bind (.go)", "else if that declare (.go)", "ifs, nested (.go)",
    "else if (.rs)", "else if let (.rs)", "ifs, nested (.rs)", "matches, nested (.rs)",
    "ifs, nested (.java)", "lambdas (.java)", "loops, nested (.java)", "tries, nested (.java)",
    # Each of many children is looked for among all of them.
    "caught types (.java)",
    # What a branch leaves of each name is told for each.
    "checks of many names (.py)", "or of isinstance (.py)",
    "or of checks (.ts)",
}  # fmt: skip
"""Where work still grows faster: a file of such text is given up after 20 s of CPU."""


@pytest.fixture(scope="module")
def extractor() -> Extractor:
    return Extractor()


def work_of(extractor: Extractor, text: str, language: str) -> int:
    """Count the lines of Python that run while a text is extracted."""
    count = 0

    def on_line(frame: FrameType, event: str, argument: object) -> Callable[..., object]:
        nonlocal count
        count += event == "line"
        return on_line

    before = sys.gettrace()
    sys.settrace(on_line)
    try:
        extractor.extract(text.encode(), language)
    finally:
        sys.settrace(before)
    return count


@pytest.mark.parametrize(
    "case",
    [
        pytest.param(
            case,
            id=name,
            marks=[pytest.mark.xfail(reason="faster than in proportion")] if name in _KNOWN else [],
        )
        for name, case in _CASES.items()
    ],
)
def test_work_grows_in_proportion(extractor: Extractor, case: Case) -> None:
    language = _LANGUAGES[case.suffix]
    extractor.extract(case.text(_SHORT // 4).encode(), language)  # what is made once
    short = work_of(extractor, case.text(_SHORT), language)
    long = work_of(extractor, case.text(_TIMES * _SHORT), language)

    assert long <= _MOST * short


def test_known_cases_exist() -> None:
    assert set(_CASES) >= _KNOWN
