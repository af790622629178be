"""What comes first for a question: names in it, words, and what is near."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from fakes.built import built_tree
from mu.context import Intent, Ranked, rank
from mu.context.relevance.ranking import read_intent, starts_of
from mu.errors import MuError
from mu.operations.workspace import Workspace

SHOP = {
    "shop/cart.py": (
        "from shop.prices import total\n\n\n"
        "class Cart:\n"
        '    """What somebody wants to buy."""\n\n'
        "    def checkout(self):\n        return total(self)\n\n"
        "    def clear(self):\n        return None\n"
    ),
    "shop/prices.py": (
        "def total(cart):\n    return add_vat(sum(cart))\n\n\n"
        "def add_vat(amount):\n    return amount * 1.2\n"
    ),
    "shop/stock.py": "def count_boxes():\n    return 3\n",
    "shop/web.py": (
        "from shop.cart import Cart\n\n\ndef buy():\n    return Cart().checkout()\n\n\n"
        "def clear():\n    return 1\n"
    ),
    "tests/test_cart.py": (
        "from shop.cart import Cart\n\n\ndef test_checkout():\n    Cart().checkout()\n"
    ),
    "docs/cart.md": "# Buying\n\nA `Cart` is paid for by `Cart.checkout`.\n",
}


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workspace]:
    with built_tree(tmp_path_factory.mktemp("shop"), SHOP) as workspace:
        yield workspace


def titles(workspace: Workspace, question: str) -> list[str]:
    return [node.title for node in rank(workspace.graph, question).nodes]


@pytest.mark.parametrize(
    ("question", "intent"),
    [
        ("where are routes registered?", Intent.LOCATE),
        ("what handles auth?", Intent.LOCATE),
        ("how is a cart paid for?", Intent.EXPLAIN),
        ("checkout fails with an empty cart", Intent.EXPLAIN),
        ("what would break if I changed Cart?", Intent.DEPENDENTS),
        ("who calls total", Intent.DEPENDENTS),
        ("what is affected by total", Intent.DEPENDENTS),
    ],
)
def test_the_words_of_a_question_tell_what_it_is_after(question: str, intent: Intent) -> None:
    assert read_intent(question) is intent


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("why is Cart.checkout slow?", "Cart.checkout"),
        ("why is `add_vat` slow?", "add_vat"),
        ("what is wrong with count_boxes()", "count_boxes"),
        ("crash at shop/prices.py:2 on Monday", "total"),
        ("crash in prices.py on Monday", "prices"),
        ("what counts boxes?", "count_boxes"),
    ],
)
def test_what_is_named_comes_first(shop: Workspace, question: str, first: str) -> None:
    assert titles(shop, question)[0] == first


def test_what_is_near_follows_what_was_found(shop: Workspace) -> None:
    ranked = rank(shop.graph, "how does checkout work").nodes
    why = {node.title: node.why for node in ranked}
    assert ranked[0].title == "Cart.checkout"
    assert why["total"] == "near what was found"
    assert "count_boxes" not in why


def test_what_depends_on_a_name_comes_before_what_it_uses_or_stands_beside(
    shop: Workspace,
) -> None:
    ranked = titles(shop, "what breaks if I change Cart.checkout?")
    assert ranked[:2] == ["Cart.checkout", "buy"]
    assert {"total", "Cart"} <= set(ranked[2:])


def test_what_uses_everything_depends_less_on_one_thing(tmp_path: Path) -> None:
    names = [f"step_{letter}" for letter in "abcdefghijkl"]
    tree = {
        "steps.py": "".join(f"def {name}():\n    return 1\n\n\n" for name in names),
        "all.py": f"from steps import {', '.join(names)}\n\n\ndef run_all():\n"
        + "".join(f"    {name}()\n" for name in names),
        "one.py": "from steps import step_c\n\n\ndef zoom():\n    step_c()\n",
    }
    with built_tree(tmp_path, tree) as workspace:
        found = titles(workspace, "what would break if I changed step_c?")

    assert found.index("zoom") < found.index("run_all")


def test_what_uses_the_members_of_a_class_depends_on_it(shop: Workspace) -> None:
    assert "buy" in titles(shop, "what breaks if I change `Cart`?")


def test_a_page_that_mentions_what_was_found_is_ranked(shop: Workspace) -> None:
    assert "docs/cart.md" in {file.path for file in rank(shop.graph, "checkout()").files}


def test_a_test_is_ranked_only_for_its_words(shop: Workspace) -> None:
    assert "test_checkout" not in titles(shop, "what breaks if I change `add_vat`?")
    assert "test_checkout" in titles(shop, "which test is there for checkout")


def test_a_test_counts_for_less_where_tests_are_not_asked_for(tmp_path: Path) -> None:
    files = {
        "box.rs": "/// Opens the lid.\npub fn open_lid() {}\n\n#[test]\nfn rusty_lid() {\n"
        "    open_lid();\n}\n",
    }
    with built_tree(tmp_path, files) as workspace:
        asked, other = (
            {node.title: node.score for node in rank(workspace.graph, question).nodes}
            for question in ("what tests a rusty lid?", "what handles a rusty lid?")
        )
    assert 0 < other["rusty_lid"] <= asked["rusty_lid"] * 0.7


def test_scores_fall_from_one(shop: Workspace) -> None:
    scores = [node.score for node in rank(shop.graph, "how is a cart paid for at checkout").nodes]
    assert scores[0] == 1.0
    assert scores == sorted(scores, reverse=True)


def test_nothing_is_ranked_for_words_that_nobody_says(shop: Workspace) -> None:
    assert rank(shop.graph, "zzyzx").nodes == ()


def test_of_a_long_report_the_rarest_words_are_looked_for(shop: Workspace) -> None:
    words = " ".join(f"word{chr(97 + n)}" for n in range(20))
    assert rank(shop.graph, f"{words} boxes {words}").nodes[0].title == "count_boxes"


def test_a_question_without_a_word_is_refused(shop: Workspace) -> None:
    with pytest.raises(MuError, match="there is no word"):
        rank(shop.graph, " ")


def test_a_call_with_arguments_is_a_name_and_the_most_called_of_many_are_meant(
    tmp_path: Path,
) -> None:
    classes = "".join(
        f"class Box{n}:\n    def pour(self):\n        return {n}\n\n\n" for n in range(4)
    )
    tree = {
        "boxes.py": f"{classes}def work():\n    Box2().pour()\n",
        "words.py": "def cups():\n    '''Cups, more cups and cups to fill.'''\n",
        "examples/show.py": "def pour(cups): ...\n",
    }
    with built_tree(tmp_path, tree) as workspace:
        found = titles(workspace, "what does pour(cups=3) do with cups?")

    assert found[0] == "Box2.pour"


def test_what_leads_from_what_is_named_to_what_is_found_is_ranked(tmp_path: Path) -> None:
    tree = {
        "a.py": "from b import step\n\n\ndef begin():\n    return step()\n",
        "b.py": "from c import write_sql\n\n\ndef step():\n    x = 1\n    return write_sql(x)\n",
        "c.py": "def write_sql(x):\n    '''Write SQL.'''\n\n\ndef zebra():\n    return 1\n",
    }
    with built_tree(tmp_path, tree) as workspace:
        found = titles(workspace, "how does begin() become SQL?")

    assert "step" in found
    assert "zebra" not in found


def test_members_of_one_class_share_what_the_walk_starts_with() -> None:
    def node(key: int, path: str, title: str) -> Ranked:
        return Ranked(key, f"fn:{path}:{title}", "function", path, 1, 2, title, *[""] * 4, 1.0, "")

    ranked = [
        node(1, "a.py", "Schema.make"),
        node(2, "a.py", "Schema.drop"),
        node(3, "b.py", "run"),
    ]

    assert starts_of(ranked, is_named=False) == {1: 1.0, 2: 0.5, 3: 1.0}
    assert starts_of(ranked, is_named=True) == {1: 0.5, 2: 0.25, 3: 0.5}
