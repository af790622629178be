"""`mu mcp`: serve the graph to coding assistants."""

import gc
import sys
from pathlib import Path

import click

from mu import config
from mu.cli.application import SETTINGS
from mu.mcp.clients import CLIENTS, ConfigScope, McpClient
from mu.mcp.install import Action, Change, Installer
from mu.operations.graph_file.build import build_root
from mu.render.text import printable


@click.group(invoke_without_command=True, context_settings=SETTINGS)
@click.pass_context
def command(context: click.Context) -> None:
    """Serve the graph to coding assistants over MCP, the Model Context Protocol.

    Without a subcommand it serves on standard input and output, as clients start it.

    \b
    Example:
      mu mcp install claude
    """
    if context.invoked_subcommand is None:
        context.invoke(serve)


@command.command()
@click.option(
    "--http", "port", type=click.IntRange(0, 65535), help="Serve HTTP on this loopback port."
)
@click.pass_obj
def serve(start: str | None, *, port: int | None = None) -> None:
    """Serve the repository around the current folder until the client ends.

    The graph is built on the first question if there is none, and rebuilt after edits. With --http
    every request must carry the token in the file that is named on standard error; port 0 is any.
    """
    from mu.mcp.server import serve_http, serve_stdio

    gc.enable()  # a server may live for days; a command does not
    root = build_root(Path(start or "."), None).absolute()
    if port is None:
        serve_stdio(root)
    else:
        from mu.mcp.http import ADDRESS, TOKEN_FILE

        token_file = config.state_folder() / TOKEN_FILE
        serve_http(
            root,
            port=port,
            token_file=token_file,
            on_ready=lambda own: click.echo(
                printable(f"serves http://127.0.0.1:{own}{ADDRESS}; token: {token_file}"), err=True
            ),
        )


_CLIENT = click.Argument(
    ["clients"],
    nargs=-1,
    required=True,
    metavar="CLIENT...",
    type=click.Choice([client.name for client in CLIENTS]),
)
_SCOPE = click.Option(
    ["--scope"],
    type=click.Choice([scope.value for scope in ConfigScope]),
    default=ConfigScope.PROJECT.value,
    show_default=True,
    help="The repository's own configuration, or the user's.",
)
_DRY_RUN = click.Option(["--dry-run"], is_flag=True, help="Show the changes and make none.")


@command.command(params=[_CLIENT, _SCOPE, _DRY_RUN])
@click.pass_obj
def install(start: str | None, *, clients: tuple[str, ...], scope: str, dry_run: bool) -> None:
    """Add MU to the configuration of coding assistants.

    CLIENT is claude, cursor, codex, gemini, vscode, windsurf or zed. Other keys and comments of a
    file stay as they are, and a second run changes nothing. Claude Code gets a subagent and a skill
    beside the server.

    \b
    Examples:
      mu mcp install claude
      mu mcp install cursor codex --dry-run
    """
    installer = _installer(start)
    plans = [installer.plan_install(client, ConfigScope(scope)) for client in _named(clients)]
    _carry_out(installer, plans, dry_run=dry_run)


@command.command(params=[_CLIENT, _SCOPE, _DRY_RUN])
@click.pass_obj
def uninstall(start: str | None, *, clients: tuple[str, ...], scope: str, dry_run: bool) -> None:
    """Take MU out of the configuration of coding assistants.

    Files that were there before have the same bytes again; files that MU made are deleted.
    """
    installer = _installer(start)
    plans = [installer.plan_uninstall(client, ConfigScope(scope)) for client in _named(clients)]
    _carry_out(installer, plans, dry_run=dry_run)


def _named(names: tuple[str, ...]) -> list[McpClient]:
    return [client for client in CLIENTS if client.name in names]


def _installer(start: str | None) -> Installer:
    """Make the installer of the repository around the current folder."""
    from shutil import which

    found = which("mu")
    own = Path(sys.argv[0]).resolve()
    is_on_path = found is not None and Path(found).resolve() == own
    root = build_root(Path(start or "."), None).absolute()
    return Installer(
        root,
        Path.home(),
        ["mu", "mcp"] if is_on_path else [sys.executable, "-P", "-m", "mu", "mcp"],
        config.state_folder() / "mcp_install.json",
    )


def _carry_out(installer: Installer, plans: list[list[Change]], *, dry_run: bool) -> None:
    changes = [change for plan in plans for change in plan]
    if not dry_run:
        installer.apply(changes)
    for change in changes:
        would = "would " if dry_run and change.action is not Action.KEEP else ""
        click.echo(printable(f"{would}{change.action.value} {change.path}"))
