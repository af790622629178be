"""Ask questions in plain words without a model, and hold the answers against known truths.

    python -m benchmarks.offline flask=PATH django=PATH networkx=PATH

Sets of questions, and what an answer has to name, stand in `judged/offline_questions*.tsv`;
they were written from the sources before anything was asked; those of the last four sets are what
the direct command gives, too, as they are about how questions are read. An answer is right when it
names all of that (one of the texts between `|`) and nothing of what stands behind a `!`, `in part`
when it names some of it and no more, unsure when it says itself that it is no more than a search,
and else wrong: `doubted` when it says what it did not read or find. A set is asked when all its
repositories have a folder with a graph.
"""

import csv
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from mu.agent import AgentConfig, MUAgent
from mu.operations.workspace import Workspace

JUDGED = Path(__file__).parent / "judged"
SETS = (
    *("", "_second", "_third", "_fourth", "_fifth", "_sixth", "_seventh", "_eighth", "_ninth"),
    *("_tenth", "_eleventh", "_twelfth", "_thirteenth", "_fourteenth", "_fifteenth", "_sixteenth"),
)
UNSURE = (
    "This question needs a model", "No node is called", "Nothing is known by", "What to read",
)  # fmt: skip
DOUBTS = ("no node is called", "Read as:", "Left unanswered", "(not applied:", "could mean any of")
_SHOWN = 200


@dataclass(frozen=True)
class Judged:
    """A question, what its answer has to name, what came, and what that is worth."""

    repository: str
    question: str
    truth: str
    answer: str
    verdict: str


def read_questions(file: Path) -> list[dict[str, str]]:
    """The rows of a file: repository, question, truth."""
    with file.open(encoding="utf-8", newline="") as opened:
        return list(csv.DictReader(opened, delimiter="\t"))


def judge(folders: dict[str, Path], *, questions: Path) -> Iterator[Judged]:
    """Ask the questions about repositories that have a folder with a graph."""
    rows = read_questions(questions)
    for name in dict.fromkeys(row["repository"] for row in rows):
        folder = folders[name]
        config = AgentConfig(provider="offline")
        with MUAgent(config, workspace=Workspace.find(folder)) as agent:
            for row in rows:
                if row["repository"] == name:
                    agent.reset()
                    answer = agent.ask(row["question"]).content
                    verdict = _verdict(answer, row["truth"].split(";"))
                    yield Judged(name, row["question"], row["truth"], answer, verdict)


def _verdict(answer: str, truths: Sequence[str]) -> str:
    if answer.startswith(UNSURE):
        return "right" if truths[0].startswith("no node is called") else "unsure"
    named = [truth for truth in truths if not truth.startswith("!")]
    beside = [truth[1:] for truth in truths if truth.startswith("!")]
    found = [truth for truth in named if any(_is_named(text, answer) for text in truth.split("|"))]
    is_clean = not any(_is_named(truth, answer) for truth in beside)
    if is_clean and len(found) == len(named):
        return "right"
    if any(doubt in answer for doubt in DOUBTS):
        return "doubted"
    return "in part" if is_clean and found else "wrong"


def _is_named(truth: str, answer: str) -> bool:
    """Whether an answer has a text, or a line with both parts of a `path:name`."""
    parts = truth.split(":")
    return truth in answer or any(
        all(part in line for part in parts) for line in answer.splitlines()
    )


def main(arguments: Sequence[str]) -> None:
    """Print the verdicts, and write a row for each question."""
    folders = {name: Path(path) for name, _, path in (text.partition("=") for text in arguments)}
    for name in SETS:
        questions = JUDGED / f"offline_questions{name}.tsv"
        if {row["repository"] for row in read_questions(questions)} <= set(folders):
            _report(
                list(judge(folders, questions=questions)), JUDGED / f"offline_answers{name}.tsv"
            )


def _report(judged: Sequence[Judged], answers: Path) -> None:
    with answers.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, delimiter="\t", lineterminator="\n")
        writer.writerow(["repository", "question", "truth", "answer", "verdict"])
        for row in judged:
            shown = " / ".join(row.answer.splitlines())[:_SHOWN]
            writer.writerow([row.repository, row.question, row.truth, shown, row.verdict])
    counts = Counter(row.verdict for row in judged)
    print(f"{len(judged)} questions: " + ", ".join(f"{n} {v}" for v, n in counts.most_common()))
    for row in judged:
        if row.verdict != "right":
            print(f"{row.verdict}  {row.repository}: {row.question}")


if __name__ == "__main__":
    main(sys.argv[1:])
