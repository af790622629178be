"""A server on loopback that speaks the Messages API from a script, and records what it was sent.

The answers are given in order, one for each request: `reply(...)` for a message, `failure(...)` for
an error, `Cut` for a stream that ends early, `Broken` for an error in the middle of a stream. A
request that asks for a stream gets the same message as events.
"""

import json
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

Json = dict[str, object]


@dataclass(frozen=True)
class Script:
    """One answer: `body` with a `status`; of a stream, how many events come before it ends.

    One that `is_held` is not given before the server is told to release it, or ends.
    """

    body: Json
    status: int = 200
    headers: tuple[tuple[str, str], ...] = ()
    is_held: bool = False
    events: int | None = None
    ending: Json | None = None


def text(words: str) -> Json:
    """A block of text."""
    return {"type": "text", "text": words}


def call(name: str, arguments: Json, *, id: str = "call_1") -> Json:  # noqa: A002 - the wire's name
    """A block that calls a tool."""
    return {"type": "tool_use", "id": id, "name": name, "input": arguments}


def reply(*blocks: Json, stop: str | None = "", **usage: int) -> Script:
    """A message; why it stopped follows from its blocks unless told."""
    has_calls = any(block["type"] == "tool_use" for block in blocks)
    reason = ("tool_use" if has_calls else "end_turn") if stop == "" else stop
    counts = {"input_tokens": 100, "output_tokens": 20, **usage}
    return Script(
        {
            "id": "msg_1",
            "type": "message",
            "role": "assistant",
            "model": "claude-haiku-5-5",
            "content": list(blocks),
            "stop_reason": reason,
            "stop_sequence": None,
            "usage": counts,
        }
    )


def failure(status: int, kind: str, message: str, **headers: str) -> Script:
    """An error as the API sends it."""
    body: Json = {"type": "error", "error": {"type": kind, "message": message}}
    given = tuple((name.replace("_", "-"), value) for name, value in headers.items())
    return Script(body, status, given)


@dataclass
class MessagesServer:
    """The server: where it is, what it still has to say, and what it was sent."""

    url: str
    script: list[Script]
    requests: list[Json] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    arrived: threading.Condition = field(default_factory=threading.Condition)
    released: threading.Event = field(default_factory=threading.Event)

    def wait_for(self, count: int) -> None:
        """Wait until so many requests have come in."""
        with self.arrived:
            assert self.arrived.wait_for(lambda: len(self.requests) >= count)


class QuietServer(ThreadingHTTPServer):
    """A server whose clients may leave early: that is no traceback on standard error, where another
    test may read it.
    """

    def handle_error(self, request: object, client_address: object) -> None:
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)


@contextmanager
def messages_server(*script: Script) -> Iterator[MessagesServer]:
    """Serve a script, until the block is left."""
    state = MessagesServer("", list(script))

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            length = int(self.headers["content-length"])
            body = json.loads(self.rfile.read(length))
            with state.arrived:
                state.headers.append({name.lower(): value for name, value in self.headers.items()})
                state.requests.append(body)
                state.arrived.notify_all()
            if not state.script:
                self._send(failure(500, "api_error", "the script is at its end"))
                return
            answer = state.script.pop(0)
            if answer.is_held:
                state.released.wait()
            if body.get("stream") and answer.status == 200:
                self._stream(answer)
            else:
                self._send(answer)

        def _send(self, answer: Script) -> None:
            data = json.dumps(answer.body).encode()
            self.send_response(answer.status)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(data)))
            self.send_header("request-id", "req_1")
            for name, value in answer.headers:
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(data)

        def _stream(self, answer: Script) -> None:
            self.send_response(200)
            self.send_header("content-type", "text/event-stream")
            self.send_header("connection", "close")
            self.end_headers()
            events = list(_events(answer.body))[: answer.events]
            for event in [*events, *([answer.ending] if answer.ending else [])]:
                line = f"event: {event['type']}\ndata: {json.dumps(event)}\n\n"
                self.wfile.write(line.encode())
            self.close_connection = True

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base's name
            pass

    server = QuietServer(("127.0.0.1", 0), Handler)
    state.url = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    try:
        yield state
    finally:
        state.released.set()
        server.shutdown()
        thread.join()
        server.server_close()


def _events(message: Json) -> Iterator[Json]:
    usage = dict(message["usage"])  # type: ignore[call-overload]  # a dict, as `reply` makes it
    start = {**message, "content": [], "stop_reason": None, "usage": {**usage, "output_tokens": 1}}
    yield {"type": "message_start", "message": start}
    yield {"type": "ping"}
    for place, block in enumerate(message["content"]):  # type: ignore[arg-type,var-annotated]
        yield from _block_events(place, block)
    delta = {"stop_reason": message["stop_reason"], "stop_sequence": None}
    yield {"type": "message_delta", "delta": delta, "usage": usage}
    yield {"type": "message_stop"}


def _block_events(place: int, block: Json) -> Iterator[Json]:
    kind = block["type"]
    empty = {"text": {"text": ""}, "tool_use": {"input": {}}, "thinking": {"thinking": ""}}
    yield {
        "type": "content_block_start",
        "index": place,
        "content_block": {**block, **empty.get(str(kind), {})},
    }
    parts: list[Json] = []
    if kind == "text":
        words = str(block["text"])
        parts = [{"type": "text_delta", "text": part} for part in (words[:5], words[5:]) if part]
    elif kind == "tool_use":
        data = json.dumps(block["input"])
        parts = [{"type": "input_json_delta", "partial_json": p} for p in (data[:4], data[4:]) if p]
    elif kind == "thinking":
        parts = [
            {"type": "thinking_delta", "thinking": block["thinking"]},
            {"type": "signature_delta", "signature": block["signature"]},
        ]
    for part in parts:
        yield {"type": "content_block_delta", "index": place, "delta": part}
    yield {"type": "content_block_stop", "index": place}
