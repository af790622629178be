"""Programs that a grammar makes are edited at random: each update is held against a build."""

import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from benchmarks.edits import are_same, tables
from hypothesis import settings

from mu.kernel.building import build
from mu.kernel.report import BuildReport
from mu.kernel.settings import BuildSettings
from mu.resolve.incremental import relinking
from properties.programs import GRAMMARS, Grammar, write_program
from properties.programs.arguments import ARGUMENTS
from properties.programs.editing import edit_program
from properties.programs.found_edits import FOUND_EDITS
from support.updated_graphs import check_is_as_built, edit, write_files

EDITED = {**GRAMMARS, "arguments in python": ARGUMENTS}
SCRIPTS = max(settings().max_examples // 30, 1)  # an edit takes a second of CPU
EDITS = 5


@pytest.fixture(autouse=True, scope="module")
def _unbounded() -> Iterator[None]:
    """Link files again however many they are."""
    with pytest.MonkeyPatch.context() as patch:
        for name in ("MOST_RELINKED_SHARE", "MOST_RELINKED_IN_ALL"):
            patch.setattr(relinking, name, 10)
        yield


@pytest.fixture(scope="module")
def facts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of facts of the builds that updates are held against."""
    return tmp_path_factory.mktemp("facts")


@pytest.mark.parametrize("name", FOUND_EDITS)
def test_edits_after_which_a_graph_was_another_one(name: str, facts: Path, tmp_path: Path) -> None:
    files, edits = FOUND_EDITS[name]
    root = tmp_path / "tree"
    updated = BuildSettings(facts=tmp_path / "facts", jobs=1)
    write_files(root, files)
    build(root, updated)

    for path, old, new in edits:
        edit(root, path, old, new)
    report = build(root, updated)

    check_is_as_built(root, replace(updated, facts=facts), report)


@pytest.mark.parametrize("language", EDITED)
@pytest.mark.parametrize("seed", range(SCRIPTS))
def test_a_graph_after_an_edit_is_the_one_that_a_build_makes(
    language: str, seed: int, facts: Path
) -> None:
    grammar, random = EDITED[language], Random(seed)
    files = write_program(grammar, random)
    with tempfile.TemporaryDirectory() as folder:
        root, anew = Path(folder) / "tree", Path(folder) / "anew"
        updated = BuildSettings(facts=Path(folder) / "facts", jobs=1)
        whole = replace(updated, facts=facts, is_full=True)
        put(root, files)
        build(root, updated)
        for _ in range(EDITS):
            files = edited(files, random, grammar)
            put(root, files)
            report, other = build(root, updated), build(root, whole, graph_file=anew)

            if is_cut(report) or is_cut(other):
                break  # what is passed before a bound is reached depends on the order
            assert are_same(report, other)
            assert tables(root / ".mubase") == tables(anew)


def edited(files: dict[str, str], random: Random, grammar: Grammar) -> dict[str, str]:
    """Return the files after an edit that changes any of them."""
    after = files
    while after == files:
        after = edit_program(files, random, grammar=grammar)
    return after


def put(root: Path, files: dict[str, str]) -> None:
    """Make a folder hold these files and no others, but its graph."""
    for path in [*root.rglob("*")]:
        name = path.relative_to(root).as_posix()
        if path.is_file() and name != ".mubase" and name not in files:
            path.unlink()
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.exists() or path.read_text() != text:
            path.write_text(text)


def is_cut(report: BuildReport) -> bool:
    """Return whether a bound of linking was reached that depends on the order of evaluation."""
    return any(limit.name in ("arguments", "depth", "rounds") for limit in report.limits)
