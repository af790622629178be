"""Names found by a part of them."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from fakes.graphs import SHOP, make_graph, write
from mu.analysis.search import search
from mu.errors import MuError
from mu.model.kinds import NodeKind
from mu.store import GraphFile, open_graph


@pytest.fixture
def shop(tmp_path: Path) -> Iterator[GraphFile]:
    with open_graph(write(make_graph(SHOP), tmp_path)) as graph:
        yield graph


def found(graph: GraphFile, words: str, **options: object) -> list[tuple[object, ...]]:
    rows = graph.run(search(words, **options)).rows  # type: ignore[arg-type]
    return [(row[0], row[5]) for row in rows]


def test_the_same_name_comes_first_then_beginnings_then_the_rest(shop: GraphFile) -> None:
    assert found(shop, "AUTH")[:4] == [
        ("mod:app/auth.py", 1.0),
        ("doc:docs/auth.md", 1.0),
        ("cls:app/auth.py:AuthService", 0.75),
        ("mod:tests/test_auth.py", 0.5),
    ]


def test_every_word_has_to_stand_in_the_qualified_name(shop: GraphFile) -> None:
    assert found(shop, "app save") == [("fn:app/db.py:Store.save", 0.25)]


def test_only_the_kinds_asked_for_are_found(shop: GraphFile) -> None:
    rows = found(shop, "auth", kinds=[NodeKind.CLASS])
    assert rows == [("cls:app/auth.py:AuthService", 0.75)]


@pytest.mark.parametrize("words", ["%", "_%_", "'", "[a-z]"])
def test_words_are_text_and_no_pattern(shop: GraphFile, words: str) -> None:
    assert all(words in str(node_id) for node_id, _ in found(shop, words))


@pytest.mark.parametrize("words", ["", "  ", " ".join("abcdefghijklmnopq")])
def test_no_word_or_too_many_are_refused(words: str) -> None:
    with pytest.raises(MuError, match="a search takes 1 to 16 words"):
        search(words)
