"""Definitions are scored by what their own text says."""

from collections.abc import Iterator, Mapping, Sequence

import pytest

from fakes.built import built_tree
from mu.analysis.node_search.word_search import Asked
from mu.context.relevance.text_scores import TextScores, own_lines, score_texts
from mu.model.relation import Relation
from mu.operations.workspace import Workspace

TREE = {
    "shop/till.py": (
        "class Till:\n"
        "    drawer = 'coins'\n\n"
        "    def pay(self, sum):\n"
        "        change = sum - 1\n"
        "        def give():\n"
        "            return 'bills'\n"
        "        return change\n"
    ),
    "shop/box.py": "def pack():\n    return 'bills and coins'\n",
    "shop/empty.py": "def nothing():\n    return 0\n",
}


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workspace]:
    with built_tree(tmp_path_factory.mktemp("shop"), TREE) as workspace:
        yield workspace


def lines(paths: Sequence[str]) -> Mapping[str, Sequence[str]]:
    return {path: TREE[path].split("\n") for path in paths if path != "shop/box.py"}


def scored(shop: Workspace, *words: str) -> tuple[TextScores, dict[str, float]]:
    asked = [Asked(word, {}, 1.0) for word in words]
    found = score_texts(
        shop.graph, asked, paths=list(TREE), weights=[1.0] * len(words), lines=lines
    )
    rows = shop.graph.run(Relation("SELECT key, qualified_name FROM node")).rows
    names = {key: str(name) for key, name in rows}
    return found, {names[key]: score for key, score in found.nodes.items() if score}


@pytest.mark.parametrize(
    ("word", "holder"),
    [
        ("coins", "shop.till.Till"),
        ("change", "shop.till.Till.pay"),
        ("bills", "shop.till.Till.pay.give"),
    ],
)
def test_a_word_is_said_by_the_innermost_definition_around_it(
    shop: Workspace, word: str, holder: str
) -> None:
    assert list(scored(shop, word)[1]) == [holder]


def test_only_files_that_could_be_read_are_scored(shop: Workspace) -> None:
    found, _ = scored(shop, "coins")
    assert set(found.parts) == set(found.wholes) == {"shop/till.py", "shop/empty.py"}
    assert found.parts["shop/till.py"] > found.parts["shop/empty.py"] == 0.0


def test_further_definitions_of_a_file_count_for_less(shop: Workspace) -> None:
    one, two = (scored(shop, *words)[0] for words in (["coins"], ["coins", "change"]))
    both = sorted(two.nodes.values())[-2:]
    assert two.parts["shop/till.py"] == pytest.approx(both[1] + both[0] / 2)
    assert two.parts["shop/till.py"] > one.parts["shop/till.py"]


def test_lines_go_to_the_innermost_of_nested_spans() -> None:
    spans = [(1, 1, 10), (2, 2, 6), (3, 3, 4), (4, 8, 9)]
    assert list(own_lines(spans, 10)) == [
        (1, 1, 1),
        (2, 2, 2),
        (3, 3, 4),
        (2, 5, 6),
        (1, 7, 7),
        (4, 8, 9),
        (1, 10, 10),
    ]


def test_spans_on_the_same_lines_share_none() -> None:
    assert list(own_lines([(1, 1, 2), (2, 1, 1), (3, 1, 1)], 2)) == [(3, 1, 1), (1, 2, 2)]
