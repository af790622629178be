import pytest

from mu.model.facts import Expression, Op
from mu.resolve.limits import LONGEST_REFERENCE
from mu.resolve.program.reference_text import ReferenceText

OPAQUE: Expression = (Op.OPAQUE, "", 0, ())
CLIENT: Expression = (Op.NAME, "client", 0, ())


@pytest.mark.parametrize(
    ("row", "text"),
    [
        (CLIENT, "client"),
        ((Op.ATTRIBUTE, "get", 1, ()), "client.get"),
        ((Op.CALL, "", 1, ()), "client()"),
        ((Op.INDEX, "", 1, ()), "client[]"),
        ((Op.AWAIT, "", 1, ()), "client"),
        ((Op.STRING, "Model", 0, ()), '"Model"'),
        ((Op.LITERAL, "int", 0, ()), "<int>"),
        (OPAQUE, "…"),
    ],
)
def test_a_row_reads_as_it_was_written(row: Expression, text: str) -> None:
    assert ReferenceText([OPAQUE, CLIENT, row]).of(2) == text


def test_a_chain_is_put_together_from_its_parts() -> None:
    rows = [OPAQUE, CLIENT, (Op.ATTRIBUTE, "get", 1, ()), (Op.CALL, "", 2, ())]

    assert ReferenceText([*rows, (Op.ATTRIBUTE, "json", 3, ())]).of(4) == "client.get().json"


def test_a_long_text_is_cut_on_the_left() -> None:
    rows: list[Expression] = [CLIENT, (Op.ATTRIBUTE, "x" * LONGEST_REFERENCE, 0, ())]

    assert ReferenceText(rows).of(1) == "…" + "x" * LONGEST_REFERENCE


def test_a_chain_longer_than_the_stack_has_a_text() -> None:
    rows: list[Expression] = [CLIENT]
    rows += [(Op.ATTRIBUTE, "then", number, ()) for number in range(5000)]

    text = ReferenceText(rows).of(5000)

    assert (text[0], len(text)) == ("…", LONGEST_REFERENCE + 1)
