"""A question, tool calls and their results, and an answer: the loop around a model.

The conversation only grows; nothing in it is changed once it was sent. In the last round the model
has to answer without a tool. What ends a round in another way (cut off, declined, too long) is
handled here or becomes the error of the answer.
"""

from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass, field, replace

import msgspec

from mu.agent.errors import (
    AgentError,
    BudgetError,
    CutShortError,
    NoAnswerError,
    RefusedError,
    TooLongError,
    UnknownModelError,
)
from mu.agent.memory import ConversationMemory
from mu.agent.model import Model, Reply, Request, TextDelta
from mu.agent.models.json_protocol import is_bare_call
from mu.agent.prices import Prices
from mu.agent.toolbox import Toolbox
from mu.agent.values import AgentConfig, Message, Ran, ToolCall, ToolResult, Usage

_CONTINUE = "You were cut off. Go on exactly where you stopped."
_ANSWER_NOW = "Answer now, with what you know; no more tools."
_NUDGE = "You have asked this before: the result is the same. Use it, or ask something else.\n"
_CALL_IT = "That is a tool call written as text. Call the tool itself, or answer in words."
_STANDS = "This is above already, and nothing in it has changed: use it, or read on from there."
_ONCE = frozenset(["analyze_codebase"])
"""Tools whose results are long, and stand in a conversation once."""

_OPENING = frozenset("{[`")
"""What a tool call written as text begins with."""

_EARLIER = "Earlier in this conversation, shortened:"
_MOST_CONTINUED = 2
_MOST_PAUSED = 3
_SUMMARY_CHARACTERS = 4_000


@dataclass(frozen=True, slots=True)
class ToolStarted:
    """A tool is about to run."""

    call: ToolCall


@dataclass(frozen=True, slots=True)
class ToolEnded:
    """A tool has run."""

    result: ToolResult


Event = TextDelta | ToolStarted | ToolEnded


@dataclass(slots=True)
class Outcome:
    """What a run came to, as far as it went; `error` says why it ended early."""

    text: str = ""
    usage: Usage = field(default_factory=Usage)
    cost: float | None = 0.0
    iterations: int = 0
    ran: list[Ran] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    model: str = ""
    error: AgentError | None = None


