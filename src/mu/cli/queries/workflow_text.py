"""What the steps of a workflow gave, as text."""

import sys

import click

from mu.agent.formats import format_step
from mu.cli.display.result_output import show
from mu.operations.results import NodeRows, RouteRows, Rows
from mu.operations.workflows import StepResult
from mu.render.text import printable


def show_step(step: StepResult, form: str) -> None:
    """Write the name of a step and what it gave, rows as a table if `form` is that."""
    result = step.result
    click.echo(printable(f"## {step.step}"))
    if form == "table" and isinstance(result, Rows | NodeRows | RouteRows):
        show(result, form, more=lambda offset: f"ask for the rows from {offset} on by themselves")
    else:
        sys.stdout.write(printable(format_step(step), keep_lines=True).rstrip("\n") + "\n")
    sys.stdout.flush()
