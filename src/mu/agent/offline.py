"""Answers without a model: a recognised question becomes calls of the same tools.

It is a `Model` like any other, so the loop, its checks and its surfaces are shared. A question
about a name that no node has is answered for the one node that is called nearly so, or by a search,
and one that nothing recognises by the context that a model would be given; all of them say so.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from difflib import SequenceMatcher
from itertools import product

import msgspec

from mu.agent.memory import ConversationMemory
from mu.agent.model import Reply, Request, TextDelta
from mu.agent.plans import Plan, is_by_word, leaves_tests_out, plan, plan_knots
from mu.agent.questions import Kind, Question, recognise
from mu.agent.values import OFFLINE, Message, ToolCall, ToolResult, Usage

_PRONOUNS = frozenset(("it", "that", "this", "them", "its", "they"))
_UNSURE = (
    "Nothing recognises this question without a model; this is the context that one would be given:"
)
_SEVERAL = "(the name could mean any of {count} nodes)"
_MOST_MEANT = 4
_MOST_ENDS = 10
"""How many nodes are tried that a name could mean, of those between which a way is sought."""

_NOTHING = "(0 rows"
_READ_ON = re.compile(r"; more: offset=\d+\)$", re.MULTILINE)
_COULD_MEAN = re.compile(r"could mean any of (\d+) nodes")
_UNKNOWN = re.compile(r"no node is called '([^']+)'")
_NEAREST = re.compile(r"did you mean '([^']+)'")
_CLOSE = 0.8
"""How much alike the last parts of two names have to be, from 0 to 1, to take one for the other."""

_HISTORY = (
    "The graph holds the code as it is now, and not its history: `git log` and `git blame` tell "
    "what changed, when and by whom. Ask what depends on what is changed, or what that may break."
)
_NO_SUCH = "no node is called '"
_NO_NODE = "No node is called that; this is what a search finds:"
_PLAIN = re.compile("[a-z]+")
_NO_PLACE = "No node is called that; this is what to read:"
_NO_CALL = "Nothing is known to call {name}; what depends on it:"
_NO_MEMBER = "Nothing is known to be defined in {name}; what it takes in, and may pass on:"
_BY_WORD = frozenset(
    (
        *(Kind.LISTING, Kind.MAIN, Kind.ENTRIES, Kind.RETURNING, Kind.TAKING, Kind.TOPIC),
        *(
            Kind.COUNT,
            Kind.PUBLIC,
            Kind.CONSTRUCTORS,
            Kind.COMPLEX,
            Kind.LARGEST,
            Kind.FIELDS,
            Kind.MEMBERS,
        ),
    )
)
"""What is looked for by words of the text: that nothing is found says little."""
_SECOND = (*_BY_WORD, Kind.CALLERS, Kind.SUBCLASSES)
"""Questions of which another is asked where nothing is listed."""

_OVERRIDES = ("SHOW overrides OF {a}",)
_LIKE_WORD = "What is called like {a}, extends what is, or lies in it; it may not be all:"
_NONE_LISTED = "Nothing is known by that word; this is what a search finds:"


class OfflineModel:
    """Plans the calls for a question, and writes what they gave as the answer."""

    name = "none"
    provider = OFFLINE

    def send(self, request: Request, *, is_streamed: bool) -> Iterator[TextDelta | Reply]:
        """Ask for tools after a question, and answer after their results."""
        place, question = _last_question(request.messages)
        later = request.messages[place + 1 :]
        asked = _resolved(recognise(question), request.messages[:place])
        is_part = False
        if asked is not None and asked.phrases:
            if _is_unknown(later[:2]):
                later = later[2:]  # so the first word of each is asked for
                is_part = True
            else:
                asked = replace(asked, names=asked.phrases)
        results = [result for message in later for result in message.tool_results or ()]
        if asked is not None and asked.kind is Kind.HISTORY:
            yield from self._told(_HISTORY, is_streamed=is_streamed)
        elif not results:
            yield _calls(plan(asked, question))
        elif request.may_call and len(later) < 4 and (knots := _knots(asked, results)):
            yield _calls(knots)
        elif request.may_call and len(later) < 4 and _came_to_nothing(asked, results, is_part):
            yield _calls(_second_plan(asked, question, _told_apart(later)))
        else:
            yield from self._told(_answer(asked, later), is_streamed=is_streamed)

    def _told(self, text: str, *, is_streamed: bool) -> Iterator[TextDelta | Reply]:
        if is_streamed:
            yield TextDelta(text)
        yield Reply(text, (), "end_turn", Usage(), self.name)

    def close(self) -> None:
        """Nothing is open."""


def _is_unknown(turns: Sequence[Message]) -> bool:
    """Whether a call failed because no node is called so."""
    results = [result for message in turns for result in message.tool_results or ()]
    return any(result.is_error and _NO_SUCH in result.content for result in results)


def _knots(question: Question | None, results: Sequence[ToolResult]) -> Plan:
    """The calls for what is in knots of imports; none where that was told, or not asked for."""
    if question is None or question.kind is not Kind.CYCLES or len(results) > 1:
        return []
    return plan_knots(_inside(results[0].content))


def _came_to_nothing(
    question: Question | None, results: Sequence[ToolResult], is_part: bool
) -> bool:
    """Whether the calls all failed, or listed nothing by a word that may be none of the code's.

    `is_part` says that the name is the first word of those that could be one.
    """
    if all(result.is_error for result in results):
        return True
    is_listing = question is not None and (is_part or question.kind in _SECOND)
    return is_listing and all(result.is_error or _is_empty(result) for result in results)


def _is_empty(result: ToolResult) -> bool:
    return _NOTHING in result.content


def _resolved(question: Question | None, earlier: Sequence[Message]) -> Question | None:
    """The question with what its pronouns stand for in their place."""
    if question is None or not _PRONOUNS.intersection(map(str.lower, question.names)):
        return question
    subject = _subject(earlier)
    named = [subject if name.lower() in _PRONOUNS and subject else name for name in question.names]
    return replace(question, names=tuple(named))


def _second_plan(
    asked: Question | None, text: str, failed: Sequence[tuple[ToolCall, ToolResult]]
) -> Plan:
    """The calls after names that fit no node, or several: those for each, else a search."""
    if asked is None or not asked.names:
        return [("mu_search", {"words": text})]
    is_told = not any(result.is_error for _, result in failed)
    if asked.kind is Kind.CALLERS and is_told:
        return plan(replace(asked, kind=Kind.DEPENDENTS, muql=()), text)
    if asked.kind is Kind.SUBCLASSES and is_told and not asked.phrases:
        return plan(replace(asked, kind=Kind.OVERRIDES, muql=_OVERRIDES), text)
    if asked.kind is Kind.MEMBERS and is_told:
        return [("mu_deps", {"node": asked.names[0]})]
    most = _MOST_ENDS if asked.kind in (Kind.PATH, Kind.WHY) else _MOST_MEANT
    meant = [_meant(name, failed)[:most] for name in asked.names]
    if asked.kind is Kind.WHERE and not all(meant) and _PLAIN.fullmatch(asked.names[0]):
        return plan(None, text)
    if not all(meant) or is_told:
        return [("mu_search", {"words": " ".join(asked.phrases or asked.names)})]
    chosen = list(product(*meant))[:most]
    return [call for names in chosen for call in plan(replace(asked, names=names), text)]


def _meant(name: str, failed: Sequence[tuple[ToolCall, ToolResult]]) -> list[str]:
    """The nodes that a name may mean, by what the calls were told; itself if that was not it."""
    for _, result in failed:
        told = _inside(result.content)
        if f"'{name}' could mean" in told:
            return ConversationMemory.extract_mentioned_nodes(told)
        if f"{_NO_SUCH}{name}'" in told:
            return _nearly(name, told)
    return [name]


def _nearly(name: str, told: str) -> list[str]:
    """The one name that an error offers for another, if they are much alike."""
    offered = _NEAREST.search(told)
    if not offered:
        return []
    mine, other = (re.split(r"[./:]", each.lower())[-1] for each in (name, offered[1]))
    return [offered[1]] if SequenceMatcher(None, mine, other).ratio() >= _CLOSE else []


def _answer(question: Question | None, turns: Sequence[Message]) -> str:
    """Write what the last calls gave under their heading; what stood in for it is said to."""
    pairs = _told_apart(turns)
    told = [(call, result) for call, result in pairs if not result.is_error]
    if not told:
        return "\n".join(dict.fromkeys(_told(result) for _, result in pairs))
    has_failed = len(told) < len(pairs)
    if question is None:
        heading = _UNSURE
    elif told[-1][0].name == "mu_search":
        heading = _NO_NODE if has_failed else _NONE_LISTED
        told = told[-1:]
    elif told[-1][0].name == "mu_context" and pairs[0][0].name == "mu_describe":
        heading, told = _NO_PLACE, told[-1:]
    elif question.kind is Kind.CALLERS and told[-1][0].name == "mu_deps":
        heading, told = _NO_CALL.format(name=question.names[0]), told[-1:]
    elif question.kind is Kind.MEMBERS and told[-1][0].name == "mu_deps":
        heading, told = _NO_MEMBER.format(name=question.names[0]), told[-1:]
    else:
        heading = _headed(question) + _taken(pairs)
    several = _several(pairs) if has_failed else ""
    filled = [pair for pair in told if not _is_empty(pair[1])]
    is_way = question is not None and question.kind in (Kind.PATH, Kind.WHY)
    if filled and len(filled) < len(told) and (len(told) > 2 or not is_way):
        told = filled
    if len(told) == 1 and not several:
        return f"{heading}\n{_inside(told[0][1].content)}"
    parts = [f"{_asked(call)}{_inside(result.content)}" for call, result in told]
    return "\n\n".join([heading + several, *parts])


def _several(pairs: Sequence[tuple[ToolCall, ToolResult]]) -> str:
    """Say of a name that fits several nodes how many these are."""
    for _, result in pairs:
        found = _COULD_MEAN.search(result.content) if result.is_error else None
        if found:
            return f" {_SEVERAL.format(count=found[1])}"
    return ""


def _taken(pairs: Sequence[tuple[ToolCall, ToolResult]]) -> str:
    """Say of a name that no node has which one was taken for it."""
    for _, result in pairs:
        unknown = _UNKNOWN.search(_inside(result.content)) if result.is_error else None
        offered = _nearly(unknown[1], _inside(result.content)) if unknown else []
        if unknown and offered:
            return f" (no node is called {unknown[1]}: this is of {offered[0]})"
    return ""


def _headed(question: Question) -> str:
    heading = _LIKE_WORD if is_by_word(question) else question.heading
    if question.scope and is_by_word(question):
        heading = heading.replace("What is", f"What in {question.scope} is", 1)
    elif question.scope:
        heading = f"{heading.removesuffix(':')} in {question.scope}:"
    if leaves_tests_out(question):
        heading = f"{heading.removesuffix(':')} outside of tests:"
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
    return (
        ""
        if not texts or texts[0].lstrip().startswith(("SELECT", "WITH"))
        else f"[{', '.join(texts)}]\n"
    )


def _told(result: ToolResult) -> str:
    told = msgspec.json.decode(_inside(result.content), type=dict[str, str])
    return ": ".join(told.values())


def _inside(framed: str) -> str:
    """Take the marks around a tool's text off, and what only a caller of tools can do."""
    return _READ_ON.sub(")", framed.split("\n", 1)[1].rsplit("\n", 1)[0])


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
