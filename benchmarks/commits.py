"""Time `mu kernel build --rev` against the number of changed files.

Of each clone HEAD is built with an empty cache; then older commits, further and further back, each
with the cache as it was behind HEAD. Counted are blobs of indexed files that HEAD does not hold.
CPU is of the command with its workers.
"""

import argparse
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import msgspec

from benchmarks.measuring import Usage, run
from benchmarks.tables import print_table

_HEADINGS = ("repository", "commits back", "files", "changed blobs", "CPU, s", "wall, s")


class _Report(msgspec.Struct):
    indexed: int


def main() -> None:
    """Print a row for each commit that is built."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("clones", nargs="+", type=Path, metavar="CLONE")
    parser.add_argument("--back", type=int, nargs="*", default=[1, 10, 100, 300, 1000])
    given = parser.parse_args()
    rows = []
    for clone in given.clones:
        with tempfile.TemporaryDirectory(prefix="mu-commits-") as scratch:
            kept, used = Path(scratch) / "kept", Path(scratch) / "used"
            files, usage = _build(clone, "HEAD", kept)
            rows.append(_row(clone.name, "HEAD, empty cache", files, files, usage))
            for back in given.back:
                shutil.rmtree(used, ignore_errors=True)
                shutil.copytree(kept, used)
                commit = f"HEAD~{back}"
                files, usage = _build(clone, commit, used)
                rows.append(_row(clone.name, str(back), files, _changed(clone, commit), usage))
    print_table(_HEADINGS, rows)


def _row(name: str, back: str, files: int, changed: int, usage: Usage) -> tuple[str, ...]:
    return name, back, str(files), str(changed), f"{usage.cpu:.2f}", f"{usage.wall:.2f}"


def _build(clone: Path, commit: str, cache: Path) -> tuple[int, Usage]:
    """Build the graph of a commit; gives the number of its files, and what it cost."""
    mu = str(Path(sys.executable).with_name("mu"))
    command = [mu, "-C", str(clone), "kernel", "build", "--rev", commit, "--json"]
    done = run(command, cache=cache, accept=(0, 5))
    return msgspec.json.decode(done.output, type=_Report).indexed, done.usage


def _changed(clone: Path, commit: str) -> int:
    """Count the files of code and documentation of a commit that HEAD does not hold as they are."""
    command = ["git", "-C", str(clone), "diff", "--no-renames", "--name-only", "--diff-filter=AM"]
    told = subprocess.run([*command, "HEAD", commit], check=True, capture_output=True, text=True)
    endings = (".py", ".pyi", ".js", ".ts", ".go", ".md", ".rst", ".txt", ".ipynb")
    return sum(path.endswith(endings) for path in told.stdout.splitlines())


if __name__ == "__main__":
    main()
