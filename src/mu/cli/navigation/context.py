"""The command that gathers what to read for a question."""

import sys
from typing import TypedDict, Unpack

import click

from mu.cli.arguments.operation_call import ask
from mu.cli.display.json_documents import encoded
from mu.operations.packing.context import DEFAULT_TOKENS, FEWEST_TOKENS, MOST_TOKENS
from mu.render.text import printable, printable_source


class _Given(TypedDict):
    question: tuple[str, ...]
    tokens: int
    form: str
    explain: bool


@click.command(
    params=[
        click.Argument(["question"], nargs=-1, required=True),
        click.Option(
            ["--tokens"],
            type=click.IntRange(FEWEST_TOKENS, MOST_TOKENS),
            default=DEFAULT_TOKENS,
            show_default=True,
            help="Maximum number of tokens, estimated as characters / 4.",
        ),
        click.Option(
            ["--format", "form"],
            type=click.Choice(("mu", "markdown", "json")),
            default="mu",
            show_default=True,
            help="How to write it.",
        ),
        click.Option(["--explain"], is_flag=True, help="Say why each item is there."),
    ]
)
@click.pass_obj
def context(folder: str | None, /, **given: Unpack[_Given]) -> None:
    """Gather what to read for QUESTION, as much as fits into a number of tokens.

    The source of what answers best comes first, then the places and signatures of what is near it.
    It is ranked by words, by the names in the question, and by who calls, extends, uses, imports
    and mentions whom; no model is asked. Secrets are taken out. As JSON there are also ranked_files
    and ranked_nodes, which the budget does not count.

    \b
    Examples:
      mu context how are sessions stored --tokens 2000
      mu context "what breaks if I change Session.save?" --format markdown
    """
    from mu.context import Style
    from mu.operations.packing.context import context as operation

    style = Style.MARKDOWN if given["form"] == "markdown" else Style.MU
    result = ask(
        folder,
        operation,
        " ".join(given["question"]),
        tokens=given["tokens"],
        style=style,
        is_explained=given["explain"],
    )
    if given["form"] == "json":
        click.echo(encoded(result))
        return
    sys.stdout.write(printable_source(result.text))
    sys.stdout.flush()
    for note in result.notes:
        click.echo(f"note: {printable(note)}", err=True)
    if not result.items:
        told = f"note: nothing here says anything about '{result.question}'"
        click.echo(printable(told), err=True)
    shown = sum(1 for item in result.items if item.lines)
    named, ranked = len(result.items) - shown, len(result.ranked_nodes)
    used = f"about {result.tokens:,} of {result.budget:,} tokens"
    click.echo(f"{shown} with source, {named} named, of {ranked} ranked; {used}", err=True)
