"""Runs of workflows on a real graph: inputs are values, and mistakes are told with their step."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from e2e.command import SMALL
from fakes.built import built_tree
from mu.context import WorkflowError, parse_workflow, save_workflow, shipped_workflows
from mu.errors import ExitCode, MuError
from mu.operations.navigation.node_source import NodeSource
from mu.operations.results import NodeRows, Rows
from mu.operations.workflows import check_workflow, find_workflow, run_workflow
from mu.operations.workspace import Workspace


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workspace]:
    with built_tree(tmp_path_factory.mktemp("tree"), SMALL) as built:
        yield built


def keep(workspace: Workspace, name: str, *, inputs: object, ir: object) -> None:
    folder = workspace.root / ".mu" / "workflows"
    folder.mkdir(parents=True, exist_ok=True)
    document = {"name": name, "description": "For a test.", "inputs": inputs, "ir": ir}
    (folder / f"{name}.json").write_text(json.dumps(document))


WITHOUT_GIT = [each.name for each in shipped_workflows() if each.name != "release-notes"]


@pytest.mark.parametrize("name", WITHOUT_GIT)
def test_each_that_ships_runs(workspace: Workspace, name: str) -> None:
    needed = [each for each in find_workflow(None, name).inputs if each.default is None]

    run = run_workflow(workspace, name, inputs={each.name: "login" for each in needed})

    assert [each.step for each in run.steps] == [s.name for s in find_workflow(None, name).steps]


def test_the_impact_report_has_the_callers_and_tests(workspace: Workspace) -> None:
    run = run_workflow(workspace, "impact-report", inputs={"node": "check"})
    results = {each.step: each.result for each in run.steps}

    assert isinstance(results["affected"], NodeRows)
    assert "fn:app/views.py:page" in {row[0] for row in results["affected"].answer.rows}
    assert isinstance(results["tests"], Rows)
    assert results["tests"].answer.rows[0][0] == "fn:tests/test_auth.py:test_login"


def test_the_guides_example_runs(workspace: Workspace, root: Path) -> None:
    guide = (root / "docs" / "guides" / "workflows.md").read_text(encoding="utf-8")
    example = guide.partition("```json\n")[2].partition("```")[0]
    save_workflow(parse_workflow(example), workspace.root / ".mu" / "workflows")

    run = run_workflow(workspace, "callers-below", inputs={"node": "login", "prefix": "tests/"})

    results = {each.step: each.result for each in run.steps}
    assert isinstance(results["callers"], Rows)
    assert [row[0] for row in results["callers"].answer.rows] == [
        "fn:tests/test_auth.py:test_login"
    ]
    assert isinstance(results["source"], NodeSource)
    assert results["source"].lines[0].text == "def login(u):"


@pytest.mark.parametrize(
    "muql",
    [
        "SELECT name FROM functions WHERE name = $word",
        "FIND functions WHERE name = $word",
        "@long_functions(prefix := $word, least := 1)",
    ],
)
@pytest.mark.parametrize("word", ["x' OR '1' = '1", "x') --", "'; DROP TABLE node; --", "$word"])
def test_an_input_is_a_value_and_never_a_part_of_a_query(
    workspace: Workspace, muql: str, word: str
) -> None:
    keep(workspace, "by-word", inputs={"word": "text"}, ir=[{"step": "one", "muql": muql}])

    [step] = run_workflow(workspace, "by-word", inputs={"word": word}).steps

    assert isinstance(step.result, Rows)
    assert step.result.answer.total == 0


def test_an_input_reaches_a_named_query(workspace: Workspace) -> None:
    ir = [{"step": "one", "muql": "@tests_of(node := $node)"}]
    keep(workspace, "tests", inputs={"node": "node"}, ir=ir)

    [step] = run_workflow(workspace, "tests", inputs={"node": "login"}).steps

    assert isinstance(step.result, Rows)
    assert step.result.answer.rows[0][0] == "fn:tests/test_auth.py:test_login"


@pytest.mark.parametrize(
    ("name", "inputs", "message"),
    [
        ("impact-report", {}, "needs `node`"),
        ("impact-report", {"nod": "x"}, "has no input `nod`"),
        ("impact-report", {"node": "login", "limit": "many"}, "`limit` is a whole number"),
        ("impact-report", {"node": "login", "limit": True}, "`limit` is an integer"),
        ("impact-report", {"node": "login", "limit": 0}, "in the step `affected`: limit 0"),
        ("dead-code-review", {"confidence": "sure"}, "in the step `unused`: `confidence`"),
        ("impact-reports", {}, "did you mean `impact-report`"),
        ("../impact-report", {}, "no workflow is called"),
    ],
)
def test_a_mistake_in_the_inputs_is_told(
    workspace: Workspace, name: str, inputs: dict[str, str | int], message: str
) -> None:
    with pytest.raises(WorkflowError) as caught:
        run_workflow(workspace, name, inputs=inputs)
    assert message in caught.value.message
    assert caught.value.code in {ExitCode.USAGE, ExitCode.NO_NODE}


def test_a_node_that_is_not_there_is_told(workspace: Workspace) -> None:
    with pytest.raises(MuError) as caught:
        run_workflow(workspace, "impact-report", inputs={"node": "nobody_at_all"})
    assert caught.value.code is ExitCode.NO_NODE


@pytest.mark.parametrize(
    ("step", "message"),
    [
        ({"operation": "build"}, "no operation `build`"),
        ({"operation": "__import__"}, "no operation"),
        ({"operation": "read", "arguments": {"file": "x"}}, "read has no `file`"),
        ({"operation": "path", "arguments": {"start": "x"}}, "path needs `goal`"),
        ({"muql": "SELECT $who"}, "takes $who, which is no input"),
    ],
)
def test_a_step_that_cannot_be_run_is_told_before(step: dict[str, object], message: str) -> None:
    document = {"name": "a", "description": "b", "ir": [{"step": "one", **step}]}
    with pytest.raises(WorkflowError) as caught:
        check_workflow(parse_workflow(json.dumps(document)))
    assert message in caught.value.message


def test_a_broken_query_is_told_with_its_step(workspace: Workspace) -> None:
    keep(workspace, "broken", inputs={}, ir=[{"step": "one", "muql": "DROP TABLE node"}])
    with pytest.raises(WorkflowError, match="in the step `one`: DROP is not part of MUQL"):
        run_workflow(workspace, "broken")
