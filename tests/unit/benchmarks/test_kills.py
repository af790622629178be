"""Builds are killed, and what they leave is looked at."""

import random
from pathlib import Path

from benchmarks.kills import kill_builds


def test_what_killed_builds_leave_is_whole(tmp_path: Path) -> None:
    source = tmp_path / "shop"
    source.mkdir()
    (source / "cart.py").write_text("def total(rows):\n    print(rows)\n    return sum(rows)\n")
    (source / "web.py").write_text("from cart import total\n\n\ndef show():\n    total([1])\n")
    result = kill_builds(source, tmp_path, 3, random.Random(5))
    assert result.points == 3
    assert not result.wrong


def test_a_damaged_graph_is_no_whole_one(tmp_path: Path) -> None:
    from benchmarks.kills import _digest

    (tmp_path / ".mubase").write_bytes(b"half a file")
    assert _digest(tmp_path / ".mubase").startswith("damaged")
