"""`mu columns`: columns that a user adds to the graph."""

from pathlib import Path
from typing import Unpack

import click

from mu.cli.arguments import options
from mu.cli.arguments.operation_call import ask
from mu.cli.display.json_documents import encoded
from mu.cli.display.result_output import show
from mu.operations.graph_file.added_columns import (
    ColumnFormat,
    ColumnsChange,
    add_columns,
    list_columns,
    remove_column,
)
from mu.render.text import printable

_json = click.option("--json", "as_json", is_flag=True, help="Print JSON.")


@click.group()
def command() -> None:
    """Add columns to functions, classes and modules: what other tools know of them.

    A query reads them as any column: SELECT name, coverage FROM functions WHERE coverage < 0.5.
    They are kept in .mubase-columns beside the graph, and stay when it is built again.
    """


@command.command("add")
@click.argument("source", type=click.Choice([each.value for each in ColumnFormat]))
@click.argument("file", required=False, type=click.Path(path_type=Path))
@_json
@click.pass_obj
def add(folder: str | None, /, *, source: str, file: Path | None, as_json: bool) -> None:
    """Add the columns of SOURCE, read from FILE; those of the same names are replaced.

    \b
    authors   names of the authors of each file, from git
    churn     number of commits that changed each file, from git
    coverage  Cobertura XML, JSON of coverage.py, or lcov: share of lines run
    owners    CODEOWNERS; without FILE, the one of the repository
    profile   cProfile (pstats) or speedscope: seconds and calls of functions
    table     CSV, TSV, Parquet or JSON with a column `path`, `path` and `line`, or `id`
    """
    with options.workspace(folder) as workspace:
        _show(add_columns(workspace, source, file=file), as_json=as_json)


@command.command("list", params=[*options.page(), *options.FORM])
@click.pass_obj
def list_added(folder: str | None, /, **given: Unpack[options.Paged]) -> None:
    """List the added columns, and how many files have changed since."""
    result = ask(folder, list_columns, limit=options.row_limit(given), offset=given["offset"])
    show(result, options.form(given))


@command.command("remove")
@click.argument("name")
@_json
@click.pass_obj
def remove(folder: str | None, /, *, name: str, as_json: bool) -> None:
    """Remove the added column NAME."""
    with options.workspace(folder) as workspace:
        _show(remove_column(workspace, name), as_json=as_json)


def _show(change: ColumnsChange, *, as_json: bool) -> None:
    if as_json:
        click.echo(encoded(change))
        return
    for verb, names in (
        ("added", change.added),
        ("replaced", change.replaced),
        ("removed", change.removed),
    ):
        if names:
            click.echo(f"{verb} {', '.join(names)}")
    if change.added or change.replaced:
        click.echo(f"{_count(change.values, 'value')} in {_count(change.files, 'file')}", err=True)
    if change.unmatched_total:
        first = ", ".join(change.unmatched)
        more = ", …" if change.unmatched_total > len(change.unmatched) else ""
        what = f"note: {change.unmatched_total} not in the graph: {first}{more}"
        click.echo(printable(what), err=True)
    for note in change.notes:
        click.echo(printable(f"note: {note}"), err=True)


def _count(number: int, what: str) -> str:
    return f"{number:,} {what}" if number == 1 else f"{number:,} {what}s"
