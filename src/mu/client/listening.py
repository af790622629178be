"""How MU's own HTTP servers listen: on the loopback interface, with bounded heads and connections.

Here and not in a server, since the daemon and the MCP server share it; nothing else imports it.
"""

import asyncio
import os
import secrets
import socket
from collections.abc import Awaitable, Callable
from pathlib import Path

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from mu.client.record import read_private
from mu.errors import ExitCode, MuError

MOST_HEADERS = 16_384
"""Bytes that the head of a request may have."""

HEAD_TIME = 10.0
"""Seconds within which the head of a request must have come."""

MOST_CONNECTIONS = 100


class _Impatient(H11Protocol):
    """Closes a connection on which no whole head of a request comes in time."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Start the clock."""
        super().connection_made(transport)
        self.loop.call_later(HEAD_TIME, self._close_if_idle)

    def _close_if_idle(self) -> None:
        has_begun: object = self.cycle  # the library declares it as always there
        if has_begun is None and not self.transport.is_closing():
            self.transport.close()


def loopback_socket(port: int = 0) -> socket.socket:
    """Listen on a loopback port, any for 0; raises MuError when it is taken."""
    # Without the protocol asyncio does not turn Nagle's algorithm off: 40 ms an answer.
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind(("127.0.0.1", port))
    except OSError as error:
        listening.close()
        hint = "give another port, or 0 for any"
        raise MuError(f"port {port}: {error.strerror}", hint, ExitCode.BUSY) from error
    listening.listen(MOST_CONNECTIONS)  # whoever is told the port may connect at once
    return listening


def http_server(application: Callable[..., Awaitable[None]], *, lifespan: bool) -> uvicorn.Server:
    """Make the server of an ASGI application, which keeps the bounds and writes no log."""
    return uvicorn.Server(
        uvicorn.Config(
            application,
            http=_Impatient,
            ws="none",
            lifespan="on" if lifespan else "off",
            log_config=None,
            log_level="error",
            access_log=False,
            server_header=False,
            date_header=False,
            limit_concurrency=MOST_CONNECTIONS,
            h11_max_incomplete_event_size=MOST_HEADERS,
            timeout_keep_alive=30,
            timeout_graceful_shutdown=2,
        )
    )


def kept_token(path: Path) -> str:
    """Read the token in a file that only its owner may read; makes one of 256 bits once.

    Raises MuError for a file that others may read, that is a link, or that holds something else.
    """
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    made = secrets.token_hex(32)
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW
    try:
        with os.fdopen(os.open(path, flags, 0o600), "w", encoding="ascii") as file:
            file.write(f"{made}\n")
    except FileExistsError:
        pass
    else:
        return made
    try:
        found = (read_private(path) or b"").decode("ascii", "replace").strip()
    except OSError as error:
        raise MuError(f"cannot read {path}: {error.strerror}", "delete it") from error
    if len(found) != len(made):
        raise MuError(f"{path} is no token that only you can read", "delete it to have a new one")
    return found
