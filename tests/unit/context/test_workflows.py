"""Saved workflows: what is one, and that no file in a folder of them does harm to the others."""

import json
import os
from pathlib import Path

import pytest

from mu.context import (
    Component,
    Input,
    WorkflowError,
    all_workflows,
    build_discovery_context,
    build_planning_context,
    delete_workflow,
    load_saved_workflows,
    parse_workflow,
    save_workflow,
    shipped_workflows,
)
from mu.context.workflows import LARGEST_FILE, InputType, written

GOOD: dict[str, object] = {
    "name": "who-calls",
    "description": "What calls a node.",
    "inputs": {"node": {"type": "node", "description": "what is called"}, "least": "int"},
    "outputs": "{callers: [{id: str}]}",
    "created_at": "2026-01-01T00:00:00+00:00",
    "ir_version": "0.1.0",
    "ir": [{"step": "callers", "operation": "callers", "arguments": {"node": "$node"}}],
}
STEP = {"step": "one", "muql": "SELECT 1"}


def text(**changes: object) -> str:
    return json.dumps({**GOOD, **changes})


def test_a_workflow_is_read_whole_and_written_as_it_was() -> None:
    workflow = parse_workflow(text(), origin="here")

    assert (workflow.id, workflow.type, workflow.origin) == ("who-calls", "workflow", "here")
    assert workflow.inputs == (
        Input("node", InputType.NODE, "what is called"),
        Input("least", InputType.INTEGER),
    )
    assert parse_workflow(written(workflow), origin="here") == workflow


def test_inputs_and_outputs_may_be_short() -> None:
    workflow = parse_workflow(text(inputs="{node: str, n: int}", outputs={"a": "str"}))

    assert [(each.name, each.type.value) for each in workflow.inputs] == [
        ("node", "text"),
        ("n", "integer"),
    ]
    assert workflow.outputs == "{a: str}"


def test_inputs_may_be_names_and_outputs_nested() -> None:
    outputs = {"user": {"login": "str"}, "labels": [{"name": "str"}], "note": "text of the note"}

    workflow = parse_workflow(text(inputs=["node", "other"], outputs=outputs))

    assert [each.name for each in workflow.inputs] == ["node", "other"]
    assert workflow.outputs == "{user: {login: str}, labels: [{name: str}], note: text of the note}"


HOSTILE = {
    "empty": b"",
    "no-json": b"{",
    "a list": b"[]",
    "null": b"null",
    "not utf-8": b'{"name": "\xff"}',
    "deep": b"[" * 100_000,
    "deep-part": b'{"name": ' + b"[" * 100_000,
    "deep-unknown": b'{"other": ' + b"[" * 100_000,
    "binary": b"\x00\x01\x02",
    "large": b" " * (LARGEST_FILE + 1),
    "other-version": text(ir_version="9.0.0").encode(),
    "name-number": text(name=3).encode(),
    "name-path": text(name="../../etc/passwd").encode(),
    "name-slash": text(name="a/b").encode(),
    "name-backslash": text(name="a\\b").encode(),
    "name-empty": text(name="").encode(),
    "name-long": text(name="a" * 1000).encode(),
    "name-line": text(name="a\nb").encode(),
    "ir-text": text(ir="DROP").encode(),
    "ir-many": text(ir=[{**STEP, "step": f"s{n}"} for n in range(99)]).encode(),
    "step-twice": text(ir=[STEP, STEP]).encode(),
    "step-both": text(ir=[{**STEP, "operation": "read"}]).encode(),
    "step-neither": text(ir=[{"step": "one"}]).encode(),
    "step-unknown-key": text(ir=[{**STEP, "shell": "rm"}]).encode(),
    "step-unknown-input": text(
        ir=[{"step": "a", "operation": "read", "arguments": {"node": "$who"}}]
    ).encode(),
    "argument-nested": text(
        ir=[{"step": "a", "operation": "read", "arguments": {"node": {"a": 1}}}]
    ).encode(),
    "input-type": text(inputs={"node": "file"}).encode(),
    "input-name": text(inputs={"No de": "str"}).encode(),
    "input-default": text(inputs={"node": {"type": "int", "default": "x"}}).encode(),
    "inputs-text": text(inputs="what?").encode(),
    "outputs-number": text(outputs={"a": 3}).encode(),
    "outputs-line": text(outputs={"a\nb": "str"}).encode(),
    "no-description": text(description=" ").encode(),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_file_that_is_no_workflow_is_skipped_with_a_warning_that_names_it(
    name: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / f"{name}.json").write_bytes(HOSTILE[name])
    (tmp_path / "good.json").write_text(text())

    loaded = load_saved_workflows(user_folder=tmp_path)

    assert [each.name for each in loaded] == ["who-calls"]
    [record] = caplog.records
    assert record.levelname == "WARNING"
    assert f"{name}.json" in record.getMessage()


def test_what_is_no_regular_file_is_skipped(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    outside = tmp_path / "outside.json"
    outside.write_text(text(name="outside"))
    folder = tmp_path / "workflows"
    folder.mkdir()
    (folder / "link.json").symlink_to(outside)
    (folder / "gone.json").symlink_to(tmp_path / "nothing")
    (folder / "folder.json").mkdir()
    os.mkfifo(folder / "pipe.json")
    (folder / "good.json").write_text(text())

    assert [each.name for each in load_saved_workflows(user_folder=folder)] == ["who-calls"]
    assert len(caplog.records) == 4


def test_a_repositorys_folder_that_is_a_link_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "good.json").write_text(text())
    (tmp_path / "repository" / ".mu").mkdir(parents=True)
    (tmp_path / "repository" / ".mu" / "workflows").symlink_to(tmp_path / "elsewhere")

    assert load_saved_workflows(tmp_path / "repository", user_folder=tmp_path / "own") == []


def test_loading_makes_the_users_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))

    assert load_saved_workflows() == []
    assert (tmp_path / ".mu" / "workflows").is_dir()


