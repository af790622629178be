"""Answers without a model: a recognised question becomes calls of the same tools.

It is a `Model` like any other, so the loop, its checks and its surfaces are shared. A question
about a name that no node has is answered by a search, and one that nothing recognises by the
context that a model would be given; both say so.
"""

import re
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
_SUBKINDS = frozenset(
    ("interface", "struct", "enum", "trait", "type", "property", "constant", "package", "component")
)
_LAST = re.compile(r"[\w$]+")
_UNSURE = (
    "Nothing recognises this question without a model; this is the context that one would be given:"
)
_CONTEXT_TOKENS = 1000
_OVERVIEW_TOKENS = 1000
_ROWS = 100
_SEVERAL = "(the name could mean any of {count} nodes)"
_MOST_MEANT = 4
_NO_SUCH = "no node is called '"
_NO_NODE = "No node is called that; this is what a search finds:"
_NO_CALL = "Nothing is known to call {name}; what depends on it:"
_BY_WORD = frozenset((Kind.LISTING, Kind.MAIN, Kind.ENTRIES, Kind.RETURNING, Kind.TAKING))
"""What is looked for by words of the text: that nothing is found says little."""
_NONE_LISTED = "Nothing is known by that word; this is what a search finds:"


class OfflineModel:
    """Plans the calls for a question, and writes what they gave as the answer."""

    name = "none"
    provider = "offline"

    def send(self, request: Request, *, is_streamed: bool) -> Iterator[TextDelta | Reply]:
        """Ask for tools after a question, and answer after their results."""
        place, question = _last_question(request.messages)
        later = request.messages[place + 1 :]
        asked = _resolved(recognise(question), request.messages[:place])
        if asked is not None and asked.phrases:
            if _is_unknown(later[:2]):
                later = later[2:]  # so the first word of each is asked for
            else:
                asked = replace(asked, names=asked.phrases)
        results = [result for message in later for result in message.tool_results or ()]
        if not results:
            yield _calls(_plan(asked, question))
            return
        if request.may_call and len(later) < 4 and _came_to_nothing(asked, results):
            yield _calls(_second_plan(asked, question, _told_apart(later)))
            return
        text = _answer(asked, later)
        if is_streamed:
            yield TextDelta(text)
        yield Reply(text, (), "end_turn", Usage(), self.name)

    def close(self) -> None:
        """Nothing is open."""


def _is_unknown(turns: Sequence[Message]) -> bool:
    """Whether a call failed because no node is called so."""
    results = [result for message in turns for result in message.tool_results or ()]
    return any(result.is_error and _NO_SUCH in result.content for result in results)


def _came_to_nothing(question: Question | None, results: Sequence[ToolResult]) -> bool:
    """Whether the calls all failed, or listed nothing by a word that may be none of the code's."""
    if all(result.is_error for result in results):
        return True
    is_listing = question is not None and question.kind in (*_BY_WORD, Kind.CALLERS)
    return is_listing and all(_inside(result.content).find("(0 rows") >= 0 for result in results)


def _resolved(question: Question | None, earlier: Sequence[Message]) -> Question | None:
    """The question with what its pronouns stand for in their place."""
    if question is None or not _PRONOUNS.intersection(map(str.lower, question.names)):
        return question
    subject = _subject(earlier)
    named = [subject if name.lower() in _PRONOUNS and subject else name for name in question.names]
    return replace(question, names=tuple(named))


def _plan(question: Question | None, text: str) -> Plan:
    """The calls that answer a question."""
    if question is None or question.kind is Kind.HANDLES:
        return [("mu_context", {"question": text, "max_tokens": _CONTEXT_TOKENS})]
    names = question.names
    if question.muql:
        first = _quoted(names[0]) if names else ""
        last = _quoted(_LAST.findall(names[0])[-1]) if names and _LAST.search(names[0]) else "''"
        filled = [m.replace("{a}", first).replace("{name}", last) for m in question.muql]
        return [("mu_query", {"muql": muql}) for muql in filled]
    return _PLANNERS[question.kind](names) or [("mu_search", {"words": text})]


def _second_plan(
    asked: Question | None, text: str, failed: Sequence[tuple[ToolCall, ToolResult]]
) -> Plan:
    """The calls after names that fit no node, or several: those for each, else a search."""
    if asked is None or not asked.names:
        return [("mu_search", {"words": text})]
    if asked.kind is Kind.CALLERS and not any(result.is_error for _, result in failed):
        return _PLANNERS[Kind.DEPENDENTS](asked.names)
    meant = [_meant(name, failed) for name in asked.names]
    if not all(meant) or not any(result.is_error for _, result in failed):
        return [("mu_search", {"words": " ".join(asked.phrases or asked.names)})]
    chosen = list(product(*meant))[:_MOST_MEANT]
    return [call for names in chosen for call in _plan(replace(asked, names=names), text)]


