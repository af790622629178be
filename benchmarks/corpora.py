"""Copies of source trees to measure on: exactly the files that MU would index, and no others.

A copy keeps the trees of others clean, gives the floor and the build the same files, and can be
thinned out or multiplied to show how cost grows.
"""

import importlib.util
import re
import shutil
import sysconfig
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from mu.source import WalkOptions, discover, native_path
from mu.syntax import load_manifests


@dataclass(frozen=True, slots=True)
class Corpus:
    """A folder of sources; `files` are native paths under `root` with their grammar's module."""

    name: str
    root: Path
    files: tuple[tuple[str, str], ...]
    bytes: int
    lines: int


def stage(source: Path, destination: Path, *, exclude: Sequence[str] = (), step: int = 1) -> Corpus:
    """Copy every `step`-th source file of a tree; `exclude` are globs as in a `.gitignore`."""
    manifests = load_manifests()
    extensions = {
        extension: name for name, manifest in manifests.items() for extension in manifest.extensions
    }
    found = discover(source, extensions, options=WalkOptions(exclude=tuple(exclude))).files[::step]
    for file in found:
        path = native_path(file.path)
        target = destination / path
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source / path, target)
    files = [(native_path(file.path), manifests[file.language].grammar) for file in found]
    return _corpus(source.resolve().name, destination, files)


def multiply(corpus: Corpus, destination: Path, copies: int) -> Corpus:
    """Put copies side by side, each with its own names for the top folders and files.

    The names are replaced in the text as well, so that each copy imports itself and nothing else.
    """
    tops = {path.partition("/")[0].partition(".")[0] for path, _ in corpus.files}
    names = sorted((top for top in tops if top.isidentifier()), key=len, reverse=True)
    word = re.compile(rf"\b({'|'.join(names)})\b")
    word_bytes = re.compile(word.pattern.encode())
    files = []
    for number in range(copies):
        for path, grammar in corpus.files:
            top, slash, rest = path.partition("/")
            copied = word.sub(rf"\1_{number}", top) + slash + rest
            target = destination / copied
            target.parent.mkdir(parents=True, exist_ok=True)
            data = (corpus.root / path).read_bytes()
            target.write_bytes(word_bytes.sub(rb"\1_%d" % number, data))
            files.append((copied, grammar))
    return _corpus(f"{corpus.name} x{copies}", destination, files)


def installed() -> dict[str, tuple[Path, tuple[str, ...]]]:
    """Name the trees that every environment of MU holds, with what to leave out of them."""
    networkx = importlib.util.find_spec("networkx")
    assert networkx is not None
    assert networkx.origin is not None
    library = Path(sysconfig.get_path("stdlib"))
    return {
        "networkx": (Path(networkx.origin).parent, ()),
        "standard library": (library, ("site-packages/", "dist-packages/")),
    }


def _corpus(name: str, root: Path, files: Sequence[tuple[str, str]]) -> Corpus:
    size = lines = 0
    for path, _ in files:
        data = (root / path).read_bytes()
        size += len(data)
        lines += data.count(b"\n")
    return Corpus(name, root, tuple(files), size, lines)
