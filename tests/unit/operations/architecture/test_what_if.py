"""Consequences of changes that nobody made, held against the graph of the same change made."""

from pathlib import Path

import pytest

from fakes.built import built_tree
from mu.analysis.rules.module_imports import read_module_imports
from mu.errors import MuError
from mu.operations.architecture.what_if import Action, Consequences, supposed_imports, what_if

FILES = {
    "shop/__init__.py": "",
    "shop/web.py": "from shop.cart import Cart, total\nfrom shop.model import tax\n\nweb = Cart\n",
    "shop/cart.py": (
        "from shop import model\n\n\nclass Cart:\n    price = model.tax\n\n\n"
        "def total():\n    return Cart.price\n"
    ),
    "shop/model.py": "tax = 1\n",
    "shop/parts/__init__.py": "",
    "shop/parts/bolt.py": "from .nut import turn\n\n\ndef fit():\n    return turn()\n",
    "shop/parts/nut.py": "def turn():\n    return 1\n",
}
LAYERS = """
[[check.contract]]
name = "Down"
type = "layers"
layers = ["shop.web", "shop.cart", "shop.model"]
"""


def supposed(
    root: Path, action: Action, subject: str, target: str = "", **changed: str
) -> Consequences:
    files = {**FILES, "mu.toml": LAYERS}
    files |= {f"shop/{name}.py": text for name, text in changed.items()}
    with built_tree(root, files) as workspace:
        return what_if(workspace, action, subject=subject, target=target)


def references(found: Consequences) -> list[str]:
    return [f"{one.path}:{one.line} {one.via} {one.target}" for one in found.references]


def test_all_references_to_a_removed_module_are_broken(tmp_path: Path) -> None:
    found = supposed(tmp_path, Action.REMOVE, "shop.model")

    assert references(found) == [
        "shop/cart.py:1 imports mod:shop/model.py",
        "shop/cart.py:5 uses var:shop/model.py:tax",
        "shop/web.py:2 imports var:shop/model.py:tax",
    ]
    assert [row.message for row in found.violations_made] == [
        "the contract names shop.model, which would not be there"
    ]


def test_a_removed_definition_is_missed_where_it_is_used(tmp_path: Path) -> None:
    found = supposed(tmp_path, Action.REMOVE, "shop.cart.Cart")

    assert references(found) == [
        "shop/cart.py:9 uses cls:shop/cart.py:Cart",
        "shop/cart.py:9 uses var:shop/cart.py:Cart.price",
        "shop/web.py:1 imports cls:shop/cart.py:Cart",
        "shop/web.py:4 uses cls:shop/cart.py:Cart",
    ]


def test_a_cycle_and_a_violation_that_a_move_makes_are_shown(tmp_path: Path) -> None:
    found = supposed(tmp_path, Action.MOVE, "shop.cart.total", "shop/model.py")

    assert (found.cycles_before, found.cycles_after) == (0, 1)
    (cycle,) = found.cycles_made
    assert "shop/model.py -> shop/cart.py -> shop/model.py" in cycle.message or (
        "shop/cart.py -> shop/model.py -> shop/cart.py" in cycle.message
    )
    assert [row.message for row in found.violations_made] == ["shop.model may not import shop.cart"]
    assert references(found) == ["shop/web.py:1 imports fn:shop/cart.py:total"]


def test_a_merge_breaks_the_cycle_between_the_two(tmp_path: Path) -> None:
    found = supposed(
        tmp_path, Action.MERGE, "shop.cart", "shop.model",
        model="from shop import cart\n\ntax = cart\n\n\ndef total():\n    return tax\n",
    )  # fmt: skip

    assert (found.cycles_before, found.cycles_after) == (1, 0)
    assert found.conflicts == ("total",)


