"""A workspace: a folder with a graph, the first argument of every operation."""

import time
from pathlib import Path
from typing import TYPE_CHECKING

from mu.errors import ExitCode, MuError
from mu.model.closing import Closing
from mu.source.trees import SourceTree, WorkingTree

if TYPE_CHECKING:
    from mu.operations.freshness import Freshness
    from mu.store import GraphFile

GRAPH_NAME = ".mubase"

_FRESH = 1.0
"""Seconds for which a look at the folder holds, for operations that ask others."""


class Workspace(Closing):
    """The folder `root` and its graph, which is opened when it is first asked for.

    A context manager: leaving it closes the graph.
    """

    def __init__(self, root: Path) -> None:
        self.root = root
        self._graph: GraphFile | None = None
        self._retired: list[GraphFile] = []
        self._looked: tuple[float, Freshness] | None = None

    @classmethod
    def find(cls, start: Path) -> "Workspace":
        """Give the nearest workspace: `start` or a folder above it that holds a graph.

        Raises MuError when `start` is no folder (usage) or there is no graph (no graph).
        """
        if not start.is_dir():
            what = "is not a folder" if start.exists() else "does not exist"
            raise MuError(f"{start} {what}", "give a folder with -C", ExitCode.USAGE)
        here = start.absolute()
        for folder in (here, *here.parents):
            if (folder / GRAPH_NAME).is_file():
                return cls(folder)
        raise MuError(
            "no graph here: neither this folder nor one above it has a .mubase",
            "run `mu kernel build` to make it",
            ExitCode.NO_GRAPH,
        )

    @property
    def has_graph(self) -> bool:
        """True if there is a graph file."""
        return (self.root / GRAPH_NAME).is_file()

    @property
    def graph(self) -> "GraphFile":
        """The open graph; raises NoGraphError or DamagedGraphError when it cannot be opened."""
        if self._graph is None:
            from mu.store import open_graph  # most builds open none

            self._graph = open_graph(self.root / GRAPH_NAME)
        return self._graph

    @property
    def files(self) -> SourceTree:
        """The files that the graph was built from."""
        return WorkingTree(self.root)

    @property
    def freshness(self) -> "Freshness":
        """What changed in the folder since the graph was built, as of a second ago at most."""
        from mu.operations.freshness import compare_with_folder

        now = time.monotonic()
        if self._looked is None or now - self._looked[0] > _FRESH:
            self._looked = now, compare_with_folder(self.root, self.graph)
        return self._looked[1]

    def look_again(self) -> None:
        """Have the next `freshness` look at the folder, however short ago that was done."""
        self._looked = None

    def renew(self) -> None:
        """Open the graph that was built since; the old one stays for whom it was lent to."""
        if self._graph is not None:
            self._retired.append(self._graph)
            self._graph = None
        self._looked = None

    def close(self) -> None:
        """Close the graph, if it was opened, and those that came before it."""
        opened = [*self._retired, *([self._graph] if self._graph is not None else [])]
        self._retired, self._graph = [], None
        for graph in opened:
            graph.close()
