"""A digest of this installation of MU, which graphs depend on besides their files.

A graph of another installation is built again, whatever its version: in an editable installation
any line may have changed. The digest covers names, sizes and times of files, which costs 10 ms
where reading them would cost 50. A graph from another machine cannot pretend to be built here,
since nobody there knows those times.
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
    """Return a hex digest of everything that determines a graph except sources and options."""
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
    """Yield path, size and time of every file below a folder, except in `__pycache__`."""
    with os.scandir(folder) as entries:
        found = sorted(entries, key=lambda entry: entry.name)
    for entry in found:
        if entry.is_dir(follow_symlinks=False):
            if entry.name != "__pycache__":
                yield from _files(entry.path)
        else:
            status = entry.stat()
            yield entry.path, status.st_size, status.st_mtime_ns
