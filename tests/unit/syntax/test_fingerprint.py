"""What facts are kept under changes with everything that they are made by."""

import shutil
from importlib.metadata import version
from pathlib import Path

import pytest

from mu import bundle
from mu.syntax import extraction_digest, load_manifests, versions_of
from mu.syntax.grammars import fingerprint


@pytest.fixture
def copies(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Queries, manifests and sources as copies that may be changed."""
    shutil.copytree(bundle.queries(), tmp_path / "queries")
    shutil.copytree(bundle.grammars(), tmp_path / "grammars")
    compiled = shutil.ignore_patterns("__pycache__")  # others write there meanwhile
    shutil.copytree(Path(fingerprint.__file__).parents[1], tmp_path / "syntax", ignore=compiled)
    for name in ("facts.py", "words.py"):
        shutil.copy(Path(fingerprint.__file__).parents[2] / "model" / name, tmp_path / name)
    monkeypatch.setattr(bundle, "queries", lambda: tmp_path / "queries")
    monkeypatch.setattr(bundle, "grammars", lambda: tmp_path / "grammars")
    monkeypatch.setattr(fingerprint, "_PACKAGE", tmp_path / "syntax")
    monkeypatch.setattr(fingerprint, "_FACTS", tmp_path / "facts.py")
    return tmp_path


def test_languages_differ_and_a_language_is_the_same_each_time() -> None:
    digests = {name: extraction_digest(name) for name in load_manifests()}

    assert all(digests.values())
    assert len(set(digests.values())) == len(digests)
    assert digests == {name: extraction_digest(name) for name in digests}


@pytest.mark.parametrize(
    ("language", "path"),
    [
        ("python", "queries/python/bindings.scm"),
        ("javascript", "queries/typescript/bindings.scm"),  # which JavaScript takes its own from
        ("python", "grammars/python/language.toml"),
        ("python", "syntax/roles/walk.py"),
        ("python", "facts.py"),
        ("python", "words.py"),
    ],
)
def test_a_change_of_any_part_changes_it(copies: Path, language: str, path: str) -> None:
    before = extraction_digest(language)
    with (copies / path).open("a") as file:
        file.write("\n")

    assert extraction_digest(language) != before


def test_another_language_s_queries_do_not_change_it(copies: Path) -> None:
    before = extraction_digest("python")
    (copies / "queries" / "go" / "bindings.scm").write_text("")

    assert extraction_digest("python") == before


@pytest.mark.parametrize("change", ["tree-sitter", "tree-sitter-python"])
def test_another_version_of_parser_or_grammar_changes_it(
    change: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = extraction_digest("python")
    versions = {**versions_of(("tree-sitter", "tree-sitter-python")), change: "99"}
    monkeypatch.setattr(fingerprint, "versions_of", lambda _: versions)

    assert extraction_digest("python") != before


def test_without_sources_there_is_none(copies: Path) -> None:
    (copies / "facts.py").unlink()

    assert extraction_digest("python") == ""


def test_versions_are_those_of_the_metadata() -> None:
    names = ("tree-sitter", "tree_sitter.python", "no-such-distribution")

    versions = versions_of(names)

    assert versions == {name: version(name) for name in names[:2]}
