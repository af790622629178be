"""The options that commands share, and what click makes of them."""

from collections.abc import Sequence
from pathlib import Path
from typing import TypedDict

import click

from mu.analysis.traversal import MAX_DEPTH
from mu.model.kinds import EdgeKind
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


FORM = (
    click.Option(
        ["--format", "form"],
        type=click.Choice(["table", "json", "csv"]),
        default="table",
        show_default=True,
        help="How to write the rows.",
    ),
    click.Option(["as_json", "--json"], is_flag=True, help="The same as --format json."),
)


def page(limit: int = DEFAULT_LIMIT) -> tuple[click.Option, ...]:
    """Give --limit and --offset."""
    return (
        click.Option(
            ["--limit"],
            type=click.IntRange(1, MAX_LIMIT),
            default=limit,
            show_default=True,
            help="Show at most so many rows.",
        ),
        click.Option(
            ["--offset"], type=click.IntRange(0), default=0, help="Leave out so many rows first."
        ),
    )


def depth(default: int, *, name: str = "--depth") -> click.Option:
    """Give --depth, from 1 to the most that a walk may take."""
    return click.Option(
        [name],
        type=click.IntRange(1, MAX_DEPTH),
        default=default,
        show_default=True,
        help="Follow at most so many edges in a row.",
    )


def kinds(default: Sequence[EdgeKind]) -> click.Option:
    """Give --kind, which may be repeated."""
    return click.Option(
        ["--kind"],
        type=click.Choice([kind.value for kind in EdgeKind if kind is not EdgeKind.CONTAINS]),
        multiple=True,
        help=f"Follow only edges of this kind; may be repeated.  [default: {', '.join(default)}]",
    )


def chosen_kinds(names: Sequence[str], default: Sequence[EdgeKind]) -> tuple[EdgeKind, ...]:
    """Give the kinds that were named, or the default when none was."""
    return tuple(EdgeKind(name) for name in names) or tuple(default)


def form(given: Shown) -> str:
    """Give the format that was asked for in either way."""
    return "json" if given["as_json"] else given["form"]


def workspace(start: str | None) -> Workspace:
    """Find the workspace from `-C` or the current folder."""
    return Workspace.find(Path(start or "."))
