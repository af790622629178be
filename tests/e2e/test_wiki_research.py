"""`mu wiki research`, as a user runs it, against a scripted server."""

import json
import subprocess
from pathlib import Path

import pytest

from e2e.command import mu, write_tree
from fakes.messages_server import call, messages_server, reply, text

TREE = {
    "docs/concepts/queue.md": "# The queue\n\nMail waits here. " + "Words of it. " * 60,
    "docs/guides/retry.md": "# Retrying\n\nHow mail is sent again. " + "More words. " * 60,
}
FINAL = call(
    "finalize_context",
    {"summary": "Mail waits.", "relevantPages": ["concepts/queue.md"], "keyConcepts": ["queue"]},
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write_tree(tmp_path, TREE)


def research(*arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    key = {"ANTHROPIC_API_KEY": "sk-test-0123456789abcdef"}
    return mu("wiki", "research", *arguments, cwd=cwd, **key)


def test_the_parts_of_the_context_are_sections(folder: Path) -> None:
    reading = call("read_wiki_page", {"path": "guides/retry.md"})
    with messages_server(reply(reading), reply(FINAL)) as server:
        result = research("retry", "the", "queue", "--base-url", server.url, cwd=folder)

    assert result.returncode == 0, result.stderr
    assert result.stdout == (
        "## Summary\n\nMail waits.\n\n## Relevant pages\n\n- concepts/queue.md\n\n"
        "## Key concepts\n\n- queue\n"
    )
    assert "2 rounds, 1 pages" in result.stderr
    assert "retry the queue" in json.dumps(server.requests[0]["messages"])


def test_json_has_everything(folder: Path) -> None:
    with messages_server(reply(text("Hm.")), reply(FINAL)) as server:
        result = research("queue", "--wiki", "docs", "--json", "--base-url", server.url, cwd=folder)
    document = json.loads(result.stdout)
    assert document["finalized"] is True
    assert document["relevant_pages"] == ["concepts/queue.md"]
    assert document["iterations"] == 2


def test_without_an_end_of_its_own_the_status_is_1(folder: Path) -> None:
    with messages_server(reply(text("Hm."))) as server:
        result = research("queue", "--max-iterations", "1", "--base-url", server.url, cwd=folder)
    assert result.returncode == 1
    assert "concepts/queue.md" in result.stdout
    assert "note: the model did not finalize" in result.stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "missing argument"),
        (("",), "the task is empty"),
        (("queue", "--wiki", "gone"), "no folder gone"),
        (("queue",), "no API key"),
        (("queue",), "`mu wiki search` finds pages without a model"),
        (("queue", "--max-iterations", "0"), "--max-iterations"),
    ],
)
def test_wrong_usage_is_told(folder: Path, arguments: tuple[str, ...], message: str) -> None:
    result = mu("wiki", "research", *arguments, cwd=folder)
    assert (result.returncode, result.stdout) == (2, "")
    assert message in result.stderr


def test_a_folder_without_pages_has_to_be_named(tmp_path: Path) -> None:
    result = mu("wiki", "research", "queue", cwd=tmp_path)
    assert result.returncode == 2
    assert "--wiki" in result.stderr
