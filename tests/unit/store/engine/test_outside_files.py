"""Files of rows beside a graph: what is read of them, and what is refused."""

from pathlib import Path

import duckdb
import pytest

from mu.errors import ExitCode, MuError
from mu.store.engine.outside_files import read_table


def test_rows_of_csv_have_the_types_that_are_found(tmp_path: Path) -> None:
    file = tmp_path / "cov.csv"
    file.write_text("path,covered,lines,day,is_old\na.py,0.5,3,2026-01-02,true\nb.py,,4,,false\n")

    table = read_table("coverage", file)

    assert (table.name, table.columns) == (
        "coverage",
        ("path", "covered", "lines", "day", "is_old"),
    )
    assert table.types == ("VARCHAR", "DOUBLE", "BIGINT", "VARCHAR", "BOOLEAN")
    assert table.rows == (("a.py", 0.5, 3, "2026-01-02", True), ("b.py", None, 4, None, False))


@pytest.mark.parametrize("suffix", ["parquet", "json"])
def test_other_formats_give_the_same(tmp_path: Path, suffix: str) -> None:
    file = tmp_path / f"rows.{suffix}"
    duckdb.execute(f"COPY (SELECT 'a.py' AS path, 7::BIGINT AS n, [1, 2] AS parts) TO '{file}'")

    table = read_table("rows", file)

    assert table.rows == (("a.py", 7, "[1, 2]"),)


@pytest.mark.parametrize(
    ("name", "content", "what"),
    [
        ("notes.txt", b"a,b\n", "notes.txt is no file of rows"),
        ("missing.csv", None, "missing.csv is not a file"),
        ("a*.csv", b"a\n1\n", "is not a file"),
        ("broken.parquet", b"PAR1 and nothing", "broken.parquet cannot be read as parquet"),
        ("broken.json", b'{"a": ', "broken.json cannot be read as json"),
    ],
)
def test_what_cannot_be_read_is_told(
    tmp_path: Path, name: str, content: bytes | None, what: str
) -> None:
    file = tmp_path / name
    if content is not None:
        file.write_bytes(content)

    with pytest.raises(MuError) as raised:
        read_table("rows", file)

    assert what in raised.value.message
    assert raised.value.code is ExitCode.USAGE
    assert str(tmp_path) not in raised.value.message + raised.value.hint
