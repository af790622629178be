"""The commands for what a node is made of, extends, overrides, and where it is named."""

from typing import Unpack

import click

from mu.cli.arguments import options, walk_options
from mu.cli.arguments.node_argument import node_argument
from mu.cli.arguments.operation_call import ask
from mu.cli.display.result_output import show
from mu.operations.navigation import members as operations


class _Given(options.Paged):
    node: str


class _Deep(_Given):
    depth: int | None


class _Scoped(_Given, walk_options.Scoped):
    pass


class _DeepScoped(_Deep, walk_options.Scoped):
    pass


_NODE = node_argument()
_REST = (*options.page(), *options.FORM)


@click.command(params=[_NODE, *walk_options.SCOPE, *_REST])
@click.pass_obj
def references(start: str | None, /, **given: Unpack[_Scoped]) -> None:
    """List every reference to NODE: calls, reads, imports, annotations, mentions in documents.

    References inside NODE that mean NODE itself, such as recursive calls, are listed too.

    Unresolved references that could mean NODE follow.

    \b
    Example:
      mu references AuthService.login --format vimgrep
    """
    result = ask(
        start,
        operations.references,
        given["node"],
        scope=walk_options.scope(given),
        limit=options.row_limit(given),
        offset=given["offset"],
    )
    show(result, options.form(given))


@click.command(params=[_NODE, walk_options.depth(1), *walk_options.SCOPE, *_REST])
@click.pass_obj
def members(start: str | None, /, **given: Unpack[_DeepScoped]) -> None:
    """List what is defined in NODE: the members of a class, the definitions of a module."""
    result = ask(
        start,
        operations.members,
        given["node"],
        depth=given["depth"],
        scope=walk_options.scope(given),
        limit=options.row_limit(given),
        offset=given["offset"],
    )
    show(result, options.form(given))


@click.command(params=[_NODE, walk_options.depth(), *walk_options.SCOPE, *_REST])
@click.pass_obj
def bases(start: str | None, /, **given: Unpack[_DeepScoped]) -> None:
    """List the classes that NODE extends or implements, directly and transitively."""
    result = ask(
        start,
        operations.bases,
        given["node"],
        depth=given["depth"],
        scope=walk_options.scope(given),
        limit=options.row_limit(given),
        offset=given["offset"],
    )
    show(result, options.form(given))


@click.command(params=[_NODE, walk_options.depth(), *walk_options.SCOPE, *_REST])
@click.pass_obj
def subclasses(start: str | None, /, **given: Unpack[_DeepScoped]) -> None:
    """List the classes that extend or implement NODE, directly and transitively."""
    result = ask(
        start,
        operations.subclasses,
        given["node"],
        depth=given["depth"],
        scope=walk_options.scope(given),
        limit=options.row_limit(given),
        offset=given["offset"],
    )
    show(result, options.form(given))


@click.command(params=[_NODE, *walk_options.SCOPE, *_REST])
@click.pass_obj
def overrides(start: str | None, /, **given: Unpack[_Scoped]) -> None:
    """List which members override which: those of class NODE, or one method or attribute.

    What NODE overrides comes first, then what overrides it, directly and through others.
    """
    result = ask(
        start,
        operations.overrides,
        given["node"],
        scope=walk_options.scope(given),
        limit=options.row_limit(given),
        offset=given["offset"],
    )
    show(result, options.form(given))


class _Tested(_Deep):
    within: str
    is_safe: bool
    ids_alone: bool
    command_alone: bool


@click.command(
    params=[
        node_argument(is_required=False, metavar="[NODE]"),
        walk_options.DIFF,
        click.Option(
            ["is_safe", "--safe"],
            is_flag=True,
            help="With --diff: tests whose files import a changed file, too, at any distance.",
        ),
        click.Option(["ids_alone", "--ids"], is_flag=True, help="With --diff: print ids alone."),
        click.Option(
            ["command_alone", "--command"],
            is_flag=True,
            help="With --diff: print the commands that run the tests.",
        ),
        walk_options.depth(1),
        walk_options.WITHIN,
        *_REST,
    ]
)
@click.pass_obj
def tests(start: str | None, /, *, revisions: str | None, **given: Unpack[_Tested]) -> None:
    """List the tests that use NODE, with the lines where they do.

    With --depth, those that reach it through other functions too. With --diff REV, the tests that a
    change set may make fail, as in `mu diff`: those that changed or reach what changed, as ids that
    their runner takes, each with the reason.

    \b
    Examples:
      mu tests --diff main...HEAD
      mu tests --diff HEAD --safe --command
    """
    walk_options.check_subject(given["node"], revisions)
    if revisions is not None:
        from mu.cli.review.change_set import show_tests

        show_tests(
            start,
            revisions,
            is_safe=given["is_safe"],
            only="ids" if given["ids_alone"] else "command" * given["command_alone"],
            page=(options.row_limit(given), given["offset"]),
            form=options.form(given),
        )
        return
    result = ask(
        start,
        operations.find_tests,
        given["node"],
        depth=given["depth"],
        within=given["within"],
        limit=options.row_limit(given),
        offset=given["offset"],
    )
    show(result, options.form(given))
