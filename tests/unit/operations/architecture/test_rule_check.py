"""Architecture rules: what breaks them, and what is new."""

from pathlib import Path

import pytest

from fakes.built import built_tree
from fakes.git_history import History
from mu.errors import MuError
from mu.operations.architecture.rule_check import (
    CheckReport,
    check,
    suggest_contracts,
    update_baseline,
)
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


def messages(report: CheckReport) -> list[str]:
    return [row.message for row in report.violations]


PARTS = {
    "shop/parts/__init__.py": "from shop.parts._inner import make\n",
    "shop/parts/_inner.py": "def make():\n    return 1\n\n\ndef _hide():\n    return 2\n",
    "shop/parts/api.py": "def open_():\n    return 1\n\n\ndef shut():\n    return 1\n",
}


@pytest.mark.parametrize(
    ("text", "public", "told"),
    [
        ("from shop.parts import make\n", [], []),
        ("from shop.parts import _inner\n", [], ["shop.parts._inner is not public in shop.parts"]),
        (
            "from shop.parts.api import shut\n",
            [],
            ["shop.parts.api.shut is not public in shop.parts"],
        ),
        ("from shop.parts.api import shut\n", ["api"], []),
        ("from shop.parts.api import open_\n", ["api.open_"], []),
        (
            "from shop.parts.api import open_, shut\n",
            ["shop.parts.api.open_"],
            ["shop.parts.api.shut is not public in shop.parts"],
        ),
        ("import shop.parts._inner\n", ["api"], ["shop.parts._inner is not public in shop.parts"]),
    ],
)
def test_only_what_is_public_in_a_module_may_be_imported(
    tmp_path: Path, text: str, public: list[str], told: list[str]
) -> None:
    rule = contract("interface", modules=["shop.parts"], **({"public": public} if public else {}))
    with built_tree(
        tmp_path, {**FILES, **PARTS, "shop/web.py": text, "mu.toml": rule}
    ) as workspace:
        assert messages(check(workspace)) == told


def test_a_protected_module_is_imported_by_its_importers_alone(tmp_path: Path) -> None:
    kept = contract("protected", modules=["shop.cart"], importers=["shop.web"])
    broken = contract("protected", modules=["shop.cart"], importers=["shop.model"])

    assert checked(tmp_path / "a", kept).total == 0
    assert messages(checked(tmp_path / "b", broken)) == ["shop.cart is protected from shop.web"]


def test_containers_have_the_same_layers(tmp_path: Path) -> None:
    rule = contract("layers", layers=["web", "(jobs)", "model"], containers=["*"])
    files = {
        "shop/web.py": "import shop.model\n", "shop/model.py": "",
        "bank/web.py": "", "bank/jobs.py": "", "bank/model.py": "import bank.jobs\n",
    }  # fmt: skip
    with built_tree(tmp_path, {**files, "mu.toml": rule}) as workspace:
        assert messages(check(workspace)) == ["bank.model may not import bank.jobs"]


def test_a_module_in_no_layer_breaks_exhaustive_layers(tmp_path: Path) -> None:
    rule = contract("layers", layers=["web", "cart", "model"], containers=["shop"])
    extra = "\nexhaustive = true"

    assert messages(checked(tmp_path / "a", rule + extra)) == ["shop.glue is in no layer"]
    ignoring = f'{rule}{extra}\nexhaustive_ignores = ["glue"]'
    assert checked(tmp_path / "b", ignoring).total == 0


def test_modules_with_a_colon_between_may_import_each_other(tmp_path: Path) -> None:
    assert checked(tmp_path, contract("layers", layers=["shop.web : shop.cart"])).total == 0


def test_a_star_stands_for_each_module_in_its_place(tmp_path: Path) -> None:
    report = checked(tmp_path, contract("independence", modules=["shop.*"]))

    assert {chain for chain in chains(report) if chain.count(">") == 1} == {
        "shop/cart.py -> shop/glue.py",
        "shop/glue.py -> shop/model.py",
        "shop/web.py -> shop/cart.py",
    }


