"""`mu mcp` as a client starts it: a process with frames alone on standard output."""

import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from e2e.command import PROGRAM
from fakes.built import built_tree
from support.forked_processes import ForkServer

SOURCE = {"shop.py": "def order(key):\n    return key\n\n\ndef page():\n    return order(1)\n"}

PARSE, INVALID, NO_METHOD, BAD_PARAMS = -32700, -32600, -32601, -32602
VERSION = "2026-07-28"
PATIENCE = 300.0  # seconds until a test gives up; nothing waits that long


def frame(**members: object) -> bytes:
    """One message as a line."""
    return json.dumps({"jsonrpc": "2.0", **members}).encode() + b"\n"


def hello(version: str, number: int = 0) -> bytes:
    """The older handshake's first request."""
    client = {"name": "test", "version": "1"}
    params = {"protocolVersion": version, "capabilities": {}, "clientInfo": client}
    return frame(id=number, method="initialize", params=params)


def call(number: int, arguments: object, name: str = "mu_callers") -> bytes:
    """A call of a tool."""
    return frame(id=number, method="tools/call", params={"name": name, "arguments": arguments})


READY = frame(method="notifications/initialized")
ORDER = {"node": "order"}


class Server:
    """A server process, and the lines that go to it and come from it."""

    def __init__(
        self, root: Path, program: str = PROGRAM, *, forks: ForkServer | None = None
    ) -> None:
        arguments = ["-C", str(root), "mcp"]
        variables = {**os.environ, "HOME": str(root), "ANTHROPIC_API_KEY": ""}
        self.errors = tempfile.TemporaryFile()  # noqa: SIM115 - lives as long as the process
        self.process = (
            forks.start(program, arguments, errors=self.errors.fileno(), variables=variables)
            if forks
            else subprocess.Popen(
                [sys.executable, "-c", program, *arguments],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self.errors,
                env=variables,
                bufsize=0,
            )
        )

    def send(self, *lines: bytes) -> None:
        """Write lines as they are."""
        assert self.process.stdin is not None
        for line in lines:
            self.process.stdin.write(line)
        self.process.stdin.flush()

    def read(self) -> dict[str, object]:
        """The next frame; anything that is no frame is an error."""
        assert self.process.stdout is not None
        found = json.loads(self.process.stdout.readline())
        assert found["jsonrpc"] == "2.0"
        assert isinstance(found, dict)
        return found

    def answer(self, number: int) -> dict[str, object]:
        """The frame that answers a request, whatever stands before it."""
        while True:
            found = self.read()
            if found.get("id") == number:
                return found

    def end(self) -> tuple[int, list[dict[str, object]]]:
        """Close its input; give its status and the frames that were left."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.close()
        with self.patience():
            output = self.process.stdout.read()
            self.process.stdout.close()
            return self.process.wait(), [json.loads(line) for line in output.splitlines()]

    @contextmanager
    def patience(self) -> Iterator[None]:
        """Kill the process if it does not end in a time in which any would."""
        timer = threading.Timer(PATIENCE, self.process.kill)
        timer.start()
        try:
            yield
        finally:
            timer.cancel()


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("shop")
    with built_tree(folder, SOURCE):
        return folder


@pytest.fixture(scope="module")
def server(root: Path) -> Iterator[Server]:
    """One server, which every wrong line goes to; it has to be well after each of them."""
    found = Server(root)
    found.send(hello("2025-06-18"), READY)
    found.answer(0)
    yield found
    status, rest = found.end()
    assert (status, rest) == (0, [])


@dataclass(frozen=True)
class Case:
    """Lines, and what answers each id: an error's code, a part of a result, or of a tool's error.

    The key None is an answer to no request in particular.
    """

    title: str
    lines: bytes
    answers: Mapping[object, int | str] = field(default_factory=dict)


DEEP = b"[" * 5_000
LONG = "x" * 10_000_000
PING = frame(id=5, method="ping")

CASES = [
    Case("no JSON", b"hello\n", {None: PARSE}),
    Case("an empty line", b"\n"),
    Case("white space", b" \t \r\n"),
    Case("a number", b"17\n", {None: INVALID}),
    Case("a string", b'"ping"\n', {None: INVALID}),
    Case("null", b"null\n", {None: INVALID}),
    Case("an empty list", b"[]\n", {None: INVALID}),
    Case("a batch", b"[" + PING.strip() + b"," + PING.strip() + b"]\n", {None: INVALID}),
    Case("an empty object", b"{}\n", {None: INVALID}),
    Case("half a request", PING[:20] + b"\n", {None: PARSE}),
    Case("two requests in a line", PING.strip() + PING, {None: PARSE}),
    Case("words behind a request", PING.strip() + b" please\n", {None: PARSE}),
    Case("a NUL", b"\0\n", {None: PARSE}),
    Case("a byte-order mark", b"\xef\xbb\xbf" + PING, {None: PARSE}),
    Case("CRLF", PING.replace(b"\n", b"\r\n"), {5: "{}"}),
    Case("no UTF-8 in a method", frame(id=5, method="X").replace(b"X", b"\xff"), {5: NO_METHOD}),
    Case("no UTF-8 in an argument", call(5, {"node": "X"}).replace(b"X", b"\xff"), {5: "no node"}),
    Case("half a surrogate", call(5, {"node": "X"}).replace(b"X", b"\\ud800"), {None: PARSE}),
    Case("a NUL in an argument", call(5, {"node": "a\0b"}), {5: "no node"}),
    Case("a deep list", b'{"jsonrpc": "2.0", "id": 5, "method": ' + DEEP + b"\n", {None: PARSE}),
    Case("a deep argument", call(5, "X").replace(b'"X"', b'{"a":' * 5_000), {None: PARSE}),
    Case("10 MB of nothing", LONG.encode() + b"\n", {None: PARSE}),
    Case("10 MB in an argument", call(5, {"node": LONG}), {5: "longer than"}),
    Case("a key twice", b'{"jsonrpc":"2.0","id":4,"id":5,"method":"ping"}\n', {5: "{}"}),
    Case("no number", frame(id=5, method="ping", params={"x": float("nan")}), {5: "{}"}),
    Case("no method", frame(id=5), {5: INVALID}),
    Case("another version", PING.replace(b"2.0", b"1.0"), {5: INVALID}),
    Case("no version", b'{"id": 5, "method": "ping"}\n', {5: INVALID}),
    Case("a number for a method", frame(id=5, method=7), {5: INVALID}),
    Case("a list for parameters", frame(id=5, method="ping", params=[]), {5: INVALID}),
    Case("a string for parameters", frame(id="five", method="ping", params="x"), {"five": INVALID}),
    Case("an object for an id, and no method", frame(id={}), {None: INVALID}),
    Case("null for parameters", frame(id=5, method="ping", params=None), {5: "{}"}),
    Case("a string for an id", frame(id="five", method="ping"), {"five": "{}"}),
    Case("a large id", frame(id=10**40, method="ping"), {10**40: "{}"}),
    Case("null for an id", frame(id=None, method="ping")),
    Case("a fraction for an id", frame(id=5.5, method="ping")),
    Case("a member more", frame(id=5, method="ping", more=1), {5: "{}"}),
    Case("an answer to nothing", frame(id=99, result={})),
    Case("an error to nothing", frame(id=99, error={"code": 1, "message": "x"})),
    Case("a notification of nothing", frame(method="notifications/nothing")),
    Case("a wrong notification", frame(method="notifications/cancelled", params={"requestId": []})),
    Case("a notification of no shape", frame(method="notifications/cancelled", params=[])),
    Case("a notification with an id", frame(id=5, method="notifications/none"), {5: NO_METHOD}),
    Case("a request without an id", frame(method="tools/list")),
    Case("an id twice at once", call(5, ORDER) + call(5, ORDER), {5: "in page"}),
    Case("an id again", PING + PING, {5: "{}"}),
    Case("what never was is cancelled", frame(method="notifications/cancelled",
                                              params={"requestId": 777})),
    Case("an unknown method", frame(id=5, method="tools/nothing"), {5: NO_METHOD}),
    Case("a method of clients", frame(id=5, method="sampling/createMessage"), {5: NO_METHOD}),
    Case("no capability: logging", frame(id=5, method="logging/setLevel",
                                        params={"level": "debug"}), {5: NO_METHOD}),
    Case("no capability: subscriptions", frame(id=5, method="resources/subscribe",
                                              params={"uri": "mu://doc/x"}), {5: NO_METHOD}),
    Case("no parameters", frame(id=5, method="tools/call"), {5: BAD_PARAMS}),
    Case("no tool", frame(id=5, method="tools/call", params={}), {5: BAD_PARAMS}),
    Case("an unknown tool", call(5, {}, "mu_nothing"), {5: "Unknown tool"}),
    Case("arguments of another type", call(5, 3), {5: BAD_PARAMS}),
    Case("no arguments", call(5, {}), {5: "node: Field required"}),
    Case("an argument too many", call(5, {**ORDER, "test": False}), {5: "no argument test"}),
    Case("an argument of another type", call(5, {"node": 7}), {5: "node: Input should be a valid"}),
    Case("an argument out of bounds", call(5, {**ORDER, "offset": -1}), {5: "offset: Input"}),
    Case("a word that is none", call(5, {"what": "x"}, "mu_structure"), {5: "what: Input"}),
    Case("an unknown resource", frame(id=5, method="resources/read",
                                      params={"uri": "mu://nothing/x"}), {5: BAD_PARAMS}),
    Case("a node that is none", frame(id=5, method="resources/read",
                                      params={"uri": "mu://node/nothing"}), {5: BAD_PARAMS}),
    Case("a path that leads out", frame(id=5, method="resources/read",
                                        params={"uri": "mu://doc/..%2F..%2Fetc"}), {5: BAD_PARAMS}),
    Case("an unknown prompt", frame(id=5, method="prompts/get",
                                    params={"name": "x"}), {5: BAD_PARAMS}),
    Case("a prompt without its argument", frame(id=5, method="prompts/get",
                                                params={"name": "onboarding"}), {5: BAD_PARAMS}),
    Case("a second handshake", hello("2025-06-18", 5), {5: "serverInfo"}),
]  # fmt: skip


@pytest.mark.slow(reason="a process that imports the SDK")
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.title)
def test_what_is_wrong_is_answered_as_it_must_be_and_the_next_request_works(
    server: Server, case: Case
) -> None:
    server.send(case.lines, frame(id=1, method="ping"))
    found: list[dict[str, object]] = []
    awaited: set[object] = {1, *case.answers}
    while awaited - {each.get("id") for each in found}:
        found.append(server.read())
    if case.title == "an id twice at once":
        found.append(server.answer(5))

    server.send(call(2, ORDER))
    assert "in page" in json.dumps(server.read())
    for answer in found:
        own = answer["id"]
        assert own in awaited
        if own == 1:
            continue
        expected = case.answers[own]
        if isinstance(expected, int):
            assert answer["error"]["code"] == expected  # type: ignore[index]
        else:
            assert expected in json.dumps(answer["result"])


STARTS: list[tuple[str, bytes, int, str]] = [
    *[(f"the handshake of {version}", hello(version) + READY + call(1, ORDER), 1, "in page")
      for version in ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")],
    ("an unknown version", hello("1999-01-01") + READY + call(1, ORDER), 1, "in page"),
    ("the current protocol", frame(id=1, method="tools/call", params={
        "name": "mu_callers", "arguments": ORDER, "_meta": {
            "io.modelcontextprotocol/protocolVersion": VERSION,
            "io.modelcontextprotocol/clientInfo": {"name": "t", "version": "1"},
            "io.modelcontextprotocol/clientCapabilities": {}}}), 1, "in page"),
    ("discovery", frame(id=1, method="server/discover", params={"_meta": {
        "io.modelcontextprotocol/protocolVersion": VERSION,
        "io.modelcontextprotocol/clientInfo": {"name": "t", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": {}}}), 1, VERSION),
    ("no handshake", frame(id=1, method="tools/list"), 1, '"error"'),
    ("words before the handshake", b"hello\n" + hello("2025-06-18", 1), 1, "serverInfo"),
]  # fmt: skip


@pytest.mark.parametrize(("lines", "number", "part"), [each[1:] for each in STARTS],
                         ids=[each[0] for each in STARTS])  # fmt: skip
def test_each_way_to_begin(
    root: Path, mcp_forks: ForkServer | None, lines: bytes, number: int, part: str
) -> None:
    server = Server(root, forks=mcp_forks)
    server.send(lines)
    assert part in json.dumps(server.answer(number))
    assert server.end()[0] == 0


ENDS: list[tuple[str, bytes]] = [
    ("nothing was said", b""),
    ("half a handshake", hello("2025-06-18")[:30]),
    ("the handshake alone", hello("2025-06-18")),
    ("half a call", hello("2025-06-18") + READY + call(1, ORDER)[:20]),
    ("a call that runs", hello("2025-06-18") + READY + call(1, ORDER)),
    ("no newline", hello("2025-06-18") + READY + PING.strip()),
]


@pytest.mark.parametrize("lines", [each[1] for each in ENDS], ids=[each[0] for each in ENDS])
def test_the_end_of_its_input_ends_it(
    root: Path, mcp_forks: ForkServer | None, lines: bytes
) -> None:
    server = Server(root, forks=mcp_forks)
    server.send(lines)
    status, rest = server.end()
    assert status == 0
    assert all(each["jsonrpc"] == "2.0" for each in rest)


def test_a_client_that_is_gone_ends_it(root: Path, mcp_forks: ForkServer | None) -> None:
    server = Server(root, forks=mcp_forks)
    server.send(hello("2025-06-18"), READY)
    server.answer(0)
    assert server.process.stdout is not None
    assert server.process.stdin is not None
    server.process.stdout.close()
    server.send(*(call(number, ORDER) for number in range(1, 4)))
    server.process.stdin.close()
    with server.patience():
        assert server.process.wait() != -signal.SIGKILL


PRINTS = """
import os, subprocess, sys
from mu.mcp import tools
def mu_prints(workspace):
    "Print by every way there is."
    print("printed")
    sys.stdout.flush()
    os.write(1, b"written\\n")
    subprocess.run([sys.executable, "-c", "print('by a child')"], check=True)
    return tools._text("done", total=1, shown=1)
tools.TOOLS = (*tools.TOOLS, mu_prints)
from mu.cli import main
sys.exit(main())
"""


@pytest.mark.slow(reason="a process that imports the SDK")
def test_what_a_tool_prints_is_no_frame(root: Path) -> None:
    server = Server(root, PRINTS)
    server.send(hello("2025-06-18"), READY, call(1, {}, "mu_prints"))
    assert [server.read()["id"], server.read()["id"]] == [0, 1]
    assert server.end() == (0, [])
    server.errors.seek(0)
    errors = server.errors.read()
    for word in (b"printed", b"written", b"by a child"):
        assert word in errors


@pytest.mark.slow(reason="the last one, with which the servers of all others end")
def test_a_call_that_was_cancelled_is_not_answered(
    root: Path, mcp_forks: ForkServer | None
) -> None:
    server = Server(root, forks=mcp_forks)
    server.send(hello("2025-06-18"), READY, call(1, ORDER))
    server.send(frame(method="notifications/cancelled", params={"requestId": 1}))
    server.send(call(2, ORDER))
    server.answer(2)
    status, rest = server.end()
    assert (status, rest) == (0, [])
