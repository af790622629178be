"""The tools a model may call: operations over the graph, with compact answers.

A tool only reads. What it gives is text of a repository, which may be anybody's: secrets are taken
out, and it stands between marks that the prompt declares to be data. A call that fails gives an
error as its result and never raises, so the model can mend it.
"""

import inspect
import typing
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from hashlib import blake2b
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from mu.agent.formats import (
    format_cycles_summary,
    format_deps_tree,
    format_impact_summary,
    format_tool_result,
    format_workflow,
    truncate_response,
)
from mu.agent.model import ToolSpec
from mu.agent.values import ToolCall, ToolResult
from mu.analysis.node_search.listing_scope import Scope
from mu.context import all_workflows
from mu.context.codebase import Detail
from mu.errors import ExitCode, MuError
from mu.model.kinds import DEPENDENCY_KINDS, TextKind
from mu.operations.architecture.cycles import cycles
from mu.operations.freshness import with_staleness_hint
from mu.operations.navigation.dependencies import ancestors, dependents, deps, impact
from mu.operations.navigation.dependency_path import path
from mu.operations.navigation.describe import describe
from mu.operations.navigation.grep import grep
from mu.operations.navigation.node_source import read
from mu.operations.navigation.search import search
from mu.operations.packing import codebase
from mu.operations.packing.context import context
from mu.operations.queries.query import query
from mu.operations.workflows import run_workflow, usage
from mu.operations.workspace import Workspace
from mu.render.redaction import redact

RESULT_TOKENS = 2000
"""How many tokens one result may have, about."""

LARGEST_TOKENS = 20_000
"""How many of them what a codebase is told by may have."""

CODEBASE_TOKENS = codebase.DEFAULT_TOKENS

_LIMITS = {"analyze_codebase": LARGEST_TOKENS + 100}
"""Tools whose results may have another size: they hold a budget of their own, and end in notes."""

_ROWS = 40
_WORKERS = 4

Node = Annotated[str, Meta(description="path:Name, a path, a dotted name or an id")]
Within = Annotated[str, Meta(description="only this folder or file")]
Limit = Annotated[int, Meta(ge=1, le=200, description="rows at most")]
Offset = Annotated[int, Meta(ge=0, description="rows to leave out first")]


def mu_query(
    workspace: Workspace,
    muql: Annotated[str, Meta(description="one MUQL statement")],
    *,
    limit: Limit = _ROWS,
    offset: Offset = 0,
) -> str:
    """Run one MUQL statement: a SELECT over the graph's relations, SHOW, FIND, PATH or ANALYZE."""
    return format_tool_result(query(workspace, muql, limit=limit, offset=offset), offset=offset)


def mu_search(
    workspace: Workspace,
    words: Annotated[str, Meta(description="words or a name")],
    *,
    within: Within = "",
    limit: Limit = 15,
) -> str:
    """Find nodes by words. Begin here when the question names no node."""
    return format_tool_result(search(workspace, words, scope=Scope(within), limit=limit))


def mu_grep(
    workspace: Workspace,
    pattern: Annotated[str, Meta(description="a regular expression (RE2)")],
    *,
    kind: Literal["", "code", "string", "comment", "prose"] = "",
    limit: Limit = _ROWS,
    offset: Offset = 0,
) -> str:
    """Find text that has no definition (event names, keys, messages), and what it stands in."""
    kinds = (TextKind(kind),) if kind else ()
    found = grep(workspace, pattern, kinds=kinds, limit=limit, offset=offset)
    return format_tool_result(found, offset=offset)


def mu_context(
    workspace: Workspace,
    question: Annotated[str, Meta(description="the question, in its own words")],
    *,
    max_tokens: Annotated[int, Meta(ge=200, le=RESULT_TOKENS)] = RESULT_TOKENS,
) -> str:
    """Gather the source and signatures that answer a question about how something works."""
    found = context(workspace, question, tokens=max_tokens)
    return "\n".join([*(f"note: {note}" for note in found.notes), found.text])


