"""Ask questions in plain words without a model, and hold the answers against known truths.

    python -m benchmarks offline flask=PATH django=PATH networkx=PATH

The questions and what an answer has to name stand in `judged/offline_questions.tsv`; they were
written from the sources before anything was asked. An answer is right when it names all of that,
unsure when it says itself that it is no more than a search, and else wrong.
"""

import csv
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from mu.agent import AgentConfig, MUAgent
from mu.operations.workspace import Workspace

QUESTIONS = Path(__file__).parent / "judged" / "offline_questions.tsv"
ANSWERS = Path(__file__).parent / "judged" / "offline_answers.tsv"
UNSURE = ("Nothing recognises", "No node is called", "What a search finds")
_SHOWN = 200


@dataclass(frozen=True)
class Judged:
    """A question, what its answer has to name, what came, and what that is worth."""

    repository: str
    question: str
    truth: str
    answer: str
    verdict: str


def judge(folders: dict[str, Path], *, questions: Path = QUESTIONS) -> Iterator[Judged]:
    """Ask the questions about repositories that have a folder with a graph."""
    with questions.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    for name, folder in folders.items():
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
        return "unsure"
    return "right" if all(truth in answer for truth in truths) else "wrong"


def main(arguments: Sequence[str]) -> None:
    """Print the verdicts, and write a row for each question."""
    folders = {name: Path(path) for name, _, path in (text.partition("=") for text in arguments)}
    judged = list(judge(folders))
    with ANSWERS.open("w", encoding="utf-8", newline="") as file:
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