def _meant(name: str, failed: Sequence[tuple[ToolCall, ToolResult]]) -> list[str]:
    """The nodes that a name may mean, by what the calls were told; itself if that was not it."""
    for _, result in failed:
        told = _inside(result.content)
        if f"'{name}' could mean" in told:
            return ConversationMemory.extract_mentioned_nodes(told)[:_MOST_MEANT]
        if f"{_NO_SUCH}{name}'" in told:
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
    """What most edges lead to, of a sort when one is named; for files, those from other files."""
    sort = _RELATIONS.get(names[1].lower(), "") if len(names) > 1 else ""
    if sort in {"files", "modules"}:
        kind = " AND edge.kind = 'imports'" if names[0].lower() == "imported" else ""
        muql = (
            "SELECT far.path, count(DISTINCT near.path) AS files FROM edges AS edge"
            " JOIN nodes AS far ON far.id = edge.target JOIN nodes AS near ON near.id = edge.source"
            f" WHERE edge.kind <> 'contains'{kind} AND far.path <> near.path"
            " GROUP BY ALL ORDER BY files DESC, far.path LIMIT 15"
        )
        return [("mu_query", {"muql": muql})]
    relation = {"called": "calls", "imported": "imports"}.get(names[0].lower(), "edges")
    kinds = "" if relation != "edges" else " AND edge.kind <> 'contains'"
    muql = (
        "SELECT far.id, far.kind, far.path, far.start_line AS line, count(*) AS times"
        f" FROM {relation} AS edge JOIN nodes AS far ON far.id = edge.target"
        f" WHERE far.kind <> 'external'{kinds}{_of_sort(sort)}"
        " GROUP BY ALL ORDER BY times DESC LIMIT 15"
    )
    return [("mu_query", {"muql": muql})]


def _of_sort(relation: str) -> str:
    is_known = relation in {"classes", "functions", "methods"}
    return f" AND far.id IN (SELECT id FROM {relation})" if is_known else ""


def _listed(names: Sequence[str]) -> Plan:
    """All of a sort; for a word such as `models`, the classes that are or extend one so called."""
    words = names[0].lower().split()
    relation = _RELATIONS.get(words[-1])
    if relation and len(words) == 1:
        columns = "path, lines" if relation == "files" else "id, kind, path, start_line AS line"
        where = "" if "WHERE" in relation or relation == "files" else " WHERE NOT is_test"
        return [("mu_query", {"muql": f"SELECT {columns} FROM {relation}{where} LIMIT 200"})]
    word = (words[-2] if relation else words[-1]).removesuffix("s")
    if len(words) == 1 and word in _SUBKINDS:
        columns = "id, kind, path, start_line AS line"
        where = f"WHERE subkind = '{word}' ORDER BY is_test, path, line"
        return [("mu_query", {"muql": f"SELECT {columns} FROM nodes {where} LIMIT 200"})]
    like = _quoted(f"%{word}%")
    muql = (
        "SELECT DISTINCT near.id, near.kind, near.path, near.start_line AS line"
        " FROM classes AS near LEFT JOIN inherits AS edge ON edge.source = near.id"
        f" WHERE NOT near.is_test AND (near.name ILIKE {like}"
        f" OR edge.target_name ILIKE {like} OR near.path ILIKE {like})"
        " ORDER BY near.path, line LIMIT 100"
    )
    return [("mu_query", {"muql": muql})]


def _known(names: Sequence[str]) -> Plan:
    """What is known of a name, and what uses it."""
    return [
        ("mu_describe", {"node": names[0]}),
        ("mu_deps", {"node": names[0], "direction": "incoming"}),
    ]


_PLANNERS: dict[Kind, Callable[[Sequence[str]], Plan]] = {
    Kind.IMPACT: _tool("mu_impact"),
    Kind.ANCESTORS: _tool("mu_ancestors"),
    Kind.DEPENDENCIES: _tool("mu_deps", limit=_ROWS),
    Kind.DEPENDENTS: _tool("mu_deps", direction="incoming", limit=_ROWS),
    Kind.WHY: _between,
    Kind.PATH: _between,
    Kind.CYCLES: lambda _: [("mu_cycles", {})],
    Kind.CODEBASE: lambda _: [
        ("analyze_codebase", {"detail": "overview", "max_tokens": _OVERVIEW_TOKENS})
    ],
    Kind.LARGEST: _largest,
    Kind.MOST_USED: _most_used,
    Kind.COUNT: _counted,
    Kind.LISTING: _listed,
    Kind.WHERE: _tool("mu_describe"),
    Kind.DESCRIPTION: _tool("mu_describe"),
    Kind.NAMED: _known,
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
    elif told[-1][0].name == "mu_search" and pairs[0][0].name != "mu_search":
        heading = _NO_NODE if has_failed else _NONE_LISTED
        told = told[-1:]
    elif question.kind is Kind.CALLERS and told[-1][0].name == "mu_deps":
        heading, told = _NO_CALL.format(name=question.names[0]), told[-1:]
    else:
        heading = _headed(question)
    if len(told) == 1:
        return f"{heading}\n{_inside(told[0][1].content)}"
    several = f" {_SEVERAL.format(count=len(told))}" if has_failed else ""
    parts = [f"{_asked(call)}{_inside(result.content)}" for call, result in told]
    return "\n\n".join([heading + several, *parts])


def _headed(question: Question) -> str:
    heading = question.heading
    for place, name in zip(("{a}", "{b}"), question.names, strict=False):
        heading = heading.replace(place, name)
    aside = ", ".join(question.left_aside)
    return f"{heading} ({aside} in the question is left aside)" if aside else heading


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
