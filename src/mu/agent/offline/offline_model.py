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
from mu.agent.offline.limited_listings import PLACE_CHECK, limits_told, unapplied
from mu.agent.offline.question_kinds import Kind, Question
from mu.agent.offline.question_recognition import read, recognise
from mu.agent.offline.tool_plans import Plan, is_by_word, plan, plan_check, plan_knots
from mu.agent.values import OFFLINE, Message, ToolCall, ToolResult, Usage
from mu.model.kinds import Verdict

_PRONOUNS = frozenset(("it", "that", "this", "them", "its", "they"))
_UNSURE = "This question needs a model. The context that one would be given:"
_SEVERAL = "(the name is ambiguous: {count} matches{left})"
_FIRST = ", the first {most} follow"
_MOST_MEANT = 4
_MOST_ENDS = 10
"""How many nodes are tried that a name could mean, of those between which a way is sought."""

_NOTHING = "(0 rows"
_READ_ON = re.compile(r"; more: offset=\d+\)$", re.MULTILINE)
_COULD_MEAN = re.compile(r"is ambiguous \((\d+) matches\)")
_UNKNOWN = re.compile(r"no node is called '([^']+)'")
_NEAREST = re.compile(r"did you mean '([^']+)'")
_QUOTED = re.compile(r"'([^']+)'")
_EXACT = re.compile(r"^(\([^()\n]*rows?), exact\)", re.MULTILINE)
_SHOWN_OF = re.compile(r"SHOW \w+ OF '([^']+)'")
_CLOSE = 0.8
"""How much alike the last parts of two names have to be, from 0 to 1, to take one for the other."""

_HISTORY = (
    "The graph holds the code as it is now, and not its history: `mu history NAME`, "
    "`mu blame NAME` and `mu diff` show what changed, when and by whom. Ask what depends on what "
    "is changed, or what that may break."
)
_NO_SUCH = "no node is called '"
_NO_NODE = "No node is called {name}{nearest}; this is what a search finds:"
_NO_PART = "The question names what is not in the graph: {told}."
_UNREAD = "Left unanswered, as it was not understood: {part}"
_NO_ROOM = "Left unanswered, as no more tools may be called; ask it by itself."
_UNSURE_OF_IT = (
    "Read as: {heading}\n(not sure of it;{other} `mu describe {name}` and `mu references {name}` "
    "show the rest)"
)
_OTHER_READING = " another reading is `{heading}`;"
_IN_FILE = "({path} was read as the file of {name}; ask `inside {path}` for what is there alone)"
_NOT_LIMITED = "(not applied: {limits}; so this is of more than was asked)"
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
_CHECKED = (Kind.METHODS, Kind.OVERRIDDEN)
"""Questions whose names are looked for by themselves where nothing is listed."""

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
        """Ask for tools after a question, and answer after their results.

        The questions of a text are answered one after the other.
        """
        place, text = _last_question(request.messages)
        earlier = request.messages[:place]
        later: Sequence[Message] = request.messages[place + 1 :]
        asked = read(text)
        answers: list[str] = []
        for question in asked.questions:
            step, later = _advanced(_resolved(question, earlier), text, later)
            if isinstance(step, str):
                answers.append(step)
            elif request.may_call:
                yield _calls(step)
                return
            else:
                answers.append(_NO_ROOM)
        answers += [_UNREAD.format(part=part) for part in asked.unread]
        yield from self._told("\n\n".join(answers), is_streamed=is_streamed)

    def _told(self, text: str, *, is_streamed: bool) -> Iterator[TextDelta | Reply]:
        if is_streamed:
            yield TextDelta(text)
        yield Reply(text, (), "end_turn", Usage(), self.name)

    def close(self) -> None:
        """Nothing is open."""


def _advanced(
    asked: Question | None, text: str, turns: Sequence[Message]
) -> tuple[Plan | str, Sequence[Message]]:
    """The next calls for a question or its answer, and the turns that are not of this question."""
    step: Plan | str = ""
    for used in range(0, len(turns) + 1, 2):
        step = _step(asked, text, turns[:used])
        if isinstance(step, str):
            return step, turns[used:]
    return step, ()


