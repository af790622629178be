"""A short form of `make soak`: each part of it, once or a few times; some only by `make test-long`.

What a killed build, import or commit leaves is tested step by step by `test_build_survival`,
`test_columns` and `test_graph_cache`; this shows that the soak itself finds what it should.
"""

from pathlib import Path

import pytest
from benchmarks.soak.command import PARTS

SHORT = {
    "kills": 1,
    "readers": 2,
    "builders": 2,
    "disks": 2,
    "damages": 6,
    "cache": 1,
    "revisions": 2,
    "columns": 2,
    "kept": 1,
}

OFTEN = ("kills", "damages", "columns")
_LIKE = "starts the commands that the other parts start"


@pytest.mark.slow("builds, kills and asks in real processes")
@pytest.mark.parametrize(
    "part",
    [
        pytest.param(part, marks=() if part in OFTEN else pytest.mark.long(reason=_LIKE))
        for part in PARTS
    ],
)
def test_a_part_of_the_soak_fails_nowhere(part: str, tmp_path: Path) -> None:
    run, _ = PARTS[part]
    outcome = run(tmp_path, SHORT[part])
    assert outcome.failures == ()
    assert outcome.runs == SHORT[part]
