"""A short form of `make soak`: each part of it, a few times."""

from pathlib import Path

import pytest
from benchmarks.soak.command import PARTS

SHORT = {
    "kills": 2,
    "readers": 2,
    "builders": 2,
    "disks": 2,
    "damages": 6,
    "cache": 2,
    "revisions": 4,
    "columns": 4,
    "kept": 2,
}


@pytest.mark.slow("builds, kills and asks in real processes")
@pytest.mark.parametrize("part", PARTS)
def test_a_part_of_the_soak_fails_nowhere(part: str, tmp_path: Path) -> None:
    run, _ = PARTS[part]
    outcome = run(tmp_path, SHORT[part])
    assert outcome.failures == ()
    assert outcome.runs == SHORT[part]
