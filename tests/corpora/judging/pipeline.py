"""Build the graph of a case with the parts that a user's build runs."""

from pathlib import Path

from mu import kernel
from mu.model.graph import Graph
from mu.source import WalkOptions

from .cases import Case


def index_case(case: Case, folder: Path) -> Graph:
    """Write the files of a case into a folder and index it, in this process."""
    for path, text in case.files.items():
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    return index_folder(folder, roots=case.roots)


def index_folder(folder: Path, *, roots: tuple[str, ...] = ()) -> Graph:
    """Index a folder as it stands, in this process."""
    settings = kernel.BuildSettings(walk=WalkOptions(), jobs=1, roots=roots)
    graph, _ = kernel.index(folder, settings)
    return graph
