"""MU: a repository as one file, and answers about its structure.

`mu.build(path)` makes the graph and `mu.open(path)` asks it. Importing this costs next to nothing;
what answers is imported by the first call.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import os
    from collections.abc import Mapping

    from mu.analysis.node_search.listing_scope import Scope as Scope
    from mu.api import OpenWorkspace as OpenWorkspace
    from mu.config import Value
    from mu.errors import MuError as MuError
    from mu.kernel.report import BuildReport, OnEvent
    from mu.model.kinds import EdgeKind as EdgeKind
    from mu.model.kinds import Verdict as Verdict
    from mu.operations.answers.call_sites import Sites as Sites
    from mu.operations.queries.query import Supplied as Supplied

__version__ = "0.1.0"

_HOMES = {
    "EdgeKind": "mu.model.kinds",
    "MuError": "mu.errors",
    "OpenWorkspace": "mu.api",
    "Scope": "mu.analysis.node_search.listing_scope",
    "Sites": "mu.operations.answers.call_sites",
    "Supplied": "mu.operations.queries.query",
    "Verdict": "mu.model.kinds",
}
"""Where the other public names are defined; each is imported when it is first used."""


def open(path: "str | os.PathLike[str]" = ".") -> "OpenWorkspace":  # noqa: A001 - `mu.open`
    """Open the nearest graph: that of the folder `path`, or of one above it.

    Gives a context manager whose methods are the operations. Raises MuError when `path` is no
    folder or there is no graph.
    """
    from mu.api import open_workspace

    return open_workspace(path)


def build(
    path: "str | os.PathLike[str]" = ".",
    *,
    is_full: bool = False,
    rev: str = "",
    settings: "Mapping[str, Value] | None" = None,
    on_event: "OnEvent | None" = None,
) -> "BuildReport":
    """Build the graph of the folder `path`, from what has changed where there is one.

    With `is_full` nothing is taken from the graph that is there. With a revision `rev` the graph is
    that of a commit, kept in the user's cache. `settings` replace those of files and variables, by
    name: `{"build.exclude": ("third_party/",)}`. `on_event` takes each event of the progress.
    Raises MuError when the folder cannot be built.
    """
    from mu.api import build as build_folder
    from mu.kernel.report import ignore_event

    report = on_event or ignore_event
    return build_folder(path, is_full=is_full, rev=rev, settings=settings, on_event=report)


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module 'mu' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *_HOMES])
