"""`mu query`: one query over the graph."""

import os
from typing import Unpack

import click

from mu import config
from mu.cli import options
from mu.cli.output import show
from mu.operations.query import DEFAULT_TIMEOUT, query
from mu.operations.results import DEFAULT_LIMIT


class _Given(options.Shown):
    text: str | None
    as_list: bool
    limit: int | None
    offset: int
    timeout: float | None


@click.command(
    params=[
        click.Argument(["text"], required=False),
        click.Option(["as_list", "--list"], is_flag=True, help="List the named queries."),
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
    """Run one query, TEXT, over the graph: a SELECT, a graph statement, or a named query.

    The relations are nodes, modules, classes, functions, methods, variables, documents, sections,
    externals; edges, and one for each kind of edge; sites, files, metrics, meta. A query reads the
    graph and nothing else. Named queries ship with MU, and a project keeps its own in .mu/queries;
    `mu query --list`, or `mu query @`, lists them.

    \b
    Examples:
      mu query "SELECT name, complexity FROM functions ORDER BY complexity DESC LIMIT 5"
      mu query "SHOW callers OF AuthService.login"
      mu query "@hotspots(least := 10)"
    """
    text = given["text"] or ""
    if given["as_list"] or text.strip() == "@":
        _show_named(start, given)
        return
    if given["text"] is None:
        raise click.UsageError("give a query, or --list for the named ones")
    with options.workspace(start) as workspace:
        bounds = config.load(
            workspace.root,
            environment=os.environ,
            user_folder=config.user_folder(),
            flags={"query.rows": given["limit"], "query.timeout": given["timeout"]},
        ).settings.query
        result = query(
            workspace,
            text,
            limit=bounds.rows,
            offset=given["offset"],
            timeout=bounds.timeout,
        )
    show(result, options.form(given))


def _show_named(start: str | None, given: _Given) -> None:
    """List the named queries, in the same forms as any answer."""
    from mu.operations.named import queries

    with options.workspace(start) as workspace:
        result = queries(workspace, limit=given["limit"] or DEFAULT_LIMIT, offset=given["offset"])
    show(result, options.form(given))
