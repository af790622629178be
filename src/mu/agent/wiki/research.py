"""Rounds of a model that reads a wiki for a task, until it hands over what it found."""

from dataclasses import dataclass, field

from mu.agent.errors import AgentError, CutShortError, RefusedError
from mu.agent.model import Model, Reply, Request
from mu.agent.prices import Prices
from mu.agent.values import Message, Ran, Record, ToolCall, ToolResult, Usage
from mu.agent.wiki.overview import InitialContext
from mu.agent.wiki.tools import CODEBASE, FINALIZE, Finalized, WikiTools, draft_of, refused

OUTPUT_TOKENS = 4_000
"""Of one request at most."""

MOST_TOKENS = 25_000
"""Of all requests together, without what the server had in its cache."""

_CHARACTERS_A_TOKEN = 4  # of prose, as an estimate of what the next request will count
_MOST_FALLBACK = 10
_LAST = f"This is the last turn: call {FINALIZE} now, with what you know."
_GO_ON = f"Nobody reads what you write beside calls: call a tool, or {FINALIZE} to end."
_NO_ROOM = f"no more can be read within the budget of tokens: call {FINALIZE}"
_SECTIONS = (
    ("Summary", "summary"),
    ("Relevant pages", "relevant_pages"),
    ("Key components", "key_components"),
    ("Key concepts", "key_concepts"),
    ("Implementation guidance", "implementation_guidance"),
    ("Related files", "related_files"),
)


@dataclass(frozen=True, slots=True)
class WikiContext(Record):
    """What a task needs of a wiki.

    Where `finalized` is False it is the best that there was when the rounds or tokens came to their
    limit, or the model failed (`error`). `characters_read` counts the initial context and all that
    tools gave, of `wiki_characters`; `tool_log` holds the calls in order; `cost_usd` is None where
    the price of the model is not known.
    """

    task: str
    summary: str = ""
    relevant_pages: tuple[str, ...] = ()
    key_components: tuple[str, ...] = ()
    key_concepts: tuple[str, ...] = ()
    implementation_guidance: str = ""
    related_files: tuple[str, ...] = ()
    finalized: bool = False
    iterations: int = 0
    tool_log: tuple[Ran, ...] = ()
    pages_read: tuple[str, ...] = ()
    characters_read: int = 0
    wiki_characters: int = 0
    usage: Usage = field(default_factory=Usage)
    cost_usd: float | None = 0.0
    model: str = ""
    error: str | None = None

    def to_text(self) -> str:
        """Write the six parts as sections, without those that are empty."""
        parts = []
        for heading, name in _SECTIONS:
            value = getattr(self, name)
            body = value if isinstance(value, str) else "\n".join(f"- {each}" for each in value)
            if body.strip():
                parts.append(f"## {heading}\n\n{body.strip()}\n")
        return "\n".join(parts)


