"""Builds that have no room: on a small file system where one can be mounted, else by a limit.

Whoever is root gets a `tmpfs`; for others the system refuses files above a size (`RLIMIT_FSIZE`),
which the engine meets as a failing write, too.
"""

import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from benchmarks.soak.builds import check_whole
from benchmarks.soak.repository import LIMIT, Outcome, Repository, build_both, make_repository

_LIMITED = """
import resource, sys
from mu.cli import main
size = int(sys.argv.pop(1))
resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
sys.exit(main())
"""
_PAGE = 4096
_ROOM = 4_000_000


def fill_disks(scratch: Path, count: int) -> Outcome:
    """Build with `count` different amounts of room, from none to enough."""
    with _small_disk(scratch / "disk") as is_mounted:
        repository = make_repository(scratch / "disk" / "tree")
        digests = build_both(repository)
        shutil.rmtree(repository.root.with_name("tree.home"))  # the cache may fill it, too
        need = (repository.root / ".mubase").stat().st_size
        failures: list[str] = []
        refused = 0
        for number in range(count):
            room = 2 * need * number // count
            repository.turn((number + 1) % 2)
            status, errors = _build(repository, room, is_mounted=is_mounted)
            refused += status != 0
            failures += [f"{room:,} bytes: {what}" for what in _judge(repository, status, errors)]
            if repository.digest() not in digests:
                failures.append(f"{room:,} bytes: another graph is in place")
        repository.turn(0)
        done = repository.run("kernel", "build", "--full")
        if done.returncode:
            failures.append(f"with room again: {done.stderr}")
        failures += check_whole(repository, digests[0])
    figures = {"by": "tmpfs" if is_mounted else "RLIMIT_FSIZE", "refused": refused}
    return Outcome("disks", count, tuple(failures), figures)


def _judge(repository: Repository, status: int, errors: str) -> Iterator[str]:
    """A build that fails says so in words, and leaves nothing behind."""
    if status and not errors.startswith("error: "):
        yield f"ended with {status}: {errors[-300:]}"
    if "unexpected" in errors:
        yield errors[:300]
    if left := repository.leftovers():
        yield f"left behind: {', '.join(left)}"


def _build(repository: Repository, room: int, *, is_mounted: bool) -> tuple[int, str]:
    if not is_mounted:
        command = [sys.executable, "-c", _LIMITED, str(room), "kernel", "build", "--full"]
        done = subprocess.run(
            command,
            cwd=repository.root,
            env=repository.environment(),
            capture_output=True,
            text=True,
            check=False,
            timeout=LIMIT,
        )
        return done.returncode, done.stderr
    ballast = repository.root.with_name("ballast")
    free = shutil.disk_usage(repository.root).free
    ballast.write_bytes(bytes(max(free - room // _PAGE * _PAGE, 0)))
    built = repository.run("kernel", "build", "--full")
    ballast.unlink()
    return built.returncode, built.stderr


@contextmanager
def _small_disk(folder: Path) -> Iterator[bool]:
    """Make a folder, on a file system of its own where that can be had; tells whether it is."""
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", f"size={_ROOM}", "tmpfs", str(folder)]
    try:
        is_mounted = not subprocess.run(mount, capture_output=True, check=False).returncode
    except OSError:
        is_mounted = False
    try:
        yield is_mounted
    finally:
        if is_mounted:
            subprocess.run(["umount", str(folder)], check=False)