@pytest.mark.parametrize("ignored", ["shop.cart -> json", "shop.* -> json", "shop/cart.py -> *"])
def test_ignored_imports_break_nothing(tmp_path: Path, ignored: str) -> None:
    rule = contract("forbidden", source=["shop"], target=["json"], ignore_imports=[ignored])

    assert checked(tmp_path, rule).total == 0


def test_modules_below_may_not_count(tmp_path: Path) -> None:
    rule = contract("forbidden", source=["shop"], target=["json"]) + "\nas_packages = false"

    assert checked(tmp_path, rule).total == 0


def test_siblings_may_not_import_each_other_in_a_circle(tmp_path: Path) -> None:
    rule = contract("acyclic_siblings", modules=["shop"])
    files = {
        "shop/a/one.py": "import shop.b.one\n", "shop/a/two.py": "",
        "shop/b/one.py": "", "shop/b/two.py": "import shop.a.two\n",
    }  # fmt: skip
    with built_tree(tmp_path, {**files, "mu.toml": rule}) as workspace:
        (row,) = check(workspace).violations
    assert row.message == "2 modules right below shop import each other in a circle"
    assert len(row.steps) == 2
    assert len(row.cut) == 1


def test_one_more_dependent_than_the_baseline_has_is_a_violation(tmp_path: Path) -> None:
    rule = contract("dependents") + "\nmost = 1"
    more = {"shop/one.py": "import shop.model\n", "shop/two.py": "import shop.model\n"}
    text = "shop/model.py has {} dependents, more than 1"
    with built_tree(tmp_path / "a", {**FILES, **more, "mu.toml": rule}) as workspace:
        assert messages(check(workspace)) == [text.format(3)]
        update_baseline(workspace)
        assert check(workspace).total == 0
        baseline = (tmp_path / "a" / "mu-baseline.json").read_text()
    files = {**FILES, **more, "shop/web.py": "import shop.model\n", "mu.toml": rule}
    files["mu-baseline.json"] = baseline
    with built_tree(tmp_path / "b", files) as workspace:
        assert messages(check(workspace)) == [text.format(4)]


def test_a_module_imports_at_most_some_others(tmp_path: Path) -> None:
    rule = contract("dependencies", modules=["shop.cart"]) + "\nmost = 0"

    assert messages(checked(tmp_path, rule)) == ["shop.cart has 1 dependencies, more than 0"]


def test_a_chain_goes_through_a_package_that_is_imported_as_a_whole(tmp_path: Path) -> None:
    files = {
        "go.mod": "module example.com/shop\n",
        "web/web.go": 'package web\n\nimport "example.com/shop/glue"\n\nvar A = glue.B\n',
        "glue/one.go": "package glue\n\nvar B = 1\n",
        "glue/two.go": 'package glue\n\nimport "example.com/shop/model"\n\nvar C = model.D\n',
        "model/model.go": "package model\n\nvar D = 1\n",
        "mu.toml": contract("forbidden", source=["web"], target=["model"]),
    }
    with built_tree(tmp_path, files) as workspace:
        report = check(workspace)

    assert chains(report) == ["web/web.go -> glue/two.go -> model"]


def test_dead_code_is_a_violation(tmp_path: Path) -> None:
    report = checked(
        tmp_path, contract("dead_code", modules=["shop"]), model="def _old():\n    return 1\n"
    )

    assert [(row.path, row.message) for row in report.violations] == [
        ("shop/model.py", "nothing uses this: fn:shop/model.py:_old")
    ]