def _step(asked: Question | None, text: str, turns: Sequence[Message]) -> Plan | str:
    """The next calls for a question after those of its turns, or else its answer."""
    if asked is not None and asked.kind is Kind.HISTORY:
        return _HISTORY
    if asked is not None and asked.otherwise is not None and _is_unknown(turns[:2]):
        asked, turns = asked.otherwise, turns[2:]
    is_part = False
    if asked is not None and asked.phrases:
        if _is_unknown(turns[:2]):
            turns = turns[2:]  # so the first word of each is asked for
            is_part = True
        else:
            asked = replace(asked, names=asked.phrases)
    if not turns:
        return plan(asked, text)
    following: Plan = []
    if len(turns) == 2:
        results = [result for _, result in _told_apart(turns)]
        following = _knots(asked, results) or _checks(asked, results)
        if not following and _came_to_nothing(asked, results, is_part):
            return _second_plan(asked, text, _told_apart(turns))
    elif len(turns) == 4 and _is_ambiguous(turns[:2]):
        following = _checks(asked, [result for _, result in _told_apart(turns[2:])])
    return following or _answer(asked, turns)


def _is_ambiguous(turns: Sequence[Message]) -> bool:
    """Tell whether a call failed because the name is ambiguous."""
    results = [result for _, result in _told_apart(turns)]
    return any(result.is_error and _COULD_MEAN.search(result.content) for result in results)


def _checks(question: Question | None, results: Sequence[ToolResult]) -> Plan:
    """The calls that tell whether there is what a question names, where nothing was listed."""
    is_listed = any(result.is_error or not _is_empty(result) for result in results)
    return [] if question is None or is_listed else plan_check(question)


def _is_unknown(turns: Sequence[Message]) -> bool:
    """Tell whether a call failed because no node has the name."""
    results = [result for message in turns for result in message.tool_results or ()]
    return any(result.is_error and _NO_SUCH in result.content for result in results)


def _knots(question: Question | None, results: Sequence[ToolResult]) -> Plan:
    """The calls for what is in import cycles; none where that was shown, or not asked for."""
    if question is None or question.kind is not Kind.CYCLES or len(results) > 1:
        return []
    return plan_knots(_inside(results[0].content))


def _came_to_nothing(
    question: Question | None, results: Sequence[ToolResult], is_part: bool
) -> bool:
    """Tell whether all calls failed, or listed nothing for a word that may not be from the code.

    `is_part` says that the name is the first word of those that could be one.
    """
    if all(result.is_error for result in results):
        return True
    filled = [result for result in results if not result.is_error and not _is_empty(result)]
    if not filled and any(result.is_error and _NO_SUCH in result.content for result in results):
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
        if f"'{name}' is ambiguous" in told:
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
    if question is not None and (missing := _missing(question, pairs)):
        return missing
    if question is not None:
        told = [pair for pair in told if not _is_check(pair[0], question)]
    has_failed = len(told) < len(pairs)
    if question is None:
        heading = _UNSURE
    elif told[-1][0].name == "mu_search":
        heading = _no_node(question, pairs) if has_failed else _NONE_LISTED
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
        return _doubted(question, f"{heading}\n{_inside(told[0][1].content)}")
    parts = [f"{_asked(call)}{_inside(result.content)}" for call, result in told]
    return _doubted(question, "\n\n".join([heading + several, *parts]))


def _doubted(question: Question | None, answer: str) -> str:
    """The answer, which is not an exact one where it may not be of what was asked."""
    if question is None:
        return answer
    is_doubtful = (
        bool(unapplied(question))
        or question.is_unsure
        or is_by_word(question)
        or (question.kind is Kind.CYCLES and bool(question.beyond))
    )
    return _EXACT.sub(rf"\1, {Verdict.UNKNOWN})", answer) if is_doubtful else answer


