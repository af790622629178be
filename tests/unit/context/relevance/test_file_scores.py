"""Files are ranked by the nodes in them and by what they say as a whole."""

from collections.abc import Iterator

import pytest

from fakes.built import built_tree
from mu.context import rank
from mu.context.relevance.file_scores import score_files
from mu.operations.workspace import Workspace

TREE = {
    "app/pay.py": "def charge():\n    '''Take money from a card.'''\n",
    "app/cards.py": "".join(
        f"def step_{n}():\n    # a card, and money\n    return swipe(card)\n\n\n" for n in range(6)
    ),
    "app/other.py": "def nothing():\n    return 0\n",
    "tests/test_pay.py": "def test_money():\n    '''A card and money.'''\n",
    "docs/money.md": "# Money\n\nMoney of a card.\n",
}


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workspace]:
    with built_tree(tmp_path_factory.mktemp("app"), TREE) as workspace:
        yield workspace


def test_a_file_that_says_the_words_often_is_found_though_no_node_of_it_is_best(
    app: Workspace,
) -> None:
    files = [file.path for file in rank(app.graph, "money from a card").files]
    assert set(files[:2]) == {"app/pay.py", "app/cards.py"}
    assert "app/other.py" not in files


def test_scores_of_files_fall_from_one(app: Workspace) -> None:
    scores = [file.score for file in rank(app.graph, "money from a card").files]
    assert scores[0] == 1.0
    assert scores == sorted(scores, reverse=True)


def test_each_further_node_of_a_file_counts_for_less(app: Workspace) -> None:
    nodes = [("a.py", 1.0), ("b.py", 0.8), ("b.py", 0.8), ("c.py", 0.1)]
    scores = score_files(app.graph, (), nodes=nodes).scores
    assert scores["b.py"] > scores["a.py"] > scores["c.py"] > 0


def test_a_name_that_code_uses_leads_to_its_file(app: Workspace) -> None:
    assert rank(app.graph, "where is swipe called").files[0].path == "app/cards.py"
