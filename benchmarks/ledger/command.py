"""`python -m benchmarks ledger FOLDER...`: names without a row on their line, by language.

Each folder is copied and built first, or read with its `.mubase` if it has one and `--built` is
given.
"""

import argparse
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from benchmarks.building import BUILT, MU
from benchmarks.corpora import stage
from benchmarks.ledger.positions import Position
from benchmarks.ledger.rows import DEMANDED, Count, Counts, compare
from benchmarks.measuring import run
from benchmarks.tables import print_table
from mu.store import open_graph


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what the command takes."""
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--built", action="store_true", help="read the graphs that are there")
    parser.add_argument("--values", action="store_true", help="count plain values, too")
    parser.add_argument("--examples", type=int, default=10, help="of each language and position")


def run_command(options: argparse.Namespace) -> None:
    """Print a table of what each folder lacks, with examples and reasons."""
    demanded = frozenset(DEMANDED) | ({Position.VALUE} if options.values else frozenset())
    demanded |= {Position.DEFINITION}
    found = {str(folder): _counts(folder, options, demanded) for folder in options.folders}
    header = ("folder", "language", "position", "names", "excused", "without a row", "share")
    print_table(header, [row for name, counts in found.items() for row in _rows(name, counts)])
    for name, counts in found.items():
        for (language, position), count in sorted(counts.items()):
            _print_rest(f"{name}, {language}, {position}", count, options.examples)


def _counts(folder: Path, options: argparse.Namespace, demanded: frozenset[Position]) -> Counts:
    if options.built:
        with open_graph(folder / ".mubase") as graph:
            return compare(graph, folder, demanded=demanded)
    with tempfile.TemporaryDirectory(prefix="mu-ledger-") as scratch:
        copy = Path(scratch) / "copy"
        stage(folder, copy)
        cache = Path(scratch) / "cache"
        run([MU, "kernel", "build", str(copy), "--json"], accept=BUILT, cache=cache)
        with open_graph(copy / ".mubase") as graph:
            return compare(graph, copy, demanded=demanded)


def _rows(name: str, counts: Counts) -> Iterator[Sequence[str]]:
    for (language, position), count in sorted(counts.items()):
        excused, missing = count.reasons.total(), len(count.missing)
        share = f"{missing / count.identifiers:.2%}"
        yield (
            name,
            language,
            position,
            f"{count.identifiers:,}",
            f"{excused:,}",
            f"{missing:,}",
            share,
        )


def _print_rest(title: str, count: Count, most: int) -> None:
    """Print why names are excused, and those that have neither row nor reason by where they are."""
    if not (count.reasons or count.missing):
        return
    print(f"\n{title}\n")
    for reason, number in count.reasons.most_common():
        print(f"  {number:6,} excused: {reason}")
    places: dict[str, list[str]] = {}
    for one in count.missing:
        text = f"{one.identifier.name} {one.path}:{one.identifier.line}"
        places.setdefault(one.identifier.place, []).append(text)
    for place, texts in sorted(places.items(), key=lambda pair: -len(pair[1])):
        print(f"  {len(texts):6,} without: {place}: {', '.join(texts[:most])}")
