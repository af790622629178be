"""`mu mcp` as a client starts it: a process with frames alone on standard output."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from e2e.command import PROGRAM
from fakes.built import built_tree

SOURCE = {"shop.py": "def order(key):\n    return key\n\n\ndef page():\n    return order(1)\n"}

HELLO = {
    "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
        "protocolVersion": "2025-06-18", "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"},
    },
}  # fmt: skip
READY = {"jsonrpc": "2.0", "method": "notifications/initialized"}
CALLERS = {"name": "mu_callers", "arguments": {"node": "order"}}


def request(number: int, method: str, params: object = None) -> bytes:
    """One request as a line."""
    whole = {"jsonrpc": "2.0", "id": number, "method": method, "params": params or {}}
    return json.dumps(whole).encode() + b"\n"


class Server:
    """A server process, and the lines that go to it and come from it."""

    def __init__(self, root: Path) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-c", PROGRAM, "-C", str(root), "mcp"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={**os.environ, "HOME": str(root), "ANTHROPIC_API_KEY": ""},
        )
        self.send(json.dumps(HELLO).encode() + b"\n", json.dumps(READY).encode() + b"\n")
        self.read()

    def send(self, *lines: bytes) -> None:
        """Write lines as they are."""
        assert self.process.stdin is not None
        for line in lines:
            self.process.stdin.write(line)
        self.process.stdin.flush()

    def read(self) -> dict[str, object]:
        """The next frame; anything that is no frame is an error."""
        assert self.process.stdout is not None
        frame = json.loads(self.process.stdout.readline())
        assert frame["jsonrpc"] == "2.0"
        assert isinstance(frame, dict)
        return frame

    def answer(self, number: int) -> dict[str, object]:
        """The frame that answers a request, whatever stands before it."""
        while True:
            frame = self.read()
            if frame.get("id") == number:
                return frame

    def end(self) -> tuple[int, bytes]:
        """Close its input; give its status and what was left on standard output."""
        output, _ = self.process.communicate(timeout=60)
        return self.process.returncode, output


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("shop")
    with built_tree(folder, SOURCE):
        return folder


@pytest.fixture
def server(root: Path) -> Iterator[Server]:
    found = Server(root)
    yield found
    if found.process.poll() is None:
        found.process.kill()
        found.process.communicate()


def test_it_answers_and_ends_with_its_input(server: Server) -> None:
    server.send(request(1, "tools/call", CALLERS))
    assert "shop.py:6  return order(1)  in page" in json.dumps(server.answer(1))
    status, rest = server.end()
    assert (status, rest) == (0, b"")


BAD: Sequence[tuple[str, bytes]] = [
    ("no JSON", b"hello\n"),
    ("an empty line", b"\n"),
    ("a number", b"17\n"),
    ("an empty list", b"[]\n"),
    ("bytes that are no UTF-8", b'{"jsonrpc": "2.0", "id": 5, "method": "\xff\xfe"}\n'),
    ("no method", b'{"jsonrpc": "2.0", "id": 5}\n'),
    ("another version", b'{"jsonrpc": "1.0", "id": 5, "method": "ping"}\n'),
    ("an unknown method", request(5, "tools/nothing")),
    ("an unknown tool", request(5, "tools/call", {"name": "nothing", "arguments": {}})),
    ("arguments of another type", request(5, "tools/call", {"name": "mu_callers", "arguments": 3})),
    ("an argument too many", request(5, "tools/call", {**CALLERS, "arguments": {"nodes": "x"}})),
    ("a deep document", b'{"jsonrpc": "2.0", "id": 5, "method": ' + b"[" * 5_000 + b"\n"),
    ("a megabyte", request(5, "tools/call", {**CALLERS, "arguments": {"node": "x" * 1_000_000}})),
    ("a notification of nothing", b'{"jsonrpc": "2.0", "method": "notifications/nothing"}\n'),
    ("an answer to nothing", b'{"jsonrpc": "2.0", "id": 99, "result": {}}\n'),
]


@pytest.mark.slow(reason="a process that imports the SDK answers fifteen times")
def test_bad_lines_do_not_end_it_nor_reach_standard_output_as_anything_but_frames(
    server: Server,
) -> None:
    for number, (_, line) in enumerate(BAD, start=100):
        server.send(line, request(number, "tools/call", CALLERS))
        assert "in page" in json.dumps(server.answer(number))
    assert server.end()[0] == 0


def test_half_a_line_and_an_early_end_end_it(server: Server) -> None:
    server.send(request(1, "tools/call", CALLERS)[:20])
    status, rest = server.end()
    assert status == 0
    assert all(json.loads(line)["jsonrpc"] == "2.0" for line in rest.splitlines())
