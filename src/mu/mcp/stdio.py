"""MCP over standard input and output, with an answer to what is no request.

The SDK drops a line that it cannot read, and whoever sent it would wait for ever. JSON-RPC has two
errors for it, with the id of the request where one can be made out.
"""

from collections.abc import AsyncIterable, Awaitable, Callable

import anyio
from anyio.abc import ObjectSendStream
from mcp.server import MCPServer
from mcp.server.stdio import stdio_server
from mcp.shared.message import SessionMessage
from mcp.types import INVALID_REQUEST, PARSE_ERROR, ErrorData, JSONRPCError
from pydantic import ValidationError

Item = SessionMessage | Exception


async def serve(server: MCPServer) -> None:
    """Serve until standard input ends; descriptor 1 carries frames alone meanwhile."""
    inner = server._lowlevel_server
    sending, receiving = anyio.create_memory_object_stream[Item]()
    async with stdio_server() as (read, write), anyio.create_task_group() as tasks:
        tasks.start_soon(_forward, read, sending, write.send)
        await inner.run(receiving, write, inner.create_initialization_options())
        tasks.cancel_scope.cancel()


async def _forward(
    read: AsyncIterable[Item],
    sending: ObjectSendStream[Item],
    answer: Callable[[SessionMessage], Awaitable[None]],
) -> None:
    """Hand messages on, and answer what is none."""
    async with sending:
        async for item in read:
            if not isinstance(item, ValidationError):
                await sending.send(item)
            elif (error := fault(item)) is not None:
                await answer(SessionMessage(error))


def fault(error: ValidationError) -> JSONRPCError | None:
    """Make the answer to a line that was no message; None where nobody waits for one."""
    found = error.errors(include_url=False, include_context=False)
    if found[0]["type"] == "json_invalid":
        is_blank = not str(found[0]["input"]).strip()
        return None if is_blank else _error(PARSE_ERROR, "the line is not JSON")
    line: object = next((each["input"] for each in found if each["type"] == "missing"), None)
    if not isinstance(line, dict):
        return _error(INVALID_REQUEST, "the line is no request")
    is_notification = "id" not in line and "method" in line
    if is_notification or "result" in line or "error" in line:
        return None
    own = line.get("id")
    is_id = isinstance(own, str) or (isinstance(own, int) and not isinstance(own, bool))
    return _error(INVALID_REQUEST, "the line is no request", own if is_id else None)


def _error(code: int, message: str, own: int | str | None = None) -> JSONRPCError:
    return JSONRPCError(jsonrpc="2.0", id=own, error=ErrorData(code=code, message=message))
