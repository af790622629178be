"""The agent: a conversation about one repository, and direct questions that need no model."""

import time
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from mu import config as settings
from mu.agent.answer_cache import AnswerCache
from mu.agent.grounding import ground
from mu.agent.loop import Event, Loop, Outcome
from mu.agent.memory import ConversationMemory
from mu.agent.model import Model, Request
from mu.agent.model_choice import choose_model
from mu.agent.prices import load_prices
from mu.agent.prompt import summarise, summary_text, system_prompt
from mu.agent.toolbox import Toolbox
from mu.agent.values import (
    OFFLINE,
    AgentConfig,
    AgentResponse,
    Json,
    Message,
    ToolCall,
    ToolResult,
    Usage,
)
from mu.context.codebase import Detail
from mu.errors import ExitCode, MuError
from mu.model.closing import Closing
from mu.operations.architecture import cycles
from mu.operations.navigation import dependencies
from mu.operations.packing.codebase import DEFAULT_TOKENS, analyze_codebase
from mu.operations.packing.context import Context, context
from mu.operations.packing.pack import Codebase
from mu.operations.queries.query import query
from mu.operations.results import NodeRows, Rows
from mu.operations.workspace import GRAPH_NAME, Workspace
from mu.render.redaction import redact

LONGEST_QUESTION = 20_000
"""Characters of a question at most."""

_EXAMPLE = 'this works: mu agent ask "what handles auth?"'
_MEND = "These do not exist in the graph: {names}. Answer again without them, or look them up."


