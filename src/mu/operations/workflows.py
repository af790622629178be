"""Find, check and run saved workflows.

A run hands its inputs to the steps as values: they are bound in MUQL and are arguments of
operations. Steps only read. A mistake is told with the step it is in.
"""

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import get_type_hints

from mu.analysis.node_search.node_resolution import resolve_node
from mu.context import Workflow, WorkflowError, all_workflows
from mu.context.workflows import Argument, Input, InputType, Scalar, Step, fits, input_of
from mu.errors import ExitCode, MuError
from mu.muql.named_queries.named_query import ParameterType, read_value
from mu.muql.nearest import did_you_mean
from mu.muql.text import tokens
from mu.operations.architecture.cycles import cycles
from mu.operations.architecture.dead_code import unused
from mu.operations.navigation.dependencies import (
    ancestors,
    callees,
    callers,
    dependents,
    deps,
    impact,
)
from mu.operations.navigation.dependency_path import path
from mu.operations.navigation.describe import NodeDescription, describe
from mu.operations.navigation.node_source import NodeSource, read
from mu.operations.navigation.search import search
from mu.operations.navigation.wiki import WikiPage, wiki_list, wiki_read, wiki_search
from mu.operations.packing.context import Context, context
from mu.operations.queries.query import Supplied, query
from mu.operations.results import NodeRows, RouteRows, Rows
from mu.operations.revisions.release_notes import ReleaseNotes, release_notes
from mu.operations.workspace import Workspace
from mu.render.shown import Shown
from mu.render.text import printable

Result = (
    Rows | NodeRows | RouteRows | NodeDescription | NodeSource | Context | WikiPage | ReleaseNotes
)
"""What a step may give."""

Operation = Callable[..., Result]  # type: ignore[explicit-any]  # they differ in what they take

STEP_ROWS = 100
"""How many rows a step gives that asks for no number."""

OPERATIONS: Mapping[str, Operation] = {
    operation.__name__: operation
    for operation in (
        describe,
        read,
        deps,
        dependents,
        callees,
        callers,
        ancestors,
        impact,
        path,
        cycles,
        unused,
        search,
        context,
        wiki_list,
        wiki_search,
        wiki_read,
        release_notes,
    )
}
"""The operations that a step may be; all of them only read."""


@dataclass(frozen=True, slots=True)
class StepResult:
    """What the step called `step` gave."""

    step: str
    result: Result


@dataclass(frozen=True, slots=True)
class WorkflowRun(Shown):
    """What a workflow gave: the values its inputs had, and the result of each step, in order."""

    workflow: str
    inputs: tuple[tuple[str, Scalar], ...]
    steps: tuple[StepResult, ...]


def find_workflow(root: Path | None, name: str) -> Workflow:
    """Give the workflow of this name; raises WorkflowError when there is none that can be used."""
    loaded = all_workflows(root)
    for each in loaded.found:
        if each.name == name:
            return each
    shown = printable(name[:80])
    what = did_you_mean(
        f"no workflow is called {shown}", name, among=[w.name for w in loaded.found]
    )
    broken = [problem for problem in loaded.problems if f"/{name}.json" in problem]
    hint = broken[0] if broken else "`mu workflow list` lists them"
    raise WorkflowError(what, hint, ExitCode.NO_NODE)


def run_workflow(
    workspace: Workspace, name: str, *, inputs: Mapping[str, Scalar] | None = None
) -> WorkflowRun:
    """Run a workflow that ships with MU or is saved: by the user, or in the repository.

    `inputs` are values by name, or texts of them; an input left out has its default. Raises
    WorkflowError for an unknown workflow and for inputs that are missing, unknown or of the wrong
    type; an error in a step names the step.
    """
    workflow = find_workflow(workspace.root, name)
    check_workflow(workflow)
    values = _values(workspace, workflow, inputs or {})
    steps = tuple(StepResult(step.name, _run(workspace, step, values)) for step in workflow.steps)
    return WorkflowRun(workflow.name, tuple(values.items()), steps)


def check_workflow(workflow: Workflow) -> None:
    """Raise WorkflowError for a step that cannot be run, whatever the inputs are."""
    if not workflow.steps:
        raise WorkflowError(f"the workflow {workflow.name} has no steps")
    known = {each.name for each in workflow.inputs}
    for step in workflow.steps:
        if step.muql:
            _check_query(step, known)
        else:
            _check_operation(step)


def usage(workflow: Workflow) -> str:
    """Write how a workflow is run."""
    given = [
        f"{each.name}=..." if each.default is None else f"[{each.name}={each.default}]"
        for each in workflow.inputs
    ]
    return " ".join(["mu workflow run", workflow.name, *given])