def mu_deps(
    workspace: Workspace,
    node: Node,
    *,
    direction: Literal["outgoing", "incoming"] = "outgoing",
    depth: Annotated[int, Meta(ge=1)] = 1,
    limit: Limit = _ROWS,
    offset: Offset = 0,
) -> str:
    """List what a node uses (outgoing) or what uses it (incoming), by imports, calls and bases."""
    ask = deps if direction == "outgoing" else dependents
    found = ask(workspace, node, depth=depth, limit=limit, offset=offset)
    return format_tool_result(found, offset=offset) if depth == 1 else format_deps_tree(found)


def mu_impact(
    workspace: Workspace,
    node: Node,
    *,
    within: Within = "",
    limit: Limit = _ROWS,
    offset: Offset = 0,
) -> str:
    """List all that a change of a node may break, directly or through others, tests included."""
    found = impact(workspace, node, scope=Scope(within), limit=limit, offset=offset)
    return format_impact_summary(found, offset=offset)


def mu_ancestors(
    workspace: Workspace, node: Node, *, limit: Limit = _ROWS, offset: Offset = 0
) -> str:
    """List all that a node stands on, directly or through others."""
    found = ancestors(workspace, node, limit=limit, offset=offset)
    return format_tool_result(found, offset=offset)


def mu_cycles(workspace: Workspace, *, within: Within = "", limit: Limit = _ROWS) -> str:
    """List the cycles of imports, a shortest one for each strongly connected component."""
    return format_cycles_summary(cycles(workspace, within=within, limit=limit))


def mu_path(workspace: Workspace, start: Node, *, goal: Node) -> str:
    """Show a shortest chain of calls from `start` to `goal`, else of any dependencies."""
    found = path(workspace, start, goal=goal)
    if not found.answer.rows:
        found = path(workspace, start, goal=goal, kinds=DEPENDENCY_KINDS)
    return format_tool_result(found)


def mu_describe(workspace: Workspace, node: Node) -> str:
    """Tell what a node is: place, signature, docstring, what it uses and what uses it, counted."""
    return format_tool_result(describe(workspace, node))


def mu_read(
    workspace: Workspace,
    node: Annotated[str, Meta(description="as elsewhere, or path:line")],
    *,
    limit: Annotated[int, Meta(ge=1, le=400, description="lines at most")] = 80,
    offset: Offset = 0,
) -> str:
    """Read the source of a node, with line numbers. Only when its structure does not answer."""
    return format_tool_result(read(workspace, node, limit=limit, offset=offset))


def mu_workflow(
    workspace: Workspace,
    name: Annotated[str, Meta(description="its name; empty to list all")] = "",
    *,
    inputs: Annotated[
        dict[str, str | int | float | bool], Meta(description="values by name of input")
    ] = {},  # noqa: B006 - msgspec gives each call its own
) -> str:
    """Run a saved workflow, a recipe of queries for a whole task; without a name list them."""
    if name:
        return format_workflow(run_workflow(workspace, name, inputs=inputs))
    found = all_workflows(workspace.root).found
    return "\n".join(f"{usage(each)}: {each.description}" for each in found)


def analyze_codebase(
    workspace: Workspace,
    path: Annotated[str, Meta(description="a folder or file from the root; empty for all")] = "",
    *,
    focus: Annotated[str, Meta(description="words of what matters; it comes first")] = "",
    max_tokens: Annotated[int, Meta(ge=200, le=LARGEST_TOKENS)] = CODEBASE_TOKENS,
    detail: Literal["overview", "signatures", "source"] = "signatures",
    offset: Annotated[int, Meta(ge=0, description="files to leave out first")] = 0,
) -> str:
    """Learn a codebase, or a subdirectory of it, as it is now: call this first when the request is
    to change, add to or understand code, and not for a question about the product alone."""
    told = codebase.analyze_codebase(
        workspace, path, focus=focus, max_tokens=max_tokens, detail=Detail(detail), offset=offset
    )
    return "\n".join([told.text.rstrip("\n"), *(f"note: {note}" for note in told.notes)])


