"""The options that all commands share, and what click makes of them."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, TypedDict

import click

from mu.errors import ExitCode, MuError
from mu.operations.results import DEFAULT_LIMIT, MAX_LIMIT
from mu.operations.workspace import Workspace

if TYPE_CHECKING:
    from click.types import OptionHelpExtra


class Shown(TypedDict):
    """How to show a result."""

    form: str
    as_json: bool


class Paged(Shown):
    """Which rows of it; no limit leaves the number to the format."""

    limit: int | None
    offset: int


TEXT = "text"
"""The format for reading, which is the default."""

FORMATS = (TEXT, "table", "tree", "json", "jsonl", "csv", "mu", "vimgrep", "mermaid", "dot")
"""How rows may be written."""

TEXT_BUDGET = 2_000
"""Characters of an answer in a pipe, unless a number of rows is asked for."""

TEXT_LIMIT = 200
"""Rows that are asked for where as many are shown as fit."""

FORM = (
    click.Option(
        ["--format", "form"],
        type=click.Choice(FORMATS),
        default=TEXT,
        metavar="FORM",
        help=f"Output format: {', '.join(FORMATS)}.",
    ),
    click.Option(["as_json", "--json"], is_flag=True, help="Short for --format json."),
)


class Number(click.Option):
    """An option that takes a number; errors tell its range, the help does not."""

    def get_help_extra(self, ctx: click.Context) -> "OptionHelpExtra":
        """Leave out the range."""
        extra = super().get_help_extra(ctx)
        extra.pop("range", None)
        return extra


def page(limit: int | None = None, *, setting: str = "") -> tuple[click.Option, ...]:
    """Give --limit and --offset; without a `limit`, --limit is None and `row_limit` decides."""
    else_shown = f"what fits in {TEXT_BUDGET:,} characters, or {DEFAULT_LIMIT}"
    if setting:
        else_shown = f"the setting {setting}, or {DEFAULT_LIMIT}"
    return (
        Number(
            ["--limit"],
            type=click.IntRange(1, MAX_LIMIT),
            default=limit,
            metavar="N",
            show_default=True if limit else else_shown,
            help="Maximum number of rows.",
        ),
        Number(
            ["--offset"],
            type=click.IntRange(0),
            default=0,
            metavar="N",
            help="Skip the first rows.",
        ),
    )


def row_limit(given: Paged) -> int:
    """Give the number of rows to ask for: --limit, else what suits the format."""
    if given["limit"] is not None:
        return given["limit"]
    return TEXT_LIMIT if form(given) == TEXT else DEFAULT_LIMIT


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
            from mu.operations.freshness import with_staleness_hint

            raise with_staleness_hint(found.freshness, error) from error


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
