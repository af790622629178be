"""`mu agent`: questions in plain language."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, TypedDict, Unpack

import click

from mu import config
from mu.errors import ExitCode
from mu.render.text import printable

if TYPE_CHECKING:
    from mu.agent import AgentConfig, AgentResponse, MUAgent


class _Model(TypedDict):
    model: str | None
    provider: str
    base_url: str | None
    max_tokens: int
    budget: float | None
    timeout: float
    is_strict: bool
    no_cache: bool


class _Ask(_Model):
    question: tuple[str, ...]
    as_json: bool
    is_streamed: bool | None
    show_tools: bool
    is_dry: bool


class _Talk(_Model):
    rate: int


_MODEL = (
    click.Option(["--model"], help="The model's id."),
    click.Option(
        ["--provider"],
        type=click.Choice(["auto", "anthropic", "ollama", "openai", "offline"]),
        default="auto",
        show_default=True,
        help="What answers: auto is Claude if a key is set, else no model; openai is a server "
        "that speaks /v1/chat/completions.",
    ),
    click.Option(
        ["--base-url"], help="URL of the server; without --provider, one with the Messages API."
    ),
    click.Option(
        ["--max-tokens"],
        type=click.IntRange(16, 64_000),
        default=4096,
        show_default=True,
        help="Maximum number of output tokens of a request.",
    ),
    click.Option(
        ["--budget"],
        type=click.FloatRange(0, min_open=True),
        help="Maximum cost of a question, in US dollars.",
    ),
    click.Option(
        ["--timeout"],
        type=click.FloatRange(0, min_open=True),
        default=60.0,
        show_default=True,
        help="Maximum duration of a request, in seconds.",
    ),
    click.Option(
        ["--strict", "is_strict"],
        is_flag=True,
        help="Have the model correct names that are not in the graph.",
    ),
    click.Option(["--no-cache"], is_flag=True, help="Do not reuse earlier answers."),
)


@click.group("agent")
def command() -> None:
    """Ask about the repository in plain language.

    With a key in ANTHROPIC_API_KEY a small model answers by querying the graph; without one the
    usual structural questions are recognised and answered by the same queries.
    """


@command.command(
    params=[
        click.Argument(["question"], nargs=-1, required=True),
        *_MODEL,
        click.Option(["as_json", "--json"], is_flag=True, help="Write the answer as JSON."),
        click.Option(
            ["--stream/--no-stream", "is_streamed"],
            default=None,
            help="Write the answer as it comes; the default on a terminal.",
        ),
        click.Option(["--show-tools"], is_flag=True, help="Name the tools that are called."),
        click.Option(
            ["--dry-run", "is_dry"], is_flag=True, help="Show what would be sent, and send nothing."
        ),
    ]
)
@click.pass_obj
def ask(start: str | None, /, **given: Unpack[_Ask]) -> ExitCode:
    """Answer QUESTION; words without quotes are joined.

    The answer is on standard output; what it cost, and what in it is not in the graph, on standard
    error. The status is 1 when there is no whole answer.

    \b
    Example:
      mu agent ask "what handles auth?"
    """
    from mu.agent import MUAgent

    question = " ".join(given["question"])
    with MUAgent(_configuration(start, given)) as agent:
        if given["is_dry"]:
            _show_request(agent, question)
            return ExitCode.OK
        _say_offline(agent, given["provider"])
        wanted = given["is_streamed"]
        is_streamed = sys.stdout.isatty() if wanted is None else wanted
        if given["as_json"] or not is_streamed:
            response = agent.ask(question)
            _show(response, as_json=given["as_json"], show_tools=given["show_tools"])
        else:
            response = _stream(agent, question, show_tools=given["show_tools"])
    return ExitCode.OK if response.success else ExitCode.FAILED


@command.command(
    params=[
        *_MODEL,
        click.Option(
            ["--rate"],
            type=click.IntRange(1),
            default=20,
            show_default=True,
            help="Maximum number of questions per minute.",
        ),
    ]
)
@click.pass_obj
def interactive(start: str | None, /, **given: Unpack[_Talk]) -> None:
    """Hold a conversation: each question may lead on from the ones before.

    /reset starts again, /cost shows tokens and cost, /tools the calls, /model the model; Ctrl-C
    stops an answer, Ctrl-D leaves.
    """
    from mu.agent import MUAgent
    from mu.cli.services.conversation import Conversation, converse

    with MUAgent(_configuration(start, given)) as agent:
        _say_offline(agent, given["provider"])
        converse(
            Conversation(agent, rate=given["rate"]), history=config.state_folder() / "agent_history"
        )


@command.command(
    params=[
        click.Argument(["file"], type=click.Path(path_type=Path)),
        click.Option(["as_json", "--json"], is_flag=True, help="Write the result as JSON."),
    ]
)
@click.pass_obj
def verify(start: str | None, /, file: Path, *, as_json: bool) -> ExitCode:
    """Check whether the answer in FILE still holds, by running its queries again.

    FILE is what `mu agent ask QUESTION --json` wrote. The status is 1 when something changed.
    """
    from mu.agent.verification import verify as verify_answer
    from mu.cli.arguments import options

    with options.workspace(start) as workspace:
        result = verify_answer(workspace, file)
    if as_json:
        _write_json(result.to_dict())
        return ExitCode.OK if result.holds else ExitCode.FAILED
    calls = "1 call" if result.calls == 1 else f"{result.calls} calls"
    if result.is_same_graph:
        click.echo("holds: the graph is the one it was answered from")
    elif result.holds:
        click.echo(f"holds: {calls} give what they gave, on another graph")
    else:
        click.echo(f"changed: {len(result.changed)} of {calls} give something else now")
        for called in result.changed:
            click.echo(f"  {printable(called)}")
    return ExitCode.OK if result.holds else ExitCode.FAILED


def _configuration(start: str | None, given: _Model) -> "AgentConfig":
    from mu.agent.values import DEFAULT_MODEL, AgentConfig

    return AgentConfig(
        model=given["model"] or DEFAULT_MODEL,
        max_tokens=given["max_tokens"],
        mubase_path=Path(start or "."),
        max_cost_usd=given["budget"],
        provider=given["provider"],
        base_url=given["base_url"],
        timeout=given["timeout"],
        is_strict=given["is_strict"],
        cache_folder=None if given["no_cache"] else config.cache_folder() / "answers",
    )


def _say_offline(agent: "MUAgent", asked: str) -> None:
    if agent.provider == "offline" and asked == "auto":
        text = "no model: set ANTHROPIC_API_KEY, or give --base-url, to have one answer"
        click.echo(text, err=True)


def _show(response: "AgentResponse", *, as_json: bool, show_tools: bool) -> None:
    from mu.cli.services import answer_display

    if as_json:
        _write_json(response.to_dict())
        return
    if show_tools:
        for ran in response.tool_log:
            answer_display.write_status(answer_display.call_line(ran.name, ran.arguments))
    if response.content:
        answer_display.write_answer(response)
    answer_display.write_remarks(response)


def _stream(agent: "MUAgent", question: str, *, show_tools: bool) -> "AgentResponse":
    from mu.cli.services import answer_display

    response = answer_display.show_answer(agent, question, show_tools=show_tools)
    answer_display.write_remarks(response)
    return response


def _show_request(agent: "MUAgent", question: str) -> None:
    request = agent.preview(question)
    document = {
        "system": request.system,
        "summary": request.summary,
        "messages": [message.to_dict() for message in request.messages],
        "tools": agent.get_tools(),
        "max_tokens": request.max_tokens,
    }
    _write_json(document)


def _write_json(result: object) -> None:
    from mu.cli.display.json_documents import document

    click.echo(document(result))
