"""The page on architecture tells the closed sets of words."""

import re
from enum import StrEnum
from pathlib import Path

import pytest

from mu.model.kinds import DEPENDENCY_KINDS, EdgeKind, NodeKind, Reason


@pytest.fixture(scope="module")
def page(root: Path) -> str:
    return (root / "docs" / "explanation" / "architecture.md").read_text(encoding="utf-8")


@pytest.mark.parametrize(("heading", "words"), [("node", NodeKind), ("edge", EdgeKind)])
def test_every_kind_is_explained(page: str, heading: str, words: type[StrEnum]) -> None:
    table = re.search(rf"^\| {heading} \|.*\n\|---.*\n((?:\|.*\n)+)", page, re.MULTILINE)
    assert table is not None

    cells = [row.split("|")[1] for row in table[1].splitlines()]

    assert sorted(re.findall(r"`(\w+)`", "".join(cells))) == sorted(words)


def test_every_reason_is_named(page: str) -> None:
    assert [reason for reason in Reason if f"`{reason}`" not in page] == []


def test_containment_links_and_tests_are_no_dependencies() -> None:
    assert set(EdgeKind) - set(DEPENDENCY_KINDS) == {
        EdgeKind.CONTAINS,
        EdgeKind.TESTS,
        EdgeKind.LINKS,
        EdgeKind.MENTIONS,
    }
