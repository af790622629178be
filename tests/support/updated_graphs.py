"""Edits of a repository, and graphs that were brought up to date after them."""

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from textwrap import dedent

import pytest
from benchmarks.edits import tables

from mu.kernel.building import build
from mu.kernel.report import BuildReport
from mu.kernel.settings import BuildSettings
from mu.resolve.linker import Linker
from mu.resolve.program.file_symbols import FileSymbols

_Built = tuple[list[list[tuple[object, ...]]], BuildReport]
_BUILT: dict[object, _Built] = {}
"""The rows of graphs that were built from scratch, and what was reported of them."""


def write_files(root: Path, files: Mapping[str, str]) -> None:
    """Write files by their paths; their texts may be indented."""
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(dedent(text).lstrip("\n"))


def edit(root: Path, name: str, old: str | None, new: str | None) -> None:
    """Put a text in the place of `old`, or of all of a file, which may be new; None removes it."""
    path = root / name
    if new is None:
        path.unlink()
        return
    before = path.read_bytes().decode() if path.exists() else ""
    text = before.replace("\r\n", "\n")
    assert old is None or old in text
    text = new if old is None else text.replace(old, new, 1)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.replace("\n", "\r\n" if "\r\n" in before else "\n").encode())
    os.utime(path, (1, 1))


def check_is_as_built(root: Path, settings: BuildSettings, report: BuildReport) -> None:
    """Hold the graph of a repository, and what was reported of it, against a build from scratch."""
    rows, full = _built_from_scratch(root, settings)
    assert tables(root / ".mubase") == rows
    for name in (
        *("digest", "files", "indexed", "languages", "nodes", "edges", "sites"),
        *("problems", "lines", "bytes", "skipped", "limits"),
    ):
        assert getattr(report, name) == getattr(full, name), name


def check_edit_and_back(
    root: Path, settings: BuildSettings, name: str, *, old: str, new: str
) -> None:
    """Build a graph, edit a file and take the edit back: the graph is updated both times, and is as
    one from scratch.
    """
    text = (root / name).read_text()
    build(root, settings)
    for before, after in ((old, new), (None, text)):
        edit(root, name, before, after)
        report = build(root, settings)
        assert report.updated is not None
        check_is_as_built(root, settings, report)


def _built_from_scratch(root: Path, settings: BuildSettings) -> _Built:
    """Build a graph, or give what one had that was built of such files for a test of this module:
    its tests go back to the files that they began with. Another module may set other bounds.
    """
    module = os.environ["PYTEST_CURRENT_TEST"].partition("::")[0]
    whole = replace(settings, facts=None, is_full=True)
    key = module, whole, _contents(root)
    if key not in _BUILT:
        anew = root.with_name("anew")
        report = build(root, whole, graph_file=anew)
        _BUILT[key] = tables(anew), report
    return _BUILT[key]


def _contents(root: Path) -> tuple[tuple[Path, bytes | Path], ...]:
    paths = sorted(path for path in root.rglob("*") if path.name != ".mubase")
    return tuple(
        (path.relative_to(root), path.readlink() if path.is_symlink() else path.read_bytes())
        for path in paths
        if path.is_symlink() or path.is_file()
    )


@contextmanager
def linked_functions(path: str) -> Iterator[list[set[str]]]:
    """Collect the names of the functions of a file that an update links: before an edit and after
    it.
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
        patch.setattr(Linker, "link", note)
        yield linked
