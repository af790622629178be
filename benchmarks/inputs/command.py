"""`python -m benchmarks inputs`: a table of size against CPU and memory for texts that grow."""

import argparse
from collections.abc import Sequence
from itertools import groupby

from benchmarks.inputs.case import Case
from benchmarks.inputs.measuring import Cost, all_cases, measure
from benchmarks.tables import print_table

_MB = 1_000_000


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what may be asked for."""
    parser.add_argument("names", nargs="*", help="parts of the names of cases; all of them if none")
    parser.add_argument("--suffix", action="append", default=[], help="only these, such as .py")
    parser.add_argument("--size", type=int, default=60_000, help="bytes of the smallest text")
    parser.add_argument("--doublings", type=int, default=2)
    parser.add_argument("--over", type=float, default=0, help="leave out growth below this ratio")


def run_command(options: argparse.Namespace) -> None:
    """Measure what is asked for, and print a row for each way to grow."""
    chosen = [case for case in all_cases() if _is_chosen(case, options)]
    sizes = [options.size << place for place in range(options.doublings + 1)]
    header = ["case", *(f"{size // 1000} kB: CPU s, MB" for size in sizes), "growth"]
    rows = []
    for case, found in groupby(measure(chosen, sizes), key=lambda cost: cost.case):
        costs = list(found)
        growth = growth_of(costs)
        if growth >= options.over or costs[-1].ended:
            cells = [_cell(cost) for cost in costs] + [""] * (len(sizes) - len(costs))
            rows.append((f"{case.name} ({case.suffix})", *cells, f"{growth:.1f}"))
            print(" | ".join(rows[-1]), flush=True)
    print_table(header, rows)


def growth_of(costs: Sequence[Cost]) -> float:
    """Give how many times more CPU or memory the last doubling took: 2 where it is linear."""
    if len(costs) < 2 or costs[-1].cpu < 0.05:
        return 0.0
    before, last = costs[-2:]
    return max(last.cpu / max(before.cpu, 0.01), last.memory / max(before.memory, 10 * _MB))


def _is_chosen(case: Case, options: argparse.Namespace) -> bool:
    is_named = not options.names or any(name in case.name for name in options.names)
    return is_named and (not options.suffix or case.suffix in options.suffix)


def _cell(cost: Cost) -> str:
    figures = f"{cost.cpu:.2f}, {cost.memory / _MB:.0f}"
    return f"{figures} ({cost.ended})" if cost.ended else figures