def test_relative_imports_of_a_file_that_moves_are_broken(tmp_path: Path) -> None:
    found = supposed(tmp_path, Action.MOVE, "shop/parts/bolt.py", "shop")

    assert found.target == "shop/bolt.py"
    assert references(found) == ["shop/parts/bolt.py:1 imports fn:shop/parts/nut.py:turn"]


@pytest.mark.parametrize(
    ("action", "subject", "target", "made"),
    [
        (
            Action.MOVE, "shop.model", "shop/parts",
            {
                "shop/parts/model.py": FILES["shop/model.py"],
                "shop/web.py": FILES["shop/web.py"].replace("shop.model", "shop.parts.model"),
                "shop/cart.py": FILES["shop/cart.py"].replace("from shop ", "from shop.parts "),
            },
        ),
        (
            Action.MOVE, "shop.cart.total", "shop/parts/nut.py",
            {
                "shop/cart.py": FILES["shop/cart.py"].partition("\n\n\ndef total")[0] + "\n",
                "shop/parts/nut.py": "from shop.cart import Cart\n\n\n"
                + "def total():\n    return Cart.price\n\n\n" + FILES["shop/parts/nut.py"],
                "shop/web.py": "from shop.parts.nut import total\n"
                + FILES["shop/web.py"].replace(", total", ""),
            },
        ),
        (
            Action.MERGE, "shop.model", "shop/cart.py",
            {
                "shop/cart.py": "tax = 1\n" + FILES["shop/cart.py"].partition("\n")[2],
                "shop/web.py": FILES["shop/web.py"].replace("shop.model", "shop.cart"),
            },
        ),
    ],
    ids=["move file", "move definition", "merge"],
)  # fmt: skip
def test_imports_after_a_supposed_change_are_those_after_a_real_one(
    tmp_path: Path, action: Action, subject: str, target: str, made: dict[str, str]
) -> None:
    with built_tree(tmp_path / "before", FILES) as workspace:
        after = supposed_imports(workspace, action, subject=subject, target=target)
    files = {path: text for path, text in FILES.items() if path != "shop/model.py"}
    if subject == "shop.cart.total":
        files["shop/model.py"] = FILES["shop/model.py"]
    with built_tree(tmp_path / "after", {**files, **made}) as workspace:
        real = read_module_imports(workspace.graph)

    # `from a import b` also imports the file of the package `a`, which moving `b` alone cannot tell
    expected = [pair for pair in real.lines if not pair[1].endswith("__init__.py")]
    assert sorted(pair for pair in after.lines if not pair[1].endswith("__init__.py")) == expected
    assert {path: after.names[path] for path in real.names} == dict(real.names)


def test_a_package_of_go_moves_as_a_whole(tmp_path: Path) -> None:
    files = {
        "go.mod": "module example.com/shop\n",
        "web/web.go": 'package web\n\nimport "example.com/shop/model"\n\nvar A = model.B\n',
        "model/model.go": "package model\n\nvar B = 1\n",
    }
    with built_tree(tmp_path, files) as workspace:
        found = what_if(workspace, Action.MOVE, subject="model", target="lib/model")

    assert references(found) == ["web/web.go:3 imports pkg:model"]


@pytest.mark.parametrize(
    ("action", "subject", "target", "told"),
    [
        (Action.MOVE, "shop.attic", "shop/x.py", "no node is called 'shop.attic'"),
        (Action.MOVE, "shop.cart", "", "move needs a target"),
        (Action.REMOVE, "shop.cart", "shop.web", "remove takes no target"),
        (Action.MERGE, "shop.cart.Cart", "shop.model", "only modules and folders"),
        (Action.MOVE, "shop/parts", "shop/parts/inner", "lies in it"),
        (Action.MOVE, "shop.cart", "shop/model.py", "is there already"),
    ],
)
def test_a_change_that_cannot_be_made_is_an_error(
    tmp_path: Path, action: Action, subject: str, target: str, told: str
) -> None:
    with pytest.raises(MuError, match=told):
        supposed(tmp_path, action, subject, target)