class MUAgent(Closing):
    """Answers questions about one repository; a context manager that closes the graph.

    `client` is what answers, chosen by the configuration when it is None; `workspace` is where the
    graph is, found from `config.mubase_path` when it is None. Raises MuError when there is no
    dependencies, and NoKeyError when a model is asked for by name and there is no key. `usage` and
    `cost_usd` add up all questions, those that were stopped too.
    """

    def __init__(
        self,
        config: AgentConfig | None = None,
        client: Model | None = None,
        *,
        workspace: Workspace | None = None,
    ) -> None:
        self.config = config or AgentConfig()
        self.workspace = workspace or _find_workspace(self.config.mubase_path)
        self.memory = ConversationMemory()
        self.usage = Usage()
        self.cost_usd: float | None = 0.0
        self._model = client or choose_model(self.config, key=settings.api_key())
        self._is_own_model = client is None
        self._toolbox = Toolbox(self.workspace)
        prices = load_prices(datetime.now(UTC).date(), user_folder=settings.user_folder())
        self._loop = Loop(
            self._model, self._toolbox, config=self.config, prices=prices, system=system_prompt()
        )
        folder = self.config.cache_folder
        is_kept = folder is not None and self._model.provider != OFFLINE
        self._cache = AnswerCache(folder, system_prompt()) if folder and is_kept else None
        self._last = AgentResponse("")
        self._summed_up: list[str] = []

    @property
    def provider(self) -> str:
        """The name of what answers, such as `anthropic` or `offline`."""
        return self._model.provider

    def ask(self, question: str) -> AgentResponse:
        """Answer a question; what goes wrong with the model is the answer's `error`.

        Raises MuError (usage) for an empty or overlong question.
        """
        outcome = Outcome()
        for _ in self._run(question, outcome, is_streamed=False):
            pass
        return self._last

    def stream(self, question: str) -> Iterator[Event | AgentResponse]:
        """Give pieces of the answer and the tools that are called as they come; the answer last."""
        yield from self._run(question, Outcome(), is_streamed=True)
        yield self._last

    def preview(self, question: str) -> Request:
        """Give the first request that a question would send."""
        said = self.memory
        memory = ConversationMemory(
            list(said.messages), graph_summary=self._summary(), earlier=list(said.earlier)
        )
        memory.add_user_message(redact(_checked(question)))
        return self._loop.request(memory)

    @property
    def model(self) -> str:
        """The id of the model that answers; `none` without one."""
        return self._model.name

    def execute_tool(self, call: ToolCall) -> ToolResult:
        """Run a tool as the model would; an error is a result as well."""
        return self._toolbox.execute(call)

    def get_tools(self) -> list[dict[str, Json]]:
        """Give the tools as a model sees them: name, description, input_schema."""
        return [
            {"name": tool.name, "description": tool.description, "input_schema": tool.schema}
            for tool in self._toolbox.specs
        ]

    def reset(self) -> None:
        """Begin a new conversation."""
        self.memory.clear()
        self._summed_up = []

    def query(self, muql: str) -> Rows:
        """Run one MUQL statement, without a model."""
        return query(self.workspace, muql)

    def context(self, question: str, max_tokens: int = 4000) -> Context:
        """Gather what to read for a question, within a number of tokens, without a model."""
        return context(self.workspace, question, tokens=max_tokens)

    def deps(self, node: str, direction: str = "outgoing") -> NodeRows:
        """List what a node uses, or what uses it (`incoming`), without a model."""
        if direction not in {"outgoing", "incoming"}:
            raise MuError(
                f"no direction {direction}", "there are outgoing and incoming", ExitCode.USAGE
            )
        ask = dependencies.deps if direction == "outgoing" else dependencies.dependents
        return ask(self.workspace, node)

    def impact(self, node: str) -> NodeRows:
        """List what a change of a node may break, without a model."""
        return dependencies.impact(self.workspace, node)

    def ancestors(self, node: str) -> NodeRows:
        """List all that a node stands on, without a model."""
        return dependencies.ancestors(self.workspace, node)

    def cycles(self) -> Rows:
        """List the cycles of imports, without a model."""
        return cycles.cycles(self.workspace)

    def analyze_codebase(
        self,
        path: str = "",
        *,
        focus: str = "",
        max_tokens: int = DEFAULT_TOKENS,
        detail: str = "signatures",
    ) -> Codebase:
        """Summarise the repository or a part of it as it is now, without a model.

        `detail` is `overview`, `signatures` or `source`.
        """
        if detail not in set(Detail):
            known = ", ".join(Detail)
            raise MuError(f"no detail {detail}", f"there are {known}", ExitCode.USAGE)
        return analyze_codebase(
            self.workspace, path, focus=focus, max_tokens=max_tokens, detail=Detail(detail)
        )

    def close(self) -> None:
        """Close the graph and the connection to the model; a client that was passed in stays."""
        self.workspace.close()
        if self._is_own_model:
            self._model.close()

    def _run(self, question: str, outcome: Outcome, *, is_streamed: bool) -> Iterator[Event]:
        started = time.monotonic()
        asked = redact(_checked(question))
        self._summary()
        self.memory.add_user_message(asked)
        if self.memory.earlier != self._summed_up:
            self._summed_up = list(self.memory.earlier)
            outcome.notes.append("the oldest turns of the conversation are only summarised now")
        kept = self._kept(asked)
        if kept is not None:
            self.memory.add_assistant_message(kept.content)
            self._last = self._aged(kept)
            return
        try:
            yield from self._answer(outcome, asked, is_streamed=is_streamed)
        finally:
            self._close_turn(outcome)
            self.usage = self.usage.plus(outcome.usage)
            is_known = self.cost_usd is not None and outcome.cost is not None
            self.cost_usd = (self.cost_usd or 0.0) + (outcome.cost or 0.0) if is_known else None
        self._last = replace(self._aged(self._last), elapsed_s=time.monotonic() - started)

    def _aged(self, response: AgentResponse) -> AgentResponse:
        """Give the response with what changed since the graph was built."""
        return replace(response, notes=(*self.workspace.freshness.notes, *response.notes))

    def _answer(self, outcome: Outcome, asked: str, *, is_streamed: bool) -> Iterator[Event]:
        """Have the model answer, and check what it says."""
        is_first = len(self.memory.messages) == 1
        names = [tool.name for tool in self._toolbox.specs]
        yield from self._loop.run(self.memory, outcome, is_streamed=is_streamed)
        grounded = ground(outcome.text, self.workspace, allowed=names)
        if grounded.unverified and self.config.is_strict and outcome.error is None:
            self.memory.add_user_message(_MEND.format(names=", ".join(grounded.unverified)))
            outcome.text = ""
            yield from self._loop.run(self.memory, outcome, is_streamed=is_streamed)
            grounded = ground(outcome.text, self.workspace, allowed=names)
        if self.provider == OFFLINE:  # it quotes the repository and claims nothing of its own
            grounded = replace(grounded, text=outcome.text, unverified=())
        error = outcome.error
        self._last = AgentResponse(
            content=grounded.text,
            tool_calls_made=len(outcome.ran),
            tokens_used=outcome.usage.total,
            model=outcome.model or self._model.name,
            error=None if error is None else _one_line(error),
            cost_usd=outcome.cost,
            iterations=outcome.iterations,
            citations=grounded.citations,
            unverified=grounded.unverified,
            usage=outcome.usage,
            provider=self._model.provider,
            question=asked,
            graph_digest=self.workspace.graph.meta().get("digest", ""),
            notes=tuple(outcome.notes),
            tool_log=tuple(outcome.ran),
        )
        if self._cache is not None and is_first and self._last.success and not grounded.unverified:
            self._cache.keep(self._last, model=self._model.name)

    def _kept(self, question: str) -> AgentResponse | None:
        """A kept answer to the first question of a conversation, when it still holds."""
        if self._cache is None or len(self.memory.messages) != 1:
            return None
        return self._cache.find(question, model=self._model.name, run=self._toolbox.execute)

    def _summary(self) -> str:
        """The summary of the dependencies, made once and kept for the session."""
        if self.memory.graph_summary is None:
            self.memory.graph_summary = summary_text(summarise(self.workspace))
        return self.memory.graph_summary

    def _close_turn(self, outcome: Outcome) -> None:
        """Leave the conversation so that another question can follow, whatever ended this one."""
        messages = self.memory.messages
        if messages and messages[-1].role == "user":
            said = "" if outcome.error is None else outcome.error.message
            messages.append(Message("assistant", f"[no answer: {said or 'stopped'}]"))


def _find_workspace(path: Path | None) -> Workspace:
    start = path or Path()
    return Workspace.find(start.parent if start.name == GRAPH_NAME else start)


def _checked(question: str) -> str:
    text = question.strip()
    if not text:
        raise MuError("the question is empty", _EXAMPLE, ExitCode.USAGE)
    if len(text) > LONGEST_QUESTION:
        raise MuError(
            f"a question of {len(text):,} characters; at most {LONGEST_QUESTION:,} are taken",
            code=ExitCode.USAGE,
        )
    return text


def _one_line(error: MuError) -> str:
    return f"{error.message}; {error.hint}" if error.hint else error.message
