"""A plugin of pytest that writes which functions of MU each test enters, and what it costs.

    pytest -p benchmarks.mutations.reach

The file that `MUTATIONS_REACH` names holds a line of JSON a test: its id, its CPU seconds, and the
functions as `path:qualified name`. What is run once a process, as what `functools.cache` keeps, is
put down to the first test that needs it.
"""

import json
import os
import sys
import time
from collections.abc import Generator
from pathlib import Path
from types import CodeType, FrameType

import pytest

_SOURCES = str(Path.cwd() / "src") + os.sep
_known: dict[int, tuple[CodeType, str]] = {}
_seen: set[int] = set()


def _trace(frame: FrameType, *_: object) -> None:
    code = frame.f_code
    place = id(code)
    if place not in _seen:
        _seen.add(place)
        if place not in _known:
            inside = code.co_filename.startswith(_SOURCES)
            name = code.co_filename.removeprefix(_SOURCES) + ":" + code.co_qualname
            _known[place] = (code, f"src/{name}" if inside else "")


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """Trace a test, its fixtures included, and write what it entered."""
    _seen.clear()
    began = time.process_time()
    sys.settrace(_trace)
    try:
        return (yield)
    finally:
        sys.settrace(None)
        entered = sorted({_known[place][1] for place in _seen} - {""})
        row = {"test": item.nodeid, "cost": time.process_time() - began, "entered": entered}
        with Path(os.environ["MUTATIONS_REACH"]).open("a", encoding="utf-8") as file:
            file.write(json.dumps(row) + "\n")
