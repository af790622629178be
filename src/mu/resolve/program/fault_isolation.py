"""Fault isolation: an error of MU while it links a file costs that file alone.

Queries of one file go through others, so the file at hand need not be the cause. Queries that were
open when the error came are dropped, so that none is found half answered; final answers stay, as
they do not depend on the dropped ones.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar, TypeVarTuple

from mu.model.graph import File

Answer = TypeVar("Answer")
Other = TypeVar("Other")
About = TypeVarTuple("About")


class Fence:
    """Runs steps of linking, each on behalf of one file, and records errors.

    `failures` says by file what its first error was: the same text in every run, whatever the order
    of files and the depth of the stack. `close` is called after each error.
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
        """What a step gives `about` something; `otherwise` where it ends in an error.

        Memory that runs out is no error of a file. Only for steps that no question is open around.
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
    """The files, of which those that were not linked in full have a problem more."""
    if not failures:
        return files
    return [
        file._replace(problems=(*file.problems, f"1: not linked in full: {failures[file.key]}"))
        if file.key in failures
        else file
        for file in files
    ]


def _summary(error: Exception) -> str:
    """The type of an error and where it was raised, without what differs from run to run."""
    name = type(error).__name__
    place = error.__traceback__
    if isinstance(error, RecursionError) or place is None:  # which is raised at any place
        return name
    while place.tb_next is not None:
        place = place.tb_next
    return f"{name} in {place.tb_frame.f_globals.get('__name__')}, line {place.tb_lineno}"


def _nothing() -> None:
    """Close nothing: nothing is asked yet."""
