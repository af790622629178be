"""The tools: questions over one workspace, each answered by a short text.

A tool takes the workspace first and its arguments by name. What it raises is a MuError, whose hint
names the next call to make.
"""

from typing import Annotated, Literal

from pydantic import Field

from mu.agent import AgentConfig, MUAgent
from mu.analysis.node_search.listing_scope import Scope
from mu.analysis.node_search.node_resolution import resolve_node
from mu.errors import MuError
from mu.model.kinds import DEPENDENCY_KINDS, EdgeKind, TextKind, Verdict
from mu.operations.answers.answer_text import DEFAULT_BUDGET, ROWS_A_PAGE, AnswerText, answer_text
from mu.operations.architecture import cycles
from mu.operations.architecture.dead_code import unused
from mu.operations.graph_file.build import status
from mu.operations.navigation import dependencies, members, search
from mu.operations.navigation.dependency_path import path
from mu.operations.navigation.grep import grep
from mu.operations.navigation.node_source import read
from mu.operations.packing.context import context
from mu.operations.queries.query import query
from mu.operations.results import NodeRows, Rows
from mu.operations.workspace import Workspace
from mu.render.redaction import redact
from mu.render.text import printable, printable_source

Node = Annotated[str, Field(description="name, Class.method, path:name, path:line, path or id")]
Within = Annotated[str, Field(description="only this folder or file")]
Tests = Annotated[bool, Field(description="include test code")]
Offset = Annotated[int, Field(ge=0)]
MaxChars = Annotated[int, Field(ge=200, le=100_000)]

_LONGEST_ANSWER = 20_000
_LEAST_ROOM = 400
"""Characters that each part of an answer of several may take."""


def mu_find(
    workspace: Workspace,
    words: Annotated[str, Field(description="a name or words")],
    *,
    within: Within = "",
    tests: Tests = True,
    offset: Offset = 0,
    max_chars: MaxChars = DEFAULT_BUDGET,
) -> AnswerText:
    """Find definitions by name or words; start here when you have no name."""
    found = search.search(
        workspace, words, scope=Scope(within, tests), limit=ROWS_A_PAGE, offset=offset
    )
    return answer_text(found, budget=max_chars, offset=offset)


def mu_grep(
    workspace: Workspace,
    pattern: Annotated[str, Field(description="regular expression (RE2)")],
    *,
    kind: Annotated[
        Literal["", "code", "string", "comment", "prose"], Field(description="where it matches")
    ] = "",
    within: Within = "",
    offset: Offset = 0,
    max_chars: MaxChars = DEFAULT_BUDGET,
) -> AnswerText:
    """Find text (event names, keys, messages), with the definition each line stands in."""
    kinds = (TextKind(kind),) if kind else ()
    scope = Scope(within)
    found = grep(workspace, pattern, kinds=kinds, scope=scope, limit=ROWS_A_PAGE, offset=offset)
    return answer_text(found, budget=max_chars, offset=offset)


def mu_callers(
    workspace: Workspace,
    node: Node,
    *,
    within: Within = "",
    tests: Tests = True,
    offset: Offset = 0,
    max_chars: MaxChars = DEFAULT_BUDGET,
) -> AnswerText:
    """List call sites of a function or class with the source line: the surest first, tests last."""
    found = dependencies.callers(
        workspace, node, scope=Scope(within, tests), limit=ROWS_A_PAGE, offset=offset
    )
    return answer_text(found, budget=max_chars, offset=offset)


def mu_callees(
    workspace: Workspace,
    node: Node,
    *,
    within: Within = "",
    offset: Offset = 0,
    max_chars: MaxChars = DEFAULT_BUDGET,
) -> AnswerText:
    """List what a function calls, and where; builtins left out."""
    scope = Scope(within, builtins=False)
    found = dependencies.callees(workspace, node, scope=scope, limit=ROWS_A_PAGE, offset=offset)
    return answer_text(found, budget=max_chars, offset=offset)


def mu_references(
    workspace: Workspace,
    node: Node,
    *,
    within: Within = "",
    tests: Tests = True,
    offset: Offset = 0,
    max_chars: MaxChars = DEFAULT_BUDGET,
) -> AnswerText:
    """List every mention of a definition, also in itself: calls, reads, types, documents."""
    scope = Scope(within, tests)
    found = members.references(workspace, node, scope=scope, limit=ROWS_A_PAGE, offset=offset)
    return answer_text(found, budget=max_chars, offset=offset)


