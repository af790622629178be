"""Manifests that change: the graph is built anew only where they say something else of modules."""

from pathlib import Path

from mu.kernel.building import build
from mu.kernel.settings import BuildSettings
from support.updated_graphs import check_is_as_built, edit

FILES = {
    "pyproject.toml": """
        [project]
        name = "shop"
        dependencies = []

        [project.scripts]
        shop = "shop.app:main"
        """,
    "shop/__init__.py": "",
    "shop/app.py": """
        from shop.stock import count

        def main():
            return count()

        def serve():
            return main()
        """,
    "shop/stock.py": """
        def count():
            return 1
        """,
    "server/go.mod": """
        module example.com/server

        go 1.24

        require golang.org/x/net v0.50.0
        """,
    "server/main.go": """
        package main

        import "example.com/server/pages"

        func main() { pages.Show() }
        """,
    "server/pages/pages.go": """
        package pages

        func Show() {}
        """,
    "site/package.json": """
        {
          "name": "site",
          "version": "1.0.0",
          "scripts": {"start": "node server.js"},
          "exports": {".": "./main.ts"}
        }
        """,
    "site/tsconfig.json": """
        {"compilerOptions": {"strict": true, "paths": {"@/*": ["./lib/*"]}}}
        """,
    "site/main.ts": "import { show } from '@/show';\nexport function run() { show(); }\n",
    "site/lib/show.ts": "export function show() {}\n",
    "site/other/show.ts": "export function show() {}\n",
    "site/server.js": "function start() {}\nstart();\n",
    "core/Cargo.toml": """
        [package]
        name = "core-parts"
        version = "0.1.0"
        edition = "2021"

        [dependencies]
        serde = "1.0"
        """,
    "core/src/lib.rs": "pub mod parts;\npub fn all() { parts::one(); }\n",
    "core/src/parts.rs": "pub fn one() {}\n",
}

SAYING_THE_SAME = (
    ("pyproject.toml", "dependencies = []", 'dependencies = [\n  "click",\n]'),
    ("pyproject.toml", "shop = ", "till = "),
    ("pyproject.toml", "app:main", "app:serve"),
    ("server/go.mod", "v0.50.0", "v0.51.0"),
    ("site/package.json", '"scripts": {', '"scripts": {\n"main": "tsx main.ts",'),
    ("site/tsconfig.json", "true", "false"),
    ("core/Cargo.toml", '"0.1.0"', '"0.2.0"'),
)
SAYING_OTHERWISE = (
    ("server/go.mod", "example.com/server", "example.com/other"),
    ("pyproject.toml", "[project]", "[project"),
    ("pyproject.toml", None, None),
)


def test_entries_are_replaced_where_modules_are_called_the_same(
    root: Path, settings: BuildSettings
) -> None:
    build(root, settings)
    for name, old, new in SAYING_THE_SAME:
        edit(root, name, old, new)
        report = build(root, settings)
        assert report.updated == 0, name
    check_is_as_built(root, settings, report)
    assert build(root, settings).is_unchanged

    for name, old, new in reversed(SAYING_THE_SAME):
        edit(root, name, new, old)
    edit(root, "pyproject.toml", 'shop = "shop.app:main"\n', "")

    report = build(root, settings)

    assert report.updated == 0
    check_is_as_built(root, settings, report)


def test_a_graph_is_built_where_modules_may_be_called_otherwise(
    root: Path, settings: BuildSettings
) -> None:
    build(root, settings)
    for name, old, new in SAYING_OTHERWISE:
        edit(root, name, old, new)
        report = build(root, settings)
        assert report.updated is None, name
        assert not report.is_unchanged
    check_is_as_built(root, settings, report)


def test_names_count_by_which_a_manifest_takes_something_out_of_a_module(
    root: Path, settings: BuildSettings
) -> None:
    build(root, settings)
    edit(root, "shop/stock.py", "def count(", "def app():\n    return 1\n\n\ndef count(")

    report = build(root, settings)

    assert report.updated
    check_is_as_built(root, settings, report)
    edit(root, "shop/app.py", "def main(", "def begin(")

    report = build(root, settings)

    check_is_as_built(root, settings, report)


def test_sources_and_the_manifest_that_names_them_change_at_once(
    root: Path, settings: BuildSettings
) -> None:
    build(root, settings)
    edit(root, "pyproject.toml", "[project.scripts]", "# commands\n[project.scripts]")
    edit(root, "shop/app.py", "return count()", "return count() + count()")

    report = build(root, settings)

    assert report.updated == 1
    check_is_as_built(root, settings, report)

    edit(root, "pyproject.toml", "app:main", "app:fresh")
    edit(root, "shop/app.py", "def serve", "def fresh():\n    return main()\n\ndef serve")

    check_is_as_built(root, settings, build(root, settings))
