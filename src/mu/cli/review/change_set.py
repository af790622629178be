"""The commands about a change set in the place of one node: `--diff` of `impact` and `tests`."""

import sys
from collections.abc import Iterator
from pathlib import Path

import click

from mu.cli.display.build_progress import build_progress
from mu.cli.display.json_documents import document
from mu.cli.display.result_output import show
from mu.cli.display.text_output import write_lines
from mu.model.kinds import EdgeKind
from mu.model.relation import Answer
from mu.operations.graph_file.build import build_root
from mu.operations.results import MAX_LIMIT, Rows
from mu.operations.revisions.affected_tests import Selection, change_impact, select_tests
from mu.operations.workspace import Workspace
from mu.render.parts import ListingLine, Part
from mu.render.text import printable

_COLUMNS = ("test", "runner", "id", "path", "line", "distance", "score", "reason")


def show_impact(
    start: str | None,
    revisions: str,
    *,
    kinds: tuple[EdgeKind, ...],
    page: tuple[int, int],
    form: str,
) -> None:
    """List what a change set reaches; `page` is the limit and the offset."""
    with _workspace(start) as workspace, build_progress() as on_event:
        limit, offset = page
        result = change_impact(
            workspace, revisions, kinds=kinds, limit=limit, offset=offset, on_event=on_event
        )
    show(result, form)


def show_tests(
    start: str | None, revisions: str, *, is_safe: bool, only: str, page: tuple[int, int], form: str
) -> None:
    """List the tests to run for a change set; `only` is `ids`, `command`, or nothing for all."""
    with _workspace(start) as workspace, build_progress() as on_event:
        limit, offset = (MAX_LIMIT, 0) if only else page
        result = select_tests(
            workspace, revisions, is_safe=is_safe, limit=limit, offset=offset, on_event=on_event
        )
    if only == "ids":
        sys.stdout.writelines(f"{printable(row.id)}\n" for row in result.tests)
    elif only:
        commands = [command for each in result.commands.values() for command in each]
        sys.stdout.writelines(f"{printable(command)}\n" for command in commands)
    elif form == "json":
        click.echo(document(result))
    elif form == "text":
        write_lines(list(_lines(result)))
        sys.stdout.flush()
        for line in _remarks(result):
            click.echo(printable(line), err=True)
    else:
        show(Rows(_answer(result), result.next_offset), form)


def _workspace(start: str | None) -> Workspace:
    return Workspace(build_root(Path(start or "."), None))


def _lines(result: Selection) -> Iterator[ListingLine]:
    for row in result.tests:
        reason = (Part.DETAIL, f"  {printable(row.reason)}")
        yield ListingLine(((Part.NAME, printable(row.id)), reason))


def _remarks(result: Selection) -> Iterator[str]:
    tests = "1 test" if result.total == 1 else f"{result.total:,} tests"
    yield f"{result.before} -> {result.after}: {tests} of {result.suite:,}, {result.verdict}"
    yield from (f"note: {note}" for note in result.notes)
    if result.total:
        yield "run: --command prints the command that runs them, --ids their ids"


def _answer(result: Selection) -> Answer:
    rows = tuple(
        (row.id, row.runner, row.node, row.path, row.line, row.distance, row.score, row.reason)
        for row in result.tests
    )
    return Answer(
        _COLUMNS,
        rows,
        total=result.total,
        truncated=len(rows) < result.total,
        verdict=result.verdict,
        notes=result.notes,
    )
