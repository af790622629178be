"""`python -m benchmarks mutations`: makes random small mistakes in MU and runs the tests on each.

All of it happens in a copy of the checkout. The tests that enter the function with the mistake are
run, the cheapest first, until one of them fails; which ones these are is found out by one run of
all with the mistakes not made. What no test notices lives. Where nothing could notice it, as far as
can be judged by reading, it stands in `equivalent.toml` with the reason.
"""

import argparse
import json
import os
import random
import resource
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from benchmarks.mutations.mutants import Mutant, find_mutants

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("resolve", "muql", "store")
TESTS = (
    "tests/corpora",
    "tests/muql",
    *(f"tests/unit/{name}" for name in ("resolve", "muql", "store", "languages", "analysis")),
    "tests/unit/operations",
    *(f"tests/properties/test_{name}.py" for name in ("walk", "conditions", "reaching")),
)
"""What is run: the rest of the suite enters these packages on its way to others."""

_PARTS = ("src", "tests", "benchmarks", "docs", "grammars", "queries", "scripts", "pyproject.toml",
          "README.md", "CHANGELOG.md", "CONTRIBUTING.md")  # fmt: skip
_SECONDS = 300  # of CPU in which the tests have to end, or the mistake is noticed by that
_NOT_RUN = (4, 5)  # what pytest ends with when it is asked for tests that are not there, or none
_KEY = ("path", "function", "before", "after", "nth")  # what names a mistake as lines come and go
_EQUIVALENT = Path(__file__).with_name("equivalent.toml")


class Verdict(NamedTuple):
    """What became of a mistake: `caught`, `lives` or `equivalent`, and by what or why."""

    word: str
    reason: str


