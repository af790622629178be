"""`mu kernel`: build the graph, and report its state."""

import os
import sys
import time
from collections.abc import Mapping
from pathlib import Path

import click

from mu import config
from mu.cli.display.build_progress import build_progress
from mu.cli.display.json_documents import document
from mu.cli.graph_file import kernel_text
from mu.cli.graph_file.export import export
from mu.errors import ExitCode
from mu.operations.graph_file import build as operations
from mu.operations.workspace import GRAPH_NAME
from mu.render.text import printable

_json = click.option("--json", "as_json", is_flag=True, help="Print JSON.")


@click.group()
def command() -> None:
    """Build the graph of a repository, and show its state."""


@command.command()
@click.argument("path", required=False)
@click.option(
    "--full", is_flag=True, help="Build anew, even when nothing changed, from the files alone."
)
@click.option("--jobs", type=click.IntRange(min=1), help="Worker processes; else one a processor.")
@click.option("--include", multiple=True, metavar="GLOB", help="Index only what matches.")
@click.option("--exclude", multiple=True, metavar="GLOB", help="Leave out what matches.")
@click.option("--language", multiple=True, metavar="NAME", help="Index only this language.")
@click.option("--watch", is_flag=True, help="Go on, and build again after each edit.")
@click.option("--rev", default="", metavar="REV", help="Build a commit and not the files here.")
@_json
@click.pass_obj
def build(
    start: str | None,
    /,
    path: str | None,
    *,
    full: bool,
    rev: str,
    watch: bool,
    as_json: bool,
    **flags: int | tuple[str, ...] | None,
) -> ExitCode:
    """Build the graph of PATH, by default of the git repository around the current folder.

    Writes one file, .mubase, into PATH, and nothing else; where nothing changed since it was
    built, it stays. A GLOB is written like a line of a
    .gitignore; options that take one may be repeated.

    With --rev the graph of that commit is built from git's objects and kept in the user's cache,
    where `mu diff` finds it; only files that no build has seen are parsed, and no file of PATH is
    read or written. REV is a branch, a tag, a hash or the like of HEAD~2.

    With --watch it goes on after the build, follows the files and builds again after edits, until
    Ctrl-C. `mu daemon start` does the same in the background.

    Exit status 5 says that the graph was built
    and a file is missing that should be in it, or its references could not be resolved.
    """
    if watch and (rev or as_json):
        raise click.UsageError("--watch is for the files here, in text")
    root = operations.build_root(Path(start or "."), path)
    settings = config.load(
        root,
        environment=os.environ,
        user_folder=config.user_folder(),
        flags={
            "build.jobs": flags["jobs"],
            "build.include": flags["include"],
            "build.exclude": flags["exclude"],
            "build.languages": flags["language"],
        },
    )
    is_new = not (root / GRAPH_NAME).exists()
    with build_progress() as on_event:
        report = operations.build(root, settings, on_event=on_event, is_full=full, rev=rev)
    line = kernel_text.summary_line(report, rev=rev, is_new=is_new)
    click.echo(document(report) if as_json else line)
    for line in kernel_text.lost_lines(report):
        click.echo(line, err=True)
    if not rev and sys.stderr.isatty() and operations.suggests_ignoring(root):
        click.echo("hint: add a line `.mubase*` to .gitignore", err=True)
    if watch:
        _watch(root, flags)
    return ExitCode.PARTIAL if report.is_partial else ExitCode.OK


def _watch(root: Path, flags: Mapping[str, int | tuple[str, ...] | None]) -> None:
    """Build again after each edit, until interrupted."""
    from mu.daemon.watching import Change, Watcher
    from mu.operations.graph_file.live_workspace import LiveWorkspace

    def tell(change: Change, why: str) -> None:
        if change is not Change.BUILDING:
            click.echo(f"{time.strftime('%H:%M:%S')} {change}{': ' * bool(why)}{printable(why)}")

    given = [
        word
        for name, values in flags.items()
        for value in (values if isinstance(values, tuple) else (values,))
        if value is not None
        for word in (f"--{name}", str(value))
    ]
    with LiveWorkspace(root.absolute(), flags=given) as live:
        try:
            Watcher(live, tell).run()
        except KeyboardInterrupt:
            click.echo("stopped watching", err=True)


@command.command()
@_json
@click.pass_obj
def status(start: str | None, *, as_json: bool) -> None:
    """Show what the graph holds, what changed since the build, and what to do next."""
    from mu.operations.workspace import Workspace

    with Workspace.find(Path(start or ".")) as workspace:
        result = operations.status(workspace)
    click.echo(document(result) if as_json else "\n".join(kernel_text.status_text(result)))


@command.command()
@_json
@click.pass_obj
def stats(start: str | None, *, as_json: bool) -> None:
    """Count the graph by language, kind, rule and reason."""
    from mu.operations.workspace import Workspace

    with Workspace.find(Path(start or ".")) as workspace:
        result = operations.stats(workspace)
    click.echo(document(result) if as_json else "\n".join(kernel_text.stats_text(result)))


@command.command()
@_json
@click.pass_obj
def audit(start: str | None, *, as_json: bool) -> None:
    """Summarise the ledger: how references were resolved, and which are unresolved most often.

    References by language and kind, edges by rule, the receivers and names most often unresolved,
    and files that were skipped or could not be read in full.
    """
    from mu.cli.display.json_documents import encoded
    from mu.cli.graph_file.audit_text import audit_text
    from mu.operations.graph_file.ledger_audit import audit as sum_up
    from mu.operations.workspace import Workspace

    with Workspace.find(Path(start or ".")) as workspace:
        result = sum_up(workspace)
    click.echo(encoded(result) if as_json else "\n".join(audit_text(result)))


@command.command()
@_json
@click.pass_obj
def verify(start: str | None, *, as_json: bool) -> ExitCode:
    """Build the graph anew and check that the one at hand is the same.

    A build replaces only the rows of files that changed, where it can; this holds what came of it
    against a build from the files alone, by digest, and throws that away. Exit status 1 says that
    they differ.
    """
    from mu.operations.graph_file.rebuild_check import verify as compare
    from mu.operations.workspace import Workspace

    with Workspace.find(Path(start or ".")) as workspace:
        result = compare(workspace)
    click.echo(document(result) if as_json else kernel_text.verified_line(result))
    return ExitCode.OK if result.is_same else ExitCode.FAILED


@command.command()
@_json
def languages(*, as_json: bool) -> None:
    """List the languages and formats of pages that MU reads, and the grammars installed here."""
    rows = operations.languages()
    click.echo(document(rows) if as_json else "\n".join(kernel_text.language_lines(rows)))


command.add_command(export)
