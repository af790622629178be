"""`analyze_codebase`, as a model calls it over the wire, and without one."""

import json
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from pathlib import Path

import pytest

from e2e.command import SMALL
from fakes.built import built_tree
from fakes.messages_server import MessagesServer, Script, call, messages_server, reply, text
from mu.agent import AgentConfig, MUAgent, ToolCall, WikiContextAgent
from mu.agent.models.anthropic_model import HOSTED, AnthropicModel
from mu.agent.values import Json
from mu.errors import MuError

FILES = {
    **SMALL,
    "app/keys.py": "KEY = 'sk-" + "ant-api03-AbCdEfGh1234567890'\n\n\ndef key():\n    return KEY\n",
    "wiki/login.md": "# Login\n\nHow one enters.\n",
}

Agents = Callable[..., AbstractContextManager[tuple[MUAgent, MessagesServer]]]


@pytest.fixture
def agents(tmp_path: Path) -> Agents:
    """Make an agent over a real graph, whose model is a scripted server."""

    @contextmanager
    def make(*script: Script, **given: object) -> Iterator[tuple[MUAgent, MessagesServer]]:
        workspace = built_tree(tmp_path, FILES)
        with messages_server(*script) as server:
            config = AgentConfig(base_url=server.url, **given)  # type: ignore[arg-type]
            model = AnthropicModel(config, key="sk-test-0123456789abcdef", capabilities=HOSTED)
            with closing(model), MUAgent(config, model, workspace=workspace) as agent:
                yield agent, server

    return make


def results(server: MessagesServer, place: int = -1) -> list[str]:
    """What the tools gave in the last turn of a request."""
    content = server.requests[place]["messages"][-1]["content"]  # type: ignore[index]
    return [str(block["content"]) for block in content if block["type"] == "tool_result"]


def asking(place: int = 1, **arguments: object) -> dict[str, object]:
    return call("analyze_codebase", arguments, id=f"call_{place}")


def run(workspace_folder: Path, arguments: dict[str, Json]) -> tuple[bool, str]:
    with MUAgent(
        AgentConfig(provider="offline"), workspace=built_tree(workspace_folder, FILES)
    ) as agent:
        result = agent.execute_tool(ToolCall("1", "analyze_codebase", arguments))
    return result.is_error, result.content


def test_nothing_is_read_before_a_model_asks(agents: Agents) -> None:
    with agents(reply(asking(path="app")), reply(text("`app/auth.py:1`"))) as (agent, server):
        response = agent.ask("add a second factor to the login")

    first, second = server.requests
    assert "def login" not in json.dumps(first)
    (tool,) = (each for each in first["tools"] if each["name"] == "analyze_codebase")  # type: ignore[attr-defined]
    assert "call this first when the request is to change, add to or understand code" in str(
        tool["description"]
    )
    assert "call `analyze_codebase` first" in json.dumps(first["system"])
    (told,) = results(server)
    assert told.startswith('<repository_data tool="analyze_codebase">\n@ path=app file_count=4 ')
    assert "# login(u)  1-2" in told
    assert json.dumps(second["messages"]).count("# login(u)") == 1
    assert response.success
    assert [ran.name for ran in response.tool_log] == ["analyze_codebase"]
    assert response.cost_usd


def test_the_summary_has_all_its_parts(tmp_path: Path) -> None:
    _, told = run(tmp_path, {"detail": "overview"})

    head = told.splitlines()[1]
    names = [word.partition("=")[0] for word in head.removeprefix("@ ").split()]
    assert names == [
        "path", "file_count", "total_lines", "size_kb", "estimated_tokens", "sample_files",
        "remaining_count",
    ]  # fmt: skip
    assert "file_count=6" in head
    assert "remaining_count=0" in head
    assert "app/auth.py" in head
    assert "@ languages:\n  python 5 files" in told


