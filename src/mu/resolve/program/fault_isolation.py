"""Fault isolation: an error of MU while it links a file costs that file alone.

Queries of one file evaluate others, so the file at hand need not be the cause. Queries that were
open when the error was raised are dropped, so that none is found half answered; final answers are
kept, as they do not depend on the dropped ones.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar, TypeVarTuple

from mu.model.graph import File

Answer = TypeVar("Answer")
Other = TypeVar("Other")
About = TypeVarTuple("About")


class Fence:
    """Runs steps of linking, each on behalf of one file, and records errors.

    `failures` has the first error of each file: the same text in every run, whatever the order of
    files and the depth of the stack. `close` is called after each error.
    """

    def __init__(self) -> None:
        self.failures: dict[int, str] = {}
        self.close: Callable[[], None] = _nothing

    def run(
        self,
        file: File,
        step: Callable[[*About], Answer],
        *about: *About,
        otherwise: Other,
    ) -> Answer | Other:
        """Return `step(*about)`, or `otherwise` if it raises an error.

        A MemoryError is raised again: it is not the file's. Call this only while no query is open.
        """
        try:
            return step(*about)
        except MemoryError:
            raise
        except Exception as error:  # noqa: BLE001 - the file's failure is its own
            self.failures.setdefault(file.key, _summary(error))
            self.close()
            return otherwise


def with_failures(files: Sequence[File], failures: Mapping[int, str]) -> Sequence[File]:
    """Return the files, with a problem added to those that were not linked in full."""
    if not failures:
        return files
    return [
        file._replace(problems=(*file.problems, f"1: not linked in full: {failures[file.key]}"))
        if file.key in failures
        else file
        for file in files
    ]


def _summary(error: Exception) -> str:
    """Return the type of an error and where it was raised, without what differs between runs."""
    name = type(error).__name__
    place = error.__traceback__
    if isinstance(error, RecursionError) or place is None:  # which can be raised anywhere
        return name
    while place.tb_next is not None:
        place = place.tb_next
    return f"{name} in {place.tb_frame.f_globals.get('__name__')}, line {place.tb_lineno}"


def _nothing() -> None:
    """Do nothing: no query has been asked yet."""
