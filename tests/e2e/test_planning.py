"""`mu discover` and `mu plan`, as their commands write them."""

import json
from pathlib import Path

import pytest

from e2e.command import mu, write_tree
from fakes.built import with_graph

TREE = {
    "shop/pay.py": (
        "def charge(card: str, amount: int = 1) -> bool:\n    '''Take money.'''\n"
        "    return True\n\n\n"
        "def _hidden():\n    pass\n"
    ),
    "shop/stock.py": "class Boxes:\n    def count(self):\n        return 3\n",
    "tests/test_pay.py": "def test_charge():\n    pass\n",
    "docs/pay.md": "# Paying\n",
}


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = write_tree(tmp_path_factory.mktemp("tree"), TREE)
    with_graph(folder)
    return folder


def test_everything_public_is_listed_without_parameters(built: Path) -> None:
    result = mu("discover", cwd=built)
    assert "function shop.pay.charge [fn:shop/pay.py:charge]: Take money." in result.stdout
    assert "document docs/pay.md [doc:docs/pay.md]: Paying" in result.stdout
    for left_out in ("amount", "_hidden", "test_charge"):
        assert left_out not in result.stdout
    assert result.stderr.endswith(" components\n")


def test_a_task_narrows_the_list(built: Path) -> None:
    result = mu("discover", "take", "money", cwd=built)
    assert "charge" in result.stdout
    assert "Boxes" not in result.stdout


def test_the_chosen_are_shown_whole(built: Path) -> None:
    result = mu("plan", "fn:shop/pay.py:charge", cwd=built)
    assert (result.returncode, result.stderr) == (0, "")
    assert "- card: str\n- amount: int = 1\noutputs: bool\n" in result.stdout
    assert "Boxes" not in result.stdout


def test_a_component_may_be_named_as_any_node_is(built: Path) -> None:
    result = mu("plan", "shop.pay.charge", "Boxes", "impact-report", cwd=built)
    assert (result.returncode, result.stderr) == (0, "")
    assert "- card: str\n" in result.stdout
    assert "  def count(self)" in result.stdout
    assert "impact-report" in result.stdout


def test_the_members_of_a_class_are_its_interface(built: Path) -> None:
    assert "  def count(self)" in mu("plan", "cls:shop/stock.py:Boxes", cwd=built).stdout


def test_an_unknown_id_is_told_with_near_ones_and_the_rest_is_shown(built: Path) -> None:
    result = mu("plan", "fn:shop/pay.py:charges", "mod:shop/pay.py", cwd=built)
    assert result.returncode == 4
    assert result.stderr.startswith(
        "no component fn:shop/pay.py:charges; did you mean fn:shop/pay.py:charge"
    )
    assert "## module shop.pay" in result.stdout


def test_both_are_json_on_request(built: Path) -> None:
    assert json.loads(mu("discover", "--json", cwd=built).stdout)["total"] > 3
    document = json.loads(mu("plan", "nobody", "--json", cwd=built).stdout)
    assert document["unknown"][0]["id"] == "nobody"


def test_an_id_is_needed(built: Path) -> None:
    result = mu("plan", cwd=built)
    assert (result.returncode, result.stdout) == (2, "")
    assert "missing argument" in result.stderr
