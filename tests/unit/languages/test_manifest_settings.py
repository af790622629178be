"""The settings of manifests that module resolution reads; others may change without a build."""

import pytest

from mu.languages.loading import load_rules

PACKAGE = '{"name": "site", "version": "1.0.0", "exports": {"a": "./a.js", "b": "./b.js"}}'
CRATE = """
[package]
name = "core-parts"
version = "0.1.0"
[lib]
crate-type = ["rlib"]
[[bin]]
name = "run"
path = "src/run.rs"
[dependencies]
serde = "1.0"
log = { package = "core-log", version = "1" }
[profile.release]
lto = true
"""
MODULE = "module example.com/a\n\nrequire golang.org/x/net v0.50.0\n"
PROJECT = '[project]\nname = "a"\n\n[tool.maturin]\nmodule-name = "a.fast"\n'
PATHS = '{"compilerOptions": {"strict": true, "paths": {"@/*": ["./lib/*"]}}} // as built'

FREE = [
    ("python", "pyproject.toml", PROJECT, 'name = "a"', 'name = "b"\nversion = "2"'),
    ("python", "setup.cfg", "[metadata]\n", "metadata", "options"),
    ("rust", "pyproject.toml", PROJECT, 'name = "a"', 'name = "b"'),
    ("rust", "Cargo.toml", CRATE, '"0.1.0"', '"0.2.0"'),
    ("rust", "Cargo.toml", CRATE, 'serde = "1.0"', 'serde = { version = "1.1" }'),
    ("rust", "Cargo.toml", CRATE, "lto = true", "lto = false"),
    ("go", "go.mod", MODULE, "v0.50.0", "v0.51.0 // indirect"),
    ("javascript", "package.json", PACKAGE, "1.0.0", "1.0.1"),
    ("javascript", "tsconfig.json", PATHS, "true", "false"),
    ("typescript", "lib/tsconfig.json", PATHS, "// as built", ""),
]
DECIDING = [
    ("python", "pyproject.toml", PROJECT, "a.fast", "a.slow"),
    ("rust", "pyproject.toml", PROJECT, "a.fast", "a.slow"),
    ("rust", "Cargo.toml", CRATE, "core-parts", "parts"),
    ("rust", "Cargo.toml", CRATE, "[lib]", '[lib]\npath = "other.rs"'),
    ("rust", "Cargo.toml", CRATE, "src/run.rs", "src/main.rs"),
    ("rust", "Cargo.toml", CRATE, "[lib]", 'edition = "2021"\n[lib]'),
    ("rust", "Cargo.toml", CRATE, "[dependencies]", '[dependencies]\nrand = "1"'),
    ("rust", "Cargo.toml", CRATE, "core-log", "other-log"),
    ("rust", "Cargo.toml", CRATE, "[package]", "[workspace]"),
    ("go", "go.mod", MODULE, "example.com/a", "example.com/b"),
    ("go", "go.mod", MODULE, "require", "replace a.b/c => ./c\nrequire"),
    ("javascript", "package.json", PACKAGE, "site", "page"),
    ("javascript", "package.json", PACKAGE, '"exports"', '"main": "./a.js", "exports"'),
    ("javascript", "package.json", PACKAGE, '"a": "./a.js", "b"', '"b": "./a.js", "a"'),
    ("javascript", "tsconfig.json", PATHS, "./lib/*", "./other/*"),
    ("javascript", "tsconfig.json", PATHS, '"strict": true', '"baseUrl": "lib"'),
    ("javascript", "tsconfig.json", PATHS, '"compiler', '"extends": "./base", "compiler'),
]


@pytest.mark.parametrize(("language", "path", "text", "old", "new"), FREE + DECIDING)
def test_settings_differ_where_modules_may_be_found_otherwise(
    language: str, path: str, text: str, old: str, new: str
) -> None:
    names = load_rules([language])[language].modules
    assert old in text

    before, after = (names.manifest_settings(path, one) for one in (text, text.replace(old, new)))

    assert (before == after) == ((language, path, text, old, new) in FREE)
