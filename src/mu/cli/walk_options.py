"""The options of commands that follow edges.

They stand apart from the rest because `mu query` does without them, and its start is watched.
"""

from collections.abc import Sequence

import click

from mu.model.kinds import EdgeKind


def depth(default: int | None = None) -> click.Option:
    """Give --depth; without a default it has no bound."""
    return click.Option(
        ["--depth"],
        type=click.IntRange(min=1),
        default=default,
        show_default=default is not None or "no bound",
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
