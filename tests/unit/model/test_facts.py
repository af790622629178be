"""What rows are told apart by must stay apart: an enum member of a number taken is an alias."""

from enum import IntEnum

import pytest

from mu.model.facts import BindingKind, FileFacts, Flag, Op, ReferenceKind, ScopeKind
from mu.model.kinds import SiteKind
from mu.model.references import References


@pytest.mark.parametrize("words", [Op, ScopeKind, BindingKind, ReferenceKind])
def test_every_word_has_a_number_of_its_own(words: type[IntEnum]) -> None:
    assert [int(word) for word in words.__members__.values()] == list(range(len(words)))


def test_every_flag_has_a_bit_of_its_own() -> None:
    flags = [int(flag) for name, flag in Flag.__members__.items() if name != "NONE"]

    assert flags == [1 << place for place in range(len(flags))]


def test_what_nothing_is_known_of_is_zero() -> None:
    assert (Op.OPAQUE, Flag.NONE) == (0, 0)


def test_every_sort_of_reference_in_code_is_a_sort_of_site_or_part_of_a_call() -> None:
    sites = {kind.name for kind in SiteKind} - {"IMPORT", "LINK", "MENTION"}

    assert {kind.name for kind in ReferenceKind} - {"OPERATION", "KEYWORD"} == sites


def test_facts_cannot_be_changed() -> None:
    facts = FileFacts("", 0, (), (), (), [], (), References(), ())

    with pytest.raises(AttributeError):
        facts.lines = 1  # type: ignore[misc]  # it is what the test is about
