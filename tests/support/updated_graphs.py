"""Edits of a repository, and graphs that were brought up to date after them."""

import os
from dataclasses import replace
from pathlib import Path

from benchmarks.edits import tables

from mu.kernel.building import build
from mu.kernel.report import BuildReport
from mu.kernel.settings import BuildSettings


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
