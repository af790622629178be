"""Edits of a repository, and graphs that were brought up to date after them."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from benchmarks.edits import tables

from mu.kernel.building import build
from mu.kernel.report import BuildReport
from mu.kernel.settings import BuildSettings
from mu.resolve.pipeline import Linker
from mu.resolve.program.file_symbols import FileSymbols


def edit(root: Path, name: str, old: str | None, new: str) -> None:
    path = root / name
    text, ends = path.read_bytes().decode(), "\r\n" if b"\r\n" in path.read_bytes() else "\n"
    text = text.replace("\r\n", "\n")
    assert old is None or old in text
    text = new if old is None else text.replace(old, new, 1)
    path.write_bytes(text.replace("\n", ends).encode())
    os.utime(path, (1, 1))


def check_is_as_built(root: Path, settings: BuildSettings, report: BuildReport) -> None:
    anew = root.with_name("anew")
    full = build(root, replace(settings, is_full=True), graph_file=anew)
    assert tables(root / ".mubase") == tables(anew)
    for name in (
        *("digest", "files", "indexed", "languages", "nodes", "edges", "sites"),
        *("problems", "lines", "bytes", "skipped"),
    ):
        assert getattr(report, name) == getattr(full, name), name


@contextmanager
def linked_functions(path: str) -> Iterator[list[set[str]]]:
    """Collect the names of the functions of a file that an update links: before an edit and after
    it. A fault of the update is raised.
    """
    linked: list[set[str]] = []
    link = Linker.link

    def note(linker: Linker, unit: FileSymbols) -> None:
        if unit.file.path == path:
            rows = enumerate(unit.facts.definitions)
            is_linked = ((row, local not in unit.left_out) for local, row in rows)
            linked.append({row.name for row, is_in in is_linked if is_in and row.kind != "class"})
        link(linker, unit)

    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("MU_DEBUG", "1")
        patch.setattr(Linker, "link", note)
        yield linked
