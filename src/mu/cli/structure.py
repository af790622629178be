"""The commands for paths, cycles, what is unused, and finding a node by its name."""

from typing import Unpack

import click

from mu.cli import options, walk_options
from mu.cli.asking import ask
from mu.cli.completion import node_argument
from mu.cli.output import show
from mu.model.kinds import DEPENDENCY_KINDS, Confidence, EdgeKind, ImportMoment, NodeKind
from mu.operations.architecture import cycles as operations
from mu.operations.architecture.dead_code import unused as list_unused
from mu.operations.navigation.dependency_path import path as find_path
from mu.operations.navigation.search import search as search_operation

_IMPORTS = (EdgeKind.IMPORTS,)


class _Route(options.Shown):
    start: str
    goal: str
    depth: int | None
    kind: tuple[str, ...]
    every_kind: bool


class _Cycles(options.Paged):
    kind: tuple[str, ...]
    imports: str
    cut: bool
    within: str


class _Unused(options.Paged):
    scope: str
    within: str
    confidence: str
    counting_tests: bool
    not_counting: str | None


class _Search(options.Paged, walk_options.Scoped):
    words: tuple[str, ...]
    kind: tuple[str, ...]


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


@click.command(
    params=[
        click.Argument(["scope"], required=False, default="", metavar="[NODE]"),
        click.Option(
            ["--confidence"],
            type=click.Choice([level.value for level in Confidence]),
            default=Confidence.LOW.value,
            show_default=True,
            help="Minimum confidence.",
        ),
        click.Option(
            ["counting_tests", "--no-tests"],
            flag_value=False,
            default=True,
            help="Do not count uses by tests: what only tests use is unused.",
        ),
        click.Option(
            ["--not-counting"],
            type=click.Choice(["tests"]),
            help="The same as --no-tests.",
        ),
        walk_options.WITHIN,
        *options.page(),
        *options.FORM,
    ]
)
@click.pass_obj
def unused(folder: str | None, /, **given: Unpack[_Unused]) -> None:
    """List definitions unreachable from any entry point (dead code), the surest first.

    With NODE, a definition or a path, only those inside it. Definitions that an unresolved
    reference could mean are not listed. Confidence is high for private definitions, medium for
    public ones, which code outside the repository may use, and low where names are computed at run
    time.

    \b
    Example:
      mu unused src/app/auth.py
    """
    result = ask(
        folder,
        list_unused,
        scope=given["scope"] or given["within"],
        confidence=Confidence(given["confidence"]),
        counting_tests=given["counting_tests"] and not given["not_counting"],
        limit=options.row_limit(given),
        offset=given["offset"],
    )
    show(result, options.form(given))


@click.command(
    params=[
        click.Argument(["words"], nargs=-1, required=True),
        click.Option(
            ["--kind"],
            type=click.Choice([kind.value for kind in NodeKind]),
            multiple=True,
            metavar="KIND",
            help=f"Find only nodes of this kind: {', '.join(NodeKind)}; may be repeated.",
        ),
        *walk_options.SCOPE,
        *options.page(20),
        *options.FORM,
    ]
)
@click.pass_obj
def search(folder: str | None, /, **given: Unpack[_Search]) -> None:
    """Find nodes by WORDS: a name, a part of one, or a question.

    Names that are the words, or begin with them, come first, then what says most about them in its
    name, path, signature, docstring, comments and strings; tests and generated code come last.
    Endings and common abbreviations do not matter: auth is authentication, and never author.
    Columns: id, name, kind, path, line, score from 0 to 1, and why.

    \b
    Examples:
      mu search AuthService
      mu search what handles auth
    """
    result = ask(
        folder,
        search_operation,
        " ".join(given["words"]),
        kinds=tuple(NodeKind(kind) for kind in given["kind"]) or tuple(NodeKind),
        scope=walk_options.scope(given),
        limit=options.row_limit(given),
        offset=given["offset"],
    )
    show(result, options.form(given))
