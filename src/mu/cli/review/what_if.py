"""`mu what-if`: the consequences of a change that nobody made yet."""

from collections.abc import Iterator
from typing import Unpack

import click

from mu.cli.arguments import options
from mu.cli.display.json_documents import document
from mu.cli.display.text_output import write_lines
from mu.operations.architecture.what_if import Action, Consequence, Consequences, what_if
from mu.operations.results import MAX_LIMIT
from mu.render.parts import ListingLine, Part
from mu.render.text import printable


class _Given(options.Shown):
    limit: int | None


_OPTIONS: tuple[click.Parameter, ...] = (
    click.Option(
        ["--limit"],
        type=click.IntRange(1, MAX_LIMIT),
        default=None,
        show_default=f"as many as fit in {options.TEXT_BUDGET:,} characters; all in JSON",
        help="Maximum number of references.",
    ),
    click.Option(
        ["--format", "form"],
        type=click.Choice(("text", "json")),
        default="text",
        show_default=True,
        help="Output format.",
    ),
    click.Option(["--json", "as_json"], is_flag=True, help="Short for --format json."),
)


@click.group("what-if")
def command() -> None:
    """Show what a change would do: import cycles, contracts of mu.toml, broken references.

    Nothing is written. NODE is a module, a folder or a definition.
    """


@command.command(
    params=[
        click.Argument(["subject"], metavar="NODE"),
        click.Argument(["to"], type=click.Choice(("to",)), metavar="to"),
        click.Argument(["target"], metavar="PATH"),
        *_OPTIONS,
    ]
)
@click.pass_obj
def move(
    folder: str | None, /, *, subject: str, to: str, target: str, **given: Unpack[_Given]
) -> None:
    """Suppose that a module, folder or definition moves to a file or folder.

    \b
    Example:
      mu what-if move src/app/cart.py to src/app/shop
    """
    del to
    _show(folder, Action.MOVE, subject, target=target, given=given)


@command.command(params=[click.Argument(["subject"], metavar="NODE"), *_OPTIONS])
@click.pass_obj
def remove(folder: str | None, /, subject: str, **given: Unpack[_Given]) -> None:
    """Suppose that a module, folder or definition is removed."""
    _show(folder, Action.REMOVE, subject, target="", given=given)


@command.command(
    params=[
        click.Argument(["subject"], metavar="MODULE"),
        click.Argument(["into"], type=click.Choice(("into",)), metavar="into"),
        click.Argument(["target"], metavar="MODULE"),
        *_OPTIONS,
    ]
)
@click.pass_obj
def merge(
    folder: str | None, /, *, subject: str, into: str, target: str, **given: Unpack[_Given]
) -> None:
    """Suppose that a module or folder becomes part of another one."""
    del into
    _show(folder, Action.MERGE, subject, target=target, given=given)


def _show(folder: str | None, action: Action, subject: str, *, target: str, given: _Given) -> None:
    with options.workspace(folder) as workspace:
        found = what_if(
            workspace, action, subject=subject, target=target, limit=given["limit"] or MAX_LIMIT
        )
    if options.form(given) == "json":
        click.echo(document(found))
        return
    to = f" {'into' if action is Action.MERGE else 'to'} {found.target}" if found.target else ""
    click.echo(printable(f"{action} {found.subject}{to}"))
    click.echo(
        f"import cycles: {found.cycles_before:,} -> {found.cycles_after:,}; "
        f"violations of contracts: {found.violations_before:,} -> {found.violations_after:,}; "
        f"broken references: 0 -> {found.total:,}"
    )
    lines = list(_lines(found))
    rest = sum(line.rows for line in lines) - write_lines(lines)
    for note in found.notes:
        click.echo(f"note: {printable(note)}", err=True)
    if rest:
        click.echo(f"more: {rest:,} rows; --limit 1000 shows them", err=True)


def _lines(found: Consequences) -> Iterator[ListingLine]:
    yield from _group("cycles made", found.cycles_made)
    yield from _group("cycles broken", found.cycles_broken)
    yield from _group("new violations", found.violations_made, with_rule=True)
    yield from _group("violations mended", found.violations_mended, with_rule=True)
    if found.conflicts:
        yield _heading("defined on both sides")
        for name in found.conflicts:
            yield ListingLine(((Part.PATH, printable(f"  {name}")),), 1)
    if found.references:
        yield _heading("references to change")
    for one in found.references:
        place = (Part.PATH, printable(f"  {one.path}:{one.line}"))
        yield ListingLine((place, (Part.DETAIL, printable(f"  {one.via} {one.target}"))), 1)


def _group(
    title: str, rows: tuple[Consequence, ...], *, with_rule: bool = False
) -> Iterator[ListingLine]:
    if rows:
        yield _heading(title)
    for row in rows:
        text = f"  {row.rule}: {row.message}" if with_rule else f"  {row.message}"
        place = (Part.PATH, printable(f"  {row.path}:{row.line}"))
        yield ListingLine((place, (Part.DETAIL, printable(text))), 1)


def _heading(text: str) -> ListingLine:
    return ListingLine(((Part.HEADING, f"{text}:"),), 0)
