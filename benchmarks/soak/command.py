"""`python -m benchmarks soak [part ...]`: runs parts, prints figures, fails if anything did."""

import argparse
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from pathlib import Path

from benchmarks.soak.builds import build_at_once, kill_builds, read_beside_builds
from benchmarks.soak.damages import damage_cache, damage_graphs
from benchmarks.soak.disks import fill_disks
from benchmarks.soak.repository import Outcome
from benchmarks.soak.revisions import (
    damage_kept_graphs,
    kill_column_imports,
    kill_revision_builds,
)

PARTS: Mapping[str, tuple[Callable[[Path, int], Outcome], int]] = {
    "kills": (kill_builds, 60),
    "readers": (read_beside_builds, 16),
    "builders": (build_at_once, 8),
    "disks": (fill_disks, 20),
    "damages": (damage_graphs, 250),
    "cache": (damage_cache, 9),
    "revisions": (kill_revision_builds, 60),
    "columns": (kill_column_imports, 60),
    "kept": (damage_kept_graphs, 30),
}
"""Each part and how often it is tried."""

_SHOWN = 10


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the parts, and how often each is tried."""
    parser.add_argument("parts", nargs="*", metavar="PART", help=", ".join(PARTS))
    parser.add_argument("--count", type=int, help="tries of each part, instead of its own number")


def run_command(options: argparse.Namespace) -> None:
    """Run the parts that are named, all without a name; ends with status 1 if one failed."""
    unknown = [name for name in options.parts if name not in PARTS]
    if unknown:
        sys.exit(f"no part {unknown[0]}: there are {', '.join(PARTS)}")
    failed = 0
    for name in options.parts or PARTS:
        run, usual = PARTS[name]
        began = time.monotonic()
        with tempfile.TemporaryDirectory(prefix="mu-soak-") as scratch:
            outcome = run(Path(scratch), options.count or usual)
        _print(outcome, time.monotonic() - began)
        failed += bool(outcome.failures)
    if failed:
        sys.exit(1)


def _print(outcome: Outcome, seconds: float) -> None:
    figures = ", ".join(f"{name} {value}" for name, value in outcome.figures.items())
    verdict = f"{len(outcome.failures)} failures" if outcome.failures else "none failed"
    print(
        f"{outcome.part}: {outcome.runs} tried, {verdict}; {figures}; {seconds:.0f} s", flush=True
    )
    for failure in outcome.failures[:_SHOWN]:
        print(f"  {failure}")
