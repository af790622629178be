"""The tool that runs saved workflows, on a real graph."""

from pathlib import Path

import pytest

from e2e.command import SMALL
from fakes.built import built_tree
from mu.agent.toolbox import Toolbox
from mu.agent.values import Json, ToolCall


@pytest.mark.parametrize(
    ("arguments", "is_error", "said"),
    [
        ({}, False, "mu workflow run impact-report node=..."),
        (
            {"name": "impact-report", "inputs": {"node": "check", "limit": 5}},
            False,
            "app/views.py:5  return login(user)  in page  (through login)",
        ),
        ({"name": "impact-report"}, True, "impact-report needs `node`"),
        ({"name": "impact"}, True, "no workflow is called impact"),
        ({"name": "impact-report", "inputs": {"node": ["x"]}}, True, "mu_workflow"),
    ],
)
def test_a_model_lists_and_runs_workflows(
    tmp_path: Path, arguments: dict[str, Json], is_error: bool, said: str
) -> None:
    with built_tree(tmp_path, SMALL) as workspace:
        result = Toolbox(workspace).execute(ToolCall("1", "mu_workflow", arguments))

    assert result.is_error is is_error
    assert said in result.content
