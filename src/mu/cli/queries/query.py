"""`mu query`: one query over the graph."""

import os
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Unpack

import click

from mu import config
from mu.cli.arguments import options
from mu.cli.arguments.operation_call import ask
from mu.cli.display.result_output import show
from mu.operations.queries.query import DEFAULT_TIMEOUT, Supplied, query
from mu.operations.results import DEFAULT_LIMIT
from mu.operations.workspace import Workspace

if TYPE_CHECKING:
    from mu.kernel.report import OnEvent

_DATED = re.compile(r"\b(?:AT|BETWEEN|DIFF)\b|@", re.IGNORECASE)
"""What a query has in it that asks the graph of a revision."""


class _Given(options.Shown):
    text: str | None
    as_list: bool
    is_explained: bool
    is_interactive: bool
    beside: tuple[str, ...]
    limit: int | None
    offset: int
    timeout: float | None


@click.command(
    params=[
        click.Argument(["text"], required=False),
        click.Option(
            ["is_interactive", "-i", "--interactive"],
            is_flag=True,
            help="Ask one query after the other, with completion and a history.",
        ),
        click.Option(
            ["is_explained", "--explain"],
            is_flag=True,
            help="Show the SQL that the query becomes, and what each step takes.",
        ),
        click.Option(["as_list", "--list"], is_flag=True, help="List the named queries."),
        click.Option(
            ["beside", "--with"],
            multiple=True,
            metavar="NAME=FILE",
            help="Let a SELECT read a CSV, Parquet or JSON file as the table NAME.",
        ),
        *options.page(setting="query.rows"),
        click.Option(
            ["--timeout"],
            type=click.FloatRange(0, 3600, min_open=True),
            show_default=f"the setting query.timeout, or {DEFAULT_TIMEOUT:g}",
            metavar="SECONDS",
            help="Time limit in seconds.",
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
    if given["is_interactive"]:
        _converse(start, given)
        return
    if given["text"] is None:
        raise click.UsageError("give a query, -i to ask several, or --list for the named ones")
    bounds = _bounds(options.find(start), given)
    with _progress(text) as on_event:
        result = ask(
            start,
            query,
            f"EXPLAIN {text}" if given["is_explained"] else text,
            limit=bounds.rows,
            offset=given["offset"],
            timeout=bounds.timeout,
            supplied=Supplied(files=_files(given["beside"]), on_event=on_event),
        )
    show(result, options.form(given))


@contextmanager
def _progress(text: str) -> Iterator["OnEvent | None"]:
    """Show the builds of graphs on a terminal, for a query that may need any."""
    if not (sys.stderr.isatty() and _DATED.search(text)):
        yield None
        return
    from mu.cli.display.build_progress import build_progress

    with build_progress() as on_event:
        yield on_event


def _files(given: tuple[str, ...]) -> dict[str, Path]:
    """Read the values of --with."""
    files = {}
    for text in given:
        name, found, file = text.partition("=")
        if not found or not file:
            raise click.UsageError(f"--with takes NAME=FILE, and not {text}")
        files[name] = Path(file)
    return files


def _bounds(workspace: Workspace, given: _Given) -> config.QuerySection:
    return config.load(
        workspace.root,
        environment=os.environ,
        user_folder=config.user_folder(),
        flags={"query.rows": given["limit"], "query.timeout": given["timeout"]},
    ).settings.query


def _converse(start: str | None, given: _Given) -> None:
    """Hold a session on a terminal."""
    if given["text"] is not None:
        raise click.UsageError("give a query or -i, not both")
    if given["beside"]:
        raise click.UsageError("--with is for one query, and not for a session")
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise click.UsageError("-i needs a terminal: give the query as an argument instead")
    from mu.cli.queries.interactive_prompt import converse
    from mu.cli.queries.query_session import Session

    with options.workspace(start) as workspace:
        session = Session(workspace, _bounds(workspace, given), options.form(given))
        converse(session, history=config.state_folder() / "query_history")


def _show_named(start: str | None, given: _Given) -> None:
    """List the named queries, in the same forms as any answer."""
    from mu.operations.queries.named_queries import queries

    limit = given["limit"] or DEFAULT_LIMIT
    result = ask(start, queries, limit=limit, offset=given["offset"])
    show(result, options.form(given))
