"""The `mu` command: its global options, and its commands, each imported when it is called.

The short help of every command stands in `COMMANDS`, so that `mu --help` imports none of them. A
command's callback may return an `ExitCode`; without one the status is 0. Its `click` object
(`click.pass_obj`) is the text of `-C`, or None: `pathlib` is not imported here, because it would
cost a tenth of the time that `mu --help` may take.
"""

from collections.abc import Sequence
from importlib import import_module

import click

from mu import __version__
from mu.cli.terminal import width

COMMANDS = {
    "kernel": ("graph_file.kernel:command", "Build the graph, and show its state."),
    "query": ("queries.query:command", "Run a query over the graph."),
    "search": ("navigation.search:search", "Find definitions by name or by words."),
    "grep": ("navigation.grep:command", "Find text in the source, and the definition around it."),
    "describe": (
        "navigation.definitions:describe",
        "Summarise a definition: what it uses, what uses it.",
    ),
    "read": ("navigation.definitions:read", "Show the source of a definition or file."),
    "callers": (
        "navigation.dependencies:callers",
        "List what calls a function, with the call sites.",
    ),
    "callees": ("navigation.dependencies:callees", "List what a function calls."),
    "references": ("navigation.members:references", "List every reference to a definition."),
    "deps": ("navigation.dependencies:deps", "List direct dependencies."),
    "dependents": ("navigation.dependencies:dependents", "List direct dependents."),
    "ancestors": ("navigation.dependencies:ancestors", "List transitive dependencies."),
    "impact": (
        "navigation.dependencies:impact",
        "List transitive dependents: what a change may break.",
    ),
    "members": ("navigation.members:members", "List the members of a class or module."),
    "bases": ("navigation.members:bases", "List the classes that a class extends."),
    "subclasses": ("navigation.members:subclasses", "List the classes that extend a class."),
    "overrides": ("navigation.members:overrides", "List which members override which."),
    "tests": ("navigation.members:tests", "List the tests of a definition."),
    "path": ("navigation.path:path", "Show a shortest path from one definition to another."),
    "why": ("navigation.why:why", "Explain why one definition depends on another, or does not."),
    "diff": ("review.diff:diff", "Compare two revisions as code, and show what breaks."),
    "history": ("navigation.history:history", "List the commits that changed a definition."),
    "blame": ("navigation.history:blame", "Show which commit each line of a definition came with."),
    "check": ("review.check:check", "Check architecture rules of mu.toml."),
    "what-if": ("review.what_if:command", "Show what a move, removal or merge would break."),
    "cycles": ("review.cycles:cycles", "Show dependency cycles."),
    "unused": ("review.unused:unused", "List definitions that no entry point reaches."),
    "context": ("navigation.context:context", "Gather the source that answers a question."),
    "pack": (
        "navigation.pack:pack",
        "Pack the repository into one document within a token budget.",
    ),
    "compress": ("navigation.pack:compress", "Pack only the signatures within a token budget."),
    "discover": ("navigation.planning:discover", "List modules and definitions to choose from."),
    "plan": ("navigation.planning:plan", "Show the interfaces of chosen definitions."),
    "columns": ("graph_file.columns:command", "Add coverage, owners, churn and other columns."),
    "workflow": ("queries.workflow:command", "Save and run named sequences of queries."),
    "wiki": ("navigation.wiki:command", "Search, read and check documents."),
    "agent": ("services.agent:command", "Ask questions in plain language."),
    "mcp": ("services.mcp:command", "Serve the graph to coding assistants over MCP."),
    "daemon": ("services.daemon:command", "Keep graphs open and up to date."),
    "config": ("graph_file.config:command", "Show settings and where each comes from."),
    "completion": ("graph_file.completion:command", "Print the completion script for a shell."),
    "doctor": ("graph_file.doctor:command", "Check the installation and how to repair it."),
}
"""Name of each command: `module:attribute` below `mu.cli`, and its line in `mu --help`."""

_OTHER_NAMES = {
    "dependencies": "deps",
    "find": "search",
    "implementations": "subclasses",
    "refs": "references",
    "symbols": "search",
    "usages": "references",
    "uses": "callees",
}
"""What other tools call some of these."""

SETTINGS = {"help_option_names": ["-h", "--help"]}


class LazyGroup(click.Group):
    """A group whose commands are those of a table, imported one by one on demand.

    The names of the arguments are click's.
    """

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        """Return the names in the order of the table, which is the order of the help."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """Import the command called `cmd_name`; None when there is no such command."""
        if cmd_name not in COMMANDS:
            return None
        module, attribute = COMMANDS[cmd_name][0].split(":")
        command = getattr(import_module(f"mu.cli.{module}"), attribute)
        if not isinstance(command, click.Command):
            raise TypeError(f"{module}:{attribute} is not a command")
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command; for a name that is none, say which was probably meant."""
        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            from mu.muql.nearest import nearest

            inside = self._in_groups(ctx)
            near = _OTHER_NAMES.get(args[0]) or nearest(args[0], (*COMMANDS, *inside))
            what = f"no command is called `{args[0]}`"
            what += f", did you mean `{inside.get(near, near)}`?" if near else ""
            raise click.UsageError(what, ctx)
        return super().resolve_command(ctx, args)

    def _in_groups(self, ctx: click.Context) -> dict[str, str]:
        """The commands of groups, by name, as they are called; loads all: only an error asks."""
        found: dict[str, str] = {}
        for group in COMMANDS:
            command = self.get_command(ctx, group)
            for name in command.commands if isinstance(command, click.Group) else ():
                if name not in COMMANDS:
                    found.setdefault(name, f"mu {group} {name}")
        return found

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """Write the list of commands from the table alone."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, short) for name, (_, short) in COMMANDS.items()])


@click.command(cls=LazyGroup, context_settings=SETTINGS, invoke_without_command=True)
@click.option(
    "-C",
    "start",
    metavar="PATH",
    help="Work as if started in PATH.",
)
@click.version_option(__version__, message="mu %(version)s")
@click.pass_context
def application(context: click.Context, start: str | None) -> None:
    """Turn a repository into one graph file and ask it structural questions.

    Start with `mu kernel build`, then ask: `mu impact NODE`. A NODE is an id, a path, path:line, a
    qualified name or the end of one. Every command explains itself with --help.

    Exit status: 0 answered, 1 failed, 2 wrong usage, 3 no graph here, 4 no such node or several, 5
    partial build, 6 busy.
    """
    context.obj = start
    if context.invoked_subcommand is None:
        from mu.cli.front_page import show

        show(start)


def exit_status(command: click.Command, arguments: Sequence[str]) -> int:
    """Run `command` with `arguments` and return its status; errors are left to the caller."""
    try:
        with command.make_context(
            "mu", list(arguments), terminal_width=min(width(), 80) - 2
        ) as context:
            status = command.invoke(context)
    except click.exceptions.Exit as end:
        return end.exit_code
    return status if isinstance(status, int) else 0
