"""`mu query`: one query over the graph."""

import os
from typing import Unpack

import click

from mu import config
from mu.cli import options
from mu.cli.output import show
from mu.operations.query import DEFAULT_TIMEOUT, query


class _Given(options.Shown):
    text: str
    limit: int | None
    offset: int
    timeout: float | None


@click.command(
    params=[
        click.Argument(["text"]),
        *options.page(setting="query.rows"),
        click.Option(
            ["--timeout"],
            type=click.FloatRange(0, 3600, min_open=True),
            show_default=f"the setting query.timeout, or {DEFAULT_TIMEOUT:g}",
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
        bounds = config.load(
            workspace.root,
            environment=os.environ,
            user_folder=config.user_folder(),
            flags={"query.rows": given["limit"], "query.timeout": given["timeout"]},
        ).settings.query
        result = query(
            workspace,
            given["text"],
            limit=bounds.rows,
            offset=given["offset"],
            timeout=bounds.timeout,
        )
    show(result, options.form(given))
