"""`mu path`: a path from one definition to another."""

from typing import Unpack

import click

from mu.cli.arguments import options, walk_options
from mu.cli.arguments.node_argument import node_argument
from mu.cli.arguments.operation_call import ask
from mu.cli.display.result_output import show
from mu.model.kinds import DEPENDENCY_KINDS, EdgeKind
from mu.operations.navigation.dependency_path import path as find_path


class _Route(options.Shown):
    start: str
    goal: str
    depth: int | None
    kind: tuple[str, ...]
    every_kind: bool


@click.command(
    params=[
        node_argument("start", metavar="FROM"),
        node_argument("goal", metavar="TO"),
        walk_options.depth(),
        walk_options.kinds((EdgeKind.CALLS,)),
        click.Option(["every_kind", "--any"], is_flag=True, help="Follow every kind of edge."),
        *options.FORM,
    ]
)
@click.pass_obj
def path(folder: str | None, /, **given: Unpack[_Route]) -> None:
    """Show the surest short path by which FROM depends on TO, with the site of each hop.

    By calls alone, unless --kind or --any asks for other edges. The verdict is `unknown` when a hop
    is one of several definitions that its site may mean. When there is no path, notes say how far
    the search got from either side.

    \b
    Examples:
      mu path src/app/views.py src/app/db.py
      mu path src/app/views.py src/app/db.py --any
    """
    default = DEPENDENCY_KINDS if given["every_kind"] else (EdgeKind.CALLS,)
    result = ask(
        folder,
        find_path,
        given["start"],
        goal=given["goal"],
        kinds=walk_options.chosen_kinds(given["kind"], default),
        max_depth=given["depth"],
    )
    show(result, options.form(given))
