"""`mu diff`: compare two revisions as code."""

import sys
from pathlib import Path
from typing import Unpack

import click

from mu.cli.arguments import options
from mu.cli.display.build_progress import build_progress
from mu.cli.display.json_documents import document
from mu.cli.display.text_output import write_lines
from mu.cli.review.diff_text import diff_lines, summary_line, unlisted_line
from mu.operations.graph_file.build import build_root
from mu.operations.results import MAX_LIMIT
from mu.operations.revisions.diff import Diff
from mu.operations.revisions.diff import diff as compare
from mu.operations.workspace import Workspace
from mu.render.text import printable


class _Given(options.Shown):
    within: str
    with_tests: bool
    limit: int | None


FORMATS = ("text", "json", "markdown", "sarif")


@click.command()
@click.argument("revisions", required=False, default="", metavar="[A..B]")
@click.option("--in", "within", default="", metavar="PATH", help="Only changes in PATH.")
@click.option("--tests", "with_tests", is_flag=True, help="List changes of tests, too.")
@click.option(
    "--limit",
    type=click.IntRange(1, MAX_LIMIT),
    default=None,
    show_default=f"as many as fit in {options.TEXT_BUDGET:,} characters; all in other formats",
    help="Maximum number of changes.",
)
@click.option(
    "--format",
    "form",
    type=click.Choice(FORMATS),
    default="text",
    show_default=True,
    help="Output format.",
)
@click.option("--json", "as_json", is_flag=True, help="Short for --format json.")
@click.pass_obj
def diff(folder: str | None, /, revisions: str, **given: Unpack[_Given]) -> None:
    """Compare two revisions as code: what was added, removed, changed, moved and renamed.

    A..B compares two commits, A...B compares B with its common ancestor with A, and A alone
    compares the working tree with A. Without any, the working tree is compared with HEAD, or where
    nothing changed, HEAD with its common ancestor with the main branch.

    Public definitions that cannot be used as before come first, then references inside that do
    not fit any more, import cycles made and broken, new and lost dependencies, and all other
    changes. Nothing is written into the repository, and none of its hooks or filters runs.

    \b
    Examples:
      mu diff
      mu diff v1.0..v1.1
      mu diff main...HEAD --format markdown
    """
    with (
        Workspace(build_root(Path(folder or "."), None)) as workspace,
        build_progress() as on_event,
    ):
        result = compare(
            workspace,
            revisions,
            within=given["within"],
            limit=given["limit"] or MAX_LIMIT,
            on_event=on_event,
        )
    form = options.form(given)
    if form == "json":
        click.echo(document(result))
    elif form == "markdown":
        from mu.cli.review.diff_report import markdown_lines

        sys.stdout.writelines(f"{line}\n" for line in markdown_lines(result))
    elif form == "sarif":
        from mu.cli.review.diff_report import sarif_text

        sys.stdout.write(sarif_text(result))
    else:
        _write(result, with_tests=given["with_tests"])


def _write(result: Diff, *, with_tests: bool) -> None:
    click.echo(printable(summary_line(result)))
    lines = list(diff_lines(result, with_tests=with_tests))
    written = write_lines(lines)
    sys.stdout.flush()
    rest = sum(line.rows for line in lines) - written
    remarks = [
        unlisted_line(result, with_tests=with_tests),
        *(f"note: {one}" for one in result.notes),
    ]
    if rest:
        remarks.append(f"more: {rest:,} rows; --limit 1000 shows them")
    for remark in filter(None, remarks):
        click.echo(printable(remark), err=True)
