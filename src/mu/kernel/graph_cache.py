"""A cache of the graphs of revisions and folders, in a folder of the user.

A graph is named by the tree it was built from, and by the options and the installation of MU that
built it: a commit is built once, and commits with the same files share a graph. The most recently
used graphs are kept, up to a maximum number and total size. A damaged graph is built again.
"""

import os
import time
from contextlib import suppress
from dataclasses import dataclass, replace
from hashlib import blake2b
from pathlib import Path

import msgspec

from mu.errors import MuError
from mu.kernel.building import build, build_revision
from mu.kernel.change_detection.build_inputs import options_json
from mu.kernel.engine_digest import engine_digest
from mu.kernel.report import BuildReport, OnEvent, ignore_event
from mu.kernel.settings import BuildSettings
from mu.kernel.stopwatch import Stopwatch
from mu.source.git.revisions import Revision
from mu.store import DamagedGraphError, NoGraphError, QueryError, open_graph

_MOST_GRAPHS = 40
_MOST_BYTES = 2_000_000_000
_ABANDONED = 86_400  # seconds after which an unfinished file is removed


@dataclass(frozen=True, slots=True)
class CachedGraph:
    """A graph in the cache: its file, and the report of its build."""

    path: Path
    report: BuildReport


def revision_graph(
    revision: Revision,
    settings: BuildSettings,
    *,
    folder: Path,
    on_event: OnEvent = ignore_event,
) -> CachedGraph:
    """Return the graph of a commit from the cache in `folder`, building it if it is missing.

    Raises what `build_revision` raises.
    """
    path = folder / f"{revision.tree}-{_version(settings)}.mubase"
    _make_folder(folder)
    report = None if settings.is_full else _cached_report(path)
    if report is None:
        report = build_revision(revision, settings, graph_file=path, on_event=on_event)
    _use(path)
    return CachedGraph(path, report)


def working_graph(
    root: Path, settings: BuildSettings, *, folder: Path, on_event: OnEvent = ignore_event
) -> CachedGraph:
    """Return the graph of the folder `root` as it is now, without writing anything into it.

    An up-to-date `.mubase` in it is used; else the graph is built in `folder`, and cached there for
    the next time. Raises what `build` raises.
    """
    from mu.kernel.change_detection.existing_graph import is_up_to_date

    own = root / ".mubase"
    if own.is_file() and is_up_to_date(root, own, settings=settings):
        report = _cached_report(own)
        if report is not None:
            return CachedGraph(own, report)
    place = blake2b(os.fsencode(root.resolve()), digest_size=16).hexdigest()
    path = folder / f"folder-{place}-{_version(settings)}.mubase"
    _make_folder(folder)
    report = build(root, settings, on_event=on_event, graph_file=path)
    _use(path)
    return CachedGraph(path, report)


def forget(graph: CachedGraph, *, folder: Path) -> None:
    """Remove a damaged graph, unless it lies outside of the cache."""
    if graph.path.parent == folder:
        graph.path.unlink(missing_ok=True)


def _version(settings: BuildSettings) -> str:
    made = f"{engine_digest()}\0{options_json(settings)}"
    return blake2b(made.encode(), digest_size=8).hexdigest()


def _cached_report(path: Path) -> BuildReport | None:
    """Read the report of a graph; return None if the graph is missing, damaged or partial."""
    if not path.is_file():
        return None
    watch = Stopwatch()
    try:
        with open_graph(path) as graph:
            report = msgspec.json.decode(graph.meta().get("report", ""), type=BuildReport)
    except (NoGraphError, DamagedGraphError, QueryError, msgspec.MsgspecError, OSError):
        return None
    if report.is_partial:
        return None
    watch.lap("open")
    return replace(
        report,
        is_unchanged=True,
        file_bytes=path.stat().st_size,
        seconds=watch.total,
        stages=tuple(watch.stages),
    )


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise MuError(
            f"cannot make the folder of graphs {folder}: {error.strerror}",
            "graphs of revisions are kept in the user's cache",
        ) from error


def _use(path: Path) -> None:
    """Mark a graph as used now, and remove the least recently used ones over the limits."""
    with suppress(OSError):
        os.utime(path)
    found = []
    for other in path.parent.iterdir():
        with suppress(OSError):
            found.append((other.stat().st_mtime, other.stat().st_size, other))
    found.sort(reverse=True)
    total = count = 0
    for used, size, other in found:
        is_graph = other.suffix == ".mubase"
        if not is_graph:
            if time.time() - used > _ABANDONED:
                other.unlink(missing_ok=True)
            continue
        total, count = total + size, count + 1
        if other != path and (count > _MOST_GRAPHS or total > _MOST_BYTES):
            other.unlink(missing_ok=True)
