"""Builds trees and repositories at several commits, and says what each build lost.

A row is a build: nothing may be lost to an error of MU's, and no build may die. A repository is
built at commits spread over the newest half of its history, a tree as it stands; both from a copy.
"""

import io
import json
import os
import shutil
import subprocess
import sys
import tempfile
from argparse import ArgumentParser, Namespace
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from benchmarks.measuring import CommandError, run
from benchmarks.tables import print_table

MU = str(Path(sys.executable).with_name("mu"))
_BUILT = (0, 5)
_MB = 1_000_000


@dataclass(frozen=True, slots=True)
class Survival:
    """One build: `files` were seen, `lost` are those that should be in the graph and are not.

    `unlinked` are in it with open references for an error of MU's; `skipped` counts those left out
    on purpose, by reason. `died` is the last line of a build that ended without a graph. `cpu` is
    in seconds, `peak` in bytes of the largest process.
    """

    name: str
    commit: str
    files: int = 0
    lines: int = 0
    indexed: int = 0
    skipped: dict[str, int] | None = None
    lost: tuple[str, ...] = ()
    unlinked: tuple[str, ...] = ()
    died: str = ""
    cpu: float = 0.0
    peak: int = 0

    @property
    def is_whole(self) -> bool:
        """Whether all files that should be in the graph are, in full."""
        return not (self.died or self.lost or self.unlinked)


def add_arguments(parser: ArgumentParser) -> None:
    """Add what the command takes."""
    parser.add_argument("paths", nargs="+", type=Path, help="trees, or git repositories")
    parser.add_argument("--commits", type=int, default=3, help="of a repository")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--most-cpu", type=int, default=300, help="seconds a process")
    parser.add_argument("--json", type=Path, metavar="FILE", help="adds a line for each build")


def run_command(options: Namespace) -> None:
    """Build what is named, print what each build lost, and end with 1 if any lost something."""
    builds = []
    for build in _build_all(options):
        builds.append(build)
        if options.json:
            with options.json.open("a", encoding="utf-8") as file:
                file.write(json.dumps(asdict(build)) + "\n")
    _print(builds)
    sys.exit(not all(build.is_whole for build in builds))


def _build_all(options: Namespace) -> Iterator[Survival]:
    """Build what is named, one after another."""
    with tempfile.TemporaryDirectory(prefix="mu-survival-") as scratch:
        for path in options.paths:
            for commit in _commits(path, options.commits):
                folder, cache = Path(scratch) / "source", Path(scratch) / "cache"
                _copy(path, commit, folder)
                command = [MU, "kernel", "build", str(folder), "--json"]
                command += ["--jobs", str(options.jobs)]
                yield _build(path, commit, command, cache=cache, most_cpu=options.most_cpu)
                shutil.rmtree(folder)


def _print(builds: Sequence[Survival]) -> None:
    """Print a row for each build, and below them what was lost."""
    rows = [
        (
            f"{build.name} {build.commit}".strip(),
            f"{build.files:,}",
            f"{build.lines:,}",
            f"{build.indexed:,}",
            f"{sum((build.skipped or {}).values()):,}",
            f"{len(build.lost):,}" if not build.died else "all",
            f"{len(build.unlinked):,}",
            f"{build.cpu:.1f}",
            f"{build.peak / _MB:.0f}",
        )
        for build in builds
    ]
    header = ("build", "files", "lines", "indexed", "left out", "lost", "not linked")
    print_table((*header, "CPU s", "peak MB"), rows)
    for build in builds:
        for what in (*build.lost, *build.unlinked, *([build.died] if build.died else ())):
            print(f"{build.name} {build.commit}: {what}", flush=True)
    whole = sum(build.is_whole for build in builds)
    print(f"{whole} of {len(builds)} builds are whole", flush=True)


def _build(
    path: Path, commit: str, command: Sequence[str], *, cache: Path, most_cpu: int
) -> Survival:
    name = path.parent.name if path.name in (".git", "repo") else path.name.removesuffix(".git")
    try:
        finished = run(command, accept=_BUILT, cache=cache, most_cpu=most_cpu)
    except CommandError as error:
        return Survival(name, commit, died=str(error).splitlines()[-1])
    report = json.loads(finished.output)
    skipped = report["skipped"]
    return Survival(
        name=name,
        commit=commit,
        files=report["files"],
        lines=report["lines"],
        indexed=report["indexed"],
        skipped=dict(Counter(row["reason"] for row in skipped if not row["is_lost"])),
        lost=tuple(f"{row['path']}: {row['reason']}" for row in skipped if row["is_lost"]),
        unlinked=tuple(f"{row['path']}: {row['error']}" for row in report["unlinked"]),
        cpu=finished.usage.cpu,
        peak=finished.largest,
    )


def _commits(path: Path, count: int) -> list[str]:
    """The newest commit and others further back, of a repository; one without a name of a tree."""
    folder = _repository(path)
    if folder is None:
        return [""]
    listed = _git(folder, "rev-list", "--first-parent", "HEAD").decode().split()
    places = dict.fromkeys(len(listed) * place // (2 * count) for place in range(count))
    return [listed[place][:10] for place in places]


def _copy(path: Path, commit: str, folder: Path) -> None:
    repository = _repository(path)
    if repository is None:
        shutil.copytree(path, folder, symlinks=True)
        return
    listed = _git(repository, "ls-tree", "-r", "-z", commit).split(b"\0")[:-1]
    files = [row.split(b"\t", 1) for row in listed if row.startswith(b"100")]
    asked = b"".join(head.split()[2] + b"\n" for head, _ in files)
    blobs = io.BytesIO(_git(repository, "cat-file", "--batch", asked=asked))
    for _, path_bytes in files:
        head = blobs.readline().split()
        if head[1] != b"missing":  # a clone may be partial
            target = folder / os.fsdecode(path_bytes)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(blobs.read(int(head[2])))
            blobs.read(1)


def _repository(path: Path) -> Path | None:
    """The git folder of what is named, if it has one."""
    return next((one for one in (path, path / ".git") if (one / "objects").is_dir()), None)


def _git(folder: Path, *arguments: str, asked: bytes = b"") -> bytes:
    command = ["git", f"--git-dir={folder}", *arguments]
    return subprocess.run(command, input=asked, check=True, capture_output=True).stdout