class Loop:
    """Answers one question after another over a conversation."""

    def __init__(
        self, model: Model, toolbox: Toolbox, *, config: AgentConfig, prices: Prices, system: str
    ) -> None:
        self._model = model
        self._toolbox = toolbox
        self._config = config
        self._prices = prices
        self._system = system

    def run(
        self, memory: ConversationMemory, outcome: Outcome, *, is_streamed: bool
    ) -> Iterator[Event]:
        """Answer the question that stands last in `memory`; what comes of it is in `outcome`.

        Both grow on the way: a caller that stops asking for events keeps what there is.
        """
        state = _State()
        try:
            while not state.is_done:
                yield from self._round(memory, outcome, state, is_streamed=is_streamed)
            if not outcome.text.strip():
                raise _no_answer(outcome, self._config.max_iterations)
        except UnknownModelError as error:
            outcome.error = self._dated(error)
        except AgentError as error:
            outcome.error = error

    def _dated(self, error: UnknownModelError) -> UnknownModelError:
        """The error, with the day since when the model is answered no more, if that is known."""
        day = self._prices.retired_on(self._model.name)
        told = error.message if day is None else f"{error.message} (retired on {day})"
        return UnknownModelError(told, error.hint)

    def _round(
        self, memory: ConversationMemory, outcome: Outcome, state: "_State", *, is_streamed: bool
    ) -> Iterator[Event]:
        """Send one request and do what its reply asks for."""
        outcome.iterations += 1
        state.is_last = outcome.iterations >= self._config.max_iterations
        request = self.request(memory, is_last=state.is_last)
        self._check_budget(request, outcome)
        try:
            reply = yield from self._send(request, state, is_streamed=is_streamed)
        except TooLongError:
            self._restart(memory, outcome, state)
            return
        self._count(reply, outcome)
        if reply.stop == "model_context_window_exceeded":
            self._restart(memory, outcome, state)
            return
        if reply.blocks or reply.text or reply.calls:
            memory.add_assistant_message(
                reply.text, tool_calls=reply.calls or None, blocks=reply.blocks
            )
        if reply.calls:
            yield from self._answer_calls(reply, memory, outcome, state)
        elif is_bare_call(reply.text, tools=[tool.name for tool in request.tools]):
            state.is_done = state.is_last
            memory.add_user_message(_CALL_IT)
        elif not state.continues(reply.stop):
            outcome.text += reply.text
            state.is_done = True
            _check_end(reply)
            if reply.detail:
                outcome.notes.append(reply.detail)
        else:
            outcome.text += reply.text
            if reply.stop == "max_tokens":
                memory.add_user_message(_CONTINUE)

    def request(self, memory: ConversationMemory, *, is_last: bool = False) -> Request:
        """Write what goes out next."""
        return Request(
            system=self._system,
            summary=_told_before(memory),
            messages=tuple(memory.messages),
            tools=self._toolbox.specs,
            max_tokens=self._config.max_tokens,
            may_call=not is_last,
        )

    def _send(
        self, request: Request, state: "_State", *, is_streamed: bool
    ) -> Generator[Event, None, Reply]:
        """Send a request and pass its text on: a paragraph of its own after a round with calls.

        Text that may be a tool call written as JSON is held back until it is known whether it is.
        """
        names = [tool.name for tool in request.tools]
        held = ""
        for part in self._model.send(request, is_streamed=is_streamed):
            if isinstance(part, Reply):
                if held and not is_bare_call(held, tools=names):
                    yield from state.shown(held)
                return part
            if held or part.text.lstrip()[:1] in _OPENING:
                held += part.text
            else:
                yield from state.shown(part.text)
        raise CutShortError("the model gave no answer", "ask again")

    def _answer_calls(
        self, reply: Reply, memory: ConversationMemory, outcome: Outcome, state: "_State"
    ) -> Iterator[Event]:
        """Run the tools that a reply asks for; in the last round, and cut off, none is run."""
        refusal = ""
        if state.is_last:
            refusal = "no more tools can be called"
        elif reply.stop == "max_tokens":
            refusal = "the call was cut off: call again, with less text before it"
        if refusal:
            results = tuple(_refused(call, refusal) for call in reply.calls)
        else:
            results = yield from self._run_tools(reply.calls, outcome, state)
            results = _each_once(results, memory.messages)
        is_next_last = outcome.iterations + 1 >= self._config.max_iterations
        memory.add_user_message(_ANSWER_NOW if is_next_last else "", tool_results=results)
        state.has_called = True
        if state.is_last:
            outcome.text += reply.text
            raise _no_answer(outcome, self._config.max_iterations)

    def _run_tools(
        self, calls: Sequence[ToolCall], outcome: Outcome, state: "_State"
    ) -> Generator[Event, None, tuple[ToolResult, ...]]:
        before = frozenset(state.known)
        fresh = {_key(call): call for call in calls if _key(call) not in before}
        for call in fresh.values():
            yield ToolStarted(call)
        results = self._toolbox.execute_all(tuple(fresh.values()))
        for (key, call), result in zip(fresh.items(), results, strict=True):
            state.known[key] = result
            outcome.ran.append(Ran(call.name, call.arguments, result.digest, result.is_error))
            yield ToolEnded(result)
        return tuple(_again(call, state.known[_key(call)], _key(call) in before) for call in calls)

    def _count(self, reply: Reply, outcome: Outcome) -> None:
        outcome.usage = outcome.usage.plus(reply.usage)
        outcome.model = reply.model or self._model.name
        is_free = not reply.usage.total
        cost = 0.0 if is_free else self._prices.cost(self._model.name, reply.usage)
        outcome.cost = None if cost is None or outcome.cost is None else outcome.cost + cost

    def _check_budget(self, request: Request, outcome: Outcome) -> None:
        """Raise BudgetError when the request, at its dearest, would cost more than is left."""
        budget = self._config.max_cost_usd
        if budget is None:
            return
        characters = len(msgspec.json.encode([m.to_dict() for m in request.messages]))
        characters += len(request.system) + len(request.summary) + len(str(request.tools))
        dearest = Usage(input=characters // 3, output=request.max_tokens)
        cost = self._prices.cost(self._model.name, dearest)
        if cost is None or outcome.cost is None:
            raise BudgetError(
                f"the price of {self._model.name} is not known, so no budget can be held",
                "leave the budget out, or name the price in your own prices.toml",
            )
        if outcome.cost + cost > budget:
            raise BudgetError(
                f"the next request could cost ${cost:.4f} and ${budget - outcome.cost:.4f} is left",
                "give a larger --budget, or a smaller --max-tokens",
            )

    def _restart(self, memory: ConversationMemory, outcome: Outcome, state: "_State") -> None:
        """Begin a new conversation with the question and the gist of what was found; once."""
        if state.has_restarted:
            raise TooLongError("the conversation is too long, even when begun anew", "ask for less")
        state.has_restarted = True
        question, found = _gist(memory.messages)
        memory.clear()
        memory.add_user_message(
            f"{question}\n\nFound so far, cut short:\n{found}" if found else question
        )
        outcome.notes.append("the conversation was too long and was begun anew")


def _told_before(memory: ConversationMemory) -> str:
    """The summary of the graph, and that of the turns which are no longer sent."""
    summary = memory.graph_summary or ""
    return "\n".join([summary, "", _EARLIER, *memory.earlier]) if memory.earlier else summary


@dataclass(slots=True)
class _State:
    """Where a run stands; `known` are the results of the calls made in it."""

    known: dict[bytes, ToolResult] = field(default_factory=dict)
    continued: int = 0
    paused: int = 0
    is_last: bool = False
    is_done: bool = False
    has_restarted: bool = False
    has_shown: bool = False
    has_called: bool = False

    def shown(self, text: str) -> Iterator[TextDelta]:
        """Pass text on; the first after calls of tools stands apart from what was said before."""
        if self.has_called and self.has_shown:
            yield TextDelta("\n\n")
        self.has_called = False
        self.has_shown = True
        yield TextDelta(text)

    def continues(self, stop: str) -> bool:
        """Tell whether a reply that stopped for this reason is continued."""
        if self.is_last:
            return False
        if stop == "pause_turn":
            self.paused += 1
            return self.paused <= _MOST_PAUSED
        if stop == "max_tokens":
            self.continued += 1
            return self.continued <= _MOST_CONTINUED
        return False


def _check_end(reply: Reply) -> None:
    """Raise the error that the end of an answer stands for, if it is one."""
    if reply.stop == "refusal":
        raise RefusedError(f"the model declined to answer {reply.detail}".rstrip(), "ask otherwise")
    if reply.stop == "max_tokens":
        raise CutShortError("the answer is longer than --max-tokens allows", "give a larger one")
    if not reply.stop:
        raise CutShortError("the connection ended in the middle of the answer", "ask again")


def _no_answer(outcome: Outcome, limit: int) -> NoAnswerError:
    """The error of a question that ended without an answer."""
    if outcome.iterations >= limit:
        rounds = "1 round" if limit == 1 else f"{limit} rounds"
        return NoAnswerError(f"no answer after {rounds}", "ask for less, or try another --model")
    return NoAnswerError("the model gave an empty answer", "ask again, or try another --model")


def _key(call: ToolCall) -> bytes:
    return msgspec.json.encode([call.name, call.arguments], order="deterministic")


def _again(call: ToolCall, result: ToolResult, was_known: bool) -> ToolResult:
    content = f"{_NUDGE}{result.content}" if was_known else result.content
    return replace(result, call_id=call.id, content=content)


def _each_once(
    results: Sequence[ToolResult], messages: Sequence[Message]
) -> tuple[ToolResult, ...]:
    """Leave the content of those out that stand in the conversation, or before them, already."""
    said = {each.digest for message in messages for each in message.tool_results or ()}
    told = []
    for result in results:
        is_there = result.name in _ONCE and not result.is_error and result.digest in said
        told.append(replace(result, content=_STANDS) if is_there else result)
        said.add(result.digest)
    return tuple(told)


def _refused(call: ToolCall, why: str) -> ToolResult:
    return ToolResult(call.id, call.name, msgspec.json.encode({"error": why}).decode(), True)


def _gist(messages: Sequence[Message]) -> tuple[str, str]:
    """Give the last question of a conversation, and the newest of what tools gave for it."""
    place, question = max(
        (place, message.content)
        for place, message in enumerate(messages)
        if message.role == "user" and not message.tool_results and message.content != _CONTINUE
    )
    found = [r.content for m in messages[place:] for r in m.tool_results or () if not r.is_error]
    return question, "\n".join(found)[-_SUMMARY_CHARACTERS:]
