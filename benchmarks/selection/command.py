"""`python -m benchmarks selection`: tests selected for changes against those that fail.

For commits drawn from the newest of each repository two changes are tried: what the commit did to
the sources taken back, and a small mistake in the lines it wrote. The whole suite runs on each;
what fails then and passes without the change should be among the tests that MU selects. `--cases
FILE` keeps what fails, so that a second run only asks MU.
"""

import tempfile
import time
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import mean, median

import msgspec

from benchmarks.selection.changes import Clone
from benchmarks.selection.runs import Selected, Suite, select
from benchmarks.tables import print_table

_KINDS = ("taken back", "mistake")


class Case(msgspec.Struct, frozen=True):
    """A change that was tried on a commit, and the tests that it makes fail.

    `failing` is None when the suite gave no answer: it did not end, or could not be imported.
    `entering` are the tests that enter a function with changed lines, which is what a selection by
    recorded coverage would run.
    """

    repository: str
    commit: str
    kind: str
    change: str
    failing: tuple[str, ...] | None
    entering: tuple[str, ...] = ()


class Outcome(msgspec.Struct, frozen=True):
    """What MU selected for a case, without and with `--safe`."""

    case: Case
    default: Selected
    safe: Selected


def add_arguments(parser: ArgumentParser) -> None:
    """Add what the command takes."""
    parser.add_argument("repositories", nargs="+", type=Path, metavar="CLONE")
    parser.add_argument("--python", required=True, help="interpreter that runs their tests")
    parser.add_argument("--commits", type=int, default=20, help="drawn of each repository")
    parser.add_argument("--newest", type=int, default=200, help="commits to draw them from")
    parser.add_argument("--seed", type=int, default=1, help="of the draw")
    parser.add_argument("--seconds", type=float, default=300, help="for the suites of each")
    parser.add_argument("--cases", type=Path, metavar="FILE", help="keeps which tests fail")


def run_command(options: Namespace) -> None:
    """Print a row of the table for each repository, and what was missed."""
    rows = []
    every: list[Outcome] = []
    with tempfile.TemporaryDirectory(prefix="mu-selection-") as scratch:
        for origin in options.repositories:
            folder = Path(scratch) / origin.name
            clone = Clone(origin, folder, sources="src")
            known = _read(options.cases)
            outcomes = list(_outcomes(clone, options, known, Path(scratch) / "cache"))
            rows.append(_row(origin.name, outcomes))
            every += outcomes
    rows.append(_row("all", every))
    print()
    print_table(_HEADINGS, rows)
    for title, kind in (("without", "default"), ("with", "safe")):
        print(f"\nfailing tests that are not selected {title} --safe:")
        for one in every:
            missed = sorted(set(one.case.failing or ()) - getattr(one, kind).tests)
            if missed:
                print(f"- {one.case.repository} {one.case.commit[:10]} {one.case.change}")
                print(f"  {len(missed)}: {', '.join(missed[:4])}")


_HEADINGS = (
    "repository",
    "changes",
    "with failing tests",
    "failing tests",
    "selected",
    "share of the suite, mean (median)",
    "share that enters a changed function",
    "selected with `--safe`",
    "share, mean (median)",
    "seconds an answer",
)


def _row(name: str, outcomes: Sequence[Outcome]) -> tuple[str, ...]:
    if not outcomes:
        return (name, *["-"] * (len(_HEADINGS) - 1))
    failing = [one for one in outcomes if one.case.failing]
    total = sum(len(one.case.failing or ()) for one in failing)
    return (
        name,
        str(len(outcomes)),
        str(len(failing)),
        str(total),
        _selected([(one.case, one.default) for one in failing], total),
        _shares([one.default.share for one in outcomes]),
        _shares([len(one.case.entering) / one.default.suite for one in outcomes]),
        _selected([(one.case, one.safe) for one in failing], total),
        _shares([one.safe.share for one in outcomes]),
        f"{median(one.default.seconds for one in outcomes):.1f}",
    )


def _selected(pairs: Sequence[tuple[Case, Selected]], total: int) -> str:
    found = sum(len(set(case.failing or ()) & chosen.tests) for case, chosen in pairs)
    return f"{found} ({found / total:.1%})" if total else "-"


def _shares(shares: Sequence[float]) -> str:
    return f"{mean(shares):.0%} ({median(shares):.0%})"


def _outcomes(
    clone: Clone, options: Namespace, known: dict[tuple[str, str, str], Case], cache: Path
) -> Iterator[Outcome]:
    """Try the changes, the newest commit first, and ask MU about each."""
    folder = clone.folder
    tests = next(name for name in ("tests", "testing") if (folder / name).is_dir())
    suite = Suite(folder, python=options.python, sources=clone.sources, tests=tests)
    spent = 0.0
    for commit in clone.commits(newest=options.newest, seed=options.seed)[: options.commits]:
        for kind in _KINDS:
            clone.check_out(commit)
            change = _change(clone, commit, kind)
            if not change:
                continue
            case = known.get((folder.name, commit, kind))
            if case is None:
                if spent > options.seconds:
                    return
                began = time.monotonic()
                failing = _failing(clone, suite, commit, kind)
                entering = suite.entering(clone.changed_functions()) if failing is not None else ()
                case = Case(folder.name, commit, kind, change, failing, entering)
                spent += time.monotonic() - began
                _keep(case, options.cases)
            if case.failing is not None:
                outcome = Outcome(case, select(folder, cache), select(folder, cache, is_safe=True))
                print(_line(outcome), flush=True)
                yield outcome


def _change(clone: Clone, commit: str, kind: str) -> str:
    """Make a change, and tell it; empty when it could not be made."""
    if kind == "mistake":
        return clone.make_mistake(commit)
    return "taken back" if clone.take_back(commit) else ""


def _failing(clone: Clone, suite: Suite, commit: str, kind: str) -> tuple[str, ...] | None:
    """Give the tests that fail with the change, which is made, and not without it."""
    failing = suite.failing()
    if failing:
        clone.check_out(commit)
        without = suite.failing(sorted(failing))
        failing = None if without is None else failing - without
        _change(clone, commit, kind)
    return None if failing is None else tuple(sorted(failing))


def _line(one: Outcome) -> str:
    failing = set(one.case.failing or ())
    return (
        f"{one.case.repository} {one.case.commit[:10]} {one.case.kind}: {len(failing)} fail, "
        f"{len(failing & one.default.tests)} selected of {one.default.share:.0%}, "
        f"{len(failing & one.safe.tests)} of {one.safe.share:.0%} with --safe"
    )


def _read(path: Path | None) -> dict[tuple[str, str, str], Case]:
    if path is None or not path.is_file():
        return {}
    cases = [msgspec.json.decode(line, type=Case) for line in path.read_bytes().splitlines()]
    return {(one.repository, one.commit, one.kind): one for one in cases}


def _keep(case: Case, path: Path | None) -> None:
    if path is not None:
        with path.open("ab") as file:
            file.write(msgspec.json.encode(case) + b"\n")
