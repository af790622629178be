"""The options of commands that follow edges.

They stand apart from the rest because `mu query` does without them, and its start is watched.
"""

from collections.abc import Sequence
from typing import TypedDict

import click

from mu.analysis.node_search.listing_scope import Scope
from mu.cli.arguments.options import Number
from mu.model.kinds import EdgeKind


def depth(default: int | None = None) -> click.Option:
    """Give --depth; without a default it has no bound."""
    return Number(
        ["--depth"],
        type=click.IntRange(min=1),
        default=default,
        metavar="N",
        show_default=default is not None or "no bound",
        help="Maximum depth.",
    )


def kinds(default: Sequence[EdgeKind]) -> click.Option:
    """Give --kind, which may be repeated."""
    kinds = [kind.value for kind in EdgeKind if kind is not EdgeKind.CONTAINS]
    default_kinds = "all of them" if len(default) == len(kinds) else ", ".join(default)
    return click.Option(
        ["--kind"],
        type=click.Choice(kinds),
        multiple=True,
        metavar="KIND",
        help=f"Follow only edges of this kind: {', '.join(kinds)}; may be repeated.  "
        f"[default: {default_kinds}]",
    )


def chosen_kinds(names: Sequence[str], default: Sequence[EdgeKind]) -> tuple[EdgeKind, ...]:
    """Give the kinds that were named, or the default when none was."""
    return tuple(EdgeKind(name) for name in names) or tuple(default)


class Scoped(TypedDict):
    """Which nodes a listing shows."""

    within: str
    no_tests: bool
    no_external: bool


WITHIN = click.Option(
    ["within", "--in"], default="", metavar="PATH", help="Only nodes in this folder or file."
)

NO_TESTS = click.Option(["--no-tests"], is_flag=True, help="Leave out test code.")

SCOPE = (
    WITHIN,
    NO_TESTS,
    click.Option(
        ["--no-external"], is_flag=True, help="Leave out definitions outside the repository."
    ),
)

SITES = click.Option(
    ["each_site", "--sites"], is_flag=True, help="A row for every site, not only the first."
)

POSSIBLE = click.Option(
    ["is_possible", "--possible"],
    is_flag=True,
    help="List the unresolved references that could add rows, and not the rows.",
)

BUILTINS = click.Option(
    ["--builtins"], is_flag=True, help="List builtins of the language too, such as `len`."
)


DIFF = click.Option(
    ["--diff", "revisions"],
    metavar="REV",
    help="Ask about a change set instead of NODE: A..B, A...B, or A for the working tree.",
)


def check_subject(node: str | None, revisions: str | None) -> None:
    """Raise a usage error unless there is a node or a change set, and not both."""
    if (node is None) == (revisions is None):
        raise click.UsageError("give NODE, or --diff REV", click.get_current_context())


def scope(given: Scoped, *, builtins: bool = True) -> Scope:
    """Give the scope that the options ask for."""
    return Scope(
        within=given["within"],
        tests=not given["no_tests"],
        external=not given["no_external"],
        builtins=builtins,
    )
