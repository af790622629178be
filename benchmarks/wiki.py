"""`python -m benchmarks.wiki DOCS`: how much of a wiki is shown and read for focused tasks.

DOCS is the folder of a project's documentation; its 36 largest pages are copied and taken for a
wiki. The model is scripted: it searches for the words of the task, and beside that reads the page
that was shown first; then it reads the two best pages that the search gave, and is done.
"""

import argparse
import shutil
import tempfile
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from mu.agent import ToolCall, Usage, WikiContext, WikiContextAgent
from mu.agent.model import Reply, Request, TextDelta
from mu.agent.values import Json

PAGES = 36
_TASKS = Path(__file__).with_name("wiki_tasks.toml")
_ENDINGS = {".md", ".rst", ".txt"}
_READ = 2


@dataclass(frozen=True, slots=True)
class Task:
    """What is to be done, and the pages that tell how; any of them is right."""

    words: str
    pages: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Researched:
    """What a task was shown at first, in characters, and all that came of it."""

    task: Task
    shown: int
    context: WikiContext

    @property
    def is_right(self) -> bool:
        """Whether a page that tells how is among those handed over."""
        return bool(set(self.task.pages) & set(self.context.relevant_pages))


class Reader:
    """The scripted model of one task."""

    name, provider = "scripted", "scripted"

    def __init__(self, words: str, first: str, hits: Sequence[str]) -> None:
        pages = [path for path in hits if path != first][:_READ]
        turns: list[list[tuple[str, dict[str, Json]]]] = [
            [("search_wiki_content", {"query": words}), ("read_wiki_page", {"path": first})],
            [("read_wiki_page", {"path": path}) for path in pages],
            [("finalize_context", {"summary": words, "relevantPages": [first, *pages]})],
        ]
        self._turns = [turn for turn in turns if turn]

    def send(self, request: Request, *, is_streamed: bool) -> Iterator[TextDelta | Reply]:
        """Make the calls of the next turn, whatever was answered."""
        del request, is_streamed
        calls = self._turns.pop(0)
        told = tuple(ToolCall(f"c{n}", name, given) for n, (name, given) in enumerate(calls))
        yield Reply("", told, "tool_use", Usage(), self.name)


def read_tasks(path: Path = _TASKS) -> tuple[Task, ...]:
    """Read the tasks."""
    rows = tomllib.loads(path.read_text(encoding="utf-8"))["tasks"]
    return tuple(Task(words, tuple(pages)) for words, pages in rows)


def make_wiki(docs: Path, wiki: Path, *, most: int = PAGES) -> Path:
    """Copy the largest pages of a folder, as they lie there."""
    pages = [path for path in sorted(docs.rglob("*")) if path.suffix in _ENDINGS]
    for page in sorted(pages, key=lambda path: -path.stat().st_size)[:most]:
        target = wiki / page.relative_to(docs)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(page, target)
    return wiki


def research(wiki: Path, task: Task) -> Researched:
    """Let the scripted model do one task."""
    with WikiContextAgent(wiki) as agent:
        shown = agent.generate_initial_context(task.words)
        hits = [hit.path for hit in agent.search_wiki_content(task.words)]
    reader = Reader(task.words, shown.pages[0], hits)
    with WikiContextAgent(wiki, reader) as agent:
        return Researched(task, shown.characters, agent.research(task.words))


def report(found: Sequence[Researched]) -> str:
    """Write a row for each task, as Markdown."""
    rows = ["| task | shown at first | read in all | pages read | right page |", "| --- " * 5 + "|"]
    for each in found:
        whole = each.context.wiki_characters
        rows.append(
            f"| {each.task.words} | {each.shown / whole:.1%} "
            f"| {each.context.characters_read / whole:.1%} | {len(each.context.pages_read)} "
            f"| {'yes' if each.is_right else 'no'} |"
        )
    right = sum(each.is_right for each in found)
    shown = max(each.shown / each.context.wiki_characters for each in found)
    read = max(each.context.characters_read / each.context.wiki_characters for each in found)
    rows.append(f"\nAt most {shown:.1%} shown and {read:.1%} read; {right} of {len(found)} right.")
    return "\n".join(rows)


def main() -> None:
    """Make the wiki, do all tasks and print the table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.wiki", description=__doc__)
    parser.add_argument("docs", type=Path)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        wiki = make_wiki(options.docs, Path(folder))
        found = [research(wiki, task) for task in read_tasks()]
        pages = sum(path.is_file() for path in wiki.rglob("*"))
    print(f"{pages} pages of {found[0].context.wiki_characters:,} characters\n\n{report(found)}")


if __name__ == "__main__":
    main()
