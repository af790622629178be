"""`mu cycles`: dependency cycles, and what to cut to be rid of them."""

from typing import Unpack

import click

from mu.cli.arguments import options, walk_options
from mu.cli.arguments.operation_call import ask
from mu.cli.display.result_output import show
from mu.model.kinds import EdgeKind, ImportMoment
from mu.operations.architecture import cycles as operations

_IMPORTS = (EdgeKind.IMPORTS,)


class _Cycles(options.Paged):
    kind: tuple[str, ...]
    imports: str
    cut: bool
    within: str


@click.command(
    params=[
        walk_options.kinds(_IMPORTS),
        click.Option(
            ["--imports"],
            type=click.Choice([moment.value for moment in ImportMoment]),
            default=ImportMoment.RUN.value,
            show_default=True,
            help="Count imports that happen when a module is loaded (load), those inside functions "
            "too (run), or those for type checkers as well (all).",
        ),
        click.Option(
            ["--cut"],
            is_flag=True,
            help="List the fewest dependencies whose removal leaves no cycle.",
        ),
        walk_options.WITHIN,
        *options.page(),
        *options.FORM,
    ]
)
@click.pass_obj
def cycles(folder: str | None, /, **given: Unpack[_Cycles]) -> None:
    """Show a shortest cycle for each strongly connected component of the dependency graph.

    By default import cycles between modules, without imports for type checkers alone. Each line is
    where one module imports the next; the last imports the first. lazy: inside a function.

    With --cut, the imports to remove so that no cycle is left: the minimum, or few where a
    component is too large to search.

    \b
    Example:
      mu cycles --imports load
    """
    result = ask(
        folder,
        operations.cycle_cuts if given["cut"] else operations.cycles,
        kinds=walk_options.chosen_kinds(given["kind"], _IMPORTS),
        imports=ImportMoment(given["imports"]),
        within=given["within"],
        limit=options.row_limit(given),
        offset=given["offset"],
    )
    show(result, options.form(given))