@pytest.mark.parametrize(
    ("detail", "has_signature", "has_source"),
    [("overview", False, False), ("signatures", True, False), ("source", True, True)],
)
def test_the_detail_says_how_much(
    tmp_path: Path, detail: str, has_signature: bool, has_source: bool
) -> None:
    is_error, told = run(tmp_path, {"path": "app/auth.py", "detail": detail})

    assert not is_error
    assert ("# check(user)" in told) is has_signature
    assert ("    return user" in told) is has_source


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"path": "../elsewhere"}, "leads out of the repository"),
        ({"path": "/etc"}, "/etc is absolute"),
        ({"path": "door"}, "leads out of the repository by a link"),
        ({"path": "app/auht.py"}, "did you mean app/auth.py?"),
        ({"detail": "everything"}, "Invalid enum value"),
        ({"max_tokens": 100}, ">= 200"),
        ({"max_tokens": 10_000_000}, "<= 20000"),
        ({"offset": -1}, ">= 0"),
        ({"depth": 3}, "the arguments are: path, focus, max_tokens, detail, offset"),
    ],
)
def test_what_cannot_be_told_is_an_error_value(
    tmp_path: Path, arguments: dict[str, Json], said: str
) -> None:
    root = tmp_path / "root"
    root.mkdir()
    (root / "door").symlink_to(tmp_path)

    is_error, told = run(root, arguments)

    assert is_error
    assert said in told
    assert "error" in json.loads(told.split("\n")[1])


def test_a_text_ends_with_the_call_that_reads_on(tmp_path: Path) -> None:
    files = {f"many/part_{n}.py": f"def said_{n}():\n    return {n}\n" for n in range(60)}
    with MUAgent(AgentConfig(provider="offline"), workspace=built_tree(tmp_path, files)) as agent:
        first = agent.execute_tool(
            ToolCall("1", "analyze_codebase", {"path": "many", "max_tokens": 300})
        )
        call_on = first.content.splitlines()[-2]
        offset = int(call_on.partition("offset=")[2].rstrip(")"))
        second = agent.execute_tool(
            ToolCall("2", "analyze_codebase", {"path": "many", "max_tokens": 300, "offset": offset})
        )

    assert call_on.startswith("analyze_codebase(path='many', detail='signatures', max_tokens=300, ")
    told = [
        {line for line in result.content.splitlines() if line.startswith("! ")}
        for result in (first, second)
    ]
    assert len(told[0]) == offset
    assert told[1]
    assert told[0].isdisjoint(told[1])


def test_its_output_stands_once_in_a_conversation(agents: Agents) -> None:
    script = [
        reply(asking(1, path="app"), asking(2, path="app")),
        reply(asking(3, path="./app/")),
        reply(text("done")),
        reply(asking(4, path="app")),
        reply(text("done")),
    ]
    with agents(*script) as (agent, server):
        agent.ask("understand the app")
        agent.ask("and add to it")

    sent = json.dumps(server.requests[-1]["messages"])
    assert sent.count("# login(u)") == 1
    assert sent.count("This is above already") == 3


def test_files_that_changed_are_read_again_first(agents: Agents, tmp_path: Path) -> None:
    script = [reply(asking(1)), reply(asking(2, detail="source")), reply(text("done"))]
    with agents(*script) as (agent, server):
        before = agent.workspace.graph
        (tmp_path / "app/auth.py").write_text("def log_in(user):\n    return user\n")
        (tmp_path / "app/new.py").write_text("def fresh():\n    return 1\n")
        response = agent.ask("understand the app")

        assert agent.workspace.graph is not before
        assert before.meta()["digest"]  # whoever has it can go on with it
        assert agent.query("SELECT count(*) FROM functions WHERE name = 'fresh'").answer.rows == (
            (1,),
        )

    (first,), (second,) = results(server, 1), results(server, 2)
    assert "# log_in(user)" in first
    assert "# fresh()" in first
    assert "def fresh():\n    return 1" in second
    assert response.success


