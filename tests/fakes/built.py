"""Real graphs of small trees, built in this process with the default settings.

A graph holds nothing of where its tree is, so that of a tree is built once a session, and copied.
"""

from collections.abc import Mapping
from hashlib import blake2b
from pathlib import Path

from mu.config import load
from mu.operations.graph_file.build import build
from mu.operations.workspace import Workspace
from support.session import copy_of

_GRAPH = ".mubase"


def built_tree(root: Path, files: Mapping[str, str]) -> Workspace:
    """Write `files` (path: text) under `root`, build their graph, and give its workspace."""
    for path, text in files.items():
        target = root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")
    return Workspace(with_graph(root))


def with_graph(root: Path) -> Path:
    """Give the folder `root` the graph that a build of it writes, and return it."""

    def make(_: Path) -> None:
        loaded = load(
            root, environment={}, user_folder=root / ".no-config", flags={"build.jobs": 1}
        )
        build(root, loaded, on_event=lambda _: None)

    copy_of(_digest(root), make, root / _GRAPH)
    return root


def _digest(root: Path) -> str:
    """A hex digest of all that is in a folder."""
    digest = blake2b(digest_size=16)
    for path in sorted(root.rglob("*")):
        if path.is_file() and path.name != _GRAPH:
            content = path.read_bytes()
            digest.update(f"{path.relative_to(root)}\0{len(content)}\0".encode() + content)
    return digest.hexdigest()
