"""`mu why`: how one node comes to use another, or why it does not."""

import sys

import click

from mu.cli.arguments.operation_call import ask
from mu.cli.display.json_documents import encoded
from mu.cli.navigation.why_text import remark, why_text
from mu.operations.navigation import explanation as operations
from mu.operations.results import MAX_LIMIT
from mu.render.text import printable


@click.command()
@click.argument("start", metavar="FROM")
@click.argument("goal", metavar="TO")
@click.option("--not", "is_not", is_flag=True, help="Explain why there is no edge.")
@click.option(
    "--limit",
    type=click.IntRange(1, MAX_LIMIT),
    default=operations.DEFAULT_SITES,
    show_default=True,
    help="Maximum number of references.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.pass_obj
def why(
    folder: str | None, /, *, start: str, goal: str, is_not: bool, limit: int, as_json: bool
) -> None:
    """Explain why FROM depends on TO, or why it does not.

    For each edge: its references in the source, the rule that resolved them, the import or classes
    involved, and the alternatives. Without an edge, or with --not: references of that name and how
    each was resolved, how the two files are related, and a shortest path through other definitions.
    The verdict is `unknown` when an unresolved reference could be an edge.

    \b
    Examples:
      mu why src/app/views.py AuthService.login
      mu why --not src/app/views.py AuthService.login
    """
    operation = operations.why_not if is_not else operations.why
    result = ask(folder, operation, start, goal=goal, limit=limit)
    if as_json:
        click.echo(encoded(result))
        return
    for line in why_text(result):
        click.echo(printable(line))
    sys.stdout.flush()
    click.echo(printable(remark(result)), err=True)
    for note in result.notes:
        click.echo(printable(f"note: {note}"), err=True)
