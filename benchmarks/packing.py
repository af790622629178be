"""`mu pack` beside Repomix: what five questions to a repository find in as many tokens of each.

    python -m benchmarks.packing flask=FOLDER django=FOLDER [--repomix PROGRAM]

Repomix writes all files one after another and knows no budget, so the beginning of what it writes
stands for it, with `--compress` or not, of everything or of the folder of the sources alone, which
somebody has to know; "all" is what the whole of it has. A question has its place when the text
names the definition under the file that holds it, and its answer when it also has the line that
tells how: places / answers. Tokens are characters / 4 for all. Seconds are of the whole command,
the median of some runs, and for MU with the graph built, whose time stands beside. Without Repomix
its rows are left out.
"""

import argparse
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from statistics import median
from time import perf_counter
from xml.sax.saxutils import unescape

import msgspec

from benchmarks.tables import print_table

BUDGETS = (2_000, 8_000, 32_000)

_MU = str(Path(sys.executable).with_name("mu"))
_QUESTIONS = Path(__file__).with_suffix(".toml")
_PART = re.compile(
    r'^<(?:file|source) path="([^"]+)"[^\n]*>\n(.*?)(?=^<(?:file|source) path=|\Z)',
    re.MULTILINE | re.DOTALL,
)
"""A file in the XML of both; what stands between two of them belongs to the first."""

_MU_PART = re.compile(r"^! (\S+)  [^\n]*\n((?:  [^\n]*\n)*)", re.MULTILINE)


class Question(msgspec.Struct, frozen=True):
    """A question, the file and the definition that answer it, and a piece of the line."""

    text: str
    path: str
    name: str
    line: str


class Repository(msgspec.Struct, frozen=True):
    """Questions to a repository, and where its sources are."""

    sources: str
    question: list[Question]


@dataclass(frozen=True)
class Packer:
    """A way to pack: gives the text for a question and a budget, in tokens."""

    name: str
    pack: Callable[[Question, int], str]


def found(text: str, question: Question) -> tuple[bool, bool]:
    """Tell whether a text has the place that a question asks for, and the answer in it."""
    told = _PART.findall(text) or _MU_PART.findall(text)
    parts = [unescape(part) for path, part in told if path == question.path]
    said = "\n".join(parts)
    has_place = re.search(rf"\b{re.escape(question.name)}\b", said) is not None
    return has_place, has_place and question.line in said


def main(arguments: Sequence[str]) -> None:
    """Print a table for each repository that is named."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("repositories", nargs="+", metavar="NAME=FOLDER")
    parser.add_argument("--runs", type=int, default=3, help="what seconds are the median of")
    parser.add_argument("--budgets", type=int, nargs="+", default=BUDGETS, help="in tokens")
    parser.add_argument("--repomix", default="repomix", help="the program; looked for in PATH")
    options = parser.parse_args(arguments)
    repomix = shutil.which(options.repomix)
    if repomix is None:
        print(f"note: there is no {options.repomix}, so only MU is measured", file=sys.stderr)
    known = read_questions()
    for given in options.repositories:
        name, _, folder = given.partition("=")
        if name not in known:
            parser.error(f"no questions to {name!r}; there are {', '.join(known)}")
        with tempfile.TemporaryDirectory(prefix="mu-bench-") as scratch:
            copy = Path(scratch) / name
            ignored = shutil.ignore_patterns(".mubase", ".git", "node_modules")
            shutil.copytree(folder, copy, ignore=ignored, symlinks=True)
            compare(name, copy, known[name], repomix=repomix, options=options)


def read_questions() -> Mapping[str, Repository]:
    """Give the questions by repository."""
    data = tomllib.loads(_QUESTIONS.read_text(encoding="utf-8"))
    return msgspec.convert(data, dict[str, Repository])


def compare(
    name: str,
    folder: Path,
    repository: Repository,
    *,
    repomix: str | None,
    options: argparse.Namespace,
) -> None:
    """Pack a folder in each way, and print what became of it."""
    runs, budgets = options.runs, options.budgets
    packers = [] if repomix is None else _repomix(repomix, folder, repository, runs)
    started = perf_counter()
    _run([_MU, "kernel", "build", "."], folder)
    print(f"\n{name}: graph built in {perf_counter() - started:.1f} s\n")
    packers += _mu(folder, runs)
    rows = []
    for packer, seconds, tokens in packers:
        cells = [_found_by(packer, repository, budget) for budget in budgets]
        whole = _found_by(packer, repository, tokens) if tokens else ""
        rows.append([packer.name, f"{seconds:.1f}", *cells, f"{tokens:,}" if tokens else "", whole])
    print_table(("packer", "s", *(f"{b:,}" for b in budgets), "tokens of all", "all"), rows)


def _found_by(packer: Packer, repository: Repository, budget: int) -> str:
    """Count the places and the answers that a packer gives in a budget."""
    verdicts = [found(packer.pack(each, budget), each) for each in repository.question]
    places, answers = (sum(column) for column in zip(*verdicts, strict=True))
    return f"{places} / {answers}"


Row = tuple[Packer, float, int]
"""A packer, its seconds, and the tokens that it writes when nothing holds it; 0 for a budget."""


def _repomix(program: str, folder: Path, repository: Repository, runs: int) -> list[Row]:
    """Run Repomix once in each way; its beginning is what a budget holds."""
    ways = {
        "repomix": [],
        "repomix --compress": ["--compress"],
        f"repomix --include {repository.sources}": ["--include", repository.sources],
        f"repomix --compress --include {repository.sources}": [
            *("--compress", "--include", repository.sources)
        ],
    }
    rows: list[Row] = []
    for name, options in ways.items():
        command = [program, "--quiet", "--style", "xml", "--stdout", *options]
        text, seconds = _timed(command, folder, runs)
        packer = Packer(name, lambda _, budget, text=text: text[: budget * 4])
        rows.append((packer, seconds, -(-len(text) // 4)))
    return rows


def _mu(folder: Path, runs: int) -> list[Row]:
    """Pack with MU: the same for all questions, for each of them, and in signatures alone."""

    @cache  # two of the ways are the same for all questions
    def run(verb: str, budget: int, *more: str) -> str:
        return _run([_MU, verb, "--tokens", str(budget), *more], folder)

    rows: list[Row] = []
    ways: dict[str, Callable[[Question, int], str]] = {
        "mu compress": lambda _, budget: run("compress", budget),
        "mu pack": lambda _, budget: run("pack", budget, "--format", "xml"),
        "mu pack --focus QUESTION": lambda question, budget: run(
            "pack", budget, "--format", "xml", "--focus", question.text
        ),
    }
    for name, pack in ways.items():
        verb, *focus = name.split()[1:]
        words = ["--focus", "how is it done"] if focus else []
        command = [_MU, verb, "--tokens", str(BUDGETS[-1]), *words]
        rows.append((Packer(name, pack), _timed(command, folder, runs)[1], 0))
    return rows


def _timed(command: Sequence[str], folder: Path, runs: int) -> tuple[str, float]:
    times = []
    text = ""
    for _ in range(runs):
        started = perf_counter()
        text = _run(command, folder)
        times.append(perf_counter() - started)
    return text, median(times)


def _run(command: Sequence[str], folder: Path) -> str:
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode not in (0, 5):  # 5: a partial build
        raise SystemExit(f"{' '.join(command)}: {done.stderr}")
    return done.stdout


if __name__ == "__main__":
    main(sys.argv[1:])