def _no_node(question: Question | None, pairs: Sequence[tuple[ToolCall, ToolResult]]) -> str:
    """Say of what name there is no node, and which names are near it."""
    for _, result in pairs:
        told = _inside(result.content) if result.is_error else ""
        if unknown := _UNKNOWN.search(told):
            near = " or ".join(_QUOTED.findall(told.partition("did you mean ")[2]))
            nearest = f" (near it: {near})" if near else ""
            name = question.phrases[0] if question and question.phrases else unknown[1]
            return _NO_NODE.format(name=name, nearest=nearest)
    return _NO_NODE.format(name="that", nearest="")


def _missing(question: Question, pairs: Sequence[tuple[ToolCall, ToolResult]]) -> str:
    """Say what a question names and is not there, where checks were made; empty where it is."""
    if question.kind is Kind.MEMBERS and pairs[-1][1].is_error and _NO_SUCH in pairs[-1][1].content:
        return _told(pairs[-1][1])
    told = [
        _told(result) if result.is_error else f"nothing lies in {place}"
        for call, result in pairs
        if _is_check(call, question) and (result.is_error or _is_empty(result))
        for place in [question.scope or question.beyond]
    ]
    return _NO_PART.format(told="; ".join(dict.fromkeys(told))) if told else ""


def _is_check(call: ToolCall, question: Question) -> bool:
    """Tell whether a call is one that `plan_check` plans."""
    if call.name == "mu_describe":
        return question.kind in _CHECKED
    return str(call.arguments.get("muql", "")).startswith(PLACE_CHECK)


def _several(pairs: Sequence[tuple[ToolCall, ToolResult]]) -> str:
    """Say of a name that fits several nodes how many these are."""
    for _, result in pairs:
        found = _COULD_MEAN.search(result.content) if result.is_error else None
        if found:
            left = _FIRST.format(most=_MOST_MEANT) if int(found[1]) > _MOST_MEANT else ""
            return f" {_SEVERAL.format(count=found[1], left=left)}"
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
    elif limits := limits_told(question):
        heading = f"{heading.removesuffix(':')}{limits}:"
    pattern = heading
    for place, name in zip(("{a}", "{b}"), question.names, strict=False):
        heading = heading.replace(place, name)
    aside = ", ".join(question.left_aside)
    heading = f"{heading} ({aside} in the question is left aside)" if aside else heading
    if question.is_unsure:
        name = (question.names or question.left_aside)[0]
        other = _other_reading(question, pattern)
        heading = _UNSURE_OF_IT.format(heading=heading, name=name, other=other)
    if question.defined_in:
        name = question.names[0].rpartition(":")[2]
        heading = f"{heading}\n{_IN_FILE.format(path=question.defined_in, name=name)}"
    left = ", ".join(unapplied(question))
    return f"{heading}\n{_NOT_LIMITED.format(limits=left)}" if left else heading


def _other_reading(question: Question, pattern: str) -> str:
    """Offer to ask the same of a name that was left aside, where the question is of one name."""
    if len(question.names) != 1 or "{b}" in pattern or not question.left_aside:
        return ""
    heading = pattern.replace("{a}", question.left_aside[0]).rstrip(":")
    return _OTHER_READING.format(heading=heading[:1].lower() + heading[1:])


def _told_apart(turns: Sequence[Message]) -> list[tuple[ToolCall, ToolResult]]:
    """Each call with its result."""
    calls = [call for message in turns for call in message.tool_calls or ()]
    results = [result for message in turns for result in message.tool_results or ()]
    return list(zip(calls, results, strict=True))


def _asked(call: ToolCall) -> str:
    """What a part of an answer is about; a query without a name in it says so by its columns."""
    texts = [str(value) for value in call.arguments.values()]
    if texts and (node := _SHOWN_OF.match(texts[0])):
        return f"[{node[1]}]\n"
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
    inside = framed[framed.index("<repository_data") :]  # a word of the loop may stand before it
    return _READ_ON.sub(")", inside.split("\n", 1)[1].rsplit("\n", 1)[0])


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
