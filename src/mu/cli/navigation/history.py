"""The commands for what git knows of one node: its history, and who wrote which lines."""

from typing import Unpack

import click

from mu.cli.arguments import options
from mu.cli.arguments.node_argument import node_argument
from mu.cli.arguments.operation_call import ask
from mu.cli.display.result_output import show
from mu.operations.revisions import history as operations


class _Given(options.Paged):
    node: str


_PARAMETERS = (node_argument(), *options.page(), *options.FORM)


@click.command(params=list(_PARAMETERS))
@click.pass_obj
def history(start: str | None, /, **given: Unpack[_Given]) -> None:
    """List the commits that changed NODE, newest first, through renames and moves.

    Renames and moves of the definition and of its file are followed, by the measure that `mu diff`
    takes. What is not committed comes first. The answer says where the history was left off, after
    20 seconds at the latest. No git process is started.

    \b
    Example:
      mu history AuthService.login --limit 10
    """
    result = ask(
        start,
        operations.history,
        given["node"],
        limit=options.row_limit(given),
        offset=given["offset"],
    )
    show(result, options.form(given))


@click.command(params=list(_PARAMETERS))
@click.pass_obj
def blame(start: str | None, /, **given: Unpack[_Given]) -> None:
    """Show the commit that each line of NODE came with, and its author.

    Lines next to each other that came with one commit are one row. Renames of the file are
    followed. No git process is started.

    \b
    Example:
      mu blame AuthService.login
    """
    result = ask(
        start,
        operations.blame,
        given["node"],
        limit=options.row_limit(given),
        offset=given["offset"],
    )
    show(result, options.form(given))
