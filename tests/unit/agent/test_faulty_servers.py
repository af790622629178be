"""The agent on servers that misbehave: long waits, refused extras, empty answers, bare calls."""

from contextlib import closing
from pathlib import Path

import pytest

from fakes.agents import Agents, ask, make_agents
from fakes.graphs import AUTH, make_graph, write
from fakes.messages_server import Script, failure, messages_server, reply, text
from mu.agent import AgentConfig, AgentResponse, MUAgent
from mu.agent.model import Request, TextDelta
from mu.agent.models.anthropic_model import AnthropicModel
from mu.agent.values import Message
from mu.operations.workspace import Workspace


@pytest.fixture
def agents(tmp_path: Path) -> Agents:
    """Make an agent over a small graph, whose model is a scripted server."""
    return make_agents(tmp_path)


@pytest.mark.parametrize(("status", "kind"), [(429, "rate_limit_error"), (529, "overloaded_error")])
def test_a_server_that_asks_to_wait_beyond_the_time_out_is_not_waited_for(
    agents: Agents, status: int, kind: str
) -> None:
    busy = failure(status, kind, "later", retry_after="3600")

    response, server = ask(agents, busy, reply(text("done")))

    assert "the server asks to wait 3,600 s; ask again then" in str(response.error)
    assert len(server.requests) == 1


@pytest.mark.parametrize("answer", [reply(text("")), reply(text(" \n")), reply(stop="end_turn")])
def test_an_empty_answer_is_an_error(agents: Agents, answer: Script) -> None:
    response, _ = ask(agents, answer)

    assert not response.success
    assert "the model gave an empty answer" in str(response.error)


BARE = '{"name": "mu_deps", "arguments": {"node": "AuthService.login", "direction": "incoming"}}'


@pytest.mark.parametrize("words", [BARE, f"```json\n{BARE}\n```", f"[{BARE}]"])
def test_a_call_that_is_written_as_text_is_no_answer(agents: Agents, words: str) -> None:
    with agents(reply(text(words)), reply(text("`page`"))) as (agent, server):
        events = list(agent.stream("who calls login?"))

    shown = "".join(event.text for event in events if isinstance(event, TextDelta))
    assert shown == "`page`"
    assert "Call the tool itself" in str(server.requests[1]["messages"][-1])  # type: ignore[index]


def test_a_model_that_only_writes_calls_as_text_gives_no_answer(agents: Agents) -> None:
    response, _ = ask(agents, *[reply(text(BARE))] * 3, max_iterations=3)

    assert response.content == ""
    assert "no answer after 3 rounds" in str(response.error)


def test_json_that_is_no_call_is_an_answer(agents: Agents) -> None:
    with agents(reply(text('{"callers": ["page"]}'))) as (agent, _):
        *events, response = agent.stream("who calls login? as JSON")

    assert isinstance(response, AgentResponse)
    assert response.content == '{"callers": ["page"]}'
    assert "".join(e.text for e in events if isinstance(e, TextDelta)) == response.content


@pytest.mark.parametrize(
    ("refusal", "dropped"),
    [
        ("output_config: Extra inputs are not permitted", ["output_config"]),
        ("effort is not supported by this model", ["output_config"]),
        ("system.0.cache_control: Extra inputs are not permitted", ["cache_control"]),
        ("something went wrong upstream", ["output_config", "cache_control"]),
    ],
)
@pytest.mark.parametrize("status", [400, 422])
def test_a_gateway_is_asked_again_without_what_it_refuses(
    agents: Agents, status: int, refusal: str, dropped: list[str]
) -> None:
    refused = failure(status, "invalid_request_error", refusal)

    response, server = ask(agents, refused, reply(text("fine")))

    assert response.content == "fine"
    first, second = map(str, server.requests)
    assert all(name in first for name in ("output_config", "cache_control"))
    assert [n for n in ("output_config", "cache_control") if n not in second] == dropped


def test_a_request_that_is_refused_without_extras_too_is_an_error(agents: Agents) -> None:
    refused = failure(400, "invalid_request_error", "no such field")

    response, server = ask(agents, refused, refused)

    assert "the server refuses the request: no such field" in str(response.error)
    assert len(server.requests) == 2


def test_claude_behind_a_gateway_is_asked_as_claude_is() -> None:
    config = AgentConfig(base_url="https://gateway.example", model="claude-haiku-5-5")
    with closing(AnthropicModel(config, key="sk-test-0123456789abcdef")) as model:
        body = model.body(Request("system", "", (Message("user", "hi"),), (), 100))

    assert "extra_body" not in body
    assert body["output_config"] == {"effort": config.effort}


def test_a_temperature_that_is_refused_is_left_out(tmp_path: Path) -> None:
    write(make_graph(AUTH), tmp_path)
    refused = failure(400, "invalid_request_error", "`temperature` is not supported")
    with messages_server(refused, reply(text("fine"))) as server:
        config = AgentConfig(base_url=server.url, model="local")
        with MUAgent(
            config, AnthropicModel(config, key=None), workspace=Workspace(tmp_path)
        ) as agent:
            response = agent.ask("who calls login?")

    assert response.content == "fine"
    assert [("temperature" in request) for request in server.requests] == [True, False]
