"""`mu agent` as a user runs it, without a model and against a scripted server."""

import json
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from e2e.command import PROGRAM, SMALL, environment, mu, write_tree
from fakes.built import with_graph
from fakes.messages_server import Script, call, messages_server, reply, text


@pytest.fixture
def project(tmp_path: Path) -> Path:
    write_tree(tmp_path, SMALL)
    with_graph(tmp_path)
    return tmp_path


def with_key(*arguments: str, cwd: Path, **more: str) -> subprocess.CompletedProcess[str]:
    key = {"ANTHROPIC_API_KEY": "sk-test-0123456789abcdef"}
    return mu(*arguments, cwd=cwd, **key, **more)


def test_a_structural_question_is_answered_without_a_model(project: Path) -> None:
    result = mu("agent", "ask", "who", "calls", "login?", "--provider", "offline", cwd=project)

    assert result.returncode == 0, result.stderr
    assert result.stdout == (
        "What calls login:\n"
        "app/views.py:5  return login(user)  in page\n"
        "tests/test_auth.py:5  login('a')  in test_login\n"
        "(2 rows, exact)\n"
    )
    assert result.stderr == ""


def test_a_name_that_is_nearly_right_is_taken_and_said(project: Path) -> None:
    result = mu("agent", "ask", "who calls logon?", "--provider", "offline", cwd=project)

    heading = "What calls logon: (no node is called logon: this is of login)"
    assert result.stdout.startswith(heading)
    assert "app/views.py:5  return login(user)  in page" in result.stdout


def test_a_name_that_no_node_has_is_said_and_searched(project: Path) -> None:
    result = mu("agent", "ask", "who calls login_user?", "--provider", "offline", cwd=project)

    assert result.stdout.startswith(
        "No node is called login_user (near it: login); this is what a search finds:"
    )


def test_what_nothing_recognises_is_searched_and_said_so(project: Path) -> None:
    result = mu("agent", "ask", "hello", "--provider", "offline", cwd=project)

    assert result.stdout.startswith("This question needs a model")


def test_json_holds_the_answer_and_what_was_run(project: Path) -> None:
    result = mu("agent", "ask", "who calls login?", "--provider", "offline", "--json", cwd=project)

    document = json.loads(result.stdout)
    assert document["provider"] == "offline"
    assert document["cost_usd"] == 0.0
    assert document["error"] is None
    assert document["tool_calls_made"] == 1
    (ran,) = document["tool_log"]
    assert ran["arguments"] == {"muql": "SHOW callers OF 'login'", "limit": 100}
    assert [c["id"] for c in document["citations"]] == [
        "fn:app/views.py:page",
        "fn:tests/test_auth.py:test_login",
    ]


def test_without_a_key_it_says_how_to_have_a_model(project: Path) -> None:
    result = mu("agent", "ask", "who calls login?", cwd=project)

    assert result.returncode == 0
    assert result.stderr.startswith("no model: set ANTHROPIC_API_KEY")


def test_claude_without_a_key_is_an_error(project: Path) -> None:
    result = mu("agent", "ask", "who calls login?", "--provider", "anthropic", cwd=project)

    assert result.returncode == 2
    assert "ANTHROPIC_API_KEY is not set" in result.stderr
    assert "--provider offline" in result.stderr


def test_without_a_graph_it_says_what_to_do(tmp_path: Path) -> None:
    result = mu("agent", "ask", "who calls login?", cwd=tmp_path)

    assert result.returncode == 3
    assert "mu kernel build" in result.stderr


def test_a_model_answers_and_its_cost_is_told(project: Path) -> None:
    script = (
        reply(call("mu_deps", {"node": "login", "direction": "incoming"})),
        reply(text("`# page app/views.py:4` calls it; so does app/ghost.py:1.")),
    )
    with messages_server(*script) as server:
        result = with_key(
            "agent", "ask", "who calls login?", "--base-url", server.url, "--show-tools",
            cwd=project, HTTP_PROXY="http://127.0.0.1:9",
        )  # fmt: skip

    assert result.returncode == 0, result.stderr
    assert "app/ghost.py:1 [not in the graph]" in result.stdout
    assert "mu_deps" in result.stderr
    assert "not in the graph: app/ghost.py:1" in result.stderr
    assert "claude-haiku-5-5: 240 tokens" in result.stderr
    assert "sk-test" not in result.stdout + result.stderr


def test_another_model_is_asked_for_by_its_id(project: Path) -> None:
    with messages_server(reply(text("nobody"))) as server:
        result = with_key(
            "agent", "ask", "who calls login?", "--model", "some-model", "--max-tokens", "99",
            "--base-url", server.url, "--json", cwd=project,
        )  # fmt: skip

    (request,) = server.requests
    document = json.loads(result.stdout)
    assert (request["model"], request["max_tokens"]) == ("some-model", 99)
    assert document["cost_usd"] is None
    assert document["usage"]["output"] == 20


