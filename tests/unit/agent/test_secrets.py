"""No secret of a repository leaves the process, of whatever kind and wherever it stands.

A real graph of a repository that has a secret of each kind at each place; a model that asks for
every place; and a server that records what it was sent, byte by byte.
"""

import json
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass

import pytest

from fakes.built import built_tree
from fakes.messages_server import call, messages_server, reply, text
from mu.agent import AgentConfig, MUAgent
from mu.agent.models.anthropic_model import HOSTED, AnthropicModel
from mu.operations.workspace import Workspace

KINDS = {
    "provider key": "sk-" + "ant-api03-{}0123456789abcdefghij",
    "cloud key": "AKIA" + "{}QWERTY7E",
    "hosting token": "ghp_" + "{}0123456789abcdefghijklmnopqrstuv",
    "chat token": "xoxb-" + "123456789012-{}abcdefgh",
    "signed token": "eyJ" + "{}hbGciOiJIUzI1.eyJzdWIiOiIxMjM0.SflKxwRJ",
    "connection string": "postgres://shop:{}pa55word@db.example.com/shop",
    "payment key": "sk_live_" + "{}0123456789abcdef",
    "private key": "-----BEGIN RSA "
    + "PRIVATE KEY-----{}MIIEowIBAAKCAQ\\nabc-----END RSA PRIVATE KEY-----",
    "named password": "password = '{}correcthorsebattery9'",
}
"""Secrets by kind, each with room for a mark that tells where it stands."""

PLACES = (
    "comment", "docstring", "string", "default", "base", "decorator", "config", "document",
    "cut",
)  # fmt: skip


def mark(place: str) -> str:
    """Eight letters for a place, which are looked for in what was sent."""
    return f"{place}qzqzqzqz"[:4].upper() + "QZQZ"


def secret(kind: str, place: str) -> str:
    return KINDS[kind].format(mark(place))


def source(kind: str) -> dict[str, str]:
    """A repository with a secret of a kind at each place, and `beside` next to each."""

    def at(place: str) -> str:
        return secret(kind, place).replace('"', "'")

    shop = f'''\
"""beside: {at("docstring")}"""

import base


def pay(amount, key="{at("default")}"):
    """beside {at("docstring")}"""
    # beside comment {at("comment")}
    url = "beside string {at("string")}"
    return url


@base.register("beside {at("decorator")}")
def sell():
    return base.made("{at("base")}").sell()


def long():
    """{"beside " * 26} {at("cut")}"""
'''
    document = f"# Payments\n\nbeside {at('document')} for `pay`\n"
    config = f'[shop]\nbeside = 1\ntoken = "{at("config")}"\n'
    return {
        "shop.py": shop,
        "base.py": "def register(name):\n    return lambda f: f\n\n\ndef made(x):\n    return x\n",
        "README.md": document,
        "docs/keys.md": document,
        "settings.toml": config,
        ".env": f"TOKEN={at('config')}\n",
        "pyproject.toml": f'[project]\nname = "shop"\ndescription = "{at("config")}"\n',
    }


QUESTIONS = (
    ("mu_read", {"node": "shop.py"}),
    ("mu_read", {"node": "shop.py", "offset": 9}),
    ("mu_describe", {"node": "shop.py"}),
    ("mu_describe", {"node": "pay"}),
    ("mu_describe", {"node": "long"}),
    ("mu_search", {"words": "beside"}),
    ("mu_search", {"words": "payments key"}),
    ("mu_query", {"muql": "SELECT * FROM nodes"}),
    ("mu_query", {"muql": "SELECT docstring, signature, parameters, decorators FROM functions"}),
    ("mu_query", {"muql": "SELECT * FROM sites"}),
    ("mu_query", {"muql": "SELECT * FROM entry_points"}),
    ("mu_query", {"muql": "SHOW callees OF sell"}),
    ("mu_query", {"muql": "SELECT list(docstring) FROM nodes"}),
    ("mu_deps", {"node": "sell", "depth": 3}),
    ("mu_impact", {"node": "base.py"}),
    ("mu_read", {"node": "settings.toml"}),
    ("mu_read", {"node": ".env"}),
    ("mu_read", {"node": "README.md"}),
    ("mu_read", {"node": "docs/keys.md"}),
    ("mu_query", {"muql": "SELECT path, problems FROM files"}),
    ("analyze_codebase", {"detail": "overview"}),
    ("analyze_codebase", {"max_tokens": 20_000}),
    ("analyze_codebase", {"detail": "source", "focus": "beside", "max_tokens": 300}),
    ("analyze_codebase", {"detail": "source", "max_tokens": 20_000}),
)


@dataclass(frozen=True)
class Sent:
    """All that a server was sent in a conversation about a repository."""

    text: str
    answer: str


@pytest.fixture(scope="module", params=list(KINDS))
def sent(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Sent]:
    kind = str(request.param)
    asked = secret(kind, "question")
    failing = secret(kind, "error")
    calls = [call(name, given, id=f"c{n}") for n, (name, given) in enumerate(QUESTIONS)]
    wrong = call("mu_deps", {"node": failing}, id="wrong")
    with (
        built_tree(tmp_path_factory.mktemp("shop"), source(kind)) as workspace,
        messages_server(reply(*calls), reply(wrong), reply(text("beside nothing"))) as server,
    ):
        response = ask(workspace, server.url, f"why does {asked} fail, beside?")
        yield Sent("".join(map(told, server.requests)), json.dumps(response))


def ask(workspace: Workspace, url: str, question: str) -> dict[str, object]:
    config = AgentConfig(base_url=url)
    model = AnthropicModel(config, key="sk-test-0123456789abcdef", capabilities=HOSTED)
    with closing(model), MUAgent(config, model, workspace=workspace) as agent:
        response = agent.ask(question)
        return {**response.to_dict(), "tool_log": []}


def told(request: dict[str, object]) -> str:
    """What MU put into a request: not the calls, which are the model's own words sent back."""
    messages = request["messages"]
    assert isinstance(messages, list)
    ours = [message for message in messages if message["role"] == "user"]
    return json.dumps([request["system"], request["tools"], ours])


@pytest.mark.parametrize("place", [*PLACES, "question", "error"])
def test_no_secret_is_sent(sent: Sent, place: str) -> None:
    assert mark(place) not in sent.text
    assert mark(place) not in sent.answer


def test_what_stands_beside_a_secret_is_sent(sent: Sent) -> None:
    assert "beside comment" in sent.text
    assert "beside string" in sent.text
    assert "[redacted: " in sent.text
    assert '\\"error\\"' in sent.text
