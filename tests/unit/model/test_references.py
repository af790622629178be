"""References are packed numbers that are read as rows."""

import pytest

from mu.model.references import Reference, References

ROWS: list[Reference] = [(0, 1, -1, 7), (4, 300, 2, 100_000), (5, 2_000_000_000, 0, 1)]


def test_rows_are_read_as_often_as_is_asked_in_the_order_they_came() -> None:
    references = References(iter(ROWS))

    assert [list(references), list(references), len(references)] == [ROWS, ROWS, 3]


def test_packed_references_are_the_same() -> None:
    references = References(ROWS)

    assert References.unpack(references.pack()) == references != References(ROWS[:2])


def test_none_are_nothing() -> None:
    assert not References()
    assert References.unpack(b"") == References()


def test_references_are_not_any_rows() -> None:
    assert References(ROWS) != ROWS


@pytest.mark.parametrize("missing", [1, 4, 12])
def test_part_of_a_reference_is_an_error(missing: int) -> None:
    with pytest.raises(ValueError, match=r"no references|multiple of item size"):
        References.unpack(References(ROWS).pack()[:-missing])
