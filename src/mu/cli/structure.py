"""The commands for paths, cycles, what is unused, and finding a node by its name."""

from typing import Unpack

import click

from mu.cli import options, walk_options
from mu.cli.output import show
from mu.model.kinds import DEPENDENCY_KINDS, EdgeKind, ImportMoment, NodeKind
from mu.operations import structure as operations
from mu.operations.unused import Confidence
from mu.operations.unused import unused as list_unused

_IMPORTS = (EdgeKind.IMPORTS,)


class _Route(options.Shown):
    start: str
    goal: str
    depth: int | None
    kind: tuple[str, ...]


class _Cycles(options.Paged):
    kind: tuple[str, ...]
    imports: str


class _Unused(options.Paged):
    scope: str
    confidence: str


class _Search(options.Paged):
    words: tuple[str, ...]
    kind: tuple[str, ...]


@click.command(
    params=[
        click.Argument(["start"], metavar="FROM"),
        click.Argument(["goal"], metavar="TO"),
        walk_options.depth(),
        walk_options.kinds(DEPENDENCY_KINDS),
        *options.FORM,
    ]
)
@click.pass_obj
def path(folder: str | None, /, **given: Unpack[_Route]) -> None:
    """Show one shortest way in which the node FROM depends on the node TO.

    Columns: step, id, name, the kind of edge to the next row (via), and the path and line where
    that edge stands.

    \b
    Example:
      mu path src/app/views.py src/app/db.py
    """
    with options.workspace(folder) as workspace:
        result = operations.path(
            workspace,
            given["start"],
            goal=given["goal"],
            kinds=walk_options.chosen_kinds(given["kind"], DEPENDENCY_KINDS),
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
        *options.page(),
        *options.FORM,
    ]
)
@click.pass_obj
def cycles(folder: str | None, /, **given: Unpack[_Cycles]) -> None:
    """Show one shortest cycle for each knot of nodes that depend on each other.

    By default imports between modules, without those for type checkers alone. Columns: cycle_id,
    step, id, name, the path and line where the row's node depends on the next row's, the role of
    that edge (lazy: inside a function; type-only), and the size of the whole knot. The last row of
    a cycle depends on its first.
    """
    with options.workspace(folder) as workspace:
        result = operations.cycles(
            workspace,
            kinds=walk_options.chosen_kinds(given["kind"], _IMPORTS),
            imports=ImportMoment(given["imports"]),
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
            help="List only what is at least so sure.",
        ),
        *options.page(),
        *options.FORM,
    ]
)
@click.pass_obj
def unused(folder: str | None, /, **given: Unpack[_Unused]) -> None:
    """List the definitions that no entry point leads to, the surest first.

    With NODE, a node or a path, only what lies in it. What an unresolved reference could mean is
    not listed. Confidence is high for what is private, medium for what is public, which code
    outside the repository may use, and low where names are looked up while the program runs.
    Columns: id, name, kind, path, line, lines, confidence, reason.

    \b
    Example:
      mu unused src/app/auth.py
    """
    with options.workspace(folder) as workspace:
        result = list_unused(
            workspace,
            scope=given["scope"],
            confidence=Confidence(given["confidence"]),
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
            help="Find only nodes of this kind; may be repeated.",
        ),
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
    with options.workspace(folder) as workspace:
        result = operations.search(
            workspace,
            " ".join(given["words"]),
            kinds=tuple(NodeKind(kind) for kind in given["kind"]) or tuple(NodeKind),
            limit=options.row_limit(given),
            offset=given["offset"],
        )
    show(result, options.form(given))
