"""Small models that were taught to call tools, over Ollama's API and over OpenAI's."""

from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from fakes.graphs import AUTH, make_graph, write
from fakes.ollama_server import Json, OllamaServer, calling, ollama_server
from mu.agent import AgentConfig, MUAgent
from mu.agent.models.chat import Chat
from mu.agent.models.json_protocol import bare_calls
from mu.agent.models.ollama import OllamaChat
from mu.agent.models.openai_chat import OpenAIChat
from mu.agent.models.small_model import SmallModel
from mu.operations.workspace import Workspace

CALLERS = ("mu_deps", {"node": "AuthService.login", "direction": "incoming"})
SEARCH = ("mu_search", {"words": "page"})


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write(make_graph(AUTH), tmp_path)
    return tmp_path


@contextmanager
def asked(
    folder: Path,
    *script: str | Json,
    chat: Callable[[AgentConfig], Chat] = OllamaChat,
    window: int = 32_768,
    has_tools: bool = True,
) -> Iterator[tuple[MUAgent, SmallModel, OllamaServer]]:
    with ollama_server(*script, window=window, has_tools=has_tools) as server:
        config = AgentConfig(model="tiny", base_url=server.url, max_tokens=400)
        with (
            closing(SmallModel(chat(config))) as model,
            MUAgent(config, model, workspace=Workspace(folder)) as agent,
        ):
            yield agent, model, server


def turns(server: OllamaServer, chat: int) -> list[Json]:
    """The messages of a chat after the system's."""
    return list(server.chats[chat]["messages"])[1:]  # type: ignore[call-overload]  # a list


def test_a_native_call_is_run_and_its_result_is_a_tools_message(folder: Path) -> None:
    with asked(folder, calling(CALLERS), "page calls it, app/views.py:7") as (agent, model, server):
        response = agent.ask("who calls login?")

    assert response.content == "page calls it, app/views.py:7"
    assert [ran.name for ran in response.tool_log] == ["mu_deps"]
    _, called, result = turns(server, 1)
    assert called["tool_calls"][0]["function"] == {"name": "mu_deps", "arguments": CALLERS[1]}  # type: ignore[index]
    assert (result["role"], result["tool_name"]) == ("tool", "mu_deps")
    assert "app/views.py:7  login  in page" in str(result["content"])
    assert (model.metrics.iterations, model.metrics.tool_calls) == (2, 1)


def test_the_server_is_told_of_the_tools_and_not_of_a_format(folder: Path) -> None:
    with asked(folder, "no idea") as (agent, _, server):
        agent.ask("who calls login?")

    (chat,) = server.chats
    assert "format" not in chat
    names = [tool["function"]["name"] for tool in chat["tools"]]  # type: ignore[attr-defined]
    assert {"mu_query", "mu_deps"} <= set(names)
    assert "Every reply of yours is one JSON object" not in str(chat["messages"])


def test_several_calls_of_a_turn_have_ids_of_their_own(folder: Path) -> None:
    twice = calling(CALLERS, SEARCH)
    with asked(folder, twice, "done") as (agent, _, server):
        response = agent.ask("who calls login?")

    _, called, first, second = turns(server, 1)
    ids = [call["id"] for call in called["tool_calls"]]  # type: ignore[attr-defined]
    assert ids == ["call_1", "call_2"] == [first["tool_call_id"], second["tool_call_id"]]
    assert response.tool_calls_made == 2


def test_over_openais_api_arguments_are_text(folder: Path) -> None:
    script = (calling(CALLERS, is_text=True), "page calls it")
    with asked(folder, *script, chat=OpenAIChat) as (agent, _, server):
        response = agent.ask("who calls login?")

    _, called, result = turns(server, 1)
    assert response.content == "page calls it"
    assert response.usage.output == 14
    assert called["tool_calls"][0]["function"]["arguments"] == (  # type: ignore[index]
        '{"node":"AuthService.login","direction":"incoming"}'
    )
    assert set(result) == {"role", "tool_call_id", "content"}
    assert server.chats[0]["max_tokens"] == 400


