"""Ask a TypeScript, a Go and a Java repository: by search, context, plain words and test edges.

    python -m benchmarks.polyglot hono=PATH chi=PATH gson=PATH

The questions and what an answer has to name stand in `judged/polyglot_questions.tsv`; they were
written from the sources before anything was asked. Each folder holds a clone with its graph.
"""

import csv
import json
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

QUESTIONS = Path(__file__).parent / "judged" / "polyglot_questions.tsv"
UNSURE = ("This question needs a model", "No node is called", "Nothing is known by", "What to read")
_MU = (sys.executable, "-c", "import sys; from mu.cli import main; sys.exit(main())")
_FIRST = 5  # what people read of a search

COMMANDS = {
    "search": ("search", "--limit", str(_FIRST), "--format", "csv"),
    "context": ("context",),
    "ask": ("agent", "ask", "--provider", "offline"),
    "tests": ("dependents", "--kind", "tests", "--format", "csv"),
}
"""The command behind each way to ask; the question is its last argument."""


@dataclass(frozen=True)
class Answered:
    """A question, what was printed, and whether that names all it has to."""

    row: dict[str, str]
    printed: str
    is_right: bool


def ask(folders: dict[str, Path]) -> Iterator[Answered]:
    """Ask the questions about repositories that have a folder."""
    with QUESTIONS.open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file, delimiter="\t") if row["repository"] in folders]
    for row in rows:
        command = [*_MU, *COMMANDS[row["way"]], row["question"]]
        done = subprocess.run(
            command, cwd=folders[row["repository"]], capture_output=True, text=True, check=False
        )
        printed = done.stdout + done.stderr
        named = all(truth in printed for truth in row["truth"].split(";"))
        yield Answered(row, printed, named and not printed.startswith(UNSURE))


def main(arguments: Sequence[str]) -> None:
    """Print each answer that does not name what it has to, and the counts."""
    folders = {name: Path(path) for name, _, path in (text.partition("=") for text in arguments)}
    counts: dict[str, list[bool]] = {}
    for answered in ask(folders):
        row = answered.row
        counts.setdefault(f"{row['repository']}, {row['set']}", []).append(answered.is_right)
        if not answered.is_right:
            print(json.dumps(row))
            print("    " + "\n    ".join(answered.printed.splitlines()[:12]))
    for name, verdicts in counts.items():
        print(f"{name}: {sum(verdicts)} of {len(verdicts)}")


if __name__ == "__main__":
    main(sys.argv[1:])
