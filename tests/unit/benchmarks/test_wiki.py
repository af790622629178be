"""A project's pages are taken for a wiki, and tasks are done in it by a script."""

from pathlib import Path

import pytest
from benchmarks.wiki import Task, make_wiki, read_tasks, report, research

PAGES = {
    "guide/cache.rst": "Caching\n=======\n\n" + "Answers are kept for an hour.\n\n" * 90,
    "guide/mail.md": "# Mail\n\n" + "Letters are sent by a queue.\n\n" * 80,
    "deploy.txt": "Deploying\n=========\n\n" + "Put it behind a proxy.\n\n" * 70,
    "small.md": "# Small\n",
    "conf.py": "x = 1\n" * 5_000,
}


@pytest.fixture
def wiki(tmp_path: Path) -> Path:
    for path, text in PAGES.items():
        target = tmp_path / "docs" / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text)
    return make_wiki(tmp_path / "docs", tmp_path / "wiki", most=3)


def test_a_wiki_is_the_largest_pages_where_they_lie(wiki: Path) -> None:
    found = {path.relative_to(wiki).as_posix() for path in wiki.rglob("*") if path.is_file()}
    assert found == {"guide/cache.rst", "guide/mail.md", "deploy.txt"}


def test_what_is_shown_and_read_is_counted(wiki: Path) -> None:
    found = research(wiki, Task("send letters by the queue", ("guide/mail.md",)))
    assert found.is_right
    assert found.context.finalized
    assert found.context.pages_read[0] == "guide/mail.md"
    assert 0 < found.shown < found.context.characters_read


def test_a_task_whose_pages_are_not_handed_over_is_wrong(wiki: Path) -> None:
    found = research(wiki, Task("send letters by the queue", ("small.md",)))
    assert not found.is_right
    assert "0 of 1 right" in report([found])


def test_every_task_names_its_pages() -> None:
    tasks = read_tasks()
    assert len(tasks) == 10
    assert all(task.words and task.pages for task in tasks)