@pytest.mark.parametrize(
    "files",
    [
        {
            "go.mod": "module example.com/shop\n",
            "web/web.go": 'package web\n\nimport "example.com/shop/model"\n\nvar A = model.B\n',
            "model/model.go": "package model\n\nvar B = 1\n",
        },
        {
            "web/Web.java": "package web;\n\nimport model.Model;\n\nclass Web { Model m; }\n",
            "model/Model.java": "package model;\n\npublic class Model {}\n",
        },
        {
            "Cargo.toml": '[package]\nname = "shop"\nversion = "0.1.0"\n',
            "src/lib.rs": "mod web;\nmod model;\n",
            "src/web/mod.rs": "use crate::model::B;\npub const A: i32 = B;\n",
            "src/model/mod.rs": "pub const B: i32 = 1;\n",
        },
        {
            "web/index.ts": 'import { b } from "../model";\nexport const a = b;\n',
            "model/index.ts": "export const b = 1;\n",
        },
    ],
    ids=["go", "java", "rust", "typescript"],
)
def test_contracts_hold_in_other_languages(tmp_path: Path, files: dict[str, str]) -> None:
    folder = "src/" if "src/lib.rs" in files else ""
    rules = [
        contract("layers", layers=[f"{folder}model", f"{folder}web"]),
        contract("independence", modules=[f"{folder}*"] if folder else ["web", "model"]),
        contract("protected", modules=[f"{folder}model"]),
        contract("dependencies", modules=[f"{folder}web"]) + "\nmost = 0",
    ]
    text = "\n".join(rule.replace('"one"', f'"{n}"') for n, rule in enumerate(rules))
    with built_tree(tmp_path, {**files, "mu.toml": text}) as workspace:
        report = check(workspace)

    assert report.broken == ("0", "1", "2", "3")


LINTER = """
[importlinter]
root_package = shop
exclude_type_checking_imports = True

[importlinter:contract:1]
name = Layers
type = layers
containers = shop
layers =
    model
    cart | (attic)
    web

[importlinter:contract:2]
name = No JSON
type = forbidden
source_modules = shop
forbidden_modules =
    json
    re
ignore_imports =
    shop.cart -> json
unmatched_ignore_imports_alerting = warn
"""


def test_contracts_of_import_linter_are_checked_and_converted(tmp_path: Path) -> None:
    with built_tree(tmp_path, {**FILES, "setup.cfg": LINTER}) as workspace:
        report = check(workspace, linter_file="setup.cfg")
        text = suggest_contracts(workspace, linter_file="setup.cfg").text
        (tmp_path / "mu.toml").write_text(text)

        assert messages(report) == [
            "shop.cart may not import shop.model, not even through others",
            "shop.web may not import shop.cart",
        ]
        assert check(workspace).violations == report.violations


def test_a_contract_of_a_plug_in_is_an_error(tmp_path: Path) -> None:
    text = '[tool.importlinter]\n[[tool.importlinter.contracts]]\nname = "x"\ntype = "own"\n'
    with (
        built_tree(tmp_path, {**FILES, "pyproject.toml": text}) as workspace,
        pytest.raises(MuError, match="has the type 'own', which MU does not read"),
    ):
        check(workspace, linter_file="pyproject.toml")


def test_suggested_layers_are_kept(tmp_path: Path) -> None:
    files = {**FILES, "shop/jobs.py": "import shop.mail\n", "shop/mail.py": "import shop.jobs\n"}
    with built_tree(tmp_path, files) as workspace:
        text = suggest_contracts(workspace).text
        (tmp_path / "mu.toml").write_text(text)
        report = check(workspace)

    assert [line.strip() for line in text.splitlines()[4:-1]] == [
        '"shop/web.py",', '"shop/cart.py",', '"shop/glue.py",',
        '"shop/jobs.py : shop/mail.py",', '"shop/__init__.py | shop/model.py",',
    ]  # fmt: skip
    assert (report.total, report.rules) == (0, ("Layers of shop",))


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
        (contract("layers", layers=["shop"], modules=["shop"]), "which has no modules"),
        (
            contract("acyclic", ignore_imports=["shop.model -> shop.web"]),
            "names the import shop.model -> shop.web",
        ),
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