def test_where_it_cannot_be_built_again_the_old_graph_answers_and_says_so(
    agents: Agents, tmp_path: Path
) -> None:
    with agents(reply(asking(detail="source")), reply(text("done"))) as (agent, server):
        for path in (tmp_path / "app").iterdir():
            path.unlink()
        for path in ("tests/test_auth.py", "wiki/login.md"):
            (tmp_path / path).unlink()
        agent.ask("understand the app")

    (told,) = results(server)
    assert "# login(u)" in told
    assert "note: 6 files changed after the build, which cannot be repeated: nothing to i" in told
    assert "return check(u)" not in told


def test_an_unchanged_answer_comes_from_the_cache(tmp_path: Path) -> None:
    with (
        built_tree(tmp_path, FILES) as workspace,
        MUAgent(AgentConfig(provider="offline"), workspace=workspace) as agent,
    ):
        assert agent.analyze_codebase("app") is agent.analyze_codebase("app")
        (tmp_path / "app/new.py").write_text("def fresh():\n    return 1\n")
        again = agent.analyze_codebase("app")

    assert again.file_count == 5


@pytest.mark.parametrize("detail", ["overview", "signatures", "source"])
def test_no_secret_of_it_is_sent(agents: Agents, detail: str) -> None:
    with agents(reply(asking(detail=detail, max_tokens=20_000)), reply(text("a"))) as (agent, sent):
        agent.ask("understand the keys")

    assert "AbCdEfGh1234567890" not in json.dumps(sent.requests)


def test_a_long_text_is_not_cut(tmp_path: Path) -> None:
    files = {"long.py": "".join(f"def say_{n}(a, b):\n    return {n}\n" for n in range(3_000))}
    with MUAgent(AgentConfig(provider="offline"), workspace=built_tree(tmp_path, files)) as agent:
        given: dict[str, Json] = {"max_tokens": 20_000, "detail": "source"}
        result = agent.execute_tool(ToolCall("1", "analyze_codebase", given))

    assert len(result.content) > 70_000
    assert "[cut here" not in result.content


def test_the_direct_method_needs_no_model(tmp_path: Path) -> None:
    with MUAgent(AgentConfig(provider="offline"), workspace=built_tree(tmp_path, FILES)) as agent:
        told = agent.analyze_codebase("app", focus="login()", max_tokens=500, detail="source")
        with pytest.raises(MuError, match="no detail all"):
            agent.analyze_codebase(detail="all")

    assert told.files[0] == "app/auth.py"
    assert told.tokens <= 500
    assert told.file_count == 4


def test_without_a_model_the_repository_is_told_in_lists(tmp_path: Path) -> None:
    with MUAgent(AgentConfig(provider="offline"), workspace=built_tree(tmp_path, FILES)) as agent:
        response = agent.ask("what does this project do?")

    assert response.content.startswith("What is here:\n@ path=. file_count=6 ")
    assert "@ hubs:\n  " in response.content
    assert [ran.name for ran in response.tool_log] == ["analyze_codebase"]


def test_a_wiki_can_be_researched_with_the_code_beside_it(tmp_path: Path) -> None:
    final = call("finalize_context", {"summary": "s", "relevantPages": ["login.md"]}, id="call_2")
    script = (reply(asking(1, path="app")), reply(final))
    with built_tree(tmp_path, FILES) as workspace, messages_server(*script) as server:
        config = AgentConfig(base_url=server.url)
        model = AnthropicModel(config, key="sk-test-0123456789abcdef", capabilities=HOSTED)
        with closing(model):
            agent = WikiContextAgent(tmp_path / "wiki", model, config=config, workspace=workspace)
            result = agent.research("change the login")

    assert result.finalized
    (told,) = results(server)
    assert "# login(u)" in told
    assert "call `analyze_codebase` first" in json.dumps(server.requests[0]["system"])
    assert result.characters_read < 1_000  # of pages


def test_without_a_graph_a_wiki_has_no_such_tool(tmp_path: Path) -> None:
    (tmp_path / "page.md").write_text("# Page\n")
    agent = WikiContextAgent(tmp_path)

    result = agent.execute_tool(ToolCall("1", "analyze_codebase", {}))

    assert result.is_error
    assert "there is no tool analyze_codebase" in result.content
    assert "analyze_codebase" not in agent.build_system_prompt()
