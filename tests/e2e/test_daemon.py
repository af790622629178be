"""The daemon as a process: it answers as the file does, follows edits, and ends clean."""

import http.client
import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import psutil
import pytest

from e2e import command
from e2e.command import SMALL, environment, write_tree
from fakes.built import with_graph
from mu.client import DaemonClient, DaemonError, NotServedError
from mu.client.record import DaemonRecord, read_record
from mu.operations.navigation.dependencies import callers
from mu.operations.queries.query import query

SAME = [
    ("callers", "login", "--json"),
    ("callers", "login"),
    ("impact", "check", "--format", "tree"),
    ("describe", "login", "--json"),
    ("read", "login"),
    ("path", "page", "check", "--json"),
    ("cycles", "--json"),
    ("unused", "--json"),
    ("search", "log", "in"),
    ("query", "SELECT id, [1, 2] AS l, 1.5 AS x, NULL AS n FROM functions ORDER BY id", "--json"),
    ("context", "how does login work"),
    ("callers", "no_such_thing"),
    ("query", "SELECT nothing FROM functions"),
]


def _state(root: Path) -> Path:
    """The state folder of the one user whose repository this is."""
    return root.with_name("state") / "mubase"


def mu(*arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    return command.mu(*arguments, cwd=cwd, XDG_STATE_HOME=str(_state(cwd).parent))


@contextmanager
def running(root: Path, *options: str) -> Iterator[DaemonRecord]:
    """Run a daemon for `root`, whose home it is; it is asked to end, and has to."""
    with subprocess.Popen(
        [sys.executable, "-m", "mu", "-C", str(root), "daemon", "run", *options],
        env={**environment(root), "XDG_STATE_HOME": str(_state(root).parent)},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            assert process.stderr is not None
            assert process.stderr.readline().startswith("serves on 127.0.0.1:")
            record = read_record(_state(root))
            assert record is not None
            assert record.pid == process.pid
            yield record
        finally:
            process.terminate()


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    return with_graph(write_tree(tmp_path / "shop", SMALL))


def _ask(
    record: DaemonRecord, method: str, path: str, body: bytes = b"", **headers: str
) -> tuple[int, dict[str, object]]:
    connection = http.client.HTTPConnection("127.0.0.1", record.port, timeout=3600)
    given = {"Authorization": f"Bearer {record.token}", "Content-Type": "application/json"}
    connection.request(method, path, body or None, {**given, **headers})
    response = connection.getresponse()
    content = response.read()
    connection.close()
    assert response.getheader("Access-Control-Allow-Origin") is None
    return response.status, json.loads(content)


@pytest.mark.slow(reason="a process that serves, and every command twice")
def test_commands_answer_the_same_with_a_daemon(shop: Path) -> None:
    before = [mu(*arguments, cwd=shop) for arguments in SAME]
    with running(shop) as record:
        after = [mu(*arguments, cwd=shop) for arguments in SAME]
        _, status = _ask(record, "GET", "/status")

    for one, other in zip(before, after, strict=True):
        assert _timeless(one.stdout) == _timeless(other.stdout)
        assert (one.stderr, one.returncode) == (other.stderr, other.returncode)
    assert int(str(status["requests"])) > len(SAME)


@pytest.mark.slow(reason="a process that serves, and two builds in processes")
def test_an_edit_is_followed(shop: Path) -> None:
    with running(shop) as record, DaemonClient(record) as client:
        events = http.client.HTTPConnection("127.0.0.1", record.port, timeout=3600)
        events.request("GET", "/events", headers={"Authorization": f"Bearer {record.token}"})
        stream = events.getresponse()
        (shop / "app" / "new").mkdir()
        write_tree(
            shop, {"app/more.py": "from app.auth import login\n\n\ndef more():\n    login(1)\n"}
        )
        while not stream.readline().startswith(b"event: updated"):
            pass
        result = client.ask(shop, callers, "login")
        write_tree(shop, {"app/new/deep.py": "from app.auth import login\n\nlogin(2)\n"})
        while not stream.readline().startswith(b"event: updated"):
            pass
        deeper = client.ask(shop, callers, "login")
        events.close()

    assert "app/more.py" in {row[result.answer.columns.index("path")] for row in result.answer.rows}
    assert deeper.answer.total == result.answer.total + 1


def test_requests_that_are_wrong_are_answered_and_the_next_works(shop: Path) -> None:
    call = json.dumps({"workspace": str(shop), "arguments": {"node": "login"}}).encode()
    with running(shop) as record:
        for path in ("/v1/callers", "/status", "/events", "/openapi.json", "/stop", "/workspaces"):
            for method in ("GET", "POST"):
                for headers in (
                    {"Authorization": "Bearer no"},
                    {"Host": "evil.example"},
                    {"Origin": "http://127.0.0.1"},
                ):
                    status, _ = _ask(record, method, path, call, **headers)
                    assert status in {401, 403}, (method, path, headers)
        assert [
            _ask(record, "POST", "/v1/callers", body)[0]
            for body in (
                b"{",
                b"[]",
                b"\xff",
                b"[" * 50_000,
                call.replace(b"node", b"nodes"),
                call.replace(b'"login"', b"7"),
                call.replace(b'"login"', b'"nothing"'),
                call.replace(b"shop", b"other"),
                b'"' + b"x" * 1_100_000,
            )
        ] == [400, 400, 400, 400, 400, 400, 422, 404, 413]
        assert _ask(record, "POST", "/v1/build", call)[0] == 404
        assert _ask(record, "PUT", "/v1/callers", call)[0] == 405
        with socket.create_connection(("127.0.0.1", record.port)) as slow:
            slow.sendall(b"POST /v1/callers HTTP/1.1\r\nHost: 127")
            assert _ask(record, "POST", "/v1/callers", call)[0] == 200
            slow.sendall(b"x" * 20_000)
            assert slow.recv(100).startswith(b"HTTP/1.1 400")


def test_one_daemon_a_user_that_starts_again_after_it_was_killed(shop: Path) -> None:
    with running(shop) as record:
        second = mu("daemon", "run", cwd=shop)
        assert second.returncode == 6
        assert "a daemon already runs" in second.stderr
        os.kill(record.pid, signal.SIGKILL)
    assert (_state(shop) / "daemon.json").exists()

    gone = mu("daemon", "status", cwd=shop)
    assert (gone.returncode, "no daemon runs" in gone.stderr) == (1, True)
    assert mu("callers", "login", cwd=shop).returncode == 0

    started = mu("daemon", "start", cwd=shop)
    again = mu("daemon", "start", cwd=shop)
    status = json.loads(mu("daemon", "status", "--json", cwd=shop).stdout)
    stopped = mu("daemon", "stop", cwd=shop)
    assert (started.stdout, again.stdout) == (f"started; serves {shop}\n", f"serves {shop}\n")
    assert [each["root"] for each in status["workspaces"]] == [str(shop)]
    assert stopped.stdout == "stopped\n"
    assert _is_over(status["pid"])
    assert mu("daemon", "stop", cwd=shop).returncode == 1
    assert not (_state(shop) / "daemon.json").exists()


def test_an_idle_daemon_ends(shop: Path) -> None:
    with running(shop, "--idle", "1") as record:
        psutil.Process(record.pid).wait(3600)

    assert read_record(_state(shop)) is None


def test_the_client_says_what_it_cannot_do(shop: Path, tmp_path: Path) -> None:
    with pytest.raises(DaemonError, match="no daemon runs"):
        DaemonClient.connect(tmp_path)
    with running(shop) as record, DaemonClient(record) as client:
        with pytest.raises(NotServedError):
            client.ask(tmp_path, callers, "login")
        assert client.ask(shop, query, "SELECT 1 AS one").answer.rows == ((1,),)


def _is_over(pid: int) -> bool:
    """Whether a process has ended; the kernel may take a moment after it has closed its files."""
    with suppress(psutil.NoSuchProcess):
        process = psutil.Process(pid)
        end = time.monotonic() + 5
        while process.status() != psutil.STATUS_ZOMBIE and time.monotonic() < end:
            time.sleep(0.01)
        return process.status() == psutil.STATUS_ZOMBIE
    return True


def _timeless(text: str) -> str:
    return "\n".join(line for line in text.splitlines() if "elapsed_ms" not in line)
