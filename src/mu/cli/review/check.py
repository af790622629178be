"""`mu check`: check architecture rules."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Unpack

import click

from mu import __version__
from mu.cli.arguments import options
from mu.cli.display.build_progress import build_progress
from mu.cli.display.json_documents import document
from mu.cli.display.text_output import write_lines
from mu.errors import ExitCode
from mu.operations.architecture.rule_check import (
    CheckReport,
    Violation,
    suggest_contracts,
    update_baseline,
)
from mu.operations.architecture.rule_check import check as run_check
from mu.operations.results import MAX_LIMIT
from mu.render.formats.junit import junit_document
from mu.render.formats.sarif import Finding, sarif_document
from mu.render.parts import ListingLine, Part
from mu.render.text import printable


class _Given(options.Shown):
    revisions: str | None
    limit: int | None
    is_updating: bool
    linter_file: str | None
    is_suggesting: bool


@click.command()
@click.option(
    "--diff", "revisions", default=None, metavar="A..B", help="Only violations new since A."
)
@click.option(
    "is_updating",
    "--update-baseline",
    is_flag=True,
    help="Write mu-baseline.json: all violations at first, later what is left of them.",
)
@click.option(
    "linter_file",
    "--import-contracts",
    type=click.Path(exists=True, dir_okay=False),
    default=None,
    metavar="FILE",
    help="Check the contracts of import-linter in FILE; with --suggest write them for mu.toml.",
)
@click.option(
    "is_suggesting",
    "--suggest",
    is_flag=True,
    help="Write layers for mu.toml that the imports keep already, and check nothing.",
)
@click.option(
    "--limit",
    type=click.IntRange(1, MAX_LIMIT),
    default=None,
    show_default=f"as many as fit in {options.TEXT_BUDGET:,} characters; all in other formats",
    help="Maximum number of violations.",
)
@click.option(
    "--format",
    "form",
    type=click.Choice(("text", "json", "sarif", "junit")),
    default="text",
    show_default=True,
    help="Output format.",
)
@click.option("--json", "as_json", is_flag=True, help="Short for --format json.")
@click.pass_obj
def check(folder: str | None, /, **given: Unpack[_Given]) -> ExitCode:
    """Check the architecture rules in the section [check] of mu.toml.

    A rule is a query that must have no rows; a contract says which modules may not import which,
    how many may, or that nothing is dead code. For a cycle, the fewest imports to remove are
    listed. Violations in mu-baseline.json are accepted. With --diff only violations that were not
    there before count. Exit status: 1 when a rule is broken.
    """
    with options.workspace(folder) as workspace, build_progress() as on_event:
        if given["is_updating"]:
            click.echo(f"mu-baseline.json accepts {update_baseline(workspace):,} violations")
            return ExitCode.OK
        linter_file = str(Path(given["linter_file"]).absolute()) if given["linter_file"] else ""
        if given["is_suggesting"]:
            contracts = suggest_contracts(workspace, linter_file=linter_file)
            is_json = options.form(given) == "json"
            click.echo(document(contracts) if is_json else contracts.text, nl=is_json)
            return ExitCode.OK
        report = run_check(
            workspace, given["revisions"], linter_file=linter_file,
            limit=given["limit"] or MAX_LIMIT, on_event=on_event,
        )  # fmt: skip
    form = options.form(given)
    if form == "json":
        click.echo(document(report))
    elif form == "sarif":
        sys.stdout.write(_sarif(report))
    elif form == "junit":
        sys.stdout.write(_junit(report))
    else:
        _write(report)
    return ExitCode.FAILED if report.total else ExitCode.OK


def _write(report: CheckReport) -> None:
    kept = len(report.rules) - len(report.broken)
    text = f"rules: {kept} kept, {len(report.broken)} broken; violations: {report.total:,}"
    if report.accepted:
        text += f"; accepted: {report.accepted:,}"
    click.echo(text)
    if report.mended:
        click.echo(f"note: {report.mended:,} mended; `mu check --update-baseline`", err=True)
    lines = list(_lines(report))
    rest = sum(line.rows for line in lines) - write_lines(lines)
    if rest:
        sys.stdout.flush()
        click.echo(f"more: {rest:,} rows; --limit 1000 shows them", err=True)


def _lines(report: CheckReport) -> Iterator[ListingLine]:
    """Write the violations of each rule below its name; the last line of one counts as its row."""
    rule = ""
    for one in report.violations:
        if one.rule != rule:
            rule = one.rule
            yield ListingLine(((Part.HEADING, printable(f"{rule}:")),), 0)
        more = list(_more(one))
        place = f"  {one.path}:{one.line}" if one.line else f"  {one.path}"
        parts = ((Part.PATH, printable(place)), (Part.DETAIL, printable(f"  {one.message}")))
        yield ListingLine(parts, 0 if more else 1)
        for number, text in enumerate(more, 1):
            yield ListingLine(((Part.DETAIL, printable(text)),), int(number == len(more)))


def _more(one: Violation) -> Iterator[str]:
    if one.steps:
        yield "    " + " -> ".join([*(step.path for step in one.steps), one.steps[-1].target])
    if one.cut:
        fewest = "fewest imports to remove" if one.is_minimum else "removing these breaks it"
        yield f"    {fewest}: {len(one.cut)}"
    for step in (*one.cut, *one.many):
        yield f"      {step.path}:{step.line} imports {step.target}"


def _junit(report: CheckReport) -> str:
    cases: dict[str, list[str]] = {name: [] for name in report.rules}
    for one in report.violations:
        text = "\n".join([f"{one.path}:{one.line}  {one.message}", *_more(one)])
        cases[one.rule].append(text)
    return junit_document("mu check", cases)


def _sarif(report: CheckReport) -> str:
    findings = [
        Finding(
            one.rule, "error", one.message, one.path, one.line,
            tuple((step.path, step.line, f"imports {step.target}") for step in one.steps[1:]),
        )
        for one in report.violations
    ]  # fmt: skip
    return sarif_document(
        findings, rules={name: name for name in report.rules}, version=__version__
    )
