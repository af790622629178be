"""A digest of this installation of MU, on which graphs depend beside their files.

A graph that another installation made is made anew, whatever its version says: in an editable one
any line may have changed. Told by names, sizes and times, which costs 10 ms where reading all would
cost 50; and a graph that came from elsewhere cannot pretend to be made here, for nobody there knows
those times.
"""

import os
import sys
from collections.abc import Iterator
from hashlib import blake2b
from pathlib import Path

import mu
from mu import bundle
from mu.syntax import load_manifests, versions_of


def engine_digest() -> str:
    """A hex digest of all that decides about a graph but its sources and its options."""
    digest = blake2b(repr((sys.version_info[:3], mu.__version__)).encode(), digest_size=16)
    names = _distributions()
    versions = versions_of(names)
    for name in names:
        digest.update(f"\0{name}={versions.get(name, '')}".encode())
    for folder in (Path(mu.__file__).parent, bundle.grammars(), bundle.queries()):
        for path, size, changed in _files(str(folder)):
            digest.update(f"\0{path}\0{size}\0{changed}".encode("utf-8", "surrogateescape"))
    return digest.hexdigest()


def _distributions() -> list[str]:
    grammars = {one.grammar.partition(":")[0] for one in load_manifests().values()}
    return ["duckdb", "tree-sitter", *sorted(name.replace("_", "-") for name in grammars)]


def _files(folder: str) -> Iterator[tuple[str, int, int]]:
    """Yield the path, size and time of every file below a folder that is no compiled module."""
    with os.scandir(folder) as entries:
        found = sorted(entries, key=lambda entry: entry.name)
    for entry in found:
        if entry.is_dir(follow_symlinks=False):
            if entry.name != "__pycache__":
                yield from _files(entry.path)
        else:
            status = entry.stat()
            yield entry.path, status.st_size, status.st_mtime_ns
