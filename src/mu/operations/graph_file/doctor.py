"""Check the installation and its surroundings, and say how to repair what is wrong.

Each check stands alone: one that fails, or raises, leaves the others to be made.
"""

import os
import platform
import shutil
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum
from importlib import import_module, metadata
from pathlib import Path

import mu
from mu import config
from mu.errors import MuError
from mu.operations.graph_file.build import build_root, languages, status
from mu.operations.workspace import GRAPH_NAME, Workspace
from mu.render.shown import Shown
from mu.store import is_whole

_PYTHON = (3, 11)
_LITTLE_ROOM = 200_000_000  # bytes; a build of django writes 60 MB
_ENGINES = {"duckdb": "duckdb", "tree-sitter": "tree_sitter", "pygit2": "pygit2"}
_INSTALL = "install MU again: `pip install --force-reinstall mubase`"


class Level(StrEnum):
    """How a check ended: `warn` where MU works, but not as well as it could."""

    OK = "ok"
    WARN = "warn"
    FAIL = "fail"


@dataclass(frozen=True, slots=True)
class Check:
    """What one check found; `advice` says what to do, and is empty where nothing is to be done."""

    name: str
    level: Level
    finding: str
    advice: str = ""


@dataclass(frozen=True, slots=True)
class Diagnosis(Shown):
    """The checks in their order, and how the worst of them ended."""

    level: Level
    checks: tuple[Check, ...]


def doctor(start: Path, *, environment: Mapping[str, str]) -> Diagnosis:
    """Check the installation, the settings, the repository around `start`, its graph and the cache.

    Reads the whole graph, changes nothing, and shows no key. Costs a second, and more for a large
    graph.
    """
    checks: list[Check] = []
    try:
        root = build_root(start, None)
    except MuError as error:
        root = None
        checks.append(_failed("folder", error))
    parts: list[tuple[str, Callable[[], Iterator[Check]]]] = [
        ("installation", _installation),
        ("grammars", _grammars),
        ("agent", lambda: _agent(environment)),
        ("cache", _cache),
    ]
    if root is not None:
        parts[2:2] = [
            ("settings", lambda: _settings(root, environment)),
            ("repository", lambda: _repository(root)),
            ("folder", lambda: _folder(root)),
            ("graph", lambda: _graph(root)),
            ("columns", lambda: _columns(root)),
        ]
    for name, part in parts:
        try:
            checks += part()
        except (MuError, OSError, ImportError) as error:
            checks.append(_failed(name, error))
    levels = {check.level for check in checks}
    worst = next(level for level in (Level.FAIL, Level.WARN, Level.OK) if level in levels)
    return Diagnosis(worst, tuple(checks))


def _failed(name: str, error: Exception) -> Check:
    if isinstance(error, MuError):
        return Check(name, Level.FAIL, error.message, error.hint)
    advice = _INSTALL if isinstance(error, ImportError) else ""
    return Check(name, Level.FAIL, f"{type(error).__name__}: {error}", advice)


def _installation() -> Iterator[Check]:
    yield Check("mu", Level.OK, mu.__version__)
    is_fit = sys.version_info >= _PYTHON
    advice = "" if is_fit else "run MU with Python 3.11 or later"
    yield Check(
        "interpreter", Level.OK if is_fit else Level.FAIL, platform.python_version(), advice
    )
    for distribution, module in _ENGINES.items():
        try:
            import_module(module)
            yield Check(distribution, Level.OK, metadata.version(distribution))
        except (ImportError, metadata.PackageNotFoundError) as error:
            yield Check(distribution, Level.FAIL, f"cannot be loaded: {error}", _INSTALL)


def _grammars() -> Iterator[Check]:
    rows = languages()
    broken = [row for row in rows if row.problem]
    for row in broken:
        yield Check("grammars", Level.FAIL, row.problem, _INSTALL)
    if not broken:
        loaded = sum(1 for row in rows if row.abi)
        yield Check("grammars", Level.OK, f"all {loaded} load")