def test_over_openais_api_a_model_without_tools_is_held_to_the_schema(folder: Path) -> None:
    done = '{"done": true, "response": "page"}'
    with asked(folder, done, chat=OpenAIChat, has_tools=False) as (agent, _, server):
        response = agent.ask("who calls login?")

    (chat,) = server.chats
    assert response.content == "page"
    assert chat["response_format"]["type"] == "json_schema"  # type: ignore[index]
    assert "tools" not in chat


@pytest.mark.parametrize(
    "written",
    [
        '{"name": "mu_search", "arguments": {"words": "page"}}',
        '```json\n{"name": "mu_search", "parameters": {"words": "page"}}\n```',
        '<tool_call>\n{"name": "mu_search", "arguments": {"words": "page"}}\n</tool_call>',
        'I will look.\n{"tool": "mu_search", "args": {"words": "page"}}',
        '{"function": {"name": "mu_search", "arguments": "{\\"words\\": \\"page\\"}"}}',
        '{"function": "mu_search", "input": {"words": "page"}}',
        '[{"name": "mu_search", "arguments": {"words": "page"}}]',
        "<think>a tool?</think>{'name': 'mu_search', 'arguments': {'words': 'page'}}",
    ],
)
def test_a_call_that_is_only_written_counts(folder: Path, written: str) -> None:
    with asked(folder, written, "done") as (agent, model, _):
        response = agent.ask("who calls login?")

    (ran,) = response.tool_log
    assert (ran.name, ran.arguments, ran.is_error) == ("mu_search", {"words": "page"}, False)
    assert model.metrics.parse_errors == 0


@pytest.mark.parametrize(
    "written",
    [
        'The object {"name": "Ann", "arguments": {}} is no call.',
        "`mu_search` finds nodes by words.",
        '{"name": 3, "arguments": {"words": "x"}}',
        '{"name": "mu_search", "arguments": [1]}',
    ],
)
def test_what_names_no_tool_is_the_answer(folder: Path, written: str) -> None:
    assert bare_calls(written, tools=["mu_search"]) == ()

    with asked(folder, written) as (agent, _, _):
        response = agent.ask("who calls login?")

    assert response.content.startswith(written[:20])


def test_thoughts_are_no_part_of_the_answer(folder: Path) -> None:
    with asked(folder, "<think>hm\nhm</think>\n\npage does") as (agent, _, _):
        assert agent.ask("who calls login?").content == "page does"


def test_an_empty_reply_is_corrected(folder: Path) -> None:
    with asked(folder, "", "page does") as (agent, model, server):
        response = agent.ask("who calls login?")

    assert response.content == "page does"
    assert "The reply is empty" in str(turns(server, 1)[-1]["content"])
    assert model.metrics.parse_errors == 1


def test_a_call_where_none_may_be_made_is_corrected(folder: Path) -> None:
    again = calling(CALLERS)
    with asked(folder, again, again, again, again, "page does") as (agent, model, server):
        response = agent.ask("who calls login?")

    assert response.content == "page does"
    assert "You have asked the same several times" in str(turns(server, 3)[-1]["content"])
    assert "tools" not in server.chats[3]
    assert "No more tools can be called" in str(turns(server, 4)[-1]["content"])
    assert model.metrics.parse_errors == 1


def test_a_tool_that_is_not_there_is_an_error_for_the_model(folder: Path) -> None:
    with asked(folder, calling(("rm", {"path": "/"})), "I see") as (agent, model, server):
        response = agent.ask("who calls login?")

    assert response.success
    assert "no tool rm" in str(turns(server, 1)[-1]["content"])
    assert model.metrics.tool_failures == 1


def test_older_results_are_dropped_when_the_window_fills(folder: Path) -> None:
    with asked(folder, "done") as (agent, _, server):
        agent.ask("how large is this?")
        fixed = sum(len(str(m["content"])) for m in server.chats[0]["messages"]) // 4  # type: ignore[attr-defined]
    script = (calling(CALLERS), calling(SEARCH), calling(("mu_cycles", {})), "done")
    with asked(folder, *script, window=int((fixed + 70) / 0.8)) as (agent, model, server):
        response = agent.ask("who calls login?")

    assert response.success
    assert model.metrics.compacted >= 1
    assert "[dropped to make room]" in str(server.chats[-1]["messages"])