def mu_impact(
    workspace: Workspace,
    node: Node,
    *,
    within: Within = "",
    tests: Tests = True,
    offset: Offset = 0,
    max_chars: MaxChars = DEFAULT_BUDGET,
) -> AnswerText:
    """List all that a change of a node may break, directly or transitively, nearest first."""
    found = dependencies.impact(
        workspace, node, scope=Scope(within, tests), limit=ROWS_A_PAGE, offset=offset
    )
    return answer_text(found, budget=max_chars, offset=offset)


def mu_path(
    workspace: Workspace,
    start: Node,
    *,
    goal: Node,
    edges: Annotated[
        Literal["calls", "all"], Field(description="calls alone, or imports, bases and uses too")
    ] = "calls",
) -> AnswerText:
    """Show a shortest chain of calls from one function to another, with each call site."""
    kinds = (EdgeKind.CALLS,) if edges == "calls" else DEPENDENCY_KINDS
    return answer_text(path(workspace, start, goal=goal, kinds=kinds))


def mu_hierarchy(
    workspace: Workspace,
    node: Node,
    *,
    within: Within = "",
    max_chars: MaxChars = DEFAULT_BUDGET,
) -> AnswerText:
    """Show bases and subclasses of a class, and which members override which."""
    scope = Scope(within)
    parts: list[tuple[str, Rows | NodeRows]] = []
    if resolve_node(workspace.graph, node).kind == "class":
        parts.append(("bases", members.bases(workspace, node, scope=scope, limit=ROWS_A_PAGE)))
        below = members.subclasses(workspace, node, scope=scope, limit=ROWS_A_PAGE)
        parts.append(("subclasses", below))
    overriding = members.overrides(workspace, node, scope=scope, limit=ROWS_A_PAGE)
    parts.append(("overrides", overriding))
    texts: list[tuple[str, AnswerText]] = []
    room = max_chars
    for place, (title, rows) in enumerate(parts, start=1):
        text = answer_text(rows, budget=max(room - _LEAST_ROOM * (len(parts) - place), _LEAST_ROOM))
        texts.append((title, text))
        room -= len(text.text) + len(title) + 2
    return _joined(texts)


def mu_structure(
    workspace: Workspace,
    what: Annotated[
        Literal["deps", "dependents", "members", "cycles", "unused"],
        Field(description="deps, dependents, members need node; cycles: import cycles"),
    ],
    *,
    node: Node = "",
    within: Within = "",
    offset: Offset = 0,
    max_chars: MaxChars = DEFAULT_BUDGET,
) -> AnswerText:
    """Dependencies of modules, members of classes and modules, import cycles, dead code."""
    if what in {"deps", "dependents", "members"} and not node:
        raise MuError(f"{what} needs a node", f'mu_structure(what="{what}", node="...")')
    scope = Scope(within)
    found: Rows | NodeRows
    if what == "deps":
        scope = Scope(within, builtins=False)
        found = dependencies.deps(workspace, node, scope=scope, limit=ROWS_A_PAGE, offset=offset)
    elif what == "dependents":
        found = dependencies.dependents(
            workspace, node, scope=scope, limit=ROWS_A_PAGE, offset=offset
        )
    elif what == "members":
        found = members.members(workspace, node, scope=scope, limit=ROWS_A_PAGE, offset=offset)
    elif what == "cycles":
        found = cycles.cycles(workspace, within=within, limit=ROWS_A_PAGE, offset=offset)
    else:
        found = unused(workspace, scope=within, limit=ROWS_A_PAGE, offset=offset)
    return answer_text(found, budget=max_chars, offset=offset)


def mu_tests(
    workspace: Workspace,
    node: Node,
    *,
    depth: Annotated[int, Field(ge=1, description="1: tests that use it directly")] = 1,
    within: Within = "",
    offset: Offset = 0,
    max_chars: MaxChars = DEFAULT_BUDGET,
) -> AnswerText:
    """List the tests that use a definition."""
    found = members.find_tests(
        workspace, node, depth=depth, within=within, limit=ROWS_A_PAGE, offset=offset
    )
    return answer_text(found, budget=max_chars, offset=offset)


