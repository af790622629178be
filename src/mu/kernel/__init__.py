"""Build the graph of a folder, with worker processes, progress events and a report.

The names below are imported on first use: every worker process imports this package, too, and must
pay neither for linking nor for the store.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mu.kernel.building import build
    from mu.kernel.indexing.indexer import index
    from mu.kernel.report import BuildReport
    from mu.kernel.settings import BuildSettings, check_folder

__all__ = ["BuildReport", "BuildSettings", "build", "check_folder", "index"]

_PLACES = {
    "BuildReport": "mu.kernel.report",
    "BuildSettings": "mu.kernel.settings",
    "build": "mu.kernel.building",
    "check_folder": "mu.kernel.settings",
    "index": "mu.kernel.indexing.indexer",
}


def __getattr__(name: str) -> object:
    if name not in _PLACES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_PLACES[name]), name)
