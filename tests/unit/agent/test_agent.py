"""The public classes of the agent, as one who imports them sees them."""

import inspect
import json
from pathlib import Path

import pytest

from fakes.graphs import AUTH, make_graph, write
from fakes.messages_server import messages_server
from mu.agent import (
    AgentConfig,
    AgentResponse,
    Citation,
    ConversationMemory,
    GraphSummary,
    Message,
    MUAgent,
    ToolCall,
    ToolResult,
    Usage,
)
from mu.agent.models.anthropic_model import AnthropicModel
from mu.agent.prompt import summarise
from mu.agent.values import Ran, Record
from mu.errors import MuError
from mu.operations.workspace import Workspace

GRAPH_TOOLS = {"mu_query", "mu_search", "mu_deps", "mu_impact", "mu_ancestors", "mu_cycles"}
TYPES = {"string", "integer", "number", "boolean", "array", "object", "null"}


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    write(make_graph(AUTH), tmp_path)
    return Workspace(tmp_path)


def test_what_is_not_configured() -> None:
    assert AgentConfig().to_dict() == {
        "model": "claude-haiku-5-5",
        "max_tokens": 4096,
        "temperature": 0.0,
        "mubase_path": None,
        "max_iterations": 10,
        "max_cost_usd": None,
        "provider": "auto",
        "base_url": None,
        "timeout": 60.0,
        "effort": "low",
        "is_strict": False,
        "cache_folder": None,
    }


@pytest.mark.parametrize(
    ("value", "first"),
    [
        (Message("user", "hi"), {"role": "user", "content": "hi"}),
        (ToolCall("1", "mu_deps", {"node": "f"}), {"id": "1", "name": "mu_deps"}),
        (ToolResult("1", "mu_deps", "none"), {"call_id": "1", "name": "mu_deps"}),
        (AgentConfig(mubase_path=Path("a")), {"mubase_path": "a"}),
        (AgentResponse("hi"), {"content": "hi", "error": None, "cost_usd": 0.0}),
        (ConversationMemory(), {"messages": [], "mentioned_nodes": [], "max_messages": 50}),
        (GraphSummary((), 1, (), (), (), 0.5), {"edges": 1, "unresolved": 0.5}),
        (Citation("a.py:1", "a.py", 1), {"path": "a.py", "line": 1}),
        (Ran("mu_deps", {"node": "f"}, "ab"), {"arguments": {"node": "f"}, "digest": "ab"}),
        (Usage(1, 2), {"input": 1, "output": 2}),
    ],
)
def test_each_value_is_a_dictionary_that_json_takes(
    value: Record, first: dict[str, object]
) -> None:
    written = value.to_dict()

    assert first.items() <= written.items()
    assert json.loads(json.dumps(written)) == written


def test_an_answer_with_an_error_is_no_success() -> None:
    assert AgentResponse("half", error="cut off").success is False
    assert AgentResponse("whole").success is True


def test_the_summary_reads_as_text(workspace: Workspace) -> None:
    assert summarise(workspace).to_text().splitlines() == [
        "nodes: 2 function, 2 module, 1 class; edges: 4",
        "languages: python (2 files)",
        "most depended on: app/auth.py",
        "entry points: none found",
        "references whose meaning is not known: 0.0%",
    ]


def test_every_tool_has_a_schema_that_stands_alone(workspace: Workspace) -> None:
    with MUAgent(workspace=workspace) as agent:
        tools = agent.get_tools()

    assert {str(tool["name"]) for tool in tools} >= GRAPH_TOOLS
    for tool in tools:
        assert list(tool) == ["name", "description", "input_schema"]
        schema = tool["input_schema"]
        assert isinstance(schema, dict)
        assert schema["type"] == "object"
        assert "$ref" not in json.dumps(schema)
        properties = schema["properties"]
        assert isinstance(properties, dict)
        assert set(schema.get("required", [])) <= set(properties)  # type: ignore[arg-type]
        for described in properties.values():
            assert isinstance(described, dict)
            assert described.get("type") in TYPES or "enum" in described


@pytest.mark.parametrize(
    ("name", "arguments", "told"),
    [
        ("mu_deps", {"node": "absent"}, "no node is called 'absent'"),
        ("mu_delete", {}, "no tool mu_delete"),
        ("mu_deps", {"node": 3.5}, "Expected `str`"),
        ("mu_query", {"muql": "DROP TABLE node"}, "DROP"),
    ],
)
def test_a_tool_that_fails_gives_its_error_as_a_value(
    workspace: Workspace, name: str, arguments: dict[str, object], told: str
) -> None:
    with MUAgent(workspace=workspace) as agent:
        result = agent.execute_tool(ToolCall("1", name, arguments))  # type: ignore[arg-type]

    inside = json.loads(result.content.split("\n")[1])
    assert result.is_error
    assert told in inside["error"]


def test_the_direct_methods_ask_no_model(workspace: Workspace) -> None:
    with messages_server() as server:
        config = AgentConfig(base_url=server.url)
        model = AnthropicModel(config, key="sk-test-0123456789abcdef")
        with MUAgent(config, model, workspace=workspace) as agent:
            called = agent.deps("page").answer.rows
            callers = agent.deps("AuthService.login", direction="incoming").answer.rows
            assert agent.impact("AuthService.login").answer.total == 1
            assert agent.ancestors("page").answer.total == 1
            assert agent.cycles().answer.total == 0
            assert agent.query("SELECT count(*) FROM classes").answer.rows == ((1,),)
            agent.reset()

    assert called[0][0] == "fn:app/auth.py:AuthService.login"
    assert callers[0][0] == "fn:app/views.py:page"
    assert server.requests == []


def test_a_direction_there_is_not_is_an_error(workspace: Workspace) -> None:
    with MUAgent(workspace=workspace) as agent, pytest.raises(MuError, match="no direction up"):
        agent.deps("page", direction="up")


def test_a_reset_forgets_what_was_said(workspace: Workspace) -> None:
    with MUAgent(AgentConfig(provider="offline"), workspace=workspace) as agent:
        agent.ask("who calls login?")
        agent.reset()

        assert agent.memory.messages == []
        assert agent.memory.mentioned_nodes == []


def test_the_graph_is_closed_with_the_block(workspace: Workspace) -> None:
    with MUAgent(workspace=workspace) as agent:
        agent.cycles()
        opened = workspace.graph

    assert list(inspect.signature(MUAgent).parameters) == ["config", "client", "workspace"]
    assert workspace.graph is not opened


@pytest.mark.parametrize("question", ["", "  \n ", "x" * 20_001])
def test_a_question_has_to_say_something_and_not_too_much(
    workspace: Workspace, question: str
) -> None:
    with MUAgent(workspace=workspace) as agent, pytest.raises(MuError, match="question"):
        agent.ask(question)


def test_a_context_is_gathered_without_a_model(workspace: Workspace) -> None:
    with MUAgent(AgentConfig(provider="offline"), workspace=workspace) as agent:
        found = agent.context("`AuthService.login`", max_tokens=300)
    assert found.ranked_nodes[0].id == "fn:app/auth.py:AuthService.login"
    assert found.tokens <= found.budget == 300