@pytest.mark.slow(reason="a process that imports the library of the model")
def test_control_c_ends_a_question_without_a_trace(project: Path) -> None:
    slow = Script(reply(text("late")).body, is_held=True)
    with messages_server(slow) as server:
        arguments = ("agent", "ask", "hi", "--base-url", server.url, "--no-cache")
        with subprocess.Popen(
            [sys.executable, "-c", PROGRAM, *arguments],
            cwd=project,
            env=environment(project),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        ) as process:
            server.wait_for(1)
            process.send_signal(signal.SIGINT)
            output, errors = process.communicate()

    assert process.returncode == 130
    assert output == ""
    assert "Traceback" not in errors


def test_a_dry_run_sends_nothing(project: Path) -> None:
    with messages_server() as server:
        result = with_key("agent", "ask", "hi", "--base-url", server.url, "--dry-run", cwd=project)

    assert server.requests == []
    document = json.loads(result.stdout)
    assert document["messages"][0]["content"] == "hi"
    assert document["tools"][0]["input_schema"]["required"] == ["muql"]
    assert "sk-test" not in result.stdout


def test_a_server_that_fails_gives_one_line_and_status_1(project: Path) -> None:
    with messages_server() as server:
        url = server.url
    result = with_key("agent", "ask", "hi", "--base-url", url, cwd=project)

    assert result.returncode == 1
    assert f"error: cannot reach {url}" in result.stderr
    assert "Traceback" not in result.stderr


def test_nothing_else_imports_the_library(project: Path) -> None:
    program = (
        "import sys; from mu.cli import _guarded;"
        "_guarded(['agent', 'ask', 'who calls login?', '--provider', 'offline']);"
        "sys.exit('anthropic' in sys.modules)"
    )
    result = subprocess.run(
        [sys.executable, "-c", program], cwd=project, capture_output=True, text=True, check=False
    )

    assert result.returncode == 0, result.stderr


def test_an_answer_that_was_given_before_costs_nothing_while_it_holds(project: Path) -> None:
    callers = call("mu_deps", {"node": "login", "direction": "incoming"})
    script = (reply(callers), reply(text("page")), reply(callers), reply(text("page and more")))
    ask = ("agent", "ask", "who calls login?")
    with messages_server(*script) as server:
        more = {"XDG_CACHE_HOME": str(project / ".cache")}
        first = with_key(*ask, "--base-url", server.url, cwd=project, **more)
        write_tree(project, {"app/other.py": "def other():\n    return 1\n"})
        mu("kernel", "build", ".", cwd=project)
        second = with_key(*ask, "--stream", "--base-url", server.url, cwd=project, **more)
        sent_for_two = len(server.requests)
        write_tree(
            project, {"app/more.py": "from app.auth import login\n\ndef m():\n    login(1)\n"}
        )
        mu("kernel", "build", ".", cwd=project)
        third = with_key(*ask, "--base-url", server.url, cwd=project, **more)

    assert (first.stdout, second.stdout, third.stdout) == ("page\n", "page\n", "page and more\n")
    assert sent_for_two == 2
    assert "what it rests on is unchanged" in second.stderr


def test_verify_tells_whether_an_answer_still_holds(project: Path) -> None:
    asked = mu("agent", "ask", "who calls login?", "--provider", "offline", "--json", cwd=project)
    (project / "answer.json").write_text(asked.stdout)

    same = mu("agent", "verify", "answer.json", cwd=project)
    write_tree(project, {"app/other.py": "def other():\n    return 1\n"})
    mu("kernel", "build", ".", cwd=project)
    elsewhere = mu("agent", "verify", "answer.json", cwd=project)
    write_tree(project, {"app/more.py": "from app.auth import login\n\ndef m():\n    login(1)\n"})
    mu("kernel", "build", ".", cwd=project)
    changed = mu("agent", "verify", "answer.json", cwd=project)

    assert same.stdout == "holds: the graph is the one it was answered from\n"
    assert elsewhere.stdout == "holds: 1 call give what they gave, on another graph\n"
    assert changed.stdout.startswith("changed: 1 of 1 call give something else now\n")
    assert (same.returncode, elsewhere.returncode, changed.returncode) == (0, 0, 1)


@pytest.mark.parametrize("content", ["", "{", '{"question": 1}', "[]"])
def test_a_file_that_holds_no_answer_is_an_error(project: Path, content: str) -> None:
    (project / "answer.json").write_text(content)

    result = mu("agent", "verify", "answer.json", cwd=project)

    assert result.returncode == 2
    assert "answer.json holds no answer" in result.stderr
