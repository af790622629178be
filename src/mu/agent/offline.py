"""Answers without a model: a recognised question becomes calls of the same tools.

It is a `Model` like any other, so the loop, its checks and its surfaces are shared. A question
about a name that no node has is answered by a search, and one that nothing recognises by the
context that a model would be given; both say so.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import product

import msgspec

from mu.agent.memory import ConversationMemory
from mu.agent.model import Reply, Request, TextDelta
from mu.agent.questions import Kind, Question, recognise
from mu.agent.values import Json, Message, ToolCall, ToolResult, Usage

Arguments = dict[str, Json]
Plan = list[tuple[str, Arguments]]

_PRONOUNS = frozenset(("it", "that", "this", "them", "its", "they"))
_RELATIONS = {
    "class": "classes",
    "classes": "classes",
    "function": "functions",
    "functions": "functions",
    "method": "methods",
    "methods": "methods",
    "module": "modules",
    "modules": "modules",
    "file": "files",
    "files": "files",
    "edge": "edges",
    "edges": "edges",
    "node": "nodes",
    "nodes": "nodes",
    "variables": "variables",
    "tests": "functions WHERE is_test",
    "calls": "calls",
    "imports": "imports",
}
_UNSURE = (
    "Nothing recognises this question without a model; this is the context that one would be given:"
)
_CONTEXT_TOKENS = 1000
_SEVERAL = "(the name could mean any of {count} nodes)"
_MOST_MEANT = 4
_NO_NODE = "No node is called that; this is what a search finds:"


class OfflineModel:
    """Plans the calls for a question, and writes what they gave as the answer."""

    name = "none"
    provider = "offline"

    def send(self, request: Request, *, is_streamed: bool) -> Iterator[TextDelta | Reply]:
        """Ask for tools after a question, and answer after their results."""
        place, question = _last_question(request.messages)
        later = request.messages[place + 1 :]
        results = [result for message in later for result in message.tool_results or ()]
        asked = recognise(question)
        subject = _subject(request.messages[:place])
        if not results:
            yield _calls(_plan(asked, question, subject))
            return
        if all(result.is_error for result in results) and request.may_call and len(later) < 4:
            yield _calls(_second_plan(asked, question, _told_apart(later)))
            return
        text = _answer(asked, later)
        if is_streamed:
            yield TextDelta(text)
        yield Reply(text, (), "end_turn", Usage(), self.name)


def _plan(question: Question | None, text: str, subject: str) -> Plan:
    """The calls that answer a question; `subject` is what a pronoun in it stands for."""
    if question is None or question.kind is Kind.HANDLES:
        return [("mu_context", {"question": text, "max_tokens": _CONTEXT_TOKENS})]
    names = [subject if name.lower() in _PRONOUNS and subject else name for name in question.names]
    if question.muql:
        first = _quoted(names[0]) if names else ""
        return [("mu_query", {"muql": muql.replace("{a}", first)}) for muql in question.muql]
    return _PLANNERS[question.kind](names) or [("mu_search", {"words": text})]


def _second_plan(
    asked: Question | None, text: str, failed: Sequence[tuple[ToolCall, ToolResult]]
) -> Plan:
    """The calls after names that fit no node, or several: those for each, else a search."""
    if asked is None or not asked.names:
        return [("mu_search", {"words": text})]
    meant = [_meant(name, failed) for name in asked.names]
    if not all(meant):
        return [("mu_search", {"words": " ".join(asked.names)})]
    chosen = list(product(*meant))[:_MOST_MEANT]
    return [call for names in chosen for call in _plan(replace(asked, names=names), text, "")]


def _meant(name: str, failed: Sequence[tuple[ToolCall, ToolResult]]) -> list[str]:
    """The nodes that a name may mean, by what the calls were told; itself if that was not it."""
    for _, result in failed:
        told = _inside(result.content)
        if f"'{name}' could mean" in told:
            return ConversationMemory.extract_mentioned_nodes(told)[:_MOST_MEANT]
        if f"no node is called '{name}'" in told:
            return []
    return [name]


def _tool(name: str, **more: Json) -> Callable[[Sequence[str]], Plan]:
    return lambda names: [(name, {"node": names[0], **more})]


def _between(names: Sequence[str]) -> Plan:
    if len(names) < 2:
        return []
    first, second = names[:2]
    return [
        ("mu_path", {"start": first, "goal": second}),
        ("mu_path", {"start": second, "goal": first}),
    ]


def _counted(names: Sequence[str]) -> Plan:
    relation = _RELATIONS.get(names[0].lower())
    return [("mu_query", {"muql": f"SELECT count(*) FROM {relation}"})] if relation else []


def _largest(names: Sequence[str]) -> Plan:
    relation = _RELATIONS.get(names[0].lower(), "")
    if relation in {"files", "modules"}:
        muql = "SELECT path, lines FROM files ORDER BY lines DESC LIMIT 15"
    elif relation in {"classes", "functions", "methods"}:
        columns = "id, kind, path, start_line AS line, lines"
        muql = f"SELECT {columns} FROM {relation} ORDER BY lines DESC LIMIT 15"
    else:
        return []
    return [("mu_query", {"muql": muql})]


def _most_used(names: Sequence[str]) -> Plan:
    relation = {"called": "calls", "imported": "imports"}.get(names[0].lower(), "edges")
    kinds = "" if relation != "edges" else " AND edge.kind <> 'contains'"
    muql = (
        "SELECT far.id, far.kind, far.path, far.start_line AS line, count(*) AS times"
        f" FROM {relation} AS edge JOIN nodes AS far ON far.id = edge.target"
        f" WHERE far.kind <> 'external'{kinds} GROUP BY ALL ORDER BY times DESC LIMIT 15"
    )
    return [("mu_query", {"muql": muql})]


def _listed(names: Sequence[str]) -> Plan:
    """All of a sort; for a word such as `models`, the classes that are or extend one so called."""
    words = names[0].lower().split()
    relation = _RELATIONS.get(words[-1])
    if relation and len(words) == 1:
        columns = "path, lines" if relation == "files" else "id, kind, path, start_line AS line"
        where = "" if "WHERE" in relation or relation == "files" else " WHERE NOT is_test"
        return [("mu_query", {"muql": f"SELECT {columns} FROM {relation}{where} LIMIT 200"})]
    word = (words[-2] if relation else words[-1]).removesuffix("s")
    like = _quoted(f"%{word}%")
    muql = (
        "SELECT DISTINCT near.id, near.kind, near.path, near.start_line AS line"
        " FROM classes AS near LEFT JOIN inherits AS edge ON edge.source = near.id"
        f" WHERE NOT near.is_test AND (near.name ILIKE {like}"
        f" OR edge.target_name ILIKE {like} OR near.path ILIKE {like})"
        " ORDER BY near.path, line LIMIT 100"
    )
    return [("mu_query", {"muql": muql})]


_PLANNERS: dict[Kind, Callable[[Sequence[str]], Plan]] = {
    Kind.IMPACT: _tool("mu_impact"),
    Kind.ANCESTORS: _tool("mu_ancestors"),
    Kind.DEPENDENCIES: _tool("mu_deps"),
    Kind.DEPENDENTS: _tool("mu_deps", direction="incoming"),
    Kind.WHY: _between,
    Kind.PATH: _between,
    Kind.CYCLES: lambda _: [("mu_cycles", {})],
    Kind.LARGEST: _largest,
    Kind.MOST_USED: _most_used,
    Kind.COUNT: _counted,
    Kind.LISTING: _listed,
    Kind.WHERE: _tool("mu_describe"),
    Kind.DESCRIPTION: _tool("mu_describe"),
}
"""How the questions are answered that their own MUQL does not answer."""


def _answer(question: Question | None, turns: Sequence[Message]) -> str:
    """Write what the last calls gave under their heading; what stood in for it is said to."""
    pairs = _told_apart(turns)
    told = [(call, result) for call, result in pairs if not result.is_error]
    if not told:
        return "\n".join(dict.fromkeys(_told(result) for _, result in pairs))
    has_failed = len(told) < len(pairs)
    if question is None:
        heading = _UNSURE
    elif has_failed and told[-1][0].name == "mu_search":
        heading = _NO_NODE
    else:
        heading = question.heading
    if len(told) == 1:
        return f"{heading}\n{_inside(told[0][1].content)}"
    several = f" {_SEVERAL.format(count=len(told))}" if has_failed else ""
    parts = [f"{_asked(call)}{_inside(result.content)}" for call, result in told]
    return "\n\n".join([heading + several, *parts])


def _told_apart(turns: Sequence[Message]) -> list[tuple[ToolCall, ToolResult]]:
    """Each call with its result."""
    calls = [call for message in turns for call in message.tool_calls or ()]
    results = [result for message in turns for result in message.tool_results or ()]
    return list(zip(calls, results, strict=True))


def _asked(call: ToolCall) -> str:
    """What a part of an answer is about; a query without a name in it says so by its columns."""
    texts = [str(value) for value in call.arguments.values()]
    return "" if texts[0].lstrip().startswith("SELECT") else f"[{', '.join(texts)}]\n"


def _told(result: ToolResult) -> str:
    told = msgspec.json.decode(_inside(result.content), type=dict[str, str])
    return ": ".join(told.values())


def _inside(framed: str) -> str:
    """Take the marks around a tool's text off."""
    return framed.split("\n", 1)[1].rsplit("\n", 1)[0]


def _calls(plan: Plan) -> Reply:
    calls = tuple(
        ToolCall(f"{name}_{place}", name, arguments) for place, (name, arguments) in enumerate(plan)
    )
    return Reply("", calls, "tool_use", Usage(), OfflineModel.name)


def _last_question(messages: Sequence[Message]) -> tuple[int, str]:
    for place in range(len(messages) - 1, -1, -1):
        message = messages[place]
        if message.role == "user" and not message.tool_results:
            return place, message.content
    return 0, ""


def _subject(earlier: Sequence[Message]) -> str:
    """What the conversation was about last: what a question named, else a node in an answer."""
    for message in reversed(earlier):
        asked = None if message.role != "user" or message.tool_results else message.content
        question = recognise(asked) if asked else None
        named = (
            [name for name in question.names if name.lower() not in _PRONOUNS] if question else []
        )
        if named:
            return named[0]
        for result in message.tool_results or ():
            found = ConversationMemory.extract_mentioned_nodes(result.content)
            if found:
                return found[0]
    return ""


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"