def add_command(parsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command to those of the benchmarks."""
    parser = parsers.add_parser("mutations", help="put small mistakes into MU and run the tests")
    parser.add_argument("packages", nargs="*", default=list(PACKAGES))
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--reach", type=Path, help="file that keeps which tests enter what")
    parser.add_argument(
        "--json", type=Path, help="adds a line a verdict, and judges none that it has"
    )


def run_command(options: argparse.Namespace) -> None:
    """Make the mistakes one after the other, and print what became of each."""
    verdicts: list[tuple[Mutant, Verdict]] = []
    with tempfile.TemporaryDirectory(prefix="mu-mutations-") as folder:
        copy = Path(folder, "mu")
        copy_checkout(copy)
        reach = options.reach or Path(folder, "reach.json")
        if not reach.is_file():
            find_reach(copy, reach)
        tests = read_reach(reach)
        found = list(find_mutants(copy, options.packages))
        chosen = random.Random(options.seed).sample(found, options.count)
        known = read_verdicts(options.json) if options.json else {}
        for number, mutant in enumerate(chosen, 1):
            verdict = known.get(key_of(mutant.__dict__))
            if verdict is None:
                verdict = judge(copy, mutant, tests)
                if options.json:
                    add_verdict(mutant, verdict, options.json)
            verdicts.append((mutant, verdict))
            print(f"{number:4} {verdict.word:10} {mutant}\n{'':16}{verdict.reason}", flush=True)
    words = [verdict.word for _, verdict in verdicts]
    judged = len(words) - words.count("equivalent")
    print(
        f"\n{words.count('caught')} of {judged} caught, {words.count('lives')} live;"
        f" {words.count('equivalent')} more change nothing"
    )


def read_verdicts(path: Path) -> dict[tuple[object, ...], Verdict]:
    """What was found out before it was interrupted, by what names a mistake."""
    lines = path.read_text(encoding="utf-8").splitlines() if path.is_file() else []
    rows = [json.loads(line) for line in lines]
    return {key_of(row): Verdict(row["word"], row["reason"]) for row in rows}


def add_verdict(mutant: Mutant, verdict: Verdict, path: Path) -> None:
    """Write down at once what became of a mistake."""
    row = {**mutant.__dict__, **verdict._asdict()}
    with path.open("a", encoding="utf-8") as file:
        file.write(json.dumps(row) + "\n")


def key_of(row: Mapping[str, object]) -> tuple[object, ...]:
    """What names a mistake, from its fields."""
    return tuple(row[name] for name in _KEY)


def copy_checkout(copy: Path) -> None:
    """Copy what the tests need of the checkout, compiled modules included."""
    copy.mkdir()
    for name in _PARTS:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, copy / name)
        else:
            shutil.copy2(ROOT / name, copy / name)


def find_reach(copy: Path, reach: Path) -> None:
    """Run all the tests once, and have written which functions each enters."""
    more = {"MUTATIONS_REACH": str(reach.absolute())}
    ended = _pytest(copy, ["-p", "benchmarks.mutations.reach", *TESTS], more, seconds=7_200)
    if ended.returncode != 0:
        reach.unlink(missing_ok=True)
        raise SystemExit(f"the tests fail without any mistake:\n{ended.stdout[-2000:]}")


def read_reach(reach: Path) -> dict[str, list[str]]:
    """The tests that enter each function, and those that enter a module, the cheapest first."""
    costs: dict[str, float] = {}
    entered: dict[str, set[str]] = defaultdict(set)
    for line in reach.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        costs[row["test"]] = row["cost"]
        for function in row["entered"]:
            entered[function].add(row["test"])
            entered[function.partition(":")[0]].add(row["test"])
    return {name: sorted(tests, key=lambda one: costs[one]) for name, tests in entered.items()}


def judge(copy: Path, mutant: Mutant, tests: dict[str, list[str]]) -> Verdict:
    """Make a mistake in the copy, run the tests that may notice it, and unmake it."""
    for row in tomllib.loads(_EQUIVALENT.read_text(encoding="utf-8"))["mutant"]:
        if all(getattr(mutant, name) == row[name] for name in _KEY):
            return Verdict("equivalent", row["reason"])
    chosen = tests.get(f"{mutant.path}:{mutant.function}") or tests.get(mutant.path)
    if not chosen:
        return Verdict("lives", "no test enters its module")
    file = copy / mutant.path
    status, text = file.stat(), file.read_bytes()
    file.write_bytes(mutant.apply(text))
    try:
        return _verdict(copy, chosen)
    finally:
        file.write_bytes(text)
        os.utime(
            file, ns=(status.st_atime_ns, status.st_mtime_ns)
        )  # what is compiled is good again


def _verdict(copy: Path, tests: list[str]) -> Verdict:
    names = copy / "tests.txt"
    names.write_text("\n".join(tests), encoding="utf-8")
    files = dict.fromkeys(test.partition("::")[0] for test in tests)
    arguments = ["-x", "--tb=no", "-p", "benchmarks.mutations.choice", *files]
    ended = _pytest(copy, arguments, {"MUTATIONS_TESTS": str(names)}, seconds=_SECONDS)
    if ended.returncode == 0:
        return Verdict("lives", f"{len(tests)} tests enter it")
    if ended.returncode in _NOT_RUN:
        raise SystemExit(f"the tests were not run: {ended.stdout[-2000:]}{ended.stderr[-2000:]}")
    said = [line for line in ended.stdout.splitlines() if line.startswith(("FAILED", "ERROR"))]
    return Verdict("caught", said[0] if said else f"pytest ended with {ended.returncode}")


def _pytest(
    copy: Path, arguments: list[str], more: dict[str, str], *, seconds: int
) -> subprocess.CompletedProcess[str]:
    """Run tests of the copy with MU of the copy, for no more than `seconds` of CPU."""
    environment = {**os.environ, **more, "PYTHONPATH": f"{copy}/src:{copy}", "CI": "1"}
    environment["PYTHONDONTWRITEBYTECODE"] = "1"

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))

    return subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *arguments],
        cwd=copy,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=limit,
    )