def _check_query(step: Step, known: set[str]) -> None:
    before = ""
    for token in tokens(step.muql):
        name = token.text.removeprefix("$")
        is_input = before == "$" or (token.text[:1] == "$" and len(token.text) > 1)
        if is_input and name not in known:
            what = f"the step `{step.name}` takes ${printable(name[:60])}, which is no input"
            raise WorkflowError(did_you_mean(what, name, among=known))
        before = token.text


def _check_operation(step: Step) -> None:
    operation = OPERATIONS.get(step.operation)
    if operation is None:
        what = f"the step `{step.name}`: no operation `{printable(step.operation[:60])}`"
        what = did_you_mean(what, step.operation, among=OPERATIONS)
        raise WorkflowError(what, f"there are {', '.join(OPERATIONS)}")
    parameters = [
        each
        for each in list(inspect.signature(operation).parameters.values())[1:]
        if each.kind is not each.VAR_KEYWORD  # how to show rows, which a step does not choose
    ]
    names = [each.name for each in parameters]
    given = dict(step.arguments)
    for name in given:
        if name not in names:
            what = f"the step `{step.name}`: {step.operation} has no `{printable(name[:60])}`"
            raise WorkflowError(what, f"it takes {', '.join(names)}")
    for each in parameters:
        if each.default is each.empty and each.name not in given:
            raise WorkflowError(f"the step `{step.name}`: {step.operation} needs `{each.name}`")


def _values(
    workspace: Workspace, workflow: Workflow, given: Mapping[str, Scalar]
) -> dict[str, Scalar]:
    """Give the value of each input: what was given for it, else its default."""
    names = [each.name for each in workflow.inputs]
    for name in given:
        if name not in names:
            what = f"{workflow.name} has no input `{printable(name[:60])}`"
            raise WorkflowError(did_you_mean(what, name, among=names), f"it is {usage(workflow)}")
    missing = [e for e in workflow.inputs if e.default is None and given.get(e.name) is None]
    if missing:
        needs = ", ".join(
            f"`{each.name}`" + (f" ({printable(each.description)})" if each.description else "")
            for each in missing
        )
        raise WorkflowError(f"{workflow.name} needs {needs}", f"it is {usage(workflow)}")
    values: dict[str, Scalar] = {}
    for each in workflow.inputs:
        value = _value(each, given.get(each.name))
        is_node = each.type is InputType.NODE
        values[each.name] = resolve_node(workspace.graph, str(value)).id if is_node else value
    return values


def _value(one: Input, given: Scalar) -> Scalar:
    if given is None:
        return one.default
    if fits(given, one.type):
        return given
    expected = "an integer" if one.type is InputType.INTEGER else f"a {one.type}"
    if isinstance(given, str):
        try:
            return read_value(given, ParameterType(one.type.value))
        except ValueError as error:
            expected = str(error)
    shown = printable(str(given)[:60])
    raise WorkflowError(f"the input `{one.name}` is {expected}, and not {shown}")


def _run(workspace: Workspace, step: Step, values: Mapping[str, Scalar]) -> Result:
    try:
        if step.muql:
            return query(workspace, step.muql, limit=STEP_ROWS, supplied=Supplied(values))
        operation = OPERATIONS[step.operation]
        given = {name: _argument(value, values) for name, value in step.arguments}
        typed = _typed(operation, given, step)
        if "limit" in inspect.signature(operation).parameters:
            typed.setdefault("limit", STEP_ROWS)
        return operation(workspace, **typed)
    except MuError as error:
        message = f"in the step `{step.name}`: {error.message}"
        raise WorkflowError(message, error.hint, error.code) from error


def _argument(value: Argument, values: Mapping[str, Scalar]) -> Argument:
    name = input_of(value)
    return values[name] if name else value


def _typed(operation: Operation, given: Mapping[str, Argument], step: Step) -> dict[str, object]:
    """Make the arguments those that an operation takes; raises WorkflowError for what is not."""
    import msgspec

    hints = get_type_hints(operation)
    typed: dict[str, object] = {}
    for name, value in given.items():
        try:
            hint = hints[name]
            typed[name] = msgspec.convert(value, hint)
        except msgspec.ValidationError as error:
            choices = (
                ", ".join(hint) if isinstance(hint, type) and issubclass(hint, StrEnum) else ""
            )
            what = f"`{name}` of {step.operation}: {str(error)[0].lower()}{str(error)[1:]}"
            raise WorkflowError(what, f"there are {choices}" if choices else "") from error
    return typed
