"""`mu daemon`: keep graphs open and up to date in one process."""

import gc
from pathlib import Path

import click

from mu import config
from mu.cli.application import SETTINGS
from mu.cli.display.json_documents import document
from mu.errors import ExitCode
from mu.operations.graph_file.build import build_root
from mu.render.text import printable


@click.group(context_settings=SETTINGS)
def command() -> None:
    """Keep graphs open and up to date: a process that commands ask when it runs.

    The daemon watches the files of its workspaces and builds their graphs again after edits. It
    listens on the loopback interface alone, for programs that have its token, and ends by itself
    after three hours without a question.
    """


@command.command()
@click.pass_obj
def start(start: str | None) -> None:
    """Serve the repository around the current folder, starting the daemon when none runs."""
    from mu.daemon.running import start_daemon

    root = build_root(Path(start or "."), None).absolute()
    is_new = start_daemon(config.state_folder(), root)
    click.echo(printable(f"{'started; serves' if is_new else 'serves'} {root}"))


@command.command()
@click.option(
    "--idle",
    type=click.FloatRange(min=1),
    default=3 * 3600.0,
    show_default=True,
    help="Seconds without a question after which it ends.",
)
@click.pass_obj
def run(start: str | None, *, idle: float) -> None:
    """Run the daemon in the foreground, for the repository around the current folder."""
    from mu.daemon.running import run_daemon

    gc.enable()  # a daemon may live for days; a command does not
    root = build_root(Path(start or "."), None).absolute()
    run_daemon(
        config.state_folder(),
        [root],
        idle=idle,
        on_ready=lambda record: click.echo(f"serves on 127.0.0.1:{record.port}", err=True),
    )


@command.command()
def stop() -> ExitCode:
    """Stop the daemon; exit status 1 when none runs."""
    from mu.daemon.running import stop_daemon

    is_stopped = stop_daemon(config.state_folder())
    click.echo("stopped" if is_stopped else "no daemon runs")
    return ExitCode.OK if is_stopped else ExitCode.FAILED


@command.command()
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def status(*, as_json: bool) -> None:
    """Show what the daemon serves; an error says that none runs."""
    from mu.client import DaemonClient

    with DaemonClient.connect() as client:
        found = client.status()
    if as_json:
        click.echo(document(found))
        return
    click.echo(
        f"mu {found.version}, process {found.pid}, {found.requests:,} requests, "
        f"up {found.uptime:.0f} s"
    )
    for each in found.workspaces:
        state = "building" if each.is_building else "up to date" if each.has_graph else "no graph"
        state = f"the last build failed: {each.failure}" if each.failure else state
        click.echo(printable(f"{each.root}  {state}, {each.watched_folders:,} folders watched"))
