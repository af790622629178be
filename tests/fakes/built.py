"""Real graphs of small trees, built in this process with the default settings."""

from collections.abc import Mapping
from pathlib import Path

from mu.config import load
from mu.operations.build import build
from mu.operations.workspace import Workspace


def built_tree(root: Path, files: Mapping[str, str]) -> Workspace:
    """Write `files` (path: text) under `root`, build their graph, and give its workspace."""
    for path, text in files.items():
        target = root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")
    loaded = load(root, environment={}, user_folder=root, flags={"build.jobs": 1})
    build(root, loaded, on_event=lambda _: None)
    return Workspace(root)
