"""`mu why`: how one node comes to use another, or why it does not."""

import sys

import click

from mu.cli import options
from mu.cli.encoding import encoded
from mu.cli.why_text import remark, why_text
from mu.operations import why as operations
from mu.operations.results import MAX_LIMIT
from mu.render.text import printable


@click.command()
@click.argument("start", metavar="FROM")
@click.argument("goal", metavar="TO")
@click.option("--not", "is_not", is_flag=True, help="Tell why there is no edge.")
@click.option(
    "--limit",
    type=click.IntRange(1, MAX_LIMIT),
    default=operations.DEFAULT_SITES,
    show_default=True,
    help="Show at most so many references.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.pass_obj
def why(
    folder: str | None, /, *, start: str, goal: str, is_not: bool, limit: int, as_json: bool
) -> None:
    """Tell how the node FROM comes to use the node TO, or why it does not.

    For each edge: the references in the text, the rule that found what they mean, the import or the
    classes on the way, and what else they may mean. Without an edge, and with --not: the references
    that have the name and what became of them, how the two files hang together, and the shortest
    way over other nodes. The verdict is `unknown` when a reference could be an edge after all.

    \b
    Examples:
      mu why src/app/views.py AuthService.login
      mu why --not src/app/views.py AuthService.login
    """
    with options.workspace(folder) as workspace:
        ask = operations.why_not if is_not else operations.why
        result = ask(workspace, start, goal=goal, limit=limit)
    if as_json:
        click.echo(encoded(result))
        return
    for line in why_text(result):
        click.echo(printable(line))
    sys.stdout.flush()
    click.echo(printable(remark(result)), err=True)
    for note in result.notes:
        click.echo(printable(f"note: {note}"), err=True)