class Research:
    """One task: the conversation, and what has come of it so far."""

    def __init__(
        self, model: Model, tools: WikiTools, *, prices: Prices, system: str, shown: InitialContext
    ) -> None:
        self._model = model
        self._tools = tools
        self._prices = prices
        self._system = system
        self._shown = shown
        self._messages: list[Message] = []
        self._log: list[Ran] = []
        self._read: dict[str, None] = {}
        self._known: set[str] = set()
        self._characters = shown.characters
        self._usage = Usage()
        self._cost: float | None = 0.0
        self._iterations = 0
        self._said = ""
        self._draft: Finalized | None = None
        self._final: Finalized | None = None
        self._pending = len(system)
        self._error: AgentError | None = None

    def run(self, prompt: str, *, most: int) -> None:
        """Go on for a number of rounds; a model that fails ends it, with what there is."""
        self._ask(prompt)
        try:
            while self._final is None and self._iterations < most:
                self._iterations += 1
                is_last = self._iterations == most or self._spent() >= MOST_TOKENS - OUTPUT_TOKENS
                if is_last and self._iterations > 1:
                    self._urge()
                self._take(self._send(), is_last=is_last)
                if is_last:
                    break
        except AgentError as error:
            self._error = error

    def result(self, task: str) -> WikiContext:
        """Give what came of it: what was handed over, else the best so far."""
        best = self._final or self._draft
        named = self._tools.known(best.relevant_pages) if best else ()
        fallback = tuple(dict.fromkeys([*self._read, *self._shown.pages]))[:_MOST_FALLBACK]
        error = self._error
        return WikiContext(
            task=task,
            summary=best.summary if best else self._said,
            relevant_pages=named or fallback,
            key_components=tuple(best.key_components) if best else (),
            key_concepts=tuple(best.key_concepts) if best else (),
            implementation_guidance=best.implementation_guidance if best else "",
            related_files=tuple(best.related_files) if best else (),
            finalized=self._final is not None,
            iterations=self._iterations,
            tool_log=tuple(self._log),
            pages_read=tuple(self._read),
            characters_read=self._characters,
            wiki_characters=self._shown.wiki_characters,
            usage=self._usage,
            cost_usd=self._cost,
            model=self._model.name,
            error=None if error is None else f"{error.message}; {error.hint}".rstrip("; "),
        )

    def _send(self) -> Reply:
        request = Request(
            system=self._system,
            summary="",
            messages=tuple(self._messages),
            tools=self._tools.specs,
            max_tokens=OUTPUT_TOKENS,
        )
        replies = self._model.send(request, is_streamed=False)
        reply = next((part for part in replies if isinstance(part, Reply)), None)
        if reply is None:
            raise CutShortError("the model gave no answer", "ask again")
        self._pending = 0
        self._usage = self._usage.plus(reply.usage)
        cost = self._prices.cost(self._model.name, reply.usage) if reply.usage.total else 0.0
        self._cost = None if cost is None or self._cost is None else self._cost + cost
        if reply.stop == "refusal":
            raise RefusedError(f"the model declined {reply.detail}".rstrip(), "word it otherwise")
        return reply

    def _take(self, reply: Reply, *, is_last: bool) -> None:
        """Add a reply to the conversation, and the results of all its calls in one turn."""
        self._said = reply.text.strip() or self._said
        calls = extract_tool_uses(reply)
        if not reply.blocks and not reply.text and not calls:
            raise CutShortError("the model gave an empty answer", "ask again")
        self._messages.append(
            Message("assistant", reply.text, tool_calls=calls or None, blocks=reply.blocks)
        )
        if not calls:
            self._ask(_GO_ON)
            return
        results = tuple([self._answer(call, reply, is_last=is_last) for call in calls])
        self._messages.append(Message("user", "", tool_results=results))

    def _answer(self, call: ToolCall, reply: Reply, *, is_last: bool) -> ToolResult:
        """Run a call or refuse it, and count what that gives."""
        result = self._run(call, reply, is_last=is_last)
        self._log.append(Ran(call.name, call.arguments, result.digest, result.is_error))
        if call.name != CODEBASE:
            self._characters += len(result.content)
        self._pending += len(result.content)
        return result

    def _run(self, call: ToolCall, reply: Reply, *, is_last: bool) -> ToolResult:
        if reply.stop == "max_tokens":
            return refused(call, "the call was cut off: call again, with less text")
        if is_last and call.name != FINALIZE:
            return refused(call, "no more tools can be called")
        key = f"{call.name} {sorted(call.arguments.items(), key=lambda pair: pair[0])!r}"
        if key in self._known and call.name != FINALIZE:
            return refused(call, "you have called this before: use what it gave")
        done = self._tools.run(call)
        if call.name == FINALIZE:
            self._draft = draft_of(call) or self._draft
        elif self._has_no_room(done.result.content):
            return refused(call, _NO_ROOM)
        self._known.add(key)
        if done.path:
            self._read[done.path] = None
        self._final = self._final or done.finalized
        return done.result

    def _has_no_room(self, content: str) -> bool:
        tokens = self._spent() + len(content) // _CHARACTERS_A_TOKEN
        return tokens > MOST_TOKENS - OUTPUT_TOKENS

    def _spent(self) -> int:
        """Tokens used and those about to be sent, about."""
        used = self._usage.input + self._usage.cache_write + self._usage.output
        return used + self._pending // _CHARACTERS_A_TOKEN

    def _ask(self, text: str) -> None:
        self._messages.append(Message("user", text))
        self._pending += len(text)

    def _urge(self) -> None:
        """Say in the turn that goes out next that it is the last one."""
        turn = self._messages[-1]
        text = f"{turn.content}\n{_LAST}" if turn.content else _LAST
        self._messages[-1] = Message("user", text, tool_results=turn.tool_results)


def extract_tool_uses(reply: Reply) -> tuple[ToolCall, ...]:
    """Give the calls that a reply asks for, in order."""
    return tuple(reply.calls)
