"""A server on loopback that sends given bytes, however wrong, and counts what it was asked.

Each request gets the next `Wire`, those after the last get the last again. Requests to the paths in
`known` get theirs and are not counted.
"""

import json
import socket
import struct
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from enum import Enum


class End(Enum):
    """What happens to the connection once the bytes are sent."""

    CLOSED = "closed"
    RESET = "reset"
    HELD = "held"


@dataclass(frozen=True)
class Wire:
    """The bytes of one answer, and how its connection ends."""

    data: bytes
    end: End = End.CLOSED


@dataclass
class WireServer:
    """The server: where it is, what it still has to send, and how often it was asked."""

    url: str
    script: list[Wire]
    asked: list[str] = field(default_factory=list)


def http(
    status: int, body: object = b"", *, of: str = "application/json", length: int = -1, **more: str
) -> Wire:
    """An answer with a body, written as JSON unless it is bytes; `length` claims another size."""
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    size = length if length >= 0 else len(data)
    lines = [f"HTTP/1.1 {status} Said", f"content-type: {of}", f"content-length: {size}"]
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in more.items()]
    return Wire("\r\n".join([*lines, "connection: close", "", ""]).encode() + data)


def events(*rows: str) -> Wire:
    """A stream of server-sent events that ends with its connection."""
    head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n"
    return Wire((head + "".join(f"{row}\n\n" for row in rows)).encode())


@contextmanager
def wire_server(*script: Wire, known: Mapping[str, Wire] | None = None) -> Iterator[WireServer]:
    """Serve the script until the block is left."""
    listener = socket.create_server(("127.0.0.1", 0))
    state = WireServer(f"http://127.0.0.1:{listener.getsockname()[1]}", list(script))
    over = threading.Event()
    threads: list[threading.Thread] = []

    def answer(connection: socket.socket) -> None:
        with connection, suppress(OSError):
            path = _request(connection)
            if not path:
                return
            wire = (known or {}).get(path)
            if wire is None:
                state.asked.append(path)
                wire = state.script.pop(0) if len(state.script) > 1 else state.script[0]
            connection.sendall(wire.data)
            if wire.end is End.HELD:
                over.wait()
            elif wire.end is End.RESET:
                linger = struct.pack("ii", 1, 0)
                connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
            else:
                connection.shutdown(socket.SHUT_WR)
                connection.recv(1)

    def serve() -> None:
        with suppress(OSError):
            while True:
                thread = threading.Thread(target=answer, args=(listener.accept()[0],))
                threads.append(thread)
                thread.start()

    serving = threading.Thread(target=serve)
    serving.start()
    try:
        yield state
    finally:
        over.set()
        listener.shutdown(socket.SHUT_RDWR)
        listener.close()
        for thread in [serving, *threads]:
            thread.join()


def _request(connection: socket.socket) -> str:
    """Read one request and give its path; empty where the connection was opened for nothing."""
    with connection.makefile("rb") as file:
        first = file.readline().decode()
        length = 0
        while (line := file.readline().strip()) != b"":
            name, _, value = line.partition(b":")
            length = int(value) if name.lower() == b"content-length" else length
        file.read(length)
    return first.split()[1] if first else ""
