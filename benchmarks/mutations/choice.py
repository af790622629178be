"""A plugin of pytest that runs the tests that a file names, in its order, and no others."""

import os
from pathlib import Path

import pytest


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Take the tests whose ids are the lines of the file that `MUTATIONS_TESTS` names."""
    named = Path(os.environ["MUTATIONS_TESTS"]).read_text(encoding="utf-8").split("\n")
    place = {name: number for number, name in enumerate(named)}
    chosen = [item for item in items if item.nodeid in place]
    config.hook.pytest_deselected(items=[item for item in items if item.nodeid not in place])
    items[:] = sorted(chosen, key=lambda item: place[item.nodeid])
