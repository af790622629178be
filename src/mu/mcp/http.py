"""MCP over streamable HTTP: for programs of this machine that have the token.

A page in a browser can reach the loopback interface, so `Host`, `Origin` and the token are checked
before anything else. The token stays the same from start to start, since clients keep it in their
configuration; deleting its file makes another.
"""

from collections.abc import Awaitable, Callable, MutableMapping
from http import HTTPStatus
from pathlib import Path

import anyio
import msgspec
from mcp.server import MCPServer

from mu.client.guard import refusal
from mu.client.listening import http_server, kept_token, loopback_socket

Message = MutableMapping[str, object]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[..., Awaitable[None]]

ADDRESS = "/mcp"
MOST_BODY = 1_000_000
"""Bytes that a body may have."""

MOST_SESSIONS = 100
TOKEN_FILE = "mcp_token"  # noqa: S105 - its name, in the state folder


def serve(
    server: MCPServer, *, port: int, token_file: Path, on_ready: Callable[[int], None]
) -> None:
    """Serve at ADDRESS on a loopback port until interrupted; 0 lets the system choose it.

    `on_ready` takes the port. Raises MuError when the port is taken or the token is not private.
    """
    token = kept_token(token_file)
    listening = loopback_socket(port)
    own = int(listening.getsockname()[1])
    inner = server.streamable_http_app(
        streamable_http_path=ADDRESS, max_request_body_size=MOST_BODY, max_sessions=MOST_SESSIONS
    )
    guarded = http_server(_guarded(inner, port=own, token=token), lifespan=True)

    async def run() -> None:
        on_ready(own)
        await guarded.serve(sockets=[listening])

    anyio.run(run)


def _guarded(inner: Application, *, port: int, token: str) -> Application:
    """Put the checks before an application."""
    origins = frozenset(f"http://{host}:{port}".encode() for host in ("127.0.0.1", "localhost"))

    async def checked(scope: Message, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await inner(scope, receive, send)
            return
        headers = msgspec.convert(scope["headers"], list[tuple[bytes, bytes]])
        method = str(scope["method"])
        refused = refusal(headers, method=method, port=port, token=token, origins=origins)
        if refused is None:
            await inner(scope, receive, send)
        else:
            await _refuse(send, *refused)

    return checked


async def _refuse(send: Send, status: HTTPStatus, why: str) -> None:
    content = msgspec.json.encode({"message": why})
    headers = [
        (b"content-type", b"application/json"),
        (b"content-length", str(len(content)).encode()),
    ]
    if status is HTTPStatus.UNAUTHORIZED:
        headers.append((b"www-authenticate", b"Bearer"))
    await send({"type": "http.response.start", "status": int(status), "headers": headers})
    await send({"type": "http.response.body", "body": content})
