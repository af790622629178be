"""What typical questions cost: transcripts of a model over real results of the tools.

    python -m benchmarks.transcripts FOLDER

FOLDER has a graph of django. A model's turns are written down here, the tools' results are real.
Tokens are characters / 3, which is on the dear side for names and paths; the fixed text and the
tools are written to the cache by the first question and read from it after that. MU's own time is
that of the processor from before the graph is opened; the model's library is not in it.
"""

import datetime
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path

import msgspec

from mu.agent import AgentConfig, MUAgent, ToolCall, Usage
from mu.agent.model import Reply, Request, TextDelta
from mu.agent.prices import load_prices
from mu.agent.values import DEFAULT_MODEL, Json
from mu.operations.workspace import Workspace

_CHARACTERS_A_TOKEN = 3
Turn = tuple[tuple[str, dict[str, Json]], ...]

TRANSCRIPTS: dict[str, tuple[Turn, ...]] = {
    "what handles authentication?": (
        (("mu_search", {"words": "authenticate login backend"}),),
        (("mu_deps", {"node": "django.contrib.auth.authenticate", "direction": "incoming"}),),
    ),
    "what would break if I changed Signer.unsign?": (
        (("mu_impact", {"node": "Signer.unsign", "limit": 25}),),
    ),
    "how do requests reach the view?": (
        (
            ("mu_search", {"words": "BaseHandler get_response resolve_request"}),
            ("mu_query", {"muql": "SHOW callees OF BaseHandler._get_response"}),
        ),
    ),
    "which classes extend ModelBackend, and what do they override?": (
        (
            ("mu_query", {"muql": "SHOW subclasses OF ModelBackend"}),
            ("mu_query", {"muql": "SHOW children OF ModelBackend"}),
        ),
    ),
    "who calls get_random_string, and is it tested?": (
        (
            ("mu_deps", {"node": "get_random_string", "direction": "incoming"}),
            ("mu_query", {"muql": "SHOW tests OF get_random_string"}),
        ),
    ),
}  # fmt: skip
_ANSWER = "`# authenticate django/contrib/auth/__init__.py:81` does it. " * 8


@dataclass
class _Scripted:
    """Plays the turns of a transcript, and notes what each request holds."""

    turns: list[Turn]
    name: str = DEFAULT_MODEL
    provider: str = "anthropic"
    prompts: list[tuple[int, int]] = field(default_factory=list)

    def send(self, request: Request, *, is_streamed: bool = False) -> Iterator[TextDelta | Reply]:
        """Note the tokens of the fixed part and of the rest, and play the next turn."""
        del is_streamed
        fixed = len(request.system) + len(msgspec.json.encode(request.tools))
        rest = len(request.summary)
        rest += len(msgspec.json.encode([message.to_dict() for message in request.messages]))
        self.prompts.append((fixed // _CHARACTERS_A_TOKEN, rest // _CHARACTERS_A_TOKEN))
        if not self.turns:
            yield Reply(_ANSWER, (), "end_turn", Usage(), self.name)
            return
        calls = tuple(
            ToolCall(f"call_{place}", name, arguments)
            for place, (name, arguments) in enumerate(self.turns.pop(0))
        )
        yield Reply("", calls, "tool_use", Usage(), self.name)


def main(arguments: Sequence[str]) -> None:
    """Print a row for each question."""
    prices = load_prices(datetime.datetime.now(datetime.UTC).date())
    print("uncached tokens | cold $ | warm $ | own processor seconds | question")
    for question, turns in TRANSCRIPTS.items():
        model = _Scripted(list(turns))
        started = time.process_time()
        with MUAgent(AgentConfig(), model, workspace=Workspace.find(Path(arguments[0]))) as agent:
            response = agent.ask(question)
        seconds = time.process_time() - started
        assert response.success, response.error
        assert not any(ran.is_error for ran in response.tool_calls_made), response.tool_calls_made
        cold, warm = (_usage(model.prompts, is_cold=is_cold) for is_cold in (True, False))
        dollars = [prices.cost(DEFAULT_MODEL, usage) for usage in (cold, warm)]
        uncached = warm.input + warm.output + warm.cache_write
        print(f"{uncached:,} | {dollars[0]:.5f} | {dollars[1]:.5f} | {seconds:.2f} | {question}")


def _usage(prompts: Sequence[tuple[int, int]], *, is_cold: bool) -> Usage:
    """The tokens of a transcript: each request reads from the cache what the one before sent."""
    fixed, first = prompts[0]
    written = first + (fixed if is_cold else 0)
    read = 0 if is_cold else fixed
    for before, after in pairwise(prompts):
        read += sum(before)
        written += after[1] - before[1]
    output = (len(_ANSWER) + 120 * len(prompts)) // _CHARACTERS_A_TOKEN
    return Usage(0, output, written, read)


if __name__ == "__main__":
    main(sys.argv[1:])
