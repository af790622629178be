"""`mu completion`: the completion script for a shell."""

import click

from mu.errors import MuError

VARIABLE = "_MU_COMPLETE"
"""The variable by which a shell asks for completions."""


@click.command()
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
@click.pass_context
def command(context: click.Context, *, shell: str) -> None:
    """Print the completion script for SHELL: bash, zsh or fish.

    Append it to ~/.bashrc or ~/.zshrc, or write it to ~/.config/fish/completions/mu.fish.

    \b
    Example:
      mu completion bash
    """
    from click.shell_completion import get_completion_class

    found = get_completion_class(shell)
    if found is None:  # the choices are click's own
        raise MuError(f"no completion for {shell}")
    root = context.find_root().command
    click.echo(found(root, {}, "mu", VARIABLE).source())
