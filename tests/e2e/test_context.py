"""`mu context`, as its command writes it, and as the agent uses it."""

import json
import socket
from pathlib import Path

import pytest

from e2e.command import SMALL, mu, write_tree
from fakes.built import with_graph
from mu.operations.packing.context import context
from mu.operations.workspace import Workspace


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = write_tree(tmp_path_factory.mktemp("tree"), SMALL)
    with_graph(folder)
    return folder


def test_words_need_no_quotes_and_what_was_used_is_told_beside(built: Path) -> None:
    result = mu("context", "how", "does", "login", "work", "--tokens", "500", cwd=built)

    assert result.returncode == 0
    assert result.stdout.startswith(
        "# login  app/auth.py:1-2\ndef login(u):\n    return check(u)\n\n"
    )
    assert "of 500 tokens" in result.stderr


def test_markdown_has_fences_and_explanations_on_request(built: Path) -> None:
    words = ("context", "login()", "--format", "markdown", "--explain")
    result = mu(*words, cwd=built)

    assert result.stdout.startswith(
        "## `app/auth.py:1-2` login (named in the question)\n```python\ndef login(u):\n"
    )


def test_json_has_the_ranking_for_other_programs(built: Path) -> None:
    document = json.loads(mu("context", "login()", "--format", "json", cwd=built).stdout)

    assert document["ranked_nodes"][0]["id"] == "fn:app/auth.py:login"
    assert document["ranked_files"][0]["path"] == "app/auth.py"
    assert document["intent"] == "explain"
    assert document["tokens"] <= document["budget"] == 4000


def test_nothing_found_is_said(built: Path) -> None:
    result = mu("context", "zzyzx", cwd=built)

    assert (result.returncode, result.stdout) == (0, "")
    assert result.stderr.startswith("note: nothing here says anything about 'zzyzx'\n")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("context",), "missing argument 'QUESTION...'"),
        (("context", "login", "--tokens", "3"), "3 is not in the range"),
        (("context", "login", "--format", "csv"), "'csv' is not one of"),
        (("context", " "), "there is no word to search for"),
    ],
)
def test_wrong_usage_is_told(built: Path, arguments: tuple[str, ...], message: str) -> None:
    result = mu(*arguments, cwd=built)

    assert (result.returncode, result.stdout) == (2, "")
    assert message in result.stderr


def test_without_a_graph_it_says_what_to_do(tmp_path: Path) -> None:
    result = mu("context", "login", cwd=tmp_path)

    assert result.returncode == 3
    assert "mu kernel build" in result.stderr


def test_no_network_is_touched(built: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*arguments: object) -> None:
        raise AssertionError(f"a socket was opened: {arguments}")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    with Workspace(built) as workspace:
        assert context(workspace, "how does login work").items


def test_offline_the_agent_answers_with_what_a_model_would_be_given(built: Path) -> None:
    words = ("agent", "ask", "some words about login and pages", "--provider", "offline")
    result = mu(*words, cwd=built)

    first, *rest = result.stdout.splitlines()
    assert first.startswith("This question needs a model. The context")
    assert "def login(u):" in rest
