"""The commands for choosing first and reading then: `mu discover` and `mu plan`."""

import sys

import click

from mu.cli.arguments.operation_call import ask
from mu.cli.display.json_documents import encoded
from mu.errors import ExitCode
from mu.operations.packing import planning as operations
from mu.render.text import printable

_json = click.option("--json", "as_json", is_flag=True, help="Print JSON.")


@click.command()
@click.argument("task", nargs=-1)
@_json
@click.pass_obj
def discover(folder: str | None, /, *, task: tuple[str, ...], as_json: bool) -> None:
    """List what there is to choose from, by name and first words; with TASK, what it needs.

    Modules, public classes and functions, and pages, by folder, without their parameters; at most
    48 KB, the rest is counted. `mu plan` shows what was chosen.

    \b
    Example:
      mu discover add a second factor to the login
    """
    result = ask(folder, operations.discover, " ".join(task))
    if as_json:
        click.echo(encoded(result))
        return
    sys.stdout.write(printable(result.text, keep_lines=True))
    sys.stdout.flush()
    click.echo(f"{result.total:,} components", err=True)


@click.command()
@click.argument("ids", nargs=-1, required=True, metavar="ID...")
@_json
@click.pass_obj
def plan(folder: str | None, /, *, ids: tuple[str, ...], as_json: bool) -> ExitCode:
    """Show the whole interface of what was chosen: place, words, parameters, members.

    An id is one that `mu discover` lists, or the name of a node. Unknown ids are reported on
    standard error with the nearest names, and the exit status is 4.
    """
    result = ask(folder, operations.plan, *ids)
    if as_json:
        click.echo(encoded(result))
    else:
        sys.stdout.write(printable(result.text, keep_lines=True))
        sys.stdout.flush()
        for each in result.unknown:
            near = f"; did you mean {' or '.join(each.nearest)}?" if each.nearest else ""
            click.echo(printable(f"no component {each.id}{near}"), err=True)
    return ExitCode.NO_NODE if result.unknown else ExitCode.OK
