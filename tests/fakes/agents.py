"""Agents over a small graph whose model is a scripted server, through the real library."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from pathlib import Path

from fakes.graphs import AUTH, make_graph, write
from fakes.messages_server import MessagesServer, Script, messages_server
from mu.agent import AgentConfig, AgentResponse, MUAgent
from mu.agent.models.anthropic_model import HOSTED, AnthropicModel
from mu.operations.workspace import Workspace

Agents = Callable[..., AbstractContextManager[tuple[MUAgent, MessagesServer]]]


def make_agents(folder: Path) -> Agents:
    """Give what makes an agent over a graph in `folder`, from a script and settings."""
    write(make_graph(AUTH), folder)

    @contextmanager
    def make(*script: Script, **given: object) -> Iterator[tuple[MUAgent, MessagesServer]]:
        with messages_server(*script) as server:
            config = AgentConfig(base_url=server.url, **given)  # type: ignore[arg-type]
            model = AnthropicModel(config, key="sk-test-0123456789abcdef", capabilities=HOSTED)
            with closing(model), MUAgent(config, model, workspace=Workspace(folder)) as agent:
                yield agent, server

    return make


def ask(agents: Agents, *script: Script, **given: object) -> tuple[AgentResponse, MessagesServer]:
    """Ask one question of an agent; give the answer, and the server with what it was sent."""
    with agents(*script, **given) as (agent, server):
        return agent.ask("who calls login?"), server
