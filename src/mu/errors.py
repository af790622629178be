"""The errors MU raises on purpose: each says what happened, what to do, and how to exit."""

from enum import IntEnum


class ExitCode(IntEnum):
    """What a command's exit status means; the same numbers on every surface."""

    OK = 0
    FAILED = 1
    USAGE = 2
    NO_GRAPH = 3
    NO_NODE = 4
    PARTIAL = 5
    BUSY = 6


class MuError(Exception):
    """Base of every deliberate error.

    `message` says what happened and where, lower case and without a full stop; `hint` says what to
    do next (empty when there is nothing to add); `code` is the exit status it asks for.
    """

    def __init__(self, message: str, hint: str = "", code: ExitCode = ExitCode.FAILED) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        self.code = code


class NoMemoryError(MuError):
    """Memory ran out; nothing that was there before is lost."""

    def __init__(self) -> None:
        super().__init__(
            "ran out of memory",
            "close other programs, raise the limit (`ulimit -v`), or leave folders out",
        )


class UnexpectedError(MuError):
    """A failure that MU did not foresee, told on one line."""

    def __init__(self, error: BaseException) -> None:
        what = " ".join(f"{type(error).__name__}: {error}".rstrip(": ").split())
        super().__init__(
            f"unexpected {what}",
            "this is a bug in mu: run again with MU_DEBUG=1, and report what it shows",
        )
