"""Asks the questions of `questions.toml` of graphs of the projects named there, and judges.

A question is answered when one of the first three items stands in a file that was named for it
before anything was asked.
"""

import tomllib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec

from mu.context import Intent
from mu.context.relevance.ranking import read_intent
from mu.operations.navigation.search import search
from mu.operations.packing.context import context
from mu.operations.workspace import Workspace

QUESTIONS = Path(__file__).with_name("questions.toml")
SHOWN = 3
_LOOKED_AT = 20


Questions = tuple[tuple[str, tuple[str, ...]], ...]
"""Each with the files or folders of its answer."""


class Project(msgspec.Struct, frozen=True):
    """The questions about one release, see `questions.toml`."""

    version: str
    questions: Questions = ()
    held_out: Questions = ()
    changed: Questions = ()


@dataclass(frozen=True, slots=True)
class Asked:
    """What came of a question; `rank` is the first right item's, from 1, 0 beyond the 20th."""

    project: str
    question: str
    expected: tuple[str, ...]
    shown: tuple[str, ...]
    rank: int

    @property
    def is_answered(self) -> bool:
        """Whether one of the items shown is right."""
        return 1 <= self.rank <= SHOWN


def read_questions(path: Path = QUESTIONS) -> dict[str, Project]:
    """Read the questions, by the name of the project."""
    table = tomllib.loads(path.read_text(encoding="utf-8"))
    return msgspec.convert(table, dict[str, Project])


def ask_all(
    sources: Path, of: Callable[[Project], Questions], *, path: Path = QUESTIONS
) -> list[Asked]:
    """Ask all questions of one part; `sources` holds a folder `name-version` with each graph."""
    found = []
    for name, project in read_questions(path).items():
        questions = of(project)
        if questions:
            with Workspace.find(sources / f"{name}-{project.version}") as workspace:
                found += [_ask(workspace, name, *question) for question in questions]
    return found


def report(found: Sequence[Asked]) -> str:
    """Write a row for each question, and how many were answered."""
    rows = [
        (
            asked.project,
            asked.question,
            " ".join(f"`{place}`" for place in asked.expected),
            " ".join(f"`{item}`" for item in asked.shown),
            f"right, {asked.rank}" if asked.is_answered else f"missed, {asked.rank or 'over 20'}",
        )
        for asked in found
    ]
    header = ("project", "question", "expected", "first three", "verdict, place")
    table = "\n".join(f"| {' | '.join(row)} |" for row in (header, ["---"] * 5, *rows))
    answered = sum(asked.is_answered for asked in found)
    mean = sum(1 / asked.rank for asked in found if asked.rank) / len(found)
    first = sum(asked.rank == 1 for asked in found)
    return (
        f"{table}\n\n{answered} of {len(found)} in the first three, "
        f"{first} first; mean reciprocal rank {mean:.2f}"
    )


def _ask(workspace: Workspace, name: str, question: str, expected: tuple[str, ...]) -> Asked:
    places = _places(workspace, question)
    rank = next((n for n, (_, path) in enumerate(places, 1) if _is_there(path, expected)), 0)
    shown = tuple(node.partition(":")[2] for node, _ in places[:SHOWN])
    return Asked(name, question, expected, shown, rank)


def _places(workspace: Workspace, question: str) -> list[tuple[str, str]]:
    """Give ids and paths of what comes first: in a context, where it is asked what uses a name."""
    if read_intent(question) is Intent.DEPENDENTS:
        nodes = context(workspace, question).ranked_nodes[:_LOOKED_AT]
        return [(node.id, node.path) for node in nodes]
    rows = search(workspace, question, limit=_LOOKED_AT).answer.rows
    return [(str(row[0]), str(row[3] or "")) for row in rows]


def _is_there(path: str, expected: tuple[str, ...]) -> bool:
    return any(path.startswith(e) if e.endswith("/") else path == e for e in expected)
