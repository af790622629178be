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
PATHS = sorted(path for path, _, _ in SOURCES.values())


def test_every_language_is_tried() -> None:
    assert set(SOURCES) == {path.name for path in (ROOT / "grammars").iterdir() if path.is_dir()}


def files(folder: Path) -> dict[str, dict[str, object]]:
    """The rows of `files` in the graph of a folder, by path."""
    rows = json.loads(mu("query", "SELECT * FROM files", "--format", "json", cwd=folder).stdout)
    return {
        row[rows["columns"].index("path")]: dict(zip(rows["columns"], row, strict=True))
        for row in rows["rows"]
    }


def places_of_functions(folder: Path) -> list[str]:
    """The file of each function in the graph of a folder, all of which are named `kept`."""
    found = mu("query", "SELECT name, path FROM functions", "--format", "csv", cwd=folder)
    rows = [line.split(",") for line in found.stdout.split()[1:]]
    assert {name for name, _ in rows} == {"kept"}
    return sorted(path for _, path in rows)


def test_bytes_in_no_encoding_cost_themselves_alone(tmp_path: Path) -> None:
    for path, text, comment in SOURCES.values():
        (tmp_path / path).write_bytes(f"{comment} caf\xe9\n{text}".encode("latin-1"))

    built = mu("kernel", "build", ".", cwd=tmp_path)

    assert built.returncode == 0
    assert f"{len(SOURCES)} files with problems" in built.stdout + built.stderr
    assert places_of_functions(tmp_path) == PATHS
    assert "bytes that are not UTF-8" in mu("kernel", "audit", cwd=tmp_path).stdout
    problems = {path: str(row["problems"]) for path, row in files(tmp_path).items()}
    assert [path for path in PATHS if "not UTF-8" not in problems[path]] == []


def test_another_encoding_is_read_if_the_file_says_so(tmp_path: Path) -> None:
    for path, text, comment in SOURCES.values():
        said = f"{comment} coding: latin-1 caf\xe9\n{text}"
        (tmp_path / path).write_bytes(said.encode("latin-1"))
        (tmp_path / f"wide-{path}").write_bytes(text.encode("utf-16"))

    built = mu("kernel", "build", ".", cwd=tmp_path)

    assert "with problems" not in built.stdout + built.stderr
    assert places_of_functions(tmp_path) == sorted([*PATHS, *(f"wide-{path}" for path in PATHS)])


def test_a_binary_is_named_and_left_out(tmp_path: Path) -> None:
    write_tree(tmp_path, {path: text for path, text, _ in SOURCES.values()})
    for path in PATHS:
        (tmp_path / f"b{path}").write_bytes(b"\x7fELF\0\0\0")

    built = mu("kernel", "build", ".", cwd=tmp_path)

    assert f"{len(PATHS)} skipped ({len(PATHS)} binary)" in built.stdout + built.stderr
    assert places_of_functions(tmp_path) == PATHS


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
def test_grammars_that_are_not_installed_are_named_and_the_rest_is_read(tmp_path: Path) -> None:
    gone = ["go", "java", "python", "rust", "typescript"]
    copy = tmp_path / "mu"
    for name in ("src/mu", "grammars", "queries"):
        shutil.copytree(ROOT / name, copy / name, ignore=shutil.ignore_patterns("*.pyc.*"))
    for language in gone:
        manifest = copy / "grammars" / language / "language.toml"
        text = manifest.read_text().replace(f"tree_sitter_{language}", f"tree_sitter_no_{language}")
        manifest.write_text(text)
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
    told = [f"the grammar of {language} (tree_sitter_no_{language}" for language in gone]
    assert [words for words in told if words not in built.stdout + built.stderr] == []
    left_out = {path for path, row in files(folder).items() if row["status"] != "indexed"}
    assert left_out == {SOURCES[language][0] for language in gone}