def _settings(root: Path, environment: Mapping[str, str]) -> Iterator[Check]:
    loaded = config.load(root, environment=environment, user_folder=config.user_folder(), flags={})
    origins = [row.origin for row in config.describe(loaded)]
    given = sorted({origin for origin in origins if origin != "default"})
    count = sum(1 for origin in origins if origin != "default")
    said = f"{count} of {len(origins)} set by {', '.join(given)}" if given else "all by default"
    yield Check("settings", Level.OK, said)


def _repository(root: Path) -> Iterator[Check]:
    if not (root / ".git").exists():
        yield Check("git", Level.OK, "no repository here: the folder is read as it is")
        return
    from mu.source.git.repository import open_repository

    if open_repository(root) is None:
        advice = "check that it is yours and has a commit: `git status`"
        yield Check("git", Level.WARN, "the repository cannot be read, or is empty", advice)
    else:
        yield Check("git", Level.OK, "the repository can be read")


def _folder(root: Path) -> Iterator[Check]:
    if not os.access(root, os.W_OK | os.X_OK):
        advice = "make it writable, or build a copy of it"
        yield Check("folder", Level.FAIL, f"{root} cannot be written", advice)
        return
    free = shutil.disk_usage(root).free
    if free < _LITTLE_ROOM:
        yield Check("folder", Level.WARN, f"{free / 1e6:,.0f} MB left on its disk", "make room")
    else:
        yield Check("folder", Level.OK, f"{root} can be written, {free / 1e9:,.0f} GB left")


def _graph(root: Path) -> Iterator[Check]:
    place = root / GRAPH_NAME
    if not os.path.lexists(place):
        yield Check("graph", Level.WARN, f"there is no {GRAPH_NAME}", "run `mu kernel build`")
        return
    with Workspace(root) as workspace:
        found = status(workspace)
    if not is_whole(place):
        advice = "run `mu kernel build --full` to build it again"
        yield Check("graph", Level.FAIL, f"{GRAPH_NAME} is damaged", advice)
        return
    size = f"{place.stat().st_size / 1e6:,.1f} MB, {found.nodes:,} nodes, whole"
    changed = len(found.changed) + len(found.added) + len(found.removed)
    if found.is_partial:
        yield Check("graph", Level.WARN, f"{size}, but files are missing in it", found.next)
    elif changed:
        files = "1 file" if changed == 1 else f"{changed:,} files"
        finding = f"{size}, but {files} changed since it was built"
        yield Check("graph", Level.WARN, finding, f"run `{found.next}`")
    else:
        yield Check("graph", Level.OK, f"{size}, up to date")


def _columns(root: Path) -> Iterator[Check]:
    """Look at the columns that were added, where any were."""
    from mu.store.added_columns import input_of, read_columns

    columns = [column for each in read_columns(root / GRAPH_NAME) for column in each.columns]
    for column in columns:
        input_of(column)
    if columns:
        yield Check("columns", Level.OK, f"added: {', '.join(column.name for column in columns)}")


def _cache() -> Iterator[Check]:
    folder = config.cache_folder()
    above = next(each for each in (folder, *folder.parents) if each.exists())
    if not above.is_dir() or not os.access(above, os.W_OK | os.X_OK):
        advice = "make it writable, or set XDG_CACHE_HOME: builds do without it, and take longer"
        yield Check("cache", Level.WARN, f"{folder} cannot be written", advice)
        return
    sizes = list(_sizes(folder))
    held = f"{sum(sizes) / 1e6:,.1f} MB in {len(sizes):,} files"
    yield Check("cache", Level.OK, f"{folder}, {held}")


def _sizes(folder: Path) -> Iterator[int]:
    """Give the sizes of files; builds may come and go meanwhile, and files with them."""
    for inside, _, names in os.walk(folder):
        for name in names:
            with suppress(OSError):
                yield os.lstat(Path(inside, name)).st_size


def _agent(environment: Mapping[str, str]) -> Iterator[Check]:
    given = [name for name in config.KEY_VARIABLES if environment.get(name, "").strip()]
    if given:
        yield Check("agent", Level.OK, f"{given[0]} is set")
    else:
        finding = "no key is set: it answers offline, or by a local model"
        yield Check("agent", Level.OK, finding)
