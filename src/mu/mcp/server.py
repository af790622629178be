"""The server: tools, resources and prompts on the official SDK, over stdio or HTTP.

Standard output carries frames alone on stdio: while it serves, the SDK points descriptor 1 at
standard error, for this process and those it starts.
"""

import contextlib
import functools
import inspect
import os
import time
import traceback
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path

import anyio
from mcp.server import MCPServer
from mcp.server.mcpserver import Context
from mcp.server.mcpserver.exceptions import ResourceError, ResourceNotFoundError, ToolError
from mcp.shared.exceptions import MCPError
from mcp.types import (
    INVALID_PARAMS,
    CallToolResult,
    GetPromptResult,
    InputRequiredResult,
    TextContent,
    ToolAnnotations,
)
from pydantic import ValidationError

from mu import __version__
from mu.errors import ExitCode, MuError, UnexpectedError
from mu.mcp import tools
from mu.operations.answers.answer_text import AnswerText
from mu.operations.freshness import with_staleness_hint
from mu.operations.graph_file.live_workspace import LiveWorkspace
from mu.operations.navigation.describe import describe
from mu.operations.navigation.node_source import read
from mu.render.redaction import redact
from mu.render.text import printable, printable_source

INSTRUCTIONS = """\
Structural questions about this repository (callers, callees, impact, paths, hierarchy, tests, dead
code, cycles) from a graph that is kept up to date. Prefer these tools to searching and reading
files. A node is a name, Class.method, path:name or path:line. `exact` means that no unresolved
reference could add to the answer; `at least` and `possible` mean that some could."""

_READ_ONLY = ToolAnnotations(read_only_hint=True, idempotent_hint=True, open_world_hint=False)
_ASKS_A_MODEL = ToolAnnotations(read_only_hint=True, idempotent_hint=False, open_world_hint=True)

_CALLS = {
    "`mu search WORDS` finds names": 'mu_find(words="...") finds names',
    "`mu kernel build` brings it up to date": "it is being rebuilt",
    "run `mu kernel build` to build it again": "it is being rebuilt; ask again in a few seconds",
}
"""What hints of commands are here."""

Tool = Callable[..., AnswerText]


class _Server(MCPServer):
    """The SDK's server, with errors that a model can act on."""

    async def call_tool(  # type: ignore[override] # the SDK passes all by position
        self, name: str, arguments: dict[str, object], *context: Context
    ) -> CallToolResult | InputRequiredResult:
        """Call a tool; an argument that it does not have is an error, and not passed over."""
        tool = self._tool_manager.get_tool(name)
        known = list(tool.parameters["properties"]) if tool is not None else []
        extra = [given for given in arguments if given not in known]
        if tool is not None and extra:
            takes = ", ".join(known) or "none"
            raise ToolError(f"{name} has no argument {printable(extra[0])}; it takes: {takes}")
        try:
            return await super().call_tool(name, arguments, *context)
        except ToolError as error:
            if isinstance(error.__cause__, ValidationError):
                raise ToolError(_invalid(name, error.__cause__)) from None
            raise

    async def get_prompt(  # type: ignore[override] # the SDK passes all by position
        self, name: str, arguments: dict[str, object] | None = None, *context: Context
    ) -> GetPromptResult | InputRequiredResult:
        """Write a prompt; one that there is not, or that lacks arguments, is a wrong parameter."""
        try:
            return await super().get_prompt(name, arguments, *context)
        except ValueError as error:
            raise MCPError(INVALID_PARAMS, str(error)) from error


def make_server(live: LiveWorkspace) -> MCPServer:
    """Make the server of one workspace."""
    server = _Server("mu", version=__version__, instructions=INSTRUCTIONS, log_level="WARNING")
    for tool in tools.TOOLS:
        annotations = _ASKS_A_MODEL if tool is tools.mu_ask else _READ_ONLY
        server.tool(annotations=annotations, structured_output=False)(_served(tool, live))
    for known in server._tool_manager.list_tools():
        _drop_titles(known.parameters)
    _add_resources(server, live)
    _add_prompts(server)
    return server


def serve_stdio(root: Path) -> None:
    """Serve on standard input and output until the client closes them."""
    from mu.mcp import stdio

    with LiveWorkspace(root) as live:
        anyio.run(stdio.serve, make_server(live))


def serve_http(root: Path, *, port: int, token_file: Path, on_ready: Callable[[int], None]) -> None:
    """Serve streamable HTTP on the loopback interface until interrupted; see `mu.mcp.http`."""
    from mu.mcp import http

    with LiveWorkspace(root) as live:
        http.serve(make_server(live), port=port, token_file=token_file, on_ready=on_ready)


