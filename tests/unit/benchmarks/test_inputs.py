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
    # What a branch leaves of each name is told for each, up to `reaching.MOST_WORK`.
    "checks of many names (.py)",
    # The tests to the left are read again at each `or`, up to `walk.DEPTH`.
    "or of isinstance (.py)", "or of checks (.ts)",
}  # fmt: skip
"""Where work grows faster at these sizes, and in proportion from a bound on."""

_LONGER = {"else if let (.rs)", "else if that declare (.go)"}
"""What is walked a second time from a depth of `walk.LEVELS` on: both texts are to be that deep."""


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
    ("case", "size"),
    [
        pytest.param(
            case,
            2 * _SHORT if name in _LONGER else _SHORT,
            id=name,
            marks=[pytest.mark.xfail(reason="faster than in proportion")] if name in _KNOWN else [],
        )
        for name, case in _CASES.items()
    ],
)
def test_work_grows_in_proportion(extractor: Extractor, case: Case, size: int) -> None:
    language = _LANGUAGES[case.suffix]
    extractor.extract(case.text(size // 4).encode(), language)  # what is made once
    short = work_of(extractor, case.text(size), language)
    long = work_of(extractor, case.text(_TIMES * size), language)

    assert long <= _MOST * short


def test_known_cases_exist() -> None:
    assert set(_CASES) >= _KNOWN | _LONGER
