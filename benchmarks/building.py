"""The build against the bare parse of the same files, and how its cost grows with them."""

import json
import os
import shutil
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from benchmarks.corpora import Corpus
from benchmarks.measuring import Usage, median_usage, peak_memory, run

MU = str(Path(sys.executable).with_name("mu"))
BUILT = (0, 5)  # 5: a file is missing that should be in the graph; the stdlib has broken ones


@dataclass(frozen=True, slots=True)
class BuildFigures:
    """One corpus measured; seconds and bytes, medians of the runs.

    `build` is the first one, `edited` the next with one file changed, and `unchanged` the one after
    that. `stages` are the first one's own wall times; the ratios are to the floor's CPU, which is
    its wall.
    """

    corpus: str
    files: int
    lines: int
    source_bytes: int
    floor: Usage
    build: Usage
    edited: Usage
    unchanged: Usage
    wall_ratio: float
    cpu_ratio: float
    peak_bytes: int
    graph_bytes: int
    size_ratio: float
    nodes: int
    edges: int
    stages: dict[str, float]


def measure_build(corpus: Corpus, *, runs: int, jobs: int | None = None) -> BuildFigures:
    """Measure floor and builds of a corpus in turns, then the first build's memory once."""
    command = [MU, "kernel", "build", str(corpus.root), "--json"]
    command += ["--jobs", str(jobs)] if jobs else []
    cache = corpus.root.with_name(f"{corpus.root.name}.cache")
    floors, builds, edits, idles, reports = [], [], [], [], []
    for _ in range(runs):
        floors.append(_floor(corpus))
        _forget(corpus, cache)
        finished = run(command, accept=BUILT, cache=cache)
        builds.append(finished.usage)
        reports.append(json.loads(finished.output))
        with (corpus.root / corpus.files[0][0]).open("a") as file:
            file.write("\n")
        edits.append(run(command, accept=BUILT, cache=cache).usage)
        idles.append(run(command, accept=BUILT, cache=cache).usage)
    _forget(corpus, cache)
    peak = peak_memory(command, accept=BUILT, cache=cache)
    floor, build = median_usage(floors), median_usage(builds)
    size = (corpus.root / ".mubase").stat().st_size
    return BuildFigures(
        corpus=corpus.name,
        files=len(corpus.files),
        lines=corpus.lines,
        source_bytes=corpus.bytes,
        floor=floor,
        build=build,
        edited=median_usage(edits),
        unchanged=median_usage(idles),
        wall_ratio=build.wall / floor.wall,
        cpu_ratio=build.cpu / floor.cpu,
        peak_bytes=peak,
        graph_bytes=size,
        size_ratio=size / corpus.bytes,
        nodes=reports[0]["nodes"],
        edges=reports[0]["edges"],
        stages=_median_stages(reports),
    )


def _floor(corpus: Corpus) -> Usage:
    pairs = [
        os.fsencode(word)
        for path, grammar in corpus.files
        for word in (grammar, str(corpus.root / path))
    ]
    listing = corpus.root.with_name(corpus.root.name + ".files")
    listing.write_bytes(b"\0".join(pairs))
    output = run([sys.executable, "-m", "benchmarks.floor", str(listing)]).output
    return Usage(**json.loads(output))


def _forget(corpus: Corpus, cache: Path) -> None:
    (corpus.root / ".mubase").unlink(missing_ok=True)
    shutil.rmtree(cache, ignore_errors=True)


def _median_stages(reports: Sequence[dict[str, list[dict[str, float]]]]) -> dict[str, float]:
    names = [str(stage["name"]) for stage in reports[0]["stages"]]
    return {
        name: median(report["stages"][place]["seconds"] for report in reports)
        for place, name in enumerate(names)
    }
