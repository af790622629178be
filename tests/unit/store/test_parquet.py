"""What is written as Parquet is what the engine reads."""

from array import array
from pathlib import Path

import duckdb
import pytest

from mu.store.parquet import Numbers, Texts, place_code, write_parquet


@pytest.mark.parametrize("count", [0, 1, 8, 9, 300, 70_000])
def test_columns_come_back_as_they_were_written(count: int, tmp_path: Path) -> None:
    few = ["", "a", "é\x00\n"]
    many = [f"text {number}" for number in range(count)]
    numbers = array("i", [(-1) ** number * number * 30_000 for number in range(count)])
    columns = {
        "number": Numbers(numbers),
        "few": Texts(few, array("B", [number % 3 for number in range(count)])),
        "many": Texts(many, array(place_code(count), reversed(range(count)))),
    }

    with (tmp_path / "table").open("w+b") as file:
        write_parquet(file, columns)
    rows = duckdb.sql(f"FROM read_parquet('{tmp_path / 'table'}')").fetchall()

    texts = [few[number % 3] for number in range(count)]
    assert rows == list(zip(numbers, texts, reversed(many), strict=True))


def test_places_take_no_more_bytes_than_they_need() -> None:
    assert [place_code(count) for count in (0, 256, 257, 65_536, 65_537)] == [*"BBHHI"]
