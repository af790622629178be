"""Cases of retrieval, made from a real repository with a history of its own."""

import subprocess
from pathlib import Path

import pytest
from benchmarks.retrieval.cases import is_source, make_cases, without_answer
from benchmarks.retrieval.measuring import measure
from benchmarks.retrieval.reporting import error, hits, report

OLD = (
    "class Basket:\n    def add(self, thing):\n        return thing\n\n\ndef pay():\n    return 1\n"
)
FIX = (
    "Fix double counting of gifts wrapped twice\n\n"
    "The `add` method of shop/basket.py counted Basket.add wrongly, see #12.\n"
    "Signed-off-by: Nobody\n"
)


def commit(folder: Path, message: str, files: dict[str, str]) -> None:
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)
    who = ("-c", "user.name=n", "-c", "user.email=n@n")
    subprocess.run(["git", "-C", str(folder), "add", "."], check=True)
    subprocess.run(["git", "-C", str(folder), *who, "commit", "-qm", message], check=True)


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    folder = tmp_path / "owner+shop" / "repo"
    folder.mkdir(parents=True)
    subprocess.run(["git", "init", "-q", str(folder)], check=True)
    commit(folder, "Begin", {"shop/basket.py": OLD, "shop/stock.py": "def count():\n    pass\n"})
    commit(folder, "Fix typo in docs of gifts wrapped twice", {"shop/basket.py": f"# n\n{OLD}"})
    fixed = OLD.replace("return thing", "return [thing]")
    commit(folder, FIX, {"shop/basket.py": f"# n\n{fixed}", "tests/test_basket.py": "x = 1\n"})
    commit(folder, "Fix every test of gifts we have", {"tests/test_basket.py": "x = 2\n"})
    return folder


def test_a_case_is_what_a_fix_says_and_what_it_changed(clone: Path) -> None:
    [found] = make_cases(clone, most=10)
    [case] = found.cases
    assert case.files == ("shop/basket.py",)
    assert case.functions == ("shop/basket.py:Basket.add",)
    assert case.text.startswith("Fix double counting of gifts wrapped twice The method of counted")
    assert case.text.endswith(" wrongly, see .")


def test_the_snapshot_is_from_before_all_fixes(clone: Path) -> None:
    [found] = make_cases(clone, most=10)
    shown = subprocess.run(
        ["git", "-C", str(clone), "show", f"{found.snapshot}:shop/basket.py"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert shown.stdout == f"# n\n{OLD}"


@pytest.mark.parametrize(
    ("message", "left"),
    [
        ("Fix `Session.send` for proxies", "Fix for proxies"),
        ("Fix sessions: Send a HEAD", "Fix a HEAD"),
        ("crash in src/sessions.py:12 of merge_setting", "crash in of"),
        ("see https://example.org/1 and GH-12 by @me", "see and by"),
        ("```\nTraceback\n```\nis shown", "is shown"),
    ],
)
def test_what_gives_the_answer_away_is_taken_out(message: str, left: str) -> None:
    assert without_answer(message, ["src/sessions.py"], ["src/sessions.py:Session.send"]) == left


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("src/a.py", True),
        ("tests/a.py", False),
        ("src/test_a.py", False),
        ("docs/conf.py", False),
        ("a.md", False),
    ],
)
def test_tests_and_pages_are_no_source(path: str, expected: bool) -> None:
    assert is_source(path) is expected


def test_each_window_of_fixes_has_the_snapshot_before_it(clone: Path) -> None:
    commit(clone, "Fix adding of nothing, which was counted", {"shop/basket.py": f"# o\n{OLD}"})
    newer, older = make_cases(clone, most=1, windows=3)
    assert [len(each.cases) for each in (newer, older)] == [1, 1]
    assert newer.cases[0].text.startswith("Fix adding")
    assert newer.snapshot != older.snapshot


def test_all_rankings_are_asked_and_reported(clone: Path, tmp_path: Path) -> None:
    measured = measure(clone, tmp_path / "scratch", most=10)
    assert measured.repository == "owner/shop"
    assert {name: len(places) for name, places in measured.files.items()} == dict.fromkeys(
        ("MU", "BM25", "grep", "PageRank"), 1
    )
    told = report([measured])
    assert "| owner/shop | 1 | 0.00 |" in told
    assert "| MU | 1 | 0.000 ± 0.000 |" in told


def test_a_hit_is_a_case_with_something_right_among_the_first() -> None:
    assert hits((1, 0, 6, 5), 5) == 0.5
    assert error(0.5, 100) == 0.05
