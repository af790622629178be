"""A workflow from its file to its results: saved, listed, discovered, planned, run, deleted."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from e2e.command import PROGRAM, SMALL, environment, mu, mu_process, write_tree
from fakes.built import with_graph

CALLERS = {
    "name": "who-calls",
    "description": "What calls a node, and its source.",
    "inputs": {"node": {"type": "node", "description": "what is called"}},
    "outputs": "{callers: [{source: str}], source: str}",
    "ir": [
        {"step": "callers", "muql": "SELECT source, path FROM calls WHERE target = $node"},
        {"step": "source", "operation": "read", "arguments": {"node": "$node"}},
    ],
}


@pytest.fixture
def built(tmp_path: Path) -> Path:
    folder = write_tree(tmp_path / "tree", {**SMALL, "w.json": json.dumps(CALLERS)})
    with_graph(folder)
    return folder


@pytest.mark.parametrize("where", [(), ("--here",)])
def test_a_workflow_is_saved_discovered_planned_run_and_deleted(
    built: Path, where: tuple[str, ...]
) -> None:
    saved = mu("workflow", "save", "w.json", *where, cwd=built)
    assert saved.returncode == 0, saved.stderr
    assert saved.stdout.endswith(".mu/workflows/who-calls.json\n")
    assert "who-calls (node)" in mu("workflow", "list", cwd=built).stdout
    assert "workflow who-calls [who-calls]: What calls" in mu("discover", cwd=built).stdout
    assert "workflow who-calls" in mu("discover", "what", "calls", "login", cwd=built).stdout
    planned = mu("plan", "who-calls", cwd=built)
    assert planned.returncode == 0
    assert "- node: node - what is called" in planned.stdout

    run = mu("workflow", "run", "who-calls", "node=login", cwd=built)
    assert run.returncode == 0, run.stderr
    assert "## callers" in run.stdout
    assert "fn:app/views.py:page" in run.stdout
    assert "def login(u):" in run.stdout
    document = json.loads(
        mu("workflow", "run", "who-calls", "node=login", "--json", cwd=built).stdout
    )
    assert document["inputs"] == {"node": "fn:app/auth.py:login"}
    assert document["results"]["callers"]["answer"]["total"] == 2
    table = mu("workflow", "run", "who-calls", "node=login", "--format", "table", cwd=built)
    assert table.stdout.startswith("## callers\nsource")

    assert mu("workflow", "delete", "who-calls", *where, cwd=built).returncode == 0
    gone = mu("workflow", "run", "who-calls", "node=login", cwd=built)
    assert (gone.returncode, gone.stdout) == (4, "")
    assert "no workflow is called who-calls" in gone.stderr


def test_a_workflow_is_saved_from_standard_input_outside_a_repository(tmp_path: Path) -> None:
    result = subprocess.run(
        [sys.executable, "-c", PROGRAM, "workflow", "save"],
        cwd=tmp_path,
        env=environment(tmp_path),
        input=json.dumps(CALLERS),
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 0, result.stderr
    assert "who-calls" in mu("workflow", "list", cwd=tmp_path).stdout
    shown = json.loads(mu("workflow", "show", "who-calls", "--json", cwd=tmp_path).stdout)
    assert shown["ir"] == CALLERS["ir"]
    assert shown["ir_version"] == "0.1.0"
    assert shown["created_at"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("save", "bad.json"), "this is no workflow"),
        (("save", "wrong.json"), "no operation `build`"),
        (("run", "impact-report"), "impact-report needs `node`"),
        (("run", "impact-report", "login"), "an input is written key=value"),
        (("run", "impact-report", "node=login", "node=x"), "given twice"),
        (("run", "impact-report", "node=login", "x=1"), "has no input `x`"),
        (("delete", "../w"), "cannot be called"),
    ],
)
def test_a_mistake_is_told_on_one_line(
    built: Path, arguments: tuple[str, ...], message: str
) -> None:
    wrong = {**CALLERS, "ir": [{"step": "one", "operation": "build"}]}
    write_tree(built, {"bad.json": "{", "wrong.json": json.dumps(wrong)})

    result = mu("workflow", *arguments, cwd=built)

    assert (result.returncode, result.stdout) == (2, "")
    assert message in result.stderr


def test_a_broken_file_is_told_and_the_others_are_listed(built: Path) -> None:
    write_tree(built, {".mu/workflows/bad.json": "{", ".mu/workflows/w.json": json.dumps(CALLERS)})

    result = mu("workflow", "list", cwd=built)

    assert result.returncode == 0
    assert "who-calls" in result.stdout
    assert "bad.json" in result.stderr
    for arguments in (("discover",), ("plan", "who-calls")):
        other = mu_process(*arguments, cwd=built)  # logging is pytest's in this process
        assert other.returncode == 0
        assert "workflow who-calls" in other.stdout
        assert "skipped workflow" in other.stderr
        assert "bad.json" in other.stderr


def test_nothing_is_saved_through_a_link_of_the_repository(built: Path, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (built / ".mu").mkdir(exist_ok=True)
    (built / ".mu" / "workflows").symlink_to(tmp_path / "elsewhere")

    result = mu("workflow", "save", "w.json", "--here", cwd=built)

    assert result.returncode == 1
    assert "is a link to another place" in result.stderr
    assert list((tmp_path / "elsewhere").iterdir()) == []