ToolFunction = Callable[..., str]  # type: ignore[explicit-any]  # tools differ in what they take

TOOLS: tuple[ToolFunction, ...] = (
    mu_query,
    mu_search,
    mu_grep,
    mu_context,
    mu_deps,
    mu_impact,
    mu_ancestors,
    mu_cycles,
    mu_path,
    mu_describe,
    mu_read,
    mu_workflow,
    analyze_codebase,
)
"""Every tool, in the order in which a model sees them."""


@dataclass(frozen=True, slots=True)
class _Tool:
    function: ToolFunction
    arguments: type[msgspec.Struct]
    spec: ToolSpec


class Toolbox:
    """Runs tools over one workspace."""

    def __init__(self, workspace: Workspace, tools: Sequence[ToolFunction] = TOOLS) -> None:
        self._workspace = workspace
        self._tools = {function.__name__: _described(function) for function in tools}

    @property
    def specs(self) -> tuple[ToolSpec, ...]:
        """What the model is told of each tool; the same bytes every time."""
        return tuple(tool.spec for tool in self._tools.values())

    def execute(self, call: ToolCall) -> ToolResult:
        """Run one call; an error is a result as well, with what to do."""
        try:
            content, is_error = self._run(call), False
        except MuError as error:
            if error.code is ExitCode.NO_NODE:
                error = with_staleness_hint(self._workspace.freshness, error)
            content, is_error = format_tool_result(error), True
        content = redact(truncate_response(content, _LIMITS.get(call.name, RESULT_TOKENS)))
        digest = blake2b(content.encode(), digest_size=8).hexdigest()
        return ToolResult(call.id, call.name, framed(content, call.name), is_error, digest)

    def execute_all(self, calls: Sequence[ToolCall]) -> tuple[ToolResult, ...]:
        """Run calls side by side; results are in the order of the calls."""
        if len(calls) < 2:
            return tuple(map(self.execute, calls))
        with ThreadPoolExecutor(max_workers=_WORKERS) as pool:
            return tuple(pool.map(self.execute, calls))

    def _run(self, call: ToolCall) -> str:
        tool = self._tools.get(call.name)
        if tool is None:
            raise MuError(f"no tool {call.name}", f"the tools are {', '.join(self._tools)}")
        try:
            given = msgspec.convert(call.arguments, tool.arguments, strict=False)
        except msgspec.ValidationError as error:
            raise MuError(f"{call.name}: {error}", _signature(tool)) from error
        values = {field: getattr(given, field) for field in tool.arguments.__struct_fields__}
        return tool.function(self._workspace, **values)


def framed(content: str, tool: str) -> str:
    """Put text of a repository between marks; marks within it are taken apart."""
    inside = content.replace("<repository_data", "< repository_data")
    inside = inside.replace("</repository_data", "< /repository_data")
    return f'<repository_data tool="{tool}">\n{inside}\n</repository_data>'


def _described(function: ToolFunction) -> _Tool:
    """Make the schema and the check of the arguments from a function's signature."""
    hints = typing.get_type_hints(function, include_extras=True)
    fields: list[tuple[str, object] | tuple[str, object, object]] = []
    for name, parameter in list(inspect.signature(function).parameters.items())[1:]:
        if parameter.default is inspect.Parameter.empty:
            fields.append((name, hints[name]))
        else:
            fields.append((name, hints[name], parameter.default))
    arguments = msgspec.defstruct(function.__name__, fields, forbid_unknown_fields=True)
    _, definitions = msgspec.json.schema_components([arguments])
    schema = dict(definitions[function.__name__])
    schema.pop("title", None)
    description = " ".join((inspect.getdoc(function) or "").split("\n\n")[0].split())
    return _Tool(function, arguments, ToolSpec(function.__name__, description, schema))


def _signature(tool: _Tool) -> str:
    properties = tool.spec.schema.get("properties")
    names = ", ".join(properties) if isinstance(properties, Mapping) else ""
    return f"the arguments are: {names}"
