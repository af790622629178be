"""The small mistakes that are made in MU: which there are, and what became of one."""

import ast
from pathlib import Path

import pytest
from benchmarks.mutations.command import Verdict, add_verdict, key_of, read_verdicts
from benchmarks.mutations.mutants import find_mutants, mutants_of

SOURCE = """\
LIMIT = 7

def found(rows: list[int], most: int = 3) -> tuple[int, ...]:
    assert most > 0
    if not rows or len(rows) >= most:
        return (-1,)
    rows.append(take(rows, most))
    return tuple(row for row in rows if row)
"""


@pytest.fixture
def module(tmp_path: Path) -> Path:
    (tmp_path / "module.py").write_text(SOURCE)
    return tmp_path / "module.py"


def test_every_sort_of_mistake_is_found_in_its_function(module: Path) -> None:
    found = mutants_of(module, module.parent)

    assert {(one.function, one.before, one.after) for one in found} == {
        ("", "7", "8"),
        ("found", "3", "4"),
        ("found", "not rows or len(rows) >= most", "(not rows and len(rows) >= most)"),
        ("found", "not rows or len(rows) >= most", "(not (not rows or len(rows) >= most))"),
        ("found", "len(rows) >= most", "(len(rows) > most)"),
        ("found", "(-1,)", "(())"),
        ("found", "-1", "0"),
        ("found", "rows.append(take(rows, most))", "pass"),
        ("found", "take(rows, most)", "(take(most, rows))"),
        ("found", "tuple(row for row in rows if row)", "(())"),
        ("found", "row", "(not row)"),
    }


def test_each_mistake_is_in_its_place_and_can_be_read(module: Path) -> None:
    text = module.read_bytes()

    for one in mutants_of(module, module.parent):
        made = one.apply(text)
        ast.parse(made)
        assert text[one.start : one.end].decode() == one.before
        assert made != text


def test_mistakes_that_read_alike_are_counted(tmp_path: Path) -> None:
    (tmp_path / "module.py").write_text("def f():\n    a, b = 1, 1\n    c = 1\n")

    found = mutants_of(tmp_path / "module.py", tmp_path)

    assert [(one.line, one.nth) for one in found] == [(2, 0), (2, 1), (3, 2)]


def test_every_package_that_is_tried_has_many(root: Path) -> None:
    for package in ("resolve", "muql", "store"):
        assert len(list(find_mutants(root, [package]))) > 100


def test_verdicts_are_kept_for_a_run_that_goes_on(module: Path, tmp_path: Path) -> None:
    first, second, *_ = mutants_of(module, module.parent)
    path = tmp_path / "verdicts.jsonl"
    verdict = Verdict("lives", "3 tests enter it")

    assert read_verdicts(path) == {}
    add_verdict(first, verdict, path)

    assert read_verdicts(path) == {key_of(first.__dict__): verdict}
    assert key_of(second.__dict__) not in read_verdicts(path)
