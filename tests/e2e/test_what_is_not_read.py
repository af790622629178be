"""What cannot be read is named, in every language, and the rest is indexed."""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from e2e.command import PROGRAM, environment, mu, write_tree

ROOT = Path(__file__).resolve().parents[2]
SOURCES = {
    "go": ("a.go", "package a\n\nfunc kept() {}\n", "//"),
    "java": ("A.java", "class A {\n    void kept() { }\n}\n", "//"),
    "javascript": ("a.js", "function kept() {}\n", "//"),
    "python": ("a.py", "def kept():\n    pass\n", "#"),
    "rust": ("a.rs", "fn kept() {}\n", "//"),
    "svelte": ("a.svelte", "<script>\nfunction kept() {}\n</script>\n", "//"),
    "tsx": ("a.tsx", "function kept() { return <b />; }\n", "//"),
    "typescript": ("a.ts", "function kept() {}\n", "//"),
    "vue": ("a.vue", "<script>\nfunction kept() {}\n</script>\n", "//"),
}
"""Of each language a file with a function, and what begins a comment in it."""


def test_every_language_is_tried() -> None:
    assert set(SOURCES) == {path.name for path in (ROOT / "grammars").iterdir() if path.is_dir()}


def files(folder: Path) -> dict[str, dict[str, object]]:
    """The rows of `files` in the graph of a folder, by path."""
    rows = json.loads(mu("query", "SELECT * FROM files", "--format", "json", cwd=folder).stdout)
    return {
        row[rows["columns"].index("path")]: dict(zip(rows["columns"], row, strict=True))
        for row in rows["rows"]
    }


def functions(folder: Path) -> set[str]:
    found = mu("query", "SELECT name FROM functions", "--format", "csv", cwd=folder)
    return set(found.stdout.split()[1:])


@pytest.mark.parametrize("language", SOURCES)
def test_bytes_in_no_encoding_cost_themselves_alone(language: str, tmp_path: Path) -> None:
    path, text, comment = SOURCES[language]
    (tmp_path / path).write_bytes(f"{comment} caf\xe9\n{text}".encode("latin-1"))

    built = mu("kernel", "build", ".", cwd=tmp_path)

    assert built.returncode == 0
    assert "1 file with problems" in built.stdout + built.stderr
    assert functions(tmp_path) == {"kept"}
    assert "bytes that are not UTF-8" in mu("kernel", "audit", cwd=tmp_path).stdout


@pytest.mark.parametrize("language", SOURCES)
def test_another_encoding_is_read_if_the_file_says_so(language: str, tmp_path: Path) -> None:
    path, text, comment = SOURCES[language]
    (tmp_path / path).write_bytes(f"{comment} coding: latin-1 caf\xe9\n{text}".encode("latin-1"))
    (tmp_path / f"wide-{path}").write_bytes(text.encode("utf-16"))

    built = mu("kernel", "build", ".", cwd=tmp_path)

    assert "with problems" not in built.stdout + built.stderr
    assert functions(tmp_path) == {"kept"}


@pytest.mark.parametrize("language", SOURCES)
def test_a_binary_is_named_and_left_out(language: str, tmp_path: Path) -> None:
    path, text, _ = SOURCES[language]
    write_tree(tmp_path, {path: text})
    (tmp_path / f"b{path}").write_bytes(b"\x7fELF\0\0\0")

    built = mu("kernel", "build", ".", cwd=tmp_path)

    assert "1 skipped (1 binary)" in built.stdout + built.stderr
    assert functions(tmp_path) == {"kept"}


def test_files_of_no_known_language_are_counted_by_their_ending(tmp_path: Path) -> None:
    write_tree(
        tmp_path,
        {
            "a.py": "def kept():\n    pass\n",
            "b/one.unheard": "?",
            "a/two.unheard": "?",
            "x.other": "?",
            "out/y.left": "?",
            ".gitignore": "out/\n",
        },
    )
    mu("kernel", "build", ".", cwd=tmp_path)

    lines = mu("kernel", "audit", cwd=tmp_path).stdout.splitlines()
    place = lines.index("files of no known language")
    assert [re.split(r"\s{2,}", line.strip()) for line in lines[place + 1 : place + 4]] == [
        [".unheard", "such as a/two.unheard", "2"],
        [".other", "such as x.other", "1"],
        ["what would help most"],
    ]


def test_a_language_that_was_not_asked_for_is_known_all_the_same(tmp_path: Path) -> None:
    write_tree(tmp_path, {"a.py": "def kept():\n    pass\n", "a.go": "package a\n"})

    mu("kernel", "build", ".", "--language", "python", cwd=tmp_path)

    assert "no known language" not in mu("kernel", "audit", cwd=tmp_path).stdout


@pytest.mark.slow(reason="starts a copy of MU that keeps nothing of another")
@pytest.mark.parametrize("language", ["go", "java", "python", "rust", "typescript"])
def test_a_grammar_that_is_not_installed_is_named_and_the_rest_is_read(
    language: str, tmp_path: Path
) -> None:
    copy = tmp_path / "mu"
    for name in ("src/mu", "grammars", "queries"):
        shutil.copytree(ROOT / name, copy / name, ignore=shutil.ignore_patterns("*.pyc.*"))
    manifest = copy / "grammars" / language / "language.toml"
    manifest.write_text(manifest.read_text().replace(f"tree_sitter_{language}", "tree_sitter_gone"))
    folder = write_tree(tmp_path / "repository", {path: text for path, text, _ in SOURCES.values()})

    built = subprocess.run(
        [sys.executable, "-c", PROGRAM, "kernel", "build", "."],
        cwd=folder,
        env={**environment(folder), "PYTHONPATH": str(copy / "src")},
        capture_output=True,
        text=True,
        check=False,
    )

    assert built.returncode == 5
    told = f"the grammar of {language} (tree_sitter_gone"
    assert told in built.stdout + built.stderr
    rows = files(folder)
    assert {path for path, row in rows.items() if row["status"] != "indexed"} == {
        SOURCES[language][0]
    }
