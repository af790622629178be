"""The HTTP interface as an ASGI application: one POST an operation, status, events, OpenAPI."""

import asyncio
import functools
import os
import time
from collections.abc import Awaitable, Callable, MutableMapping
from http import HTTPStatus
from pathlib import Path
from typing import TypeVar

import msgspec

from mu import __version__
from mu.client import calls
from mu.client.calls import Failure
from mu.client.daemon_client import DaemonStatus
from mu.client.guard import refusal
from mu.daemon.events import Events
from mu.daemon.openapi import openapi_document
from mu.daemon.routes import ROUTES
from mu.daemon.served import ServedWorkspaces
from mu.errors import ExitCode, MuError
from mu.operations.freshness import with_staleness_hint
from mu.operations.workspace import Workspace

MOST_BODY = 1_000_000
"""Bytes that a body may have."""

BODY_TIME = 10.0
"""Seconds within which a body must have come."""

MOST_AT_ONCE = 8
"""Operations that run at a time; others wait."""

T = TypeVar("T")

Scope = MutableMapping[str, object]
Message = MutableMapping[str, object]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]

_JSON = b"application/json"
_STATUS = {
    ExitCode.USAGE: HTTPStatus.BAD_REQUEST,
    ExitCode.NO_NODE: HTTPStatus.UNPROCESSABLE_ENTITY,
    ExitCode.NO_GRAPH: HTTPStatus.CONFLICT,
    ExitCode.BUSY: HTTPStatus.CONFLICT,
}


class _RefusedError(Exception):
    """A request that is answered with a status and a message and nothing else."""

    def __init__(self, status: HTTPStatus, message: str) -> None:
        super().__init__(message)
        self.status, self.message = status, message


class _Call(msgspec.Struct, forbid_unknown_fields=True):
    workspace: str
    arguments: msgspec.Raw = msgspec.Raw(b"{}")


class DaemonApplication:
    """Answers requests over the workspaces that are served; an ASGI application."""

    def __init__(
        self,
        served: ServedWorkspaces,
        events: Events,
        *,
        port: int,
        token: str,
        stop: Callable[[], None],
    ) -> None:
        self._served = served
        self._events = events
        self._port, self._token = port, token
        self._stop = stop
        self._started = time.monotonic()
        self._requests = 0
        self._turns = asyncio.Semaphore(MOST_AT_ONCE)
        self.last_request = time.monotonic()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request; nothing that happens in it reaches another one."""
        if scope["type"] != "http":
            return
        method, path = str(scope["method"]), str(scope["path"])
        try:
            await self._answer((method, path), scope, receive, send)
        except _RefusedError as refused:
            await _send_failure(send, refused.status, Failure(refused.message))
        except MuError as error:
            status = _STATUS.get(error.code, HTTPStatus.INTERNAL_SERVER_ERROR)
            await _send_failure(send, status, Failure(error.message, error.hint, int(error.code)))
        except Exception as error:  # noqa: BLE001 - one request's failure is its own
            what = f"unexpected {type(error).__name__}"
            await _send_failure(send, HTTPStatus.INTERNAL_SERVER_ERROR, Failure(what))

    async def _answer(
        self, route: tuple[str, str], scope: Scope, receive: Receive, send: Send
    ) -> None:
        method, path = route
        headers = msgspec.convert(scope["headers"], list[tuple[bytes, bytes]])
        refused = refusal(headers, method=method, port=self._port, token=self._token)
        if refused is not None:
            raise _RefusedError(*refused)
        self.last_request = time.monotonic()
        self._requests += 1
        if method == "GET":
            if path == "/events":
                await self._events.stream(receive, send)
                return
            await _send(send, HTTPStatus.OK, self._get(path))
        elif method == "POST":
            await _send(send, HTTPStatus.OK, await self._post(path, await _body(receive)))
        else:
            raise _RefusedError(HTTPStatus.METHOD_NOT_ALLOWED, f"{method} is not served")

    def _get(self, path: str) -> bytes:
        match path:
            case "/health":
                return b'{"is_serving":true}'
            case "/status":
                return msgspec.json.encode(self._status())
            case "/openapi.json":
                return openapi_document()
            case _:
                raise _RefusedError(HTTPStatus.NOT_FOUND, "no such address")

    async def _post(self, path: str, body: bytes) -> bytes:
        if path == "/stop":
            self._stop()
            return b"{}"
        if path == "/workspaces":
            self._served.serve(Path(_decoded(body, _Call).workspace))
            return b"{}"
        operation = ROUTES.get(path)
        if operation is None:
            raise _RefusedError(HTTPStatus.NOT_FOUND, "no such address")
        call = _decoded(body, _Call)
        given = _decoded(bytes(call.arguments), calls.arguments_type(operation))
        async with self._turns:
            run = functools.partial(self._run, operation, Path(call.workspace), given)
            return await asyncio.to_thread(run)

    def _run(self, operation: Callable[..., object], root: Path, given: msgspec.Struct) -> bytes:
        workspace = self._served.find(root)
        if workspace is None:
            raise _RefusedError(HTTPStatus.NOT_FOUND, "this workspace is not served")
        return msgspec.json.encode(_explained(operation, workspace, given))

    def _status(self) -> DaemonStatus:
        uptime = time.monotonic() - self._started
        return DaemonStatus(__version__, os.getpid(), uptime, self._requests, self._served.status())


def _explained(
    operation: Callable[..., object], workspace: Workspace, given: msgspec.Struct
) -> object:
    try:
        return calls.apply(operation, workspace, given=given)
    except MuError as error:
        if error.code is not ExitCode.NO_NODE:
            raise
        raise with_staleness_hint(workspace.freshness, error) from error


def _decoded(body: bytes, kind: type[T]) -> T:
    try:
        return msgspec.json.decode(body, type=kind)
    except (msgspec.DecodeError, RecursionError) as error:
        message = f"the body is not what is expected: {error}"
        raise _RefusedError(HTTPStatus.BAD_REQUEST, message) from error


async def _body(receive: Receive) -> bytes:
    """Read the body; raises when it is too long or too slow."""
    content = bytearray()
    try:
        async with asyncio.timeout(BODY_TIME):
            while True:
                message = await receive()
                if message["type"] == "http.disconnect":
                    raise _RefusedError(HTTPStatus.BAD_REQUEST, "the body is not whole")
                content += msgspec.convert(message.get("body", b""), bytes)
                if len(content) > MOST_BODY:
                    raise _RefusedError(
                        HTTPStatus.REQUEST_ENTITY_TOO_LARGE, f"over {MOST_BODY:,} bytes"
                    )
                if not message.get("more_body"):
                    return bytes(content)
    except TimeoutError as error:
        raise _RefusedError(HTTPStatus.REQUEST_TIMEOUT, "the body did not come") from error


async def _send_failure(send: Send, status: HTTPStatus, failure: Failure) -> None:
    await _send(send, status, msgspec.json.encode(failure))


async def _send(send: Send, status: HTTPStatus, content: bytes) -> None:
    headers = [
        (b"content-type", _JSON),
        (b"content-length", str(len(content)).encode()),
        (b"cache-control", b"no-store"),
        (b"x-content-type-options", b"nosniff"),
    ]
    await send({"type": "http.response.start", "status": int(status), "headers": headers})
    await send({"type": "http.response.body", "body": content})
