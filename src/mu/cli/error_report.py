"""Report the failure of a command: one line, a hint, and the exit status.

Repository text may stand in a message, so it goes through the same escaper as results do.
"""

import os
import sys

import click

from mu.errors import ExitCode, MuError, NoMemoryError, UnexpectedError
from mu.render.text import printable

_WORDS = {"to": ("NODE", "PATH"), "into": ("MODULE", "MODULE")}
"""Arguments that are a word of the syntax, with the arguments on both sides."""


def report(error: BaseException) -> int:
    """Write what happened to standard error and return the exit status that belongs to it."""
    match error:
        case KeyboardInterrupt() | click.Abort():
            return _say("interrupted", status=130)
        case MuError():
            return _say(error.message, error.hint, status=error.code)
        case click.exceptions.NoArgsIsHelpError():
            click.echo(error.format_message(), err=True)
            return ExitCode.USAGE
        case click.UsageError():
            return _say(_usage(error), _usage_hint(error), status=ExitCode.USAGE)
        case click.ClickException():
            return _say(error.format_message(), status=error.exit_code)
        case MemoryError() | RuntimeError(args=("can't start new thread",)):
            return report(NoMemoryError())
        case OSError(strerror=str(reason)):
            return _say(reason.lower(), status=ExitCode.FAILED)
        case _:
            return _unexpected(error)


def _say(message: str, hint: str = "", *, status: int) -> int:
    lines = [f"error: {printable(message, keep_lines=True)}"]
    if hint:
        lines.append(f"hint: {printable(hint, keep_lines=True)}")
    sys.stderr.write("\n".join(lines) + "\n")
    return status


def _usage(error: click.UsageError) -> str:
    message = error.format_message().rstrip(".")
    if isinstance(error, click.BadParameter) and error.param:
        message = message.replace("a valid integer range", _range(error.param.type))
    return message[:1].lower() + message[1:]


def _range(kind: object) -> str:
    """Say which numbers an option takes."""
    least, most = getattr(kind, "min", None), getattr(kind, "max", None)
    if most is None:
        return "a whole number" if least is None else f"a whole number of at least {least}"
    return f"a whole number from {least} to {most}"


def _usage_hint(error: click.UsageError) -> str:
    command = error.ctx.command_path if error.ctx else "mu"
    if command.endswith(" diff") and "extra argument" in error.format_message():
        return "two revisions are written A..B: `mu diff A..B`"
    if isinstance(error, click.BadParameter) and error.param and error.param.name in _WORDS:
        word, what = error.param.name, _WORDS[error.param.name]
        return f"the syntax is `{command} {what[0]} {word} {what[1]}`"
    if error.ctx and isinstance(error, click.NoSuchOption):
        word = error.option_name.lstrip("-")
        for option in error.ctx.command.params:  # a value, such as --offline of --provider
            if isinstance(option.type, click.Choice) and word in option.type.choices:
                return f"did you mean {option.opts[0]} {word}?"
    return f"see `{command} --help`"


def _unexpected(error: BaseException) -> int:
    if os.environ.get("MU_DEBUG"):
        import traceback

        traceback.print_exception(error)
    told = UnexpectedError(error)
    return _say(told.message, told.hint, status=told.code)
