"""`mu workflow`: recipes of queries and operations that are kept under a name."""

import sys
from pathlib import Path
from typing import BinaryIO

import click

from mu.cli.arguments import options
from mu.cli.display.json_documents import encoded
from mu.errors import ExitCode, MuError
from mu.render.text import printable, visible_json

_here = click.option(
    "--here", "is_here", is_flag=True, help="In the repository's .mu/workflows, not your own."
)
_json = click.option("--json", "as_json", is_flag=True, help="Print JSON.")


@click.group()
def command() -> None:
    """Save recipes of queries and operations, and run them by name.

    A workflow is a JSON file in ~/.mu/workflows, or in .mu/workflows of the repository; some ship
    with MU. `mu discover` and `mu plan` list them, and the agent can run them.
    """


@command.command("save")
@click.argument("file", type=click.File("rb"), default="-")
@_here
@click.pass_obj
def save(folder: str | None, /, *, file: BinaryIO, is_here: bool) -> None:
    """Check the workflow in FILE, or on standard input, and keep it under its name.

    It is JSON: name, description, inputs, outputs, ir. A step of the ir has a `step` name and
    either `muql` or an `operation` with `arguments`; $name stands for an input. What `mu workflow
    show` writes with --json is one to begin with.
    """
    from mu.context import parse_workflow, save_workflow
    from mu.context.workflows import LARGEST_FILE
    from mu.operations.workflows import check_workflow, usage

    workflow = parse_workflow(file.read(LARGEST_FILE + 1))
    check_workflow(workflow)
    target = save_workflow(workflow, _folder(folder, is_here=is_here))
    click.echo(printable(f"saved {target}"))
    click.echo(printable(f"run it: {usage(workflow)}"), err=True)


@command.command("list")
@_json
@click.pass_obj
def list_workflows(folder: str | None, /, *, as_json: bool) -> None:
    """List the workflows: name, where from, inputs, and what they give."""
    from mu.context import all_workflows

    loaded = all_workflows(_root(folder))
    if as_json:
        entries = [
            {
                "id": each.id,
                "name": each.name,
                "description": each.description,
                "inputs": each.inputs,
                "outputs": each.outputs,
                "type": each.type,
                "origin": each.origin,
            }
            for each in loaded.found
        ]
        click.echo(encoded({"workflows": entries, "problems": loaded.problems}))
        return
    for each in loaded.found:
        inputs = " ".join(one.name for one in each.inputs)
        click.echo(printable(f"{each.name} ({inputs}) [{each.origin}]: {each.description}"))
    sys.stdout.flush()
    for problem in loaded.problems:
        click.echo(printable(f"skipped {problem}"), err=True)


@command.command("show")
@click.argument("name")
@_json
@click.pass_obj
def show(folder: str | None, /, *, name: str, as_json: bool) -> None:
    """Show a workflow: what it takes and its steps; as JSON, its file."""
    from mu.context import build_planning_context
    from mu.context.workflows import written
    from mu.operations.workflows import find_workflow, usage

    root = _root(folder)
    workflow = find_workflow(root, name)
    if as_json:
        click.echo(visible_json(written(workflow)), nl=False)
        return
    click.echo(
        printable(build_planning_context([workflow.id], [], [workflow]).text, keep_lines=True)
    )
    click.echo(printable(f"run it: {usage(workflow)}"), err=True)


@command.command("run")
@click.argument("name")
@click.argument("inputs", nargs=-1, metavar="[KEY=VALUE]...")
@click.option(
    "--format",
    "form",
    type=click.Choice(("mu", "table", "json")),
    default="mu",
    show_default=True,
    help="How to write the results.",
)
@click.option("--json", "as_json", is_flag=True, help="The same as --format json.")
@click.pass_obj
def run(
    folder: str | None, /, *, name: str, inputs: tuple[str, ...], form: str, as_json: bool
) -> None:
    """Run a workflow with these inputs, and show what each step gave.

    \b
    Example:
      mu workflow run impact-report node=AuthService.login
    """
    from mu.operations.workflows import run_workflow

    with options.workspace(folder) as workspace:
        result = run_workflow(workspace, name, inputs=_given(inputs))
    if as_json or form == "json":
        steps = {each.step: each.result for each in result.steps}
        document = {
            "workflow": result.workflow,
            "inputs": dict(result.inputs),
            "results": steps,
        }
        click.echo(encoded(document))
        return
    from mu.cli.queries.workflow_text import show_step

    for each in result.steps:
        show_step(each, form)


@command.command("delete")
@click.argument("name")
@_here
@click.pass_obj
def delete(folder: str | None, /, *, name: str, is_here: bool) -> None:
    """Delete a workflow that was saved."""
    from mu.context import delete_workflow

    click.echo(printable(f"deleted {delete_workflow(name, _folder(folder, is_here=is_here))}"))


def _given(words: tuple[str, ...]) -> dict[str, str | int | float | bool | None]:
    given: dict[str, str | int | float | bool | None] = {}
    for word in words:
        key, sign, value = word.partition("=")
        if not sign or not key:
            raise MuError(
                f"an input is written key=value, and not {printable(word[:60])}",
                "this works: mu workflow run impact-report node=AuthService.login",
                ExitCode.USAGE,
            )
        if key in given:
            raise MuError(f"the input `{key}` is given twice", "", ExitCode.USAGE)
        given[key] = value
    return given


def _root(start: str | None) -> Path | None:
    """Give the repository that is worked in; None outside one, where only your own are known."""
    try:
        return options.find(start).root
    except MuError as error:
        if error.code is ExitCode.NO_GRAPH:
            return None
        raise


def _folder(start: str | None, *, is_here: bool) -> Path | None:
    """Give the folder to keep workflows in; None for the user's own."""
    from mu.context.workflow_files import FOLDER

    if not is_here:
        return None
    root = options.find(start).root
    if (root / FOLDER).resolve() != root.resolve() / FOLDER:
        raise MuError(f"{FOLDER} of this repository is a link to another place")
    return root / FOLDER
