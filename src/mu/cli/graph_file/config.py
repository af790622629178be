"""`mu config`: each setting and where it came from."""

import os
from pathlib import Path

import click

from mu import config
from mu.cli.display.json_documents import document
from mu.operations.graph_file import build as operations
from mu.render.text import printable


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.pass_obj
def command(start: str | None, *, as_json: bool) -> None:
    """Show each setting in force, and where it came from.

    Precedence, highest first: flag, MU_* variable, user configuration, mu.toml, default.
    """
    configuration = config.load(
        operations.build_root(Path(start or "."), None),
        environment=os.environ,
        user_folder=config.user_folder(),
        flags={},
    )
    rows = operations.settings(configuration)
    if as_json:
        click.echo(document(rows))
        return
    cells = [(row.name, printable(_shown(row.value)), printable(row.origin)) for row in rows]
    widths = [max(len(cell[column]) for cell in cells) for column in (0, 1)]
    for name, value, origin in cells:
        click.echo(f"{name:<{widths[0]}}  {value:<{widths[1]}}  {origin}")
    click.echo(f"user configuration: {printable(str(config.user_folder() / config.USER_FILE))}")


def _shown(value: config.Value) -> str:
    if isinstance(value, tuple):
        return ", ".join(value) or "(none)"
    return f"{value:g}" if isinstance(value, float) else str(value)
