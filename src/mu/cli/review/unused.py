"""`mu unused`: dead code."""

from typing import Unpack

import click

from mu.cli.arguments import options, walk_options
from mu.cli.arguments.operation_call import ask
from mu.cli.display.result_output import show
from mu.model.kinds import Confidence
from mu.operations.architecture.dead_code import unused as list_unused


class _Unused(options.Paged):
    scope: str
    within: str
    confidence: str
    counting_tests: bool
    not_counting: str | None


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
