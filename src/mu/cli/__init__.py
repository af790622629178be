"""The command line: parses, calls operations, shows results; it decides nothing.

`main` is the outermost frame of the process. Importing this package must stay cheap: `mu --help`
has to end within five times the start of the interpreter itself, and `click` alone takes most of
that, so commands are imported when they are called and not before.
"""

import gc
import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from io import TextIOWrapper
from typing import NoReturn


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command line and return the exit status of `mu.errors.ExitCode`.

    Without `arguments` it takes those of the process, and ends the process with the status.

    Results go to standard output, everything else to standard error. No exception leaves: a
    deliberate error is one line and a hint, an unexpected one names the bug report and shows its
    traceback only when `MU_DEBUG` is set. An interrupt gives 130 and a closed pipe 141, as a shell
    reports them.
    """
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    if arguments is None:
        gc.disable()  # a last look through all that a build made costs 0.8 s for django
    status = _guarded(sys.argv[1:] if arguments is None else arguments)
    if arguments is None:
        _leave(status)
    return status


def _leave(status: int) -> NoReturn:
    """End the process at once: taking the interpreter apart costs 20 ms after a query.

    Whatever has to be put away was, by the context managers of the command that ended. What was not
    cannot speak up: the engine's bindings list on standard error what the end finds in use.
    """
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError):  # was reported when it was written
            stream.flush()
    os._exit(status)


def _guarded(arguments: Sequence[str]) -> int:
    try:
        status = _run(arguments)
        sys.stdout.flush()
    except BrokenPipeError:
        return _closed_pipe()
    except (Exception, KeyboardInterrupt) as error:  # noqa: BLE001 - the outermost frame
        return _report(error)
    return status


def _run(arguments: Sequence[str]) -> int:
    from mu.cli.application import application, exit_status

    if instruction := os.environ.get("_MU_COMPLETE"):
        from click.shell_completion import shell_complete

        return shell_complete(application, {}, "mu", "_MU_COMPLETE", instruction)
    return exit_status(application, arguments)


def _report(error: BaseException) -> int:
    from mu.cli.error_report import report

    return report(error)


def _closed_pipe() -> int:
    """Let nothing more be written, not even by the interpreter as it ends."""
    devnull = os.open(os.devnull, os.O_WRONLY)
    os.dup2(devnull, sys.stdout.fileno())
    return 141
