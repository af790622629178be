"""The options of commands that follow edges.

They stand apart from the rest because `mu query` does without them, and its start is watched.
"""

from collections.abc import Sequence

import click

from mu.analysis.traversal import MAX_DEPTH
from mu.model.kinds import EdgeKind


def depth(default: int) -> click.Option:
    """Give --depth, from 1 to the most that a walk may take."""
    return click.Option(
        ["--depth"],
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
