"""`python -m benchmarks.retrieval.definitions NAME=PATH...`: is there what explains?

Asks `mu context` the questions of `definitions.toml` of built graphs, at the budget it has by
default. A definition is there when an item of the context is it, or an overload of it; it is
shown when its source is, and not its place and signature alone.
"""

import argparse
import re
import time
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec

from mu.operations.packing.context import Context, context
from mu.operations.workspace import Workspace

QUESTIONS = Path(__file__).with_name("definitions.toml")

_OVERLOAD = re.compile(r"~\d+$")

Question = tuple[str, tuple[str, ...]]
"""A question, and the definitions of its answer: `path:name`, with `|` between the names of
several of which one will do."""


class Project(msgspec.Struct, frozen=True):
    """The questions about one release or commit."""

    version: str
    questions: tuple[Question, ...] = ()
    held_out: tuple[Question, ...] = ()


@dataclass(frozen=True, slots=True)
class Judged:
    """A question, how many definitions its answer has, those missing, and the time it took.

    `shown` counts those that are there with their source; `seconds` are of processor time.
    """

    project: str
    question: str
    wanted: int
    missing: tuple[str, ...]
    shown: int
    seconds: float


def read_projects() -> dict[str, Project]:
    """Read the questions, by the name of the project."""
    table = tomllib.loads(QUESTIONS.read_text(encoding="utf-8"))
    return msgspec.convert(table, dict[str, Project])


def judge(workspace: Workspace, project: str, question: Question) -> Judged:
    """Ask a question and look for the definitions of its answer."""
    text, wanted = question
    started = time.process_time()
    found = context(workspace, text)
    seconds = time.process_time() - started
    missing = tuple(each for each in wanted if not _is_there(found, each, is_shown=False))
    shown = sum(_is_there(found, each, is_shown=True) for each in wanted)
    return Judged(project, text, len(wanted), missing, shown, seconds)


def _is_there(found: Context, wanted: str, *, is_shown: bool) -> bool:
    path, _, names = wanted.partition(":")
    meant = set(names.split("|"))
    return any(
        item.path == path
        and _OVERLOAD.sub("", item.id.partition(":")[2].partition(":")[2]) in meant
        and (item.lines or not is_shown)
        for item in found.items
    )


def report(judged: Sequence[Judged]) -> str:
    """Write a row for each question, and the sums."""
    rows = [
        f"| {each.project} | {each.question} | {each.wanted - len(each.missing)} of {each.wanted} "
        f"| {each.shown} | {' '.join(f'`{one}`' for one in each.missing)} |"
        for each in judged
    ]
    head = "| project | question | there | with source | missing |\n| --- | --- | --- | --- | --- |"
    wanted = sum(each.wanted for each in judged)
    there = wanted - sum(len(each.missing) for each in judged)
    shown = sum(each.shown for each in judged)
    whole = sum(not each.missing for each in judged)
    return "\n".join([head, *rows]) + (
        f"\n\n{there} of {wanted} definitions, {shown} with their source; "
        f"all of them for {whole} of {len(judged)} questions"
    )


def main() -> None:
    """Ask all questions of the graphs named."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.retrieval.definitions", description=__doc__
    )
    parser.add_argument("projects", nargs="+", metavar="NAME=PATH")
    parser.add_argument("--part", choices=("questions", "held_out"), default="questions")
    options = parser.parse_args()
    known = read_projects()
    judged = []
    for given in options.projects:
        name, _, path = given.partition("=")
        asked = known[name].questions if options.part == "questions" else known[name].held_out
        with Workspace.find(Path(path)) as workspace:
            judged += [judge(workspace, name, question) for question in asked]
    print(report(judged))


if __name__ == "__main__":
    main()
