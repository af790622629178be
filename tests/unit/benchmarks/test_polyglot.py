import csv
from collections import Counter
from pathlib import Path

from benchmarks.polyglot import COMMANDS, QUESTIONS

PAGE = Path(__file__).resolve().parents[3] / "docs" / "explanation" / "polyglot.md"


def rows() -> list[dict[str, str]]:
    with QUESTIONS.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t"))


def test_each_repository_is_asked_ten_questions_and_ten_held_out() -> None:
    counts = Counter((row["repository"], row["set"]) for row in rows())

    assert len(counts) == 6
    assert set(counts.values()) == {10}


def test_every_way_is_taken_in_every_repository() -> None:
    found = {(row["repository"], row["way"]) for row in rows()}

    assert len(found) == 3 * len(COMMANDS)


def test_the_page_lists_the_first_questions() -> None:
    page = PAGE.read_text(encoding="utf-8")

    assert [row for row in rows() if row["set"] == "first" and row["question"] not in page] == []
