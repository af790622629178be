"""Tell whether two states have the same sources, without building a graph of either.

Sources are compared by their content, and so are the package manifests that linking reads. What
cannot be read makes states unequal: the report of a build says why.
"""

from collections.abc import Iterator
from pathlib import Path

from mu.kernel import BuildSettings
from mu.kernel.inputs.package_manifests import possible_manifest_paths
from mu.kernel.inputs.source_listing import list_sources
from mu.languages.loading import load_rules
from mu.operations.revisions.snapshots import Range
from mu.source import SkippedSource, SourceFile, SourceTree, read_source
from mu.source.trees import WorkingTree
from mu.syntax import load_manifests


def has_equal_sources(root: Path, span: Range, *, settings: BuildSettings) -> bool:
    """Tell whether no source differs between the states of a range.

    Costs a walk of each, and reading the sources up to the first that differs.
    """
    if span.after is not None and span.after.tree == span.before.tree:
        return True
    before = span.before.files()
    after = WorkingTree(root) if span.after is None else span.after.files()
    files = _listed(before, settings)
    same = _listed(after, settings, left_out=span.submodules)
    if [(file.path, file.size) for file in files] != [(file.path, file.size) for file in same]:
        return False
    most = settings.walk.max_file_size
    try:
        is_equal = all(
            _digest(before, path, most=most) == _digest(after, path, most=most)
            for path in (file.path for file in files)
        )
    except SkippedSource:
        return False
    return is_equal and all(
        _manifest(before, path, most=most) == _manifest(after, path, most=most)
        for path in _manifest_paths(files)
    )


def _listed(
    tree: SourceTree, settings: BuildSettings, *, left_out: tuple[str, ...] = ()
) -> list[SourceFile]:
    found = list_sources(tree, settings.walk, manifests=load_manifests())
    below = tuple(f"{folder.rstrip('/')}/" for folder in left_out)
    return [file for file in found.files if not (below and file.path.startswith(below))]


def _digest(tree: SourceTree, path: str, *, most: int) -> str:
    return read_source(tree, path, max_file_size=most).digest


def _manifest(tree: SourceTree, path: str, *, most: int) -> str:
    try:
        return _digest(tree, path, most=most)
    except SkippedSource as error:
        return error.message


def _manifest_paths(files: list[SourceFile]) -> Iterator[str]:
    rules = load_rules(load_manifests())
    names = {language: tuple(known.entries.manifests) for language, known in rules.items()}
    rows = ((file.language, file.path) for file in files)
    yield from (path for _, path in possible_manifest_paths(rows, names))