def mu_read(
    workspace: Workspace,
    node: Annotated[str, Field(description="as elsewhere, or path:first-last")],
    *,
    offset: Annotated[int, Field(ge=0, description="lines to skip")] = 0,
    max_chars: MaxChars = 8_000,
) -> AnswerText:
    """Read the source of a definition, a file or a range of lines."""
    found = read(workspace, node, limit=5_000, offset=offset)
    width = len(str(found.lines[-1].number)) if found.lines else 1
    texts = [f"{line.number:>{width}}  {printable_source(line.text)}" for line in found.lines]
    source = redact("\n".join(texts)).split("\n")
    kept, room = 0, max_chars
    for text in source:
        room -= len(text) + 1
        if room < 0 and kept:
            break
        kept += 1
    end = offset + kept
    following = end if end < found.total else None
    more = f"; more: offset={following}" if following else ""
    text = "\n".join(
        [printable(found.node.path), *source[:kept], f"({kept} of {found.total} lines{more})"]
    )
    return _text(text, total=found.total, shown=kept, following=following)


def mu_context(
    workspace: Workspace,
    question: str,
    *,
    max_tokens: Annotated[int, Field(ge=200, le=50_000)] = 1_500,
) -> AnswerText:
    """Gather the source and signatures that answer how something works."""
    found = context(workspace, question, tokens=max_tokens)
    notes = [f"note: {printable(note)}" for note in found.notes]
    return _text("\n".join([found.text, *notes]), total=len(found.items), shown=len(found.items))


def mu_query(
    workspace: Workspace,
    muql: Annotated[str, Field(description='SELECT, SHOW, FIND, PATH, ANALYZE; "DESCRIBE" helps')],
    *,
    offset: Offset = 0,
    max_chars: MaxChars = DEFAULT_BUDGET,
) -> AnswerText:
    """Run one MUQL query: SQL over nodes, functions, classes, edges, sites, files, metrics."""
    found = query(workspace, muql, limit=ROWS_A_PAGE, offset=offset)
    return answer_text(found, budget=max_chars, offset=offset)


def mu_ask(
    workspace: Workspace,
    question: str,
) -> AnswerText:
    """Have MU's own agent answer a whole question; returns conclusion and citations only."""
    with MUAgent(AgentConfig(), workspace=Workspace(workspace.root)) as agent:
        answer = agent.ask(question)
        is_offline = agent.provider == "offline"
    if answer.error:
        raise MuError(answer.error, "ask with mu_find, mu_callers or mu_context instead")
    notes = ["note: answered without a model, by reading the question"] if is_offline else []
    notes += [f"not in the graph: {name}" for name in answer.unverified]
    text = "\n".join([answer.content[:_LONGEST_ANSWER], *map(printable, notes)])
    return _text(text, total=1, shown=1)


def mu_status(workspace: Workspace) -> AnswerText:
    """Say what the graph holds, how fresh it is, and what to do next."""
    found = status(workspace)
    changed = len(found.changed) + len(found.added) + len(found.removed)
    lines = [
        f"files: {found.files:,}; nodes: {found.nodes:,}; edges: {found.edges:,}; "
        f"references: {found.references:,}",
        f"files changed since the build: {changed:,}" if changed else "up to date",
    ]
    if found.is_partial:
        lines.append("partial: some files could not be read; `mu kernel audit` lists them")
    return _text("\n".join(lines), total=1, shown=1)


TOOLS = (
    mu_find,
    mu_grep,
    mu_callers,
    mu_callees,
    mu_references,
    mu_impact,
    mu_path,
    mu_hierarchy,
    mu_structure,
    mu_tests,
    mu_read,
    mu_context,
    mu_query,
    mu_ask,
    mu_status,
)
"""Every tool, in the order in which a client sees them."""


def _joined(texts: list[tuple[str, AnswerText]]) -> AnswerText:
    """Put several answers about one node below each other; the verdict is the weakest."""
    verdicts = [each.verdict for _, each in texts]
    order = (Verdict.UNKNOWN, Verdict.AT_LEAST, Verdict.EXACT)
    return AnswerText(
        "\n".join(_part(*each, is_first=not place) for place, each in enumerate(texts)),
        sum(each.total for _, each in texts),
        sum(each.shown for _, each in texts),
        next(verdict for verdict in order if verdict in verdicts),
        None,
    )


def _part(title: str, answer: AnswerText, *, is_first: bool) -> str:
    """Write one answer of several: the node is named by the first, and what is empty is short."""
    head, _, rest = answer.text.partition("\n")
    if not answer.total and answer.verdict is Verdict.EXACT:
        rest = "(none, exact)"
    return "\n".join([*([head] if is_first else []), f"{title}:", rest])


def _text(text: str, *, total: int, shown: int, following: int | None = None) -> AnswerText:
    return AnswerText(text, total, shown, Verdict.EXACT, following)