def test_a_folder_that_cannot_be_made_is_no_failure(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")

    assert load_saved_workflows(user_folder=tmp_path / "file" / "workflows") == []


def test_a_repository_does_not_take_the_place_of_your_own_or_of_what_ships(tmp_path: Path) -> None:
    own, theirs = tmp_path / "own", tmp_path / "repository" / ".mu" / "workflows"
    own.mkdir()
    theirs.mkdir(parents=True)
    (own / "a.json").write_text(text(description="mine"))
    (theirs / "a.json").write_text(text(description="theirs"))
    (theirs / "b.json").write_text(text(name="impact-report", description="theirs"))

    loaded = all_workflows(tmp_path / "repository", user_folder=own)

    said = {each.name: each.description for each in loaded.found}
    assert said["who-calls"] == "mine"
    assert said["impact-report"] != "theirs"
    assert len(loaded.problems) == 2


def test_a_workflow_is_saved_whole_replaced_and_deleted(tmp_path: Path) -> None:
    workflow = parse_workflow(text(created_at=""))
    save_workflow(workflow, tmp_path)
    path = save_workflow(workflow, tmp_path)

    assert [each.name for each in tmp_path.iterdir()] == [path.name] == ["who-calls.json"]
    [loaded] = load_saved_workflows(user_folder=tmp_path)
    assert loaded.steps == workflow.steps
    assert loaded.created_at
    delete_workflow("who-calls", tmp_path)
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(WorkflowError, match="no workflow who-calls"):
        delete_workflow("who-calls", tmp_path)


def test_a_workflow_in_a_file_of_another_name_is_replaced_and_deleted(tmp_path: Path) -> None:
    (tmp_path / "other.json").write_text(text(description="old"))
    (tmp_path / "broken.json").write_text("{")

    save_workflow(parse_workflow(text(description="new")), tmp_path)

    assert [each.description for each in load_saved_workflows(user_folder=tmp_path)] == ["new"]
    assert delete_workflow("who-calls", tmp_path) == tmp_path / "other.json"
    assert [each.name for each in tmp_path.iterdir()] == ["broken.json"]


@pytest.mark.parametrize("name", ["../x", "a/b", "", ".hidden", "a..b"])
def test_no_name_leads_out_of_the_folder(name: str, tmp_path: Path) -> None:
    with pytest.raises(WorkflowError, match="cannot be called"):
        delete_workflow(name, tmp_path)


def test_a_name_that_ships_is_not_taken(tmp_path: Path) -> None:
    with pytest.raises(WorkflowError, match="ships with MU"):
        save_workflow(parse_workflow(text(name="impact-report")), tmp_path)


def test_four_workflows_ship() -> None:
    assert [each.name for each in shipped_workflows()] == [
        "dead-code-review",
        "impact-report",
        "onboarding-tour",
        "release-notes",
    ]


def test_workflows_stand_beside_components() -> None:
    catalogue = [Component("fn:a.py:f", "f", "function", "a")]
    saved = [parse_workflow(text())]

    listed = build_discovery_context(catalogue, saved)
    assert "workflow who-calls [who-calls]: What calls a node." in listed
    assert "what is called" not in listed
    planned = build_planning_context(["who-calls", "who-call"], catalogue, saved)
    assert "## workflow who-calls [who-calls]" in planned.text
    assert "- node: node - what is called" in planned.text
    assert "callers[].id: str" in planned.text
    assert planned.unknown[0].nearest == ("who-calls",)
