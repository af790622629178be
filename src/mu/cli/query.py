"""`mu query`: one query over the graph."""

from typing import Unpack

import click

from mu.cli import options
from mu.cli.output import show
from mu.operations.query import DEFAULT_TIMEOUT, query


class _Given(options.Paged):
    text: str
    timeout: float


@click.command(
    params=[
        click.Argument(["text"]),
        *options.page(),
        click.Option(
            ["--timeout"],
            type=click.FloatRange(0, 3600, min_open=True),
            default=DEFAULT_TIMEOUT,
            show_default=True,
            metavar="SECONDS",
            help="Stop after so many seconds.",
        ),
        *options.FORM,
    ]
)
@click.pass_obj
def command(start: str | None, /, **given: Unpack[_Given]) -> None:
    """Run one query, TEXT, over the graph: a SELECT, or a graph statement.

    The relations are nodes, modules, classes, functions, methods, variables, documents, sections,
    externals; edges, and one for each kind of edge; sites, files, metrics, meta. A query reads the
    graph and nothing else.

    \b
    Examples:
      mu query "SELECT name, complexity FROM functions ORDER BY complexity DESC LIMIT 5"
      mu query "SHOW callers OF AuthService.login"
    """
    with options.workspace(start) as workspace:
        result = query(
            workspace,
            given["text"],
            limit=given["limit"],
            offset=given["offset"],
            timeout=given["timeout"],
        )
    show(result, options.form(given))
