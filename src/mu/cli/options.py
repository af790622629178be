"""The options that all commands share, and what click makes of them."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypedDict

import click

from mu.errors import ExitCode, MuError
from mu.operations.results import DEFAULT_LIMIT, MAX_LIMIT
from mu.operations.workspace import Workspace


class Shown(TypedDict):
    """How to show a result."""

    form: str
    as_json: bool


class Paged(Shown):
    """Which rows of it."""

    limit: int
    offset: int


FORMATS = ("table", "tree", "json", "jsonl", "csv", "mu", "mermaid", "dot")
"""How rows may be written."""

FORM = (
    click.Option(
        ["--format", "form"],
        type=click.Choice(FORMATS),
        default="table",
        show_default=True,
        help="How to write the rows.",
    ),
    click.Option(["as_json", "--json"], is_flag=True, help="The same as --format json."),
)


def page(limit: int = DEFAULT_LIMIT, *, setting: str = "") -> tuple[click.Option, ...]:
    """Give --limit and --offset; with a `setting`, --limit is None where that is to decide."""
    return (
        click.Option(
            ["--limit"],
            type=click.IntRange(1, MAX_LIMIT),
            default=None if setting else limit,
            show_default=f"the setting {setting}, or {limit}" if setting else True,
            help="Show at most so many rows.",
        ),
        click.Option(
            ["--offset"], type=click.IntRange(0), default=0, help="Leave out so many rows first."
        ),
    )


def form(given: Shown) -> str:
    """Give the format that was asked for in either way."""
    return "json" if given["as_json"] else given["form"]


def find(start: str | None) -> Workspace:
    """Find the workspace from `-C` or the current folder."""
    return Workspace.find(Path(start or "."))


@contextmanager
def workspace(start: str | None) -> Iterator[Workspace]:
    """Lend the workspace from `-C` or the current folder.

    When a node is not found in it, the hint says which files changed since the graph was built.
    """
    with find(start) as found:
        try:
            yield found
        except MuError as error:
            if error.code is not ExitCode.NO_NODE:
                raise
            from mu.operations.freshness import explained

            raise explained(found.freshness, error) from error


@contextmanager
def workspace_if_any(start: str | None) -> Iterator[Workspace | None]:
    """Find the workspace from `-C` or the current folder; None where there is no graph."""
    try:
        found = find(start)
    except MuError as error:
        if error.code is not ExitCode.NO_GRAPH:
            raise
        yield None
        return
    with found:
        yield found
