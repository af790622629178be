"""Every question, thing, metric and named query is answered in text by the command and over MCP.

The rows of some forms are listed by their columns alone, which only a real answer has.
"""

from collections.abc import Iterator
from pathlib import Path

import anyio
import pytest
from mcp import Client
from mcp.types import CallToolResult

from fakes.built import built_tree
from fakes.git_history import History
from mu.cli import main
from mu.mcp.server import make_server
from mu.muql.grammar import METRICS, QUESTIONS, RELATING, STATEMENTS, SYNONYMS, THINGS
from mu.muql.named_queries.library import Library
from mu.muql.named_queries.named_query import NamedQuery
from mu.operations.graph_file.live_workspace import LiveWorkspace

SOURCE = {
    "shop/__init__.py": "",
    "shop/store.py": (
        "from abc import ABC, abstractmethod\n\nimport shop.use\n\n\n"
        "class Store(ABC):\n    limit = 3\n\n    @abstractmethod\n    def find(self, key):\n"
        "        ...\n\n\nclass Shelf(Store):\n    def find(self, key):\n"
        "        return key if key else self.find(1)\n\n\ndef order(store: Store, key):\n"
        "    return store.find(key)\n"
    ),
    "shop/use.py": (
        "from shop.store import Shelf, order\n\n\ndef page(key, found):\n    if found.find(key):\n"
        "        return order(Shelf(), key)\n    return found.nothing\n\n\ndef unused(key):\n"
        "    return key or unused(key)\n"
    ),
    "tests/test_store.py": (
        "from shop.store import Shelf, order\n\n\ndef test_order():\n"
        "    assert order(Shelf(), 1) == 1\n"
    ),
    "README.md": "# Shop\n\n`order` asks a `Shelf`; see [use](shop/use.py) and [lost](none.py).\n",
}
NODES = {"source": "order", "tests": "order"}
FIXED = ("SHOW TABLES", "SHOW COLUMNS FROM functions", "DESCRIBE", "EXPLAIN ANALYZE unused")
RELATED = {"SIMILAR TO": "order", "WITH DECORATOR": "abstractmethod", "MATCHING": "find"}
VALUES = {"node": "Shelf", "text": "'shop'"}


def called(named: NamedQuery) -> str:
    """Give a call of a named query, with something for each argument that has to be given."""
    given = [
        f"{each.name} := {VALUES[each.type]}" for each in named.parameters if each.default is None
    ]
    return f"@{named.name}({', '.join(given)})" if given else f"@{named.name}"


def forms() -> Iterator[str]:
    yield from FIXED
    for question in (*QUESTIONS, *SYNONYMS):
        yield f"SHOW {question} OF {NODES.get(question, 'Store')}"
    yield "SHOW callees OF page"
    yield "SHOW overrides OF Store.find"
    yield "FIND CYCLES"
    yield from (f"FIND {things}" for things in THINGS)
    yield from (f"FIND functions {name} {RELATED.get(name, 'Store.find')}" for name in RELATING)
    yield from (f"ANALYZE {metric}" for metric in METRICS)
    yield from (f"ANALYZE {metric} FOR shop" for metric in METRICS)
    yield "PATH FROM page TO order"
    yield "HISTORY OF order"
    yield "BLAME order"
    yield from (called(entry.query) for entry in Library(None).entries() if entry.query)


FORMS = list(dict.fromkeys(forms()))


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("shop")
    History(folder).commit("Begin", SOURCE)
    built_tree(folder, SOURCE)
    return folder


@pytest.mark.parametrize("form", FORMS)
def test_the_command_answers(
    form: str, root: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(root)

    status = main(["query", form])

    assert (status, capsys.readouterr().err.partition("error:")[2]) == (0, "")


@pytest.mark.slow
def test_the_tool_answers_each(root: Path) -> None:
    async def ask(live: LiveWorkspace) -> dict[str, CallToolResult]:
        async with Client(make_server(live)) as client:
            return {form: await client.call_tool("mu_query", {"muql": form}) for form in FORMS}

    with LiveWorkspace(root) as live:
        answers = anyio.run(ask, live)

    assert {form: answer.content for form, answer in answers.items() if answer.is_error} == {}


def test_every_statement_is_among_them() -> None:
    assert {each.head[0] for each in STATEMENTS} <= {form.split()[0] for form in FORMS}
