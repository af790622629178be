"""The argument of commands that names a node, and its completion in a shell."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from mu.errors import MuError

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

MOST_NAMES = 50
"""Completions that are offered at most."""


def node_argument(
    name: str = "node", *, metavar: str | None = None, is_required: bool = True
) -> click.Argument:
    """Give an argument that is a reference to a node, completed by the names in the graph."""
    return click.Argument([name], metavar=metavar, required=is_required, shell_complete=_complete)


def _complete(
    context: click.Context, _parameter: click.Parameter, incomplete: str
) -> "list[CompletionItem[str]]":
    """Give names of nodes that begin so; none where there is no graph."""
    from click.shell_completion import CompletionItem

    from mu.analysis.node_search.name_completion import names
    from mu.operations.workspace import Workspace

    start = context.find_root().params.get("start")
    try:
        with Workspace.find(Path(start or ".")) as workspace:
            rows = workspace.graph.run(names(incomplete), limit=MOST_NAMES).rows
    except MuError:
        return []
    return [CompletionItem(str(reference), help=str(kind)) for reference, kind in rows]