def _served(tool: Tool, live: LiveWorkspace) -> Callable[..., Awaitable[CallToolResult]]:
    """Make what the SDK calls of a tool: the same arguments, without the workspace."""

    @functools.wraps(tool)
    async def call(*, ctx: Context, **given: object) -> CallToolResult:
        try:
            answer = await anyio.to_thread.run_sync(
                functools.partial(_answer, tool, live, given, _Progress(ctx))
            )
        except Exception as error:
            raise ToolError(redact(_told(_deliberate(error)))) from error
        return CallToolResult(
            content=[TextContent(type="text", text=_in_calls(answer.text))],
            structured_content={
                "total": answer.total,
                "shown": answer.shown,
                "verdict": answer.verdict.value,
                "next_offset": answer.next_offset,
            },
        )

    signature = inspect.signature(tool, eval_str=True)
    parameters = [
        parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY)
        for parameter in list(signature.parameters.values())[1:]
    ]
    context = inspect.Parameter("ctx", inspect.Parameter.KEYWORD_ONLY, annotation=Context)
    call.__signature__ = inspect.Signature(  # type: ignore[attr-defined] # read by `inspect`
        [*parameters, context], return_annotation=CallToolResult
    )
    call.__annotations__ = {each.name: each.annotation for each in [*parameters, context]}
    del call.__wrapped__
    return call


def _invalid(name: str, error: ValidationError) -> str:
    """Say in a line each what is wrong with the arguments of a call."""
    found = error.errors(include_url=False, include_context=False, include_input=False)
    lines = [f"{'.'.join(map(str, each['loc']))}: {each['msg']}" for each in found]
    return "\n".join([f"{name}: the arguments do not fit", *lines])


def _drop_titles(schema: dict[str, object]) -> None:
    """Take out titles, which only repeat names: a model pays for each word of a schema."""
    schema.pop("title", None)
    properties = schema.get("properties")
    for each in properties.values() if isinstance(properties, dict) else ():
        each.pop("title", None)


def _answer(
    tool: Tool, live: LiveWorkspace, given: dict[str, object], progress: "_Progress"
) -> AnswerText:
    """Answer from a graph that is as fresh as can be had soon."""
    workspace = live.lend(on_wait=progress.report)
    try:
        return tool(workspace, **given)
    except MuError as error:
        if error.code is ExitCode.NO_NODE:
            raise with_staleness_hint(workspace.freshness, error) from error
        raise


def _deliberate(error: Exception) -> MuError:
    """Give the error to tell of one; with MU_DEBUG, one that is unexpected shows its traceback."""
    if isinstance(error, MuError):
        return error
    if os.environ.get("MU_DEBUG"):
        traceback.print_exception(error)
    return UnexpectedError(error)


def _told(error: MuError) -> str:
    """Write an error with the next call to make."""
    return _in_calls(f"{error.message}\n{error.hint}" if error.hint else error.message)


def _in_calls(text: str) -> str:
    """Put calls of the tools in the place of commands of the shell."""
    for command, call in _CALLS.items():
        text = text.replace(command, call)
    return text


class _Progress:
    """Reports the seconds of a build to the client, once a second."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._next = time.monotonic() + 0.5

    def report(self, waited: float) -> None:
        """Report from a worker thread."""
        if time.monotonic() >= self._next:
            self._next += 1.0
            message = f"building the graph, {waited:.0f} s"
            anyio.from_thread.run(self._context.report_progress, waited, None, message)


def _add_resources(server: MCPServer, live: LiveWorkspace) -> None:
    @server.resource("mu://node/{node}", mime_type="text/plain")
    def node_resource(node: str) -> str:
        """Describe a definition: its signature, place, and counts of what uses it."""
        with _resource_errors():
            found = describe(live.lend(), node)
        lines = [found.node.id, found.signature, f"{found.node.path}:{found.start_line}"]
        return redact("\n".join(filter(None, lines)))

    @server.resource("mu://doc/{path}", mime_type="text/markdown")
    def document_resource(path: str) -> str:
        """Read a document of the repository."""
        with _resource_errors():
            lines = read(live.lend(), path).lines
        return redact("\n".join(printable_source(line.text) for line in lines))


@contextlib.contextmanager
def _resource_errors() -> Iterator[None]:
    """Raise what an operation raises as the SDK's errors of resources."""
    try:
        yield
    except Exception as error:
        told = _deliberate(error)
        kind = ResourceNotFoundError if told.code is ExitCode.NO_NODE else ResourceError
        raise kind(redact(_told(told))) from error


def _add_prompts(server: MCPServer) -> None:
    @server.prompt()
    def impact_review(node: str) -> str:
        """Review what a change of a definition may break."""
        return (
            f"Review what a change of `{node}` may break: ask mu_callers, mu_impact and mu_tests, "
            "read the riskiest call sites with mu_read, and list them with what to check."
        )

    @server.prompt()
    def architecture_tour() -> str:
        """Tour the architecture of this repository."""
        return (
            "Give a tour of this repository: mu_status, mu_structure for cycles, mu_query for the "
            "largest modules and entry points, and the main classes by mu_hierarchy."
        )

    @server.prompt()
    def onboarding(topic: str) -> str:
        """Explain how a part of this repository works, for someone new."""
        return (
            f"Explain how {topic} works here to someone new: mu_context first, then mu_callers "
            "and mu_callees of the central functions. Cite path:line for each statement."
        )
