"""Events of builds, to every client that follows them."""

import asyncio
from collections.abc import Awaitable, Callable, MutableMapping
from pathlib import Path

import msgspec

from mu.daemon.watching import Change

MOST_WAITING = 100
"""Events that wait for a slow client; the oldest are left out."""

_KEEP_ALIVE = 15.0
_HEADERS = [(b"content-type", b"text/event-stream"), (b"cache-control", b"no-store")]

Message = MutableMapping[str, object]


class Events:
    """Hands what happens to each follower; threads may `publish`."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._followers: set[asyncio.Queue[bytes]] = set()

    def publish(self, root: Path, change: Change, /, *, why: str) -> None:
        """Tell every follower what happened to the graph of `root`."""
        data = msgspec.json.encode({"workspace": str(root), "message": why})
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(
                self._put, f"event: {change}\ndata: ".encode() + data + b"\n\n"
            )

    def _put(self, event: bytes) -> None:
        for queue in self._followers:
            if queue.full():
                queue.get_nowait()
            queue.put_nowait(event)

    async def stream(
        self,
        receive: Callable[[], Awaitable[Message]],
        send: Callable[[Message], Awaitable[None]],
    ) -> None:
        """Send events as they come, until the client leaves."""
        queue: asyncio.Queue[bytes] = asyncio.Queue(MOST_WAITING)
        self._followers.add(queue)
        left = asyncio.ensure_future(_until_gone(receive))
        try:
            await send({"type": "http.response.start", "status": 200, "headers": _HEADERS})
            await send({"type": "http.response.body", "body": b": hello\n\n", "more_body": True})
            while not left.done():
                try:
                    event = await asyncio.wait_for(queue.get(), _KEEP_ALIVE)
                except TimeoutError:
                    event = b": still here\n\n"
                await send({"type": "http.response.body", "body": event, "more_body": True})
        finally:
            left.cancel()
            self._followers.discard(queue)


async def _until_gone(receive: Callable[[], Awaitable[Message]]) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
