import json

import pytest

from mu.languages.typescript.module_finder import TypeScriptModules, read_json
from mu.resolve import Layout, Target

FILES = (
    "src/app.ts",
    "src/both.ts",
    "src/both.js",
    "src/old.js",
    "src/parts/index.tsx",
    "src/only.d.ts",
    "one/package.json.ts",
    "one/main.js",
    "one/src/start.ts",
    "two/lib/index.js",
)
MANIFESTS = {
    "one/package.json": json.dumps({"name": "one", "main": "./dist/start.js"}),
    "two/package.json": json.dumps({"name": "two", "exports": {"require": "./lib/index.js"}}),
    "src/broken/tsconfig.json": "{ not json",
}


@pytest.fixture(name="modules")
def modules_fixture() -> TypeScriptModules:
    return TypeScriptModules(Layout(dict(enumerate(FILES)), {}, manifests=MANIFESTS))


def found(modules: TypeScriptModules, importer: str, specifier: str) -> str | Target:
    target = modules.find(FILES.index(importer), specifier)
    return FILES[target.file] if target.file >= 0 else target


@pytest.mark.parametrize(
    ("importer", "specifier", "path"),
    [
        ("src/app.ts", "./both", "src/both.ts"),
        ("src/app.ts", "./both.js", "src/both.ts"),
        ("src/old.js", "./both.js", "src/both.js"),
        ("src/app.ts", "./parts", "src/parts/index.tsx"),
        ("src/app.ts", "./only", "src/only.d.ts"),
        ("src/app.ts", "./old.js?raw", "src/old.js"),
        ("src/app.ts", "../one", "one/src/start.ts"),
        ("src/app.ts", "one", "one/src/start.ts"),
        ("src/app.ts", "one/main", "one/main.js"),
        ("src/app.ts", "two", "two/lib/index.js"),
        ("src/parts/index.tsx", "..", Target(missing="..")),
        ("src/app.ts", "./gone", Target(missing="./gone")),
        ("src/app.ts", "../../outside", Target(missing="../../outside")),
        ("src/app.ts", "./style.css", Target(external="src/style.css")),
        ("src/app.ts", "three/part", Target(external="three/part")),
        ("src/app.ts", "node:fs", Target(external="fs")),
        ("src/app.ts", "#inner", Target(external="#inner")),
    ],
)
def test_specifier_resolves_to_a_file(
    modules: TypeScriptModules, importer: str, specifier: str, path: str | Target
) -> None:
    assert found(modules, importer, specifier) == path


def test_name_of_two_packages_is_external() -> None:
    manifests = {f"{folder}/package.json": '{"name": "same"}' for folder in ("a", "b")}
    paths = {0: "main.ts", 1: "a/index.ts", 2: "b/index.ts"}

    modules = TypeScriptModules(Layout(paths, {}, manifests=manifests))

    assert modules.find(0, "same") == Target(external="same")


def test_configurations_that_inherit_in_a_circle_come_to_an_end() -> None:
    manifests = {"tsconfig.json": '{"extends": "./tsconfig.json"}'}

    modules = TypeScriptModules(Layout({0: "main.ts"}, {}, manifests=manifests))

    assert modules.find(0, "thing") == Target(external="thing")


@pytest.mark.parametrize(
    ("text", "data"),
    [
        ('{"a": "http://b", /* c */ "d": [1, 2,], } // e', {"a": "http://b", "d": [1, 2]}),
        ('\ufeff{"a": ",}"}', {"a": ",}"}),
        ("[1]", {}),
        ("{", {}),
    ],
)
def test_configuration_may_have_comments_and_commas(text: str, data: dict[str, object]) -> None:
    assert read_json(text) == data
