"""`python -m benchmarks.retrieval CLONE... --scratch FOLDER`: find what fixes changed.

Each CLONE is a git repository, bare or not, in a folder that is named for it. The snapshots and
their graphs are put into the scratch folder, and used again by the next run.
"""

import argparse
from pathlib import Path

from benchmarks.retrieval.measuring import measure
from benchmarks.retrieval.reporting import report


def main() -> None:
    """Measure all clones and print the tables."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.retrieval", description=__doc__)
    parser.add_argument("clones", nargs="+", type=Path)
    parser.add_argument("--scratch", type=Path, required=True)
    parser.add_argument(
        "--cases", type=int, default=60, help="fixes that are looked at before each snapshot"
    )
    parser.add_argument("--windows", type=int, default=1, help="snapshots, each with its own fixes")
    options = parser.parse_args()
    found = []
    for clone in options.clones:
        each = measure(clone, options.scratch, most=options.cases, windows=options.windows)
        print(each.repository, *(snapshot[:12] for snapshot in each.snapshots), flush=True)
        found.append(each)
    print(f"\n{report(found)}")


if __name__ == "__main__":
    main()
