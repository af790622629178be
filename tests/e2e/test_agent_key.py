"""The key of the model's provider is in no stream, file, error or list of processes."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from e2e.command import PROGRAM, SMALL, environment, mu, write_tree
from e2e.terminal import CONTROL_D, ENTER, Terminal
from fakes.built import with_graph
from fakes.messages_server import Script, call, failure, messages_server, reply, text

KEY = "sk-" + "ant-api03-QZQZQZQZ0123456789abcdef"
CALLERS = call("mu_deps", {"node": "login", "direction": "incoming"})


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = write_tree(tmp_path_factory.mktemp("tree"), SMALL)
    with_graph(folder)
    return folder


def variables(folder: Path, **more: str) -> dict[str, str]:
    """The environment with the key, and every folder of the user's below one."""
    places = {name: str(folder / name.lower()) for name in ("XDG_CACHE_HOME", "XDG_STATE_HOME")}
    return {**environment(folder), **places, "ANTHROPIC_API_KEY": KEY, **more}


def asking(url: str, *options: str) -> tuple[str, ...]:
    return ("agent", "ask", "who calls login?", "--base-url", url, *options)


def ask(url: str, folder: Path, *options: str) -> subprocess.CompletedProcess[str]:
    return mu(*asking(url, *options), cwd=folder, **variables(folder))


def ask_in_process(url: str, folder: Path, *options: str) -> subprocess.CompletedProcess[str]:
    """Ask in a process of its own, in which the library of the model logs all that it does."""
    return subprocess.run(
        [sys.executable, "-c", PROGRAM, *asking(url, *options)],
        cwd=folder,
        env=variables(folder, ANTHROPIC_LOG="debug"),
        capture_output=True,
        text=True,
        check=False,
    )


def holders(folder: Path) -> list[Path]:
    """The files below a folder that hold the key."""
    files = (path for path in folder.rglob("*") if path.is_file())
    return [path for path in files if KEY.encode() in path.read_bytes()]


@pytest.mark.parametrize("options", [("--json",), ("--dry-run",)])
def test_an_answer_and_what_is_kept_of_it(built: Path, options: tuple[str, ...]) -> None:
    with messages_server(reply(CALLERS), reply(text("page does"))) as server:
        result = ask(server.url, built, *options)

    assert result.returncode == 0, result.stderr
    assert KEY not in result.stdout + result.stderr
    assert holders(built) == []


def test_an_answer_whose_library_logs_all_that_it_does(built: Path) -> None:
    with messages_server(reply(CALLERS), reply(text("page does"))) as server:
        result = ask_in_process(server.url, built, "--show-tools", "--stream")

    assert result.returncode == 0, result.stderr
    assert "page does" in result.stdout
    assert KEY not in result.stdout + result.stderr
    assert holders(built) == []


@pytest.mark.parametrize(
    "answer",
    [
        failure(401, "authentication_error", f"invalid x-api-key: {KEY}"),
        failure(403, "permission_error", f"{KEY} may not"),
        failure(404, "not_found_error", f"no model for {KEY}"),
        failure(400, "invalid_request_error", f"Bearer {KEY} is not taken"),
        Script(reply(text("half")).body, events=3, ending={"type": "error", "error": {
            "type": "api_error", "message": f"lost {KEY}"}}),
    ],
)  # fmt: skip
def test_an_error_that_the_server_says_it_in(built: Path, answer: Script) -> None:
    with messages_server(answer) as server:
        result = ask(server.url, built, "--stream", "--no-cache")

    assert result.returncode == 1
    assert "error: " in result.stderr
    assert KEY not in result.stdout + result.stderr


def test_the_processes_and_their_arguments(built: Path) -> None:
    slow = Script(reply(text("page does")).body, is_held=True)
    with messages_server(slow) as server:
        arguments = asking(server.url, "--no-cache")
        with subprocess.Popen(
            [sys.executable, "-c", PROGRAM, *arguments],
            cwd=built,
            env=variables(built),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        ) as process:
            server.wait_for(1)
            lines = list(command_lines(process.pid))
            server.released.set()
            process.wait()

    assert [line for line in lines if "agent ask" in line]
    assert [line for line in lines if KEY in line] == []


def command_lines(of: int) -> Iterator[str]:
    """The arguments of a process, of those it started and of this one."""
    ours = psutil.Process(of)
    for process in (ours, *ours.children(recursive=True), psutil.Process(os.getpid())):
        yield " ".join(process.cmdline())


def test_a_conversation_in_which_it_is_typed(built: Path, tmp_path: Path) -> None:
    more = {"XDG_STATE_HOME": str(tmp_path), "ANTHROPIC_API_KEY": KEY}
    with messages_server(reply(text("no idea"))) as server:
        arguments = ("agent", "interactive", "--base-url", server.url, "--no-cache")
        with Terminal(*arguments, cwd=built, more=more) as terminal:
            terminal.expect_prompt("mu agent>")
            terminal.type(f"is {KEY} a key?" + ENTER)
            terminal.expect("no idea")
            terminal.expect_prompt("mu agent>")
            terminal.type(CONTROL_D)
            assert terminal.status() == 0

    (kept,) = (path for path in tmp_path.rglob("agent_history"))
    assert "is [redacted: api key] a key?" in kept.read_text()
    assert holders(tmp_path) == []
    assert KEY not in str(server.requests)
