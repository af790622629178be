"""Answers as tables, CSV and JSON."""

import csv
import io
import json

import pytest

from mu.model.kinds import Verdict
from mu.model.relation import Answer, Cell
from mu.render.cells import cell_text
from mu.render.formats.csv_document import write_csv
from mu.render.formats.json_document import json_document
from mu.render.formats.table import table_lines

ANSWER = Answer(
    columns=("name", "complexity", "is_test"),
    rows=(("login", 12, False), ("a\x1b[31m\nb", None, True)),
    total=7,
    truncated=True,
    verdict=Verdict.AT_LEAST,
    notes=("a note",),
    elapsed_ms=1.23456,
)


def as_csv(*rows: tuple[Cell, ...], columns: tuple[str, ...] = ("name",)) -> list[list[str]]:
    out = io.StringIO()
    write_csv(Answer(columns, rows, len(rows)), out)
    return list(csv.reader(io.StringIO(out.getvalue())))


@pytest.mark.parametrize(
    ("cell", "text"),
    [
        (None, ""),
        (True, "true"),
        (3, "3"),
        (0.25, "0.25"),
        (1 / 3, "0.333333"),
        (["a", None, 1], "a, , 1"),
    ],
)
def test_a_cell_reads_the_same_everywhere(cell: Cell, text: str) -> None:
    assert cell_text(cell) == text


def test_a_table_is_aligned_and_its_numbers_stand_to_the_right() -> None:
    assert list(table_lines(ANSWER)) == [
        "name          complexity  is_test",
        "login                 12  false",
        "a\\x1b[31m\\nb              true",
    ]


def test_a_table_without_rows_is_nothing() -> None:
    assert list(table_lines(Answer(("name",), (), 0))) == []


def test_a_table_cuts_nothing_off() -> None:
    long = "x" * 500
    assert long in list(table_lines(Answer(("name",), ((long,),), 1)))[1]


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1"])
def test_csv_runs_no_formula(text: str) -> None:
    assert as_csv((text,))[1][0].startswith("'")


def test_csv_keeps_numbers_and_quotes_text() -> None:
    rows = as_csv((-1, 'say "a, b"', "two\nlines"), columns=("n", "quote", "lines"))
    assert rows == [["n", "quote", "lines"], ["-1", 'say "a, b"', "two\nlines"]]


def test_csv_lets_no_terminal_escape_through() -> None:
    assert as_csv(("a\x1bb",))[1] == ["a\\x1bb"]


def test_json_has_its_documented_shape() -> None:
    text = json_document(ANSWER, about={"node": {"id": "fn:a"}}, next_offset=2)
    assert json.loads(text) == {
        "node": {"id": "fn:a"},
        "columns": ["name", "complexity", "is_test"],
        "rows": [["login", 12, False], ["a\x1b[31m\nb", None, True]],
        "total": 7,
        "truncated": True,
        "verdict": "at least",
        "notes": ["a note"],
        "elapsed_ms": 1.235,
        "next_offset": 2,
    }


def test_json_is_printable_ascii_whatever_the_text() -> None:
    answer = Answer(("name",), (("\x1b\x7f\x9b\u202e\udcff変",),), 1)
    text = json_document(answer, about={}, next_offset=None)
    assert all(" " <= character <= "~" or character == "\n" for character in text)
    assert json.loads(text)["rows"] == [["\x1b\x7f\x9b\u202e\udcff変"]]


def test_wide_characters_take_two_columns_of_a_table() -> None:
    answer = Answer(("name", "n"), (("数据", 1), ("data", 2)), 2)

    assert list(table_lines(answer)) == ["name  n", "数据  1", "data  2"]
