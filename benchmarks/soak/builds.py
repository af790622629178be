"""Builds that are killed at any moment, many at once, and readers beside them."""

import json
import os
import signal
import sys
import time
from contextlib import suppress
from pathlib import Path
from subprocess import PIPE, Popen

from benchmarks.soak.repository import LIMIT, Outcome, Repository, build_both, make_repository

_READER = """
import json, sys
from pathlib import Path
from mu.errors import MuError
from mu.operations.navigation.dependencies import callers
from mu.operations.workspace import Workspace

root, stop = Path(sys.argv[1]), Path(sys.argv[2])
reads, digests, errors = 0, set(), []
print("ready", flush=True)
while not stop.exists() or not reads:
    try:
        with Workspace(root) as workspace:
            digests.add(workspace.graph.meta()["digest"])
            if callers(workspace, "aream3").answer.total != 2:
                errors.append("other rows")
    except MuError as error:
        errors.append(error.message)
    reads += 1
print(json.dumps([reads, sorted(digests), errors[:3]]))
"""

_BUILDER = """
import sys
from pathlib import Path
from mu.kernel import BuildSettings, build

print(build(Path(sys.argv[1]), BuildSettings(lock_wait=float(sys.argv[2]), is_full=True)).digest)
"""


def kill_builds(scratch: Path, count: int) -> Outcome:
    """Kill `count` builds, at moments spread over the time that one takes."""
    repository = make_repository(scratch / "killed")
    digests = build_both(repository)
    began = time.monotonic()
    repository.run("kernel", "build", "--full")
    whole = time.monotonic() - began
    failures, finished, kept = [], 0, 0
    for number in range(count):
        repository.turn((number + 1) % 2)
        old = (repository.root / ".mubase").read_bytes()
        with repository.start("kernel", "build", "--full") as process:
            time.sleep(whole * (number + 0.5) / count)
            finished += process.poll() is not None
            kill(process)
            if not ends(process.pid):
                failures.append(f"kill {number}: its workers live on")
        is_old = (repository.root / ".mubase").read_bytes() == old
        kept += is_old
        if not is_old and repository.digest() not in digests:
            failures.append(f"kill {number}: another graph")
    done = repository.run("kernel", "build")
    if done.returncode or repository.leftovers():
        failures.append(f"the next build: {done.stderr or repository.leftovers()}")
    figures = {"seconds a build": round(whole, 1), "old graph kept": kept, "too late": finished}
    return Outcome("kills", count, tuple(failures), figures)


def kill(process: "Popen[str]") -> None:
    """Kill a process, if it is still there, and wait for it."""
    with suppress(ProcessLookupError):
        os.kill(process.pid, signal.SIGKILL)
    process.wait()


def ends(group: int) -> bool:
    """Wait for all of a process group to be gone, which its head has left."""
    until = time.monotonic() + 30
    while time.monotonic() < until:
        try:
            os.killpg(group, 0)
        except ProcessLookupError:
            return True
        time.sleep(0.05)
    with suppress(ProcessLookupError):
        os.killpg(group, signal.SIGKILL)
    return False


def read_beside_builds(scratch: Path, count: int) -> Outcome:
    """Let `count` processes ask again and again while it is built anew, ten times at most."""
    rebuilds = min(count, 10)
    repository = make_repository(scratch / "read")
    digests = build_both(repository)
    stop = scratch / "stop"
    command = [sys.executable, "-c", _READER, str(repository.root), str(stop)]
    readers = [Popen(command, stdout=PIPE, stderr=PIPE, text=True) for _ in range(count)]
    for reader in readers:
        assert reader.stdout is not None
        reader.stdout.readline()
    failures = []
    for number in range(rebuilds):
        repository.turn((number + 1) % 2)
        done = repository.run("kernel", "build")
        if done.returncode:
            failures.append(f"rebuild {number}: {done.stderr}")
    stop.touch()
    reads = 0
    for reader in readers:
        output, errors = reader.communicate(timeout=LIMIT)
        if reader.returncode:
            failures.append(f"a reader ended with {reader.returncode}: {errors[-300:]}")
            continue
        *before, told = output.splitlines()
        if any(before):
            failures.append(f"a reader wrote {before[0]!r}")
        total, seen, wrong = json.loads(told)
        reads += total
        failures += [f"a reader: {text}" for text in wrong]
        if not set(seen) <= set(digests):
            failures.append("a reader saw another graph")
    return Outcome("readers", count, tuple(failures), {"rebuilds": rebuilds, "reads": reads})


def build_at_once(scratch: Path, count: int) -> Outcome:
    """Start `count` builds of one repository together."""
    repository = make_repository(scratch / "built")
    digest, _ = build_both(repository)
    command = [sys.executable, "-c", _BUILDER, str(repository.root), str(LIMIT)]
    began = time.monotonic()
    builders = [Popen(command, stdout=PIPE, stderr=PIPE, text=True) for _ in range(count)]
    failures = []
    for builder in builders:
        output, errors = builder.communicate(timeout=LIMIT)
        if builder.returncode:
            failures.append(f"a build ended with {builder.returncode}: {errors[-300:]}")
        elif output.strip() != digest:
            failures.append("a build made another graph")
    failures += check_whole(repository, digest)
    seconds = round(time.monotonic() - began, 1)
    return Outcome("builders", count, tuple(failures), {"seconds": seconds})


def check_whole(repository: Repository, digest: str) -> list[str]:
    """Tell what is not as after one whole build."""
    left = repository.leftovers()
    wrong = [f"left behind: {', '.join(left)}"] if left else []
    return wrong if repository.digest() == digest else [*wrong, "another graph is in place"]
