"""A plugin of pytest that writes which tests enter certain functions.

    pytest -p entering

`ENTERING` holds, as JSON, the first lines of the functions by the path of their file, and
`ENTERING_TESTS` names the file for the tests' ids, one a line. It is loaded by the interpreter of
another project and imports nothing of this one.
"""

import json
import os
import sys
from collections.abc import Generator
from pathlib import Path
from types import CodeType, FrameType

import pytest

_WANTED = {
    (path, line) for path, lines in json.loads(os.environ["ENTERING"]).items() for line in lines
}
_known: dict[int, tuple[CodeType, bool]] = {}
_entered: list[bool] = []


def _trace(frame: FrameType, *_: object) -> None:
    code = frame.f_code
    found = _known.get(id(code))
    if found is None:
        is_wanted = (os.path.realpath(code.co_filename), code.co_firstlineno) in _WANTED
        found = _known[id(code)] = code, is_wanted
    if found[1]:
        _entered.append(True)
        sys.settrace(None)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """Trace a test with its fixtures, until it enters one of the functions."""
    _entered.clear()
    sys.settrace(_trace)
    try:
        return (yield)
    finally:
        sys.settrace(None)
        if _entered:
            with Path(os.environ["ENTERING_TESTS"]).open("a", encoding="utf-8") as file:
                file.write(f"{item.nodeid}\n")
