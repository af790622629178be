"""The command that finds text in the source."""

from typing import Unpack

import click

from mu.analysis.node_search.listing_scope import Scope
from mu.cli.arguments import options, walk_options
from mu.cli.arguments.operation_call import ask
from mu.cli.display.result_output import show
from mu.model.kinds import TextKind
from mu.operations.navigation import grep as operations


class _Given(options.Paged):
    pattern: str
    kind: tuple[str, ...]
    is_fixed: bool
    ignores_case: bool
    whole_word: bool
    within: str
    no_tests: bool


@click.command(
    params=[
        click.Argument(["pattern"]),
        click.Option(["is_fixed", "-F", "--fixed"], is_flag=True, help="PATTERN is plain text."),
        click.Option(["ignores_case", "-i", "--ignore-case"], is_flag=True, help="Ignore case."),
        click.Option(["whole_word", "-w", "--word"], is_flag=True, help="Match whole words."),
        click.Option(
            ["--kind"],
            type=click.Choice([kind.value for kind in TextKind]),
            multiple=True,
            metavar="KIND",
            help=f"Find only matches in {', '.join(TextKind)}; may be repeated.",
        ),
        walk_options.WITHIN,
        walk_options.NO_TESTS,
        *options.page(),
        *options.FORM,
    ]
)
@click.pass_obj
def command(start: str | None, /, **given: Unpack[_Given]) -> None:
    """Find the lines that PATTERN matches, with the definition each stands in.

    PATTERN is a regular expression (RE2). All files of the graph are searched, documents too. Use
    it for what has no definition: names of events, keys, messages, SQL.

    \b
    Examples:
      mu grep album_removed --kind string
      mu grep -F 'timeout=' --in src --no-tests
    """
    pattern = operations.grep_expression(
        given["pattern"],
        is_fixed=given["is_fixed"],
        ignores_case=given["ignores_case"],
        whole_word=given["whole_word"],
    )
    result = ask(
        start,
        operations.grep,
        pattern,
        kinds=tuple(TextKind(kind) for kind in given["kind"]),
        scope=Scope(given["within"], tests=not given["no_tests"]),
        limit=options.row_limit(given),
        offset=given["offset"],
    )
    show(result, options.form(given))
