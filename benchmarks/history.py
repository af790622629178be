"""Commits of real repositories: what the graph costs that goes from one to the next.

Of a copy of each clone the commits of the main line are checked out, from older to newer, and the
graph is brought up to date after each. With `--check` it is held against one from scratch.
"""

import subprocess
import sys
import tempfile
from argparse import ArgumentParser, Namespace
from dataclasses import replace
from pathlib import Path

from benchmarks.edits import Edits, are_same, note, print_edits, reasons, tables
from mu.kernel import BuildSettings, build


def add_arguments(parser: ArgumentParser) -> None:
    """Add what the command takes."""
    parser.add_argument("clones", nargs="+", type=Path, metavar="CLONE", help="git repositories")
    parser.add_argument("--commits", type=int, default=40, help="of each, the newest")
    parser.add_argument("--skip", type=int, default=0, help="so many newer ones are left out")
    parser.add_argument("--check", action="store_true", help="hold each graph against a new one")


def run_command(options: Namespace) -> None:
    """Print what became of the commits, and end with 1 if any graph differed."""
    results = []
    for clone in options.clones:
        with tempfile.TemporaryDirectory(prefix="mu-history-") as scratch:
            results.append(_follow(clone.resolve(), Path(scratch), options))
    print_edits(results)
    sys.exit(any(result.different for result in results))


def _follow(clone: Path, scratch: Path, options: Namespace) -> Edits:
    root, anew = scratch / "tree", scratch / "anew"
    _git(scratch, "clone", "--quiet", "--shared", str(clone), str(root))
    listed = _git(
        *(root, "log", "--first-parent", "--format=%H", f"--skip={options.skip}"),
        f"--max-count={options.commits + 1}",
    )
    first, *commits = listed.split()[::-1]
    settings = BuildSettings(facts=scratch / "facts")
    others = replace(settings, facts=scratch / "facts-anew")
    _check_out(root, first)
    result = Edits(clone.name, build(root, settings).files)
    for commit in commits:
        _check_out(root, commit)
        with reasons() as why:
            report = build(root, settings)
        note(result, report, why)
        result.kinds["commit"] += 1
        if options.check and report.updated is not None:
            anew.unlink(missing_ok=True)
            whole = build(root, others, graph_file=anew)
            result.whole.append(whole.seconds)
            if not are_same(report, whole) or tables(root / ".mubase") != tables(anew):
                result.different.append(commit)
                build(root, replace(settings, is_full=True))
    return result


def _check_out(root: Path, commit: str) -> None:
    """Put the files of a commit in place, but for those that a partial clone has no text of."""
    command = ["git", "-C", str(root), "checkout", "--quiet", "--force", commit]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    if done.returncode and "unable to read sha1 file" not in done.stderr:
        sys.exit(f"{commit} of {root.name} cannot be checked out: {done.stderr.strip()}")


def _git(folder: Path, *arguments: str) -> str:
    done = subprocess.run(
        ["git", "-C", str(folder), *arguments], check=True, capture_output=True, text=True
    )
    return done.stdout
