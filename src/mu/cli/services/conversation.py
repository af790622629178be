"""A conversation with the agent, one line after the other."""

import gc
import sys
import time
from collections import deque
from pathlib import Path

import click

from mu.agent import AgentResponse, MUAgent
from mu.cli.error_report import report
from mu.cli.services.answer_display import show_answer, write_remarks
from mu.errors import ExitCode, MuError
from mu.muql.nearest import did_you_mean
from mu.render.redaction import redact
from mu.render.text import printable

PROMPT = "mu agent> "
COMMANDS = {
    "/help": "show this",
    "/reset": "begin a new conversation",
    "/model": "show which model answers",
    "/cost": "show tokens and cost so far",
    "/tools": "show the tools called for the last answer",
    "/quit": "leave, as does Ctrl-D",
}
"""What a line that begins with a slash may be."""

_MINUTE = 60.0


class Conversation:
    """The state of a conversation: the agent, its last answer, and when questions were asked."""

    def __init__(self, agent: MUAgent, *, rate: int) -> None:
        self._agent = agent
        self._rate = rate
        self._asked: deque[float] = deque(maxlen=rate)
        self._last = AgentResponse("")

    def handle(self, line: str) -> bool:
        """Do what a line asks for; False when it asks to leave.

        Whatever goes wrong is told and does not end the conversation.
        """
        text = line.strip()
        if not text:
            return True
        try:
            if text.startswith("/"):
                return self._command(text)
            self._ask(text)
        except KeyboardInterrupt:
            sys.stdout.write("[stopped]\n")
        except Exception as error:  # noqa: BLE001 - a conversation goes on
            sys.stdout.flush()
            report(error)
        return True

    def _command(self, text: str) -> bool:
        match text.split()[0].lower():
            case "/quit" | "/exit":
                return False
            case "/help":
                for command, meaning in COMMANDS.items():
                    click.echo(f"{command:<8}{meaning}")
            case "/reset":
                self._agent.reset()
                click.echo("a new conversation")
            case "/model":
                click.echo(f"{self._agent.model} ({self._agent.provider})")
            case "/cost":
                spent = self._agent.cost_usd
                cost = "unknown" if spent is None else f"${spent:.4f}"
                click.echo(f"{self._agent.usage.total:,} tokens, {cost}")
            case "/tools":
                for ran in self._last.tool_log:
                    click.echo(printable(f"{ran.name} {ran.arguments}"))
            case name:
                what = did_you_mean(f"no command is called {name}", name, among=list(COMMANDS))
                raise MuError(what, "/help lists the commands", ExitCode.USAGE)
        return True

    def _ask(self, question: str) -> None:
        self._hold_rate()
        self._last = show_answer(self._agent, question, show_tools=True)
        write_remarks(self._last)

    def _hold_rate(self) -> None:
        now = time.monotonic()
        if len(self._asked) == self._rate and now - self._asked[0] < _MINUTE:
            wait = _MINUTE - (now - self._asked[0])
            raise MuError(
                f"{self._rate} questions in a minute", f"wait {wait:.0f} s, or give a --rate"
            )
        self._asked.append(now)


def converse(conversation: Conversation, *, history: Path) -> None:
    """Read and answer lines until the conversation ends; `history` keeps them without secrets."""
    from prompt_toolkit import PromptSession
    from prompt_toolkit.completion import WordCompleter

    from mu.cli.queries.interactive_prompt import opened_history

    gc.enable()  # a conversation may be long; a command is not
    click.echo("ask in plain words; /help lists what else there is, Ctrl-D leaves")
    prompt: PromptSession[str] = PromptSession(
        PROMPT,
        history=opened_history(history, as_kept=redact),
        completer=WordCompleter(list(COMMANDS), sentence=True),
        complete_while_typing=False,
        enable_open_in_editor=False,
    )
    is_open = True
    while is_open:
        try:
            is_open = conversation.handle(prompt.prompt())
        except KeyboardInterrupt:
            continue
        except EOFError:
            return
