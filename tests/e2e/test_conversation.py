"""`mu agent interactive` on a pseudo-terminal, as a person uses it."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from e2e.command import SMALL, write_tree
from e2e.terminal import CONTROL_C, CONTROL_D, ENTER, Terminal
from fakes.built import with_graph
from fakes.messages_server import Script, call, messages_server, reply, text

PROMPT = "mu agent>"
STOPPED_CLOCK = """
import types, mu.cli.services.conversation as conversation
conversation.time = types.SimpleNamespace(monotonic=lambda: 0.0)
"""


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = write_tree(tmp_path_factory.mktemp("tree"), SMALL)
    with_graph(folder)
    return folder


@pytest.fixture
def offline(built: Path, tmp_path: Path) -> Iterator[Terminal]:
    more = {"XDG_STATE_HOME": str(tmp_path)}
    arguments = ("agent", "interactive", "--provider", "offline")
    with Terminal(*arguments, cwd=built, more=more) as terminal:
        terminal.expect_prompt(PROMPT)
        yield terminal


def test_a_question_that_leads_on_from_the_one_before(offline: Terminal) -> None:
    offline.type("who calls login?" + ENTER)
    offline.expect("app/views.py:5  return login(user)  in page")
    offline.expect_prompt(PROMPT)
    offline.type("what does it depend on?" + ENTER)

    shown = offline.expect("What login depends on:")
    assert "app/auth.py:2  return check(u)  -> check  app/auth.py:4" in shown


def test_commands_and_the_end(offline: Terminal) -> None:
    offline.type("/cost" + ENTER)
    offline.expect("0 tokens, $0.0000")
    offline.type("/model" + ENTER)
    offline.expect("none (offline)")
    offline.type("/reset" + ENTER)
    offline.expect("a new conversation")
    offline.type("/resett" + ENTER)
    offline.expect("did you mean")
    offline.expect_prompt(PROMPT)
    offline.type(CONTROL_D)

    assert offline.status() == 0


def test_too_many_questions_in_a_minute_are_held(built: Path, tmp_path: Path) -> None:
    more = {"XDG_STATE_HOME": str(tmp_path)}
    arguments = ("agent", "interactive", "--provider", "offline", "--rate", "3")
    with Terminal(*arguments, cwd=built, more=more, first=STOPPED_CLOCK) as terminal:
        for number in range(4):
            terminal.expect_prompt(PROMPT)
            terminal.type(f"who calls login{number}?" + ENTER)

        terminal.expect("3 questions in a minute")


@pytest.mark.slow(reason="a process that imports the library of the model")
def test_control_c_stops_an_answer_and_not_the_conversation(built: Path, tmp_path: Path) -> None:
    slow = Script(reply(text("late")).body, is_held=True)
    script = (reply(call("mu_search", {"words": "login"})), slow, reply(text("a second answer")))
    with messages_server(*script) as server:
        more = {"XDG_STATE_HOME": str(tmp_path), "ANTHROPIC_API_KEY": "sk-test-0123456789abcdef"}
        arguments = ("agent", "interactive", "--base-url", server.url, "--no-cache")
        with Terminal(*arguments, cwd=built, more=more) as terminal:
            terminal.expect_prompt(PROMPT)
            terminal.type("what handles auth?" + ENTER)
            terminal.expect('mu_search {"words":"login"}')
            server.wait_for(2)
            terminal.type(CONTROL_C)
            terminal.expect("[stopped]")
            terminal.expect_prompt(PROMPT)
            terminal.type("again?" + ENTER)
            terminal.expect("a second answer")
            terminal.expect(", 1 round, ")
            terminal.type("/cost" + ENTER)
            terminal.expect("240 tokens")
