"""A folder whose files were built before, there or elsewhere, gets the graph that was kept."""

import os
import shutil
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from mu.kernel.building import build
from mu.kernel.settings import BuildSettings
from mu.resolve import NeedsBuildError
from support.updated_graphs import check_is_as_built, write_files

MAIN = {f"shop/part_{n}.py": f"def part_{n}():\n    return {n}\n" for n in range(14)}
MAIN["shop/all.py"] = "".join(f"from shop.part_{n} import part_{n}\n" for n in range(14))
MAIN["shop/use.py"] = "from shop.all import part_3\n\n\ndef use():\n    return part_3()\n"
BRANCH = {
    **{path: text.replace("return", "value = 1\n    return") for path, text in MAIN.items()},
    "shop/more.py": "from shop.use import use\n\n\ndef more():\n    return use()\n",
}


@pytest.fixture
def settings(tmp_path: Path) -> BuildSettings:
    return BuildSettings(facts=tmp_path / "facts", jobs=1)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "repository"
    write_files(root, MAIN)
    return root


def switch(root: Path, files: Mapping[str, str]) -> None:
    """Have just some files, as another branch does."""
    shutil.rmtree(root / "shop")
    write_files(root, files)


def kept_in(settings: BuildSettings) -> list[Path]:
    assert settings.facts is not None
    return [*(settings.facts / "graphs").glob("*.mubase")]


def test_a_switch_back_brings_back_the_graph(root: Path, settings: BuildSettings) -> None:
    first = build(root, settings)
    switch(root, BRANCH)
    other = build(root, settings)
    assert other.updated is None
    for files, digest in ((MAIN, first.digest), (BRANCH, other.digest), (MAIN, first.digest)):
        switch(root, files)
        report = build(root, settings)
        assert (report.updated, report.digest) == (0, digest)
        check_is_as_built(root, settings, report)
        assert build(root, settings).is_unchanged


def test_what_was_edited_before_the_switch_is_brought_back_as_edited(
    root: Path, settings: BuildSettings
) -> None:
    build(root, settings)
    edited = MAIN | {"shop/use.py": "from shop.all import part_4\n\n\nuse = part_4()\n"}
    write_files(root, edited)
    before = build(root, settings)
    assert before.updated
    switch(root, BRANCH)
    build(root, settings)
    switch(root, edited | {"shop/part_1.py": "def part_1(): ...\n"})

    report = build(root, settings)

    assert report.updated
    check_is_as_built(root, settings, report)


def test_an_edit_that_is_built_and_taken_back_brings_back_the_graph(
    root: Path, settings: BuildSettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = build(root, settings)
    with monkeypatch.context() as patched:
        patched.setattr("mu.kernel.updating.file_relinking.relink", _altered_elsewhere)
        for text, updated in (("use = 1\n", None), (MAIN["shop/use.py"], 0)):
            write_files(root, {"shop/use.py": text})
            report = build(root, settings)
            assert report.updated == updated
            check_is_as_built(root, settings, report)
    assert report.digest == first.digest


def _altered_elsewhere(*_: object, **__: object) -> None:
    raise NeedsBuildError("all files may be altered")


def test_another_folder_of_the_same_files_gets_a_copy(
    tmp_path: Path, root: Path, settings: BuildSettings
) -> None:
    first = build(root, settings)
    write_files(tmp_path / "other", MAIN)

    report = build(tmp_path / "other", settings)

    assert (report.updated, report.digest) == (0, first.digest)
    check_is_as_built(tmp_path / "other", settings, report)


def test_files_that_differ_in_another_folder_are_linked(
    tmp_path: Path, root: Path, settings: BuildSettings
) -> None:
    build(root, settings)
    write_files(tmp_path / "other", MAIN | {"shop/use.py": "from shop.all import part_4\n"})

    report = build(tmp_path / "other", settings)

    assert report.updated == 1
    check_is_as_built(tmp_path / "other", settings, report)


def test_a_kept_graph_that_is_damaged_is_made_anew(
    tmp_path: Path, root: Path, settings: BuildSettings
) -> None:
    build(root, settings)
    for path in kept_in(settings):
        path.write_bytes(path.read_bytes()[:5_000])
    write_files(tmp_path / "other", MAIN)

    report = build(tmp_path / "other", settings)

    assert report.updated is None
    check_is_as_built(tmp_path / "other", settings, report)


@pytest.mark.parametrize(
    "other",
    [
        lambda settings: replace(settings, is_full=True),
        lambda settings: replace(settings, facts=None),
        lambda settings: replace(settings, roots=("shop",)),
    ],
    ids=("full", "no facts", "roots"),
)
def test_a_build_of_other_settings_takes_none(
    tmp_path: Path,
    root: Path,
    settings: BuildSettings,
    other: Callable[[BuildSettings], BuildSettings],
) -> None:
    build(root, settings)
    write_files(tmp_path / "other", MAIN)
    assert build(tmp_path / "other", other(settings)).updated is None


def test_an_edit_keeps_no_graph_more(root: Path, settings: BuildSettings) -> None:
    build(root, settings)
    before = kept_in(settings)
    write_files(root, {"shop/use.py": "def use(): ...\n"})
    build(root, settings)
    assert kept_in(settings) == before


def test_those_used_last_are_kept(
    tmp_path: Path, root: Path, settings: BuildSettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("mu.kernel.change_detection.kept_graphs._MOST_GRAPHS", 2)
    for number in range(3):
        write_files(root, {"shop/use.py": f"use = {number}\n"})
        shutil.rmtree(tmp_path / "copy", ignore_errors=True)
        shutil.copytree(root, tmp_path / "copy", ignore=shutil.ignore_patterns(".mubase"))
        (tmp_path / "copy" / f"one_{number}.py").write_text("one = 1\n")
        build(tmp_path / "copy", replace(settings, roots=(f"root_{number}",)))
        for age, path in enumerate(sorted(kept_in(settings), key=lambda one: one.stat().st_mtime)):
            os.utime(path, (number * 10 + age, number * 10 + age))
    assert len(kept_in(settings)) == 2


def test_a_folder_that_cannot_be_written_costs_nothing_else(
    root: Path, settings: BuildSettings
) -> None:
    assert settings.facts is not None
    settings.facts.mkdir()
    (settings.facts / "graphs").write_text("no folder")
    report = build(root, settings)
    check_is_as_built(root, settings, report)
