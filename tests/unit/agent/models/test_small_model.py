"""A small model over Ollama's API: turns as JSON, its window kept, its mistakes corrected."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from fakes.graphs import AUTH, make_graph, write
from fakes.ollama_server import OllamaServer, ollama_server
from mu.agent import AgentConfig, MUAgent
from mu.agent.models.ollama import OllamaChat
from mu.agent.models.small_model import SmallModel
from mu.operations.workspace import Workspace

CALL = '{"tool": "mu_deps", "args": {"node": "AuthService.login", "direction": "incoming"}}'
DONE = '{"done": true, "response": "page calls it, app/views.py:7"}'


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write(make_graph(AUTH), tmp_path)
    return tmp_path


@contextmanager
def asked(
    folder: Path, *script: str, window: int = 32_768
) -> Iterator[tuple[MUAgent, SmallModel, OllamaServer]]:
    with ollama_server(*script, window=window) as server:
        config = AgentConfig(model="tiny", base_url=server.url, max_tokens=400)
        with (
            closing(SmallModel(OllamaChat(config))) as model,
            MUAgent(config, model, workspace=Workspace(folder)) as agent,
        ):
            yield agent, model, server


def contents(server: OllamaServer, chat: int) -> list[str]:
    """The texts of the messages of a chat."""
    return [message["content"] for message in server.chats[chat]["messages"]]  # type: ignore[attr-defined]


def test_a_tool_is_called_and_the_answer_given(folder: Path) -> None:
    with asked(folder, f"Sure!\n```json\n{CALL}\n```", DONE) as (agent, model, server):
        response = agent.ask("who calls login?")

    assert response.content == "page calls it, app/views.py:7"
    assert [ran.name for ran in response.tool_log] == ["mu_deps"]
    *_, said, result = contents(server, 1)
    assert said == CALL.replace(": ", ":").replace(", ", ",")
    assert result.startswith('{"tool_result":{"tool":"mu_deps","success":true,"data":')
    assert model.metrics.to_dict() == {
        "iterations": 2,
        "tool_calls": 1,
        "parse_errors": 0,
        "tool_failures": 0,
        "compacted": 0,
        "is_limit_reached": False,
    }


def test_the_server_holds_the_model_to_the_schema_and_gives_it_room(folder: Path) -> None:
    with asked(folder, DONE) as (agent, _, server):
        agent.ask("who calls login?")

    (chat,) = server.chats
    assert "mu_deps" in str(chat["format"])
    assert chat["options"] == {"temperature": 0.0, "num_ctx": 32_768, "num_predict": 400}


def test_a_reply_that_cannot_be_read_is_corrected(folder: Path) -> None:
    script = ("I think so.", '{"tool": "rm", "args": {}}', DONE)
    with asked(folder, *script) as (agent, model, server):
        response = agent.ask("who calls login?")

    assert response.success
    assert "no JSON object" in contents(server, 1)[-1]
    assert "there is no tool 'rm'" in contents(server, 2)[-1]
    assert model.metrics.parse_errors == 2


def test_a_model_that_never_follows_is_given_as_it_is(folder: Path) -> None:
    with asked(folder, *["It is page."] * 4) as (agent, model, _):
        response = agent.ask("who calls login?")

    assert response.content == "It is page."
    assert "could not be read" in response.notes[0]
    assert model.metrics.parse_errors == 4


def test_a_model_that_only_calls_when_it_has_to_answer_gives_an_error(folder: Path) -> None:
    with asked(folder, *[CALL] * 8) as (agent, _, _):
        response = agent.ask("who calls login?")

    assert response.content == ""
    assert "the model only calls tools" in str(response.error)


@pytest.mark.parametrize("key", ["arguments", "parameters"])
def test_a_call_as_models_were_taught_it_is_taken(folder: Path, key: str) -> None:
    taught = f'{{"name": "mu_deps", "{key}": {{"node": "login", "direction": "incoming"}}}}'
    with asked(folder, taught, DONE) as (agent, model, _):
        response = agent.ask("who calls login?")

    assert [ran.name for ran in response.tool_log] == ["mu_deps"]
    assert model.metrics.parse_errors == 0


def test_a_call_that_fails_is_told_and_counted(folder: Path) -> None:
    with asked(folder, '{"tool": "mu_deps", "args": {"node": "zzz"}}', DONE) as (
        agent,
        model,
        server,
    ):
        agent.ask("who calls login?")

    assert '"success":false,"error":' in contents(server, 1)[-1]
    assert model.metrics.tool_failures == 1


def test_the_same_call_three_times_is_stopped(folder: Path) -> None:
    with asked(folder, CALL, CALL, CALL, DONE) as (agent, _, server):
        response = agent.ask("who calls login?")

    assert response.success
    assert "You have asked the same several times" in contents(server, 3)[-1]
    assert "mu_deps" not in str(server.chats[3]["format"])


def test_older_results_are_dropped_when_the_window_fills(folder: Path) -> None:
    search = '{"tool": "mu_search", "args": {"words": "login page"}}'
    cycles = '{"tool": "mu_cycles", "args": {}}'
    with asked(folder, DONE) as (agent, _, server):
        agent.ask("how large is this?")
        fixed = sum(map(len, contents(server, 0))) // 4
    with asked(folder, CALL, search, cycles, DONE, window=int((fixed + 100) / 0.8)) as (
        agent,
        model,
        server,
    ):
        response = agent.ask("who calls login?")

    assert response.success
    assert model.metrics.compacted >= 1
    assert "dropped to make room" in str(contents(server, len(server.chats) - 1))


@pytest.mark.parametrize(("share", "dropped"), [(0.79, 0), (0.805, 1)])
def test_four_fifths_of_the_window_may_be_filled(folder: Path, share: float, dropped: int) -> None:
    search = '{"tool": "mu_search", "args": {"words": "login page"}}'
    with asked(folder, CALL, search, DONE) as (agent, _, server):
        agent.ask("who calls login?")
        filled = sum(map(len, contents(server, 2))) / 4
    with asked(folder, CALL, search, DONE, window=int(filled / share)) as (agent, model, server):
        response = agent.ask("who calls login?")

    assert response.success
    assert model.metrics.compacted == dropped
    assert model.metrics.is_limit_reached is False
    assert len(server.chats) == 3


def test_a_window_that_is_full_ends_with_what_there_is(folder: Path) -> None:
    with asked(folder, DONE, window=600) as (agent, model, server):
        response = agent.ask("who calls login?")

    assert response.success
    assert model.metrics.is_limit_reached
    assert "no room for more results" in contents(server, 0)[-1]


def test_a_model_that_is_not_there_is_told(folder: Path) -> None:
    with asked(folder) as (agent, _, server):
        server.is_known = False
        response = agent.ask("who calls login?")

    assert "no model tiny; `ollama pull tiny` gets it" in str(response.error)


def test_a_server_that_is_not_there_is_told(folder: Path) -> None:
    with ollama_server() as server:
        url = server.url
    config = AgentConfig(model="tiny", base_url=url)
    with MUAgent(config, SmallModel(OllamaChat(config)), workspace=Workspace(folder)) as agent:
        response = agent.ask("who calls login?")

    assert f"cannot reach {url}; is `ollama serve` running?" in str(response.error)
