"""The files of saved workflows: those that ship with MU, the user's own, those of a repository.

A repository may come from a stranger: its files are read within its folder and never through a
link, and one that cannot be used is told and does no harm to the others. A name counts once, in the
order shipped, user's, repository's, so that a repository cannot put its own in place of yours.
"""

import logging
import secrets
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from importlib.resources import files
from pathlib import Path

from mu.context.workflows import (
    LARGEST_FILE,
    Workflow,
    WorkflowError,
    check_name,
    parse_workflow,
    written,
)
from mu.errors import ExitCode, MuError
from mu.render.text import printable
from mu.source import SkippedSource, path_text, read_source

FOLDER = ".mu/workflows"
"""Where workflows are kept, below a user's home and below a repository."""

SHIPPED = "mu"
"""The `origin` of those that ship with MU."""

_SUFFIX = ".json"
_MOST_FILES = 1_000

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Workflows:
    """All workflows that can be run somewhere, and what is wrong with the other files."""

    found: tuple[Workflow, ...]
    problems: tuple[str, ...]


def load_saved_workflows(
    repository: Path | None = None, *, user_folder: Path | None = None
) -> list[Workflow]:
    """Give the saved workflows of the user, and of a repository, by name.

    The user's folder is `~/.mu/workflows`, which is made when it is not there. A file that is no
    workflow is left out with a warning in the log that names it; nothing is raised.
    """
    own = user_folder or user_workflows()
    try:
        own.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        _log.warning("the folder %s cannot be made: %s", own, error.strerror)
    loaded = _saved(repository, own)
    for problem in loaded.problems:
        _log.warning("skipped workflow %s", problem)
    return list(loaded.found)


def all_workflows(repository: Path | None = None, *, user_folder: Path | None = None) -> Workflows:
    """Give what ships with MU and what is saved, with what is wrong with files; makes no folder."""
    shipped = shipped_workflows()
    saved = _saved(repository, user_folder or user_workflows())
    both, twice = _once([*shipped, *saved.found])
    return Workflows(tuple(both), saved.problems + tuple(twice))


def shipped_workflows() -> tuple[Workflow, ...]:
    """Give the workflows that ship with MU, by name."""
    entries = (each for each in files("mu.context").joinpath("data").iterdir())
    found = [
        parse_workflow(each.read_bytes(), origin=SHIPPED)
        for each in entries
        if each.name.endswith(_SUFFIX)
    ]
    return tuple(sorted(found, key=lambda each: each.name))


def save_workflow(workflow: Workflow, folder: Path | None = None) -> Path:
    """Keep a workflow in a folder, the user's if none is given, and give its file.

    A workflow of that name there is replaced, at once and whole. Raises WorkflowError for a name
    that ships with MU, and MuError when the file cannot be written.
    """
    name = check_name(workflow.name)
    if name in {each.name for each in shipped_workflows()}:
        raise WorkflowError(
            f"a workflow that ships with MU is called {name}", "choose another name"
        )
    where = folder or user_workflows()
    target = _file_of(name, where) or where / f"{name}{_SUFFIX}"
    dated = workflow.created_at or datetime.now(UTC).isoformat(timespec="seconds")
    text = written(replace(workflow, created_at=dated))
    new = target.with_name(f".{secrets.token_hex(8)}.tmp")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        try:
            new.write_text(text, encoding="utf-8")
            new.replace(target)
        finally:
            new.unlink(missing_ok=True)
    except OSError as error:
        raise MuError(f"{target} cannot be written: {error.strerror}") from error
    return target


def delete_workflow(name: str, folder: Path | None = None) -> Path:
    """Delete the workflow of this name from a folder, the user's if none is given.

    Raises WorkflowError when it is not there.
    """
    where = folder or user_workflows()
    target = _file_of(check_name(name), where)
    if target is None:
        raise WorkflowError(
            f"no workflow {name} in {where}", "`mu workflow list` lists them", ExitCode.NO_NODE
        )
    try:
        target.unlink()
    except OSError as error:
        raise MuError(f"{target} cannot be deleted: {error.strerror}") from error
    return target


def user_workflows() -> Path:
    """Give the folder of the user's own workflows; only the home folder is asked of the system."""
    return Path.home() / FOLDER


def _file_of(name: str, folder: Path) -> Path | None:
    """Give the file of a workflow, whatever it is called; None where there is none."""
    usual = folder / f"{name}{_SUFFIX}"
    if usual.is_file():
        return usual
    for other in _names(folder) if folder.is_dir() else ():
        with suppress(MuError):
            source = read_source(folder, path_text(other), max_file_size=LARGEST_FILE)
            if parse_workflow(source.text).name == name:
                return folder / other
    return None


def _saved(repository: Path | None, own: Path) -> Workflows:
    found, problems = _read_all(own, own, shown=f"~/{FOLDER}")
    if repository is not None and not _is_same(repository / FOLDER, own):
        more, wrong = _read_all(repository, repository / FOLDER, shown=FOLDER)
        found, problems = found + more, problems + wrong
    kept, twice = _once(found)
    return Workflows(tuple(kept), (*problems, *twice))


def _is_same(folder: Path, other: Path) -> bool:
    try:
        return folder.samefile(other)
    except OSError:
        return False


def _once(workflows: Sequence[Workflow]) -> tuple[list[Workflow], list[str]]:
    """Keep the first of each name."""
    kept: dict[str, Workflow] = {}
    twice = []
    for each in workflows:
        first = kept.setdefault(each.name, each)
        if first is not each:
            twice.append(f"{each.origin}: {first.origin} has one that is called {each.name}, too")
    return list(kept.values()), twice


def _read_all(root: Path, folder: Path, *, shown: str) -> tuple[list[Workflow], list[str]]:
    """Read the files of a folder that is within `root`, by no link."""
    found, problems = [], []
    try:
        if not folder.is_dir():
            return [], []
        if folder.resolve() != root.resolve() / folder.relative_to(root):
            return [], [f"{shown}: it is a link to another place"]
        names = list(_names(folder))
    except (OSError, RuntimeError) as error:
        return [], [f"{shown}: {printable(str(error))}"]
    for name in names[:_MOST_FILES]:
        origin = f"{shown}/{printable(path_text(name))}"
        try:
            source = read_source(folder, path_text(name), max_file_size=LARGEST_FILE)
            found.append(parse_workflow(source.text, origin=origin))
        except SkippedSource as error:
            problems.append(f"{origin}: {error.message}")
        except WorkflowError as error:
            problems.append(error.message)
    if len(names) > _MOST_FILES:
        problems.append(f"{shown}: more than {_MOST_FILES} files; the rest is left out")
    return found, problems


def _names(folder: Path) -> Iterator[str]:
    yield from sorted(path.name for path in folder.iterdir() if path.name.endswith(_SUFFIX))
