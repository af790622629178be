"""Architecture rules: what breaks them, and what is new."""

from pathlib import Path

import pytest

from fakes.built import built_tree
from fakes.git_history import History
from mu.errors import MuError
from mu.operations.check import CheckReport, check, update_baseline
from mu.operations.workspace import Workspace

FILES = {
    "shop/__init__.py": "",
    "shop/web.py": "from shop.cart import Cart\n",
    "shop/cart.py": "import json\nfrom shop.glue import stick\n\n\nclass Cart:\n    pass\n",
    "shop/glue.py": "from shop import model\n\nstick = model\n",
    "shop/model.py": "total = 1\n",
}


def checked(root: Path, contract: str, **changed: str) -> CheckReport:
    files = {**FILES, **{f"shop/{name}.py": text for name, text in changed.items()}}
    with built_tree(root, {**files, "mu.toml": contract}) as workspace:
        return check(workspace)


def chains(report: CheckReport) -> list[str]:
    return [
        " -> ".join([*(step.path for step in row.steps), row.steps[-1].target])
        for row in report.violations
    ]


def contract(kind: str, **keys: list[str]) -> str:
    lines = [f"{name} = {value}" for name, value in keys.items()]
    return "\n".join(["[[check.contract]]", 'name = "one"', f'type = "{kind}"', *lines])


LAYERS = contract("layers", layers=["shop.web", "shop/cart.py", "shop.model"])


def test_layers_that_import_down_are_kept(tmp_path: Path) -> None:
    report = checked(tmp_path, LAYERS)

    assert (report.rules, report.broken, report.total) == (("one",), (), 0)


def test_an_import_of_a_higher_layer_breaks_the_contract(tmp_path: Path) -> None:
    report = checked(tmp_path, LAYERS, model="\nfrom shop.web import Cart\n")

    (row,) = report.violations
    assert (row.path, row.line) == ("shop/model.py", 2)
    assert row.message == "shop.model may not import shop.web"


def test_a_chain_through_a_module_of_no_layer_breaks_the_contract(tmp_path: Path) -> None:
    report = checked(tmp_path, LAYERS, glue="import shop.web\n", model="import shop.glue\n")

    assert "shop/model.py -> shop/glue.py -> shop/web.py" in chains(report)


def test_layers_beside_each_other_may_not_import_each_other(tmp_path: Path) -> None:
    report = checked(tmp_path, contract("layers", layers=["shop.web | shop.cart"]))

    assert chains(report) == ["shop/web.py -> shop/cart.py"]


def test_independent_modules_may_not_even_meet_in_a_chain(tmp_path: Path) -> None:
    report = checked(tmp_path, contract("independence", modules=["shop.cart", "shop.model"]))

    assert chains(report) == ["shop/cart.py -> shop/glue.py -> shop/model.py"]


def test_a_package_outside_may_be_forbidden(tmp_path: Path) -> None:
    report = checked(tmp_path, contract("forbidden", source=["shop.cart"], target=["json"]))

    assert chains(report) == ["shop/cart.py -> json"]


def test_a_cycle_has_the_fewest_imports_to_remove(tmp_path: Path) -> None:
    report = checked(tmp_path, contract("acyclic"), model="\nimport shop.cart\n")

    (row,) = report.violations
    assert row.message == "3 modules import each other in a circle"
    assert len(row.cut) == 1
    assert row.is_minimum


def test_imports_for_type_checkers_count_only_when_asked_for(tmp_path: Path) -> None:
    text = "from typing import TYPE_CHECKING\n\nif TYPE_CHECKING:\n    from shop import web\n"

    assert checked(tmp_path / "a", LAYERS, model=text).total == 0
    assert checked(tmp_path / "b", f"{LAYERS}\ntype_only = true", model=text).total == 1


def test_rows_of_a_query_are_violations(tmp_path: Path) -> None:
    rule = '[[check.rule]]\nname = "no carts"\nquery = "FIND classes MATCHING \'cart\'"'
    report = checked(tmp_path, rule)

    (row,) = report.violations
    assert (row.rule, row.path, row.line) == ("no carts", "shop/cart.py", 5)


def test_only_new_violations_count_against_a_revision(tmp_path: Path) -> None:
    rule = contract("forbidden", source=["shop"], target=["json"])
    history = History(tmp_path / "shop")
    history.commit("Before", FILES)
    moved = FILES["shop/cart.py"].replace("import json", "\n\nimport json")
    history.commit(
        "After", {**FILES, "shop/cart.py": moved, "shop/web.py": "import json\n", "mu.toml": rule}
    )
    (tmp_path / "shop" / "mu.toml").write_text(rule)

    report = check(Workspace(tmp_path / "shop"), "HEAD~1..HEAD")

    assert chains(report) == ["shop/web.py -> json"]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "mu.toml has no rules"),
        (contract("layers"), "needs layers"),
        (contract("rings"), "invalid enum value 'rings'"),
        (contract("layers", layers=["shop.attic", "shop"]), "names shop.attic"),
        (f"{LAYERS}\n{LAYERS}", "two rules are named 'one'"),
        ("[check]\nrules = 1", "unknown field `rules`"),
    ],
)
def test_a_rule_that_cannot_be_checked_is_an_error(tmp_path: Path, text: str, told: str) -> None:
    with pytest.raises(MuError, match=told):
        checked(tmp_path, text)


def test_a_baseline_accepts_what_it_has_and_only_shrinks(tmp_path: Path) -> None:
    rule = contract("forbidden", source=["shop"], target=["json"])
    with built_tree(tmp_path / "a", {**FILES, "mu.toml": rule}) as workspace:
        assert update_baseline(workspace) == 1
        assert (check(workspace).total, check(workspace).accepted) == (0, 1)
        baseline = (tmp_path / "a" / "mu-baseline.json").read_text()
    files = {**FILES, "shop/cart.py": "class Cart:\n    pass\n", "shop/web.py": "import json\n"}
    with built_tree(
        tmp_path / "b", {**files, "mu.toml": rule, "mu-baseline.json": baseline}
    ) as workspace:
        report = check(workspace)
        assert (report.total, report.accepted, report.mended) == (1, 0, 1)
        assert update_baseline(workspace) == 0
        assert check(workspace).total == 1


def test_a_baseline_that_is_a_link_is_not_read(tmp_path: Path) -> None:
    with built_tree(tmp_path, {**FILES, "mu.toml": LAYERS}) as workspace:
        (tmp_path / "mu-baseline.json").symlink_to(tmp_path / "mu.toml")

        with pytest.raises(MuError, match="cannot be read"):
            check(workspace)
