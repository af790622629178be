"""The doctor finds what is wrong, says how to mend it, and shows no key."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from e2e.command import SMALL, write_tree
from mu.cli import main
from mu.kernel import BuildSettings, build
from mu.operations.graph_file.doctor import Check, Level, doctor

KEY = "sk-not-to-be-shown"


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = write_tree(tmp_path_factory.mktemp("tree"), SMALL)
    build(root, BuildSettings(jobs=1))
    return root


@pytest.fixture
def tree(sound: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the graph and the tree; the user's folders are empty ones."""
    for name in ("CACHE", "CONFIG"):
        monkeypatch.setenv(f"XDG_{name}_HOME", str(tmp_path / name.lower()))
    root = write_tree(tmp_path / "tree", SMALL)
    (root / ".mubase").write_bytes((sound / ".mubase").read_bytes())
    return root


def checks(root: Path, environment: Mapping[str, str] | None = None) -> dict[str, Check]:
    return {check.name: check for check in doctor(root, environment=environment or {}).checks}


def test_nothing_is_wrong_where_all_is_well(tree: Path) -> None:
    found = doctor(tree, environment={})
    assert found.level is Level.OK, found
    assert [check.name for check in found.checks] == [
        "mu", "interpreter", "duckdb", "tree-sitter", "pygit2", "grammars", "settings", "git",
        "folder", "graph", "agent", "cache",
    ]  # fmt: skip
    assert not any(check.advice for check in found.checks)


def test_a_folder_without_a_graph_is_to_be_built(tree: Path) -> None:
    (tree / ".mubase").unlink()
    graph = checks(tree)["graph"]
    assert (graph.level, graph.advice) == (Level.WARN, "run `mu kernel build`")


def test_a_graph_that_is_behind_is_to_be_built_again(tree: Path) -> None:
    (tree / "app/new.py").write_text("")
    graph = checks(tree)["graph"]
    assert graph.level is Level.WARN
    assert "1 file changed" in graph.finding
    assert graph.advice == "run `mu kernel build`"


@pytest.mark.parametrize("place", [0.05, 0.3, 0.6, 0.85])
def test_a_damaged_graph_fails(tree: Path, place: float) -> None:
    data = bytearray((tree / ".mubase").read_bytes())
    start = int(len(data) * place)
    end = min(start + 40_000, len(data))  # more than a block, which may be full at its start alone
    data[start:end] = bytes(end - start)
    (tree / ".mubase").write_bytes(data)
    graph = checks(tree)["graph"]
    assert graph.level is Level.FAIL
    assert graph.finding.startswith(".mubase is damaged")
    assert "mu kernel build --full" in graph.advice


def test_settings_that_cannot_be_read_fail_and_the_rest_is_checked(tree: Path) -> None:
    (tree / "mu.toml").write_text("[build]\nnonsense = 1\n")
    found = checks(tree)
    assert found["settings"].level is Level.FAIL
    assert "nonsense" in found["settings"].finding
    assert found["graph"].level is not Level.FAIL
    assert found["agent"].level is Level.OK


def test_an_empty_git_repository_is_said(tree: Path) -> None:
    (tree / ".git").mkdir()
    assert checks(tree)["git"].level is Level.WARN


def test_a_folder_that_is_not_there_fails(tree: Path) -> None:
    found = checks(tree / "nowhere")
    assert found["folder"].level is Level.FAIL
    assert "graph" not in found
    assert found["grammars"].level is Level.OK


def test_a_cache_that_cannot_be_written_is_said(
    tree: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tree / "file").touch()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tree / "file" / "cache"))
    assert checks(tree)["cache"].level is Level.WARN


def test_a_key_is_told_and_not_shown(tree: Path) -> None:
    found = doctor(tree, environment={"ANTHROPIC_API_KEY": KEY})
    assert KEY not in str(found)
    assert "ANTHROPIC_API_KEY is set" in str(found)
    assert "no key is set" in str(doctor(tree, environment={}))


def test_the_command_ends_with_the_status_of_the_worst_check(
    tree: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["-C", str(tree), "doctor"]) == 0
    assert capsys.readouterr().out.startswith("ok    mu")
    (tree / ".mubase").write_bytes(b"DUCK" * 9)
    assert main(["-C", str(tree), "doctor", "--json"]) == 1
    assert '"level": "fail"' in capsys.readouterr().out
