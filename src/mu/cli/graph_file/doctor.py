"""`mu doctor`: what is wrong here, and the command that mends it."""

import os
from pathlib import Path

import click

from mu.cli.display.json_documents import document
from mu.errors import ExitCode
from mu.operations.graph_file.doctor import Level
from mu.operations.graph_file.doctor import doctor as check
from mu.render.text import printable


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.pass_obj
def command(start: str | None, *, as_json: bool) -> ExitCode:
    """Check what MU needs to work here, and say how to mend what is wrong.

    Looks at the installation, the settings, the repository, its graph (all of it is read), the
    cache, and whether there is a key for the agent, which is never shown. Each line is ok, warn or
    fail. Exit status 1 says that one failed.
    """
    found = check(Path(start or "."), environment=os.environ)
    if as_json:
        click.echo(document(found))
    else:
        width = max(len(each.name) for each in found.checks)
        for each in found.checks:
            click.echo(printable(f"{each.level:<4}  {each.name:<{width}}  {each.finding}"))
            if each.advice:
                click.echo(printable(f"      {'':<{width}}  {each.advice}"))
    return ExitCode.FAILED if found.level is Level.FAIL else ExitCode.OK
