"""`mu wiki`: the pages of a repository."""

import sys
from collections.abc import Iterator
from typing import Unpack

import click

from mu.cli import options
from mu.cli.encoding import encoded
from mu.cli.output import same_command, show
from mu.operations import wiki as operations
from mu.render.text import printable


class _Listed(options.Paged):
    category: str


class _Searched(options.Paged):
    words: tuple[str, ...]


class _Drifted(options.Paged):
    prefix: str


@click.group()
def command() -> None:
    """Search, read and check the pages of the repository."""


@command.command(
    "list",
    params=[
        click.Option(["--category"], default="", help="Only pages of this category."),
        *options.page(),
        *options.FORM,
    ],
)
@click.pass_obj
def list_pages(folder: str | None, /, **given: Unpack[_Listed]) -> None:
    """List the pages: title, category, place, and how much they link to and mention.

    A category is what a page says of itself, else what its name or folder tells: readme, changelog,
    agent, guide, adr, concept, component, reference, meta, other.
    """
    page = {"limit": given["limit"], "offset": given["offset"]}
    with options.workspace(folder) as workspace:
        result = operations.wiki_list(workspace, given["category"], **page)
    show(result, options.form(given))


@command.command(
    "search",
    params=[
        click.Argument(["words"], nargs=-1, required=True),
        *options.page(20),
        *options.FORM,
    ],
)
@click.pass_obj
def search_pages(folder: str | None, /, **given: Unpack[_Searched]) -> None:
    """Find pages and sections by WORDS, ranked as `mu search` ranks.

    \b
    Example:
      mu wiki search how to install
    """
    page = {"limit": given["limit"], "offset": given["offset"]}
    with options.workspace(folder) as workspace:
        result = operations.wiki_search(workspace, " ".join(given["words"]), **page)
    show(result, options.form(given))


@command.command(
    "read",
    params=[
        click.Argument(["page"]),
        *options.page(),
        click.Option(["as_json", "--json"], is_flag=True, help="Print JSON."),
    ],
)
@click.pass_obj
def read_page(folder: str | None, /, *, page: str, limit: int, offset: int, as_json: bool) -> None:
    """Show the text of PAGE, a path or a section's id; what it has to do with others on stderr."""
    with options.workspace(folder) as workspace:
        result = operations.wiki_read(workspace, page, limit=limit, offset=offset)
    if as_json:
        click.echo(encoded(result))
        return
    for line in result.lines:
        click.echo("\t".join(map(printable, line.text.split("\t"))))
    sys.stdout.flush()
    for about in _about(result):
        click.echo(printable(about), err=True)
    if result.next_offset is not None:
        click.echo(f"more: {same_command(result.next_offset)}", err=True)


@command.command(
    "drift",
    params=[
        click.Argument(["prefix"], required=False, default="", metavar="[PATH]"),
        *options.page(),
        *options.FORM,
    ],
)
@click.pass_obj
def drift(folder: str | None, /, **given: Unpack[_Drifted]) -> None:
    """List links and mentions of code that lead nowhere, of pages whose path begins with PATH.

    Columns: path, line, kind, text, reason.
    """
    page = {"limit": given["limit"], "offset": given["offset"]}
    with options.workspace(folder) as workspace:
        result = operations.wiki_drift(workspace, given["prefix"], **page)
    show(result, options.form(given))


def _about(page: operations.WikiPage) -> Iterator[str]:
    category = f" ({page.category})" if page.category else ""
    yield f"page: {page.node.id} {page.title}{category}, {len(page.lines)} of {page.total} lines"
    for name, ids in (
        ("links", page.links),
        ("mentions", page.mentions),
        ("linked from", page.backlinks),
    ):
        if ids:
            yield f"{name}: {', '.join(ids)}"
