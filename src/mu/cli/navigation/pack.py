"""The commands that pack a repository, or a part of it, into one document within a budget."""

import sys
from typing import TypedDict, Unpack

import click

from mu.cli.arguments.operation_call import ask
from mu.operations.packing.pack import DEFAULT_TOKENS, FEWEST_TOKENS, MOST_TOKENS, Codebase
from mu.render.text import printable, printable_source


class _Given(TypedDict):
    path: str
    tokens: int
    focus: str
    offset: int


class _GivenForm(_Given):
    form: str


_PARAMETERS: tuple[click.Parameter, ...] = (
    click.Argument(["path"], default=""),
    click.Option(
        ["--tokens"],
        type=click.IntRange(FEWEST_TOKENS, MOST_TOKENS),
        default=DEFAULT_TOKENS,
        show_default=True,
        help="Token budget, estimated as characters / 4.",
    ),
    click.Option(
        ["--focus"],
        default="",
        metavar="WORDS",
        help="Put what is most relevant to these words first.",
    ),
    click.Option(
        ["--offset"],
        type=click.IntRange(0),
        default=0,
        help="Skip the first files, to read on.",
    ),
)


@click.command(
    params=[
        *_PARAMETERS,
        click.Option(
            ["--format", "form"],
            type=click.Choice(("mu", "markdown", "json", "xml")),
            default="mu",
            show_default=True,
            help="How to write it.",
        ),
    ]
)
@click.pass_obj
def pack(folder: str | None, /, **given: Unpack[_GivenForm]) -> None:
    """Pack the repository, or the part at PATH, into one document within a token budget.

    Counts, entry points, most used definitions and cycles come first, then signatures file by file,
    then source: the most used first, tests last. Secrets are redacted. The last line is the command
    that reads on.

    \b
    Examples:
      mu pack --tokens 30000
      mu pack src --focus "how are options parsed" --format markdown
    """
    from mu.context.codebase import Form
    from mu.operations.packing.pack import pack as operation

    result = ask(
        folder,
        operation,
        given["path"],
        tokens=given["tokens"],
        focus=given["focus"],
        form=Form(given["form"]),
        offset=given["offset"],
    )
    _show(result)


@click.command(params=[*_PARAMETERS])
@click.pass_obj
def compress(folder: str | None, /, **given: Unpack[_Given]) -> None:
    """Pack the signatures of the repository, or of the part at PATH, as MU text.

    Like `mu pack` without function bodies: the same budget covers more of the repository.

    \b
    Example:
      mu compress src --tokens 4000
    """
    from mu.operations.packing.pack import compress as operation

    result = ask(
        folder,
        operation,
        given["path"],
        tokens=given["tokens"],
        focus=given["focus"],
        offset=given["offset"],
    )
    _show(result)


def _show(result: Codebase) -> None:
    """Write the text, and what became of the budget beside it."""
    sys.stdout.write(printable_source(result.text))
    sys.stdout.flush()
    told = f"{len(result.files):,} of {result.file_count:,} files"
    shown = f", {len(result.sources):,} with source" if result.sources else ""
    used = f"about {result.tokens:,} of {result.budget:,} tokens"
    click.echo(f"{told}{shown}; {used}, of {result.estimated_tokens:,} in all", err=True)
    for note in result.notes:
        click.echo(f"note: {printable(note)}", err=True)
