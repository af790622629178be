"""The tools as a client in memory sees them, with both handshakes."""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path

import anyio
import pytest
from mcp import Client
from mcp.types import CallToolResult

from fakes.built import built_tree
from mu.mcp.server import make_server
from mu.mcp.tools import TOOLS
from mu.operations.answers.answer_text import AnswerText
from mu.operations.graph_file.live_workspace import LiveWorkspace

SOURCE = {
    "shop/store.py": """\
class Base:
    def find(self, key):
        raise NotImplementedError


class Store(Base):
    limit = 3

    def find(self, key):
        return key


def order(store: Store, key):
    return store.find(key)


def page(key):
    return order(Store(), key)
""",
    "tests/test_store.py": """\
from shop.store import order, Store


def test_order():
    assert order(Store(), 1) == 1
""",
}

Calls = Sequence[tuple[str, dict[str, object]]]


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveWorkspace]:
    root = tmp_path_factory.mktemp("shop")
    with built_tree(root, SOURCE), LiveWorkspace(root) as found:
        yield found


def run(live: LiveWorkspace, calls: Calls, *, mode: str = "auto") -> list[CallToolResult]:
    """Call tools one after the other."""

    async def ask() -> list[CallToolResult]:
        async with Client(make_server(live), mode=mode) as client:
            return [await client.call_tool(name, given) for name, given in calls]

    return anyio.run(ask)


def text(result: CallToolResult) -> str:
    return "\n".join(part.text for part in result.content)


def listed(live: LiveWorkspace) -> list[dict[str, object]]:
    async def ask() -> list[dict[str, object]]:
        async with Client(make_server(live)) as client:
            tools = (await client.list_tools()).tools
            return [tool.model_dump(by_alias=True, exclude_none=True) for tool in tools]

    return anyio.run(ask)


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_callers_are_places_with_their_source(live: LiveWorkspace, mode: str) -> None:
    (result,) = run(live, [("mu_callers", {"node": "order"})], mode=mode)
    assert text(result).splitlines() == [
        "of fn:shop/store.py:order  shop/store.py:13",
        "shop/store.py:18  return order(Store(), key)  in page",
        "tests/test_store.py:5  assert order(Store(), 1) == 1  in test_order",
        "(2 rows, exact)",
    ]
    assert result.structured_content == {
        "total": 2, "shown": 2, "verdict": "exact", "next_offset": None,
    }  # fmt: skip


ARGUMENTS: dict[str, dict[str, object]] = {
    "mu_find": {"words": "store"},
    "mu_grep": {"pattern": r"find\(", "kind": "code"},
    "mu_path": {"start": "page", "goal": "Store.find"},
    "mu_hierarchy": {"node": "Store"},
    "mu_structure": {"what": "members", "node": "Store"},
    "mu_context": {"question": "how is a key found?"},
    "mu_query": {"muql": "SELECT name FROM functions ORDER BY name"},
    "mu_ask": {"question": "what calls order?"},
    "mu_status": {},
}
SHOWN = {
    "mu_find": "shop/store.py:6",
    "mu_grep": "return store.find(key)  in order",
    "mu_callers": "shop/store.py:18",
    "mu_callees": "store.find(key)",
    "mu_references": "tests/test_store.py:1",
    "mu_impact": "2 of them in tests",
    "mu_path": "page -> order",
    "mu_hierarchy": "Store.find  overrides Base's",
    "mu_structure": "Store.limit",
    "mu_tests": "in test_order",
    "mu_read": "14      return store.find(key)",
    "mu_context": "def find",
    "mu_query": "order",
    "mu_ask": "shop/store.py:18",
    "mu_status": "up to date",
}


@pytest.mark.parametrize("tool", [tool.__name__ for tool in TOOLS])
def test_every_tool_answers(live: LiveWorkspace, tool: str) -> None:
    (result,) = run(live, [(tool, ARGUMENTS.get(tool, {"node": "order"}))])
    assert not result.is_error, text(result)
    assert SHOWN[tool] in text(result)


@pytest.mark.parametrize(
    ("tool", "given", "said"),
    [
        ("mu_callers", {"node": "nothing_like_it"}, 'mu_find(words="...") finds names'),
        ("mu_callers", {"node": "ordr"}, "did you mean"),
        ("mu_callers", {"node": "order", "within": "nowhere"}, "no file in the graph lies in"),
        ("mu_structure", {"what": "deps"}, 'mu_structure(what="deps", node="...")'),
        ("mu_query", {"muql": "SELEC"}, "SELEC"),
        ("mu_read", {"node": "shop/store.py:90-99"}, "90-99"),
        ("mu_callers", {}, "node"),
        ("mu_callers", {"node": "order", "offset": -1}, "offset"),
        ("mu_nothing", {}, "mu_nothing"),
    ],
)
def test_errors_name_what_to_do(
    live: LiveWorkspace, tool: str, given: dict[str, object], said: str
) -> None:
    (result,) = run(live, [(tool, given)])
    assert result.is_error
    assert said in text(result)
    assert "mu search" not in text(result)


@pytest.mark.parametrize("is_debugging", [False, True])
def test_a_bug_is_told_in_a_line_and_shows_its_traceback_on_request(
    live: LiveWorkspace,
    is_debugging: bool,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def fail(*_: object, **__: object) -> AnswerText:
        raise KeyError("code")

    monkeypatch.setenv("MU_DEBUG", "1" if is_debugging else "")
    monkeypatch.setattr("mu.mcp.tools.query", fail)

    (result,) = run(live, [("mu_query", {"muql": "SHOW TABLES"})])

    assert result.is_error
    assert "unexpected KeyError: 'code'" in text(result)
    assert ("Traceback" in capsys.readouterr().err) is is_debugging


def test_answers_are_short_and_read_on_without_a_gap(live: LiveWorkspace) -> None:
    seen: list[str] = []
    offset: object = 0
    while offset is not None:
        given = {"node": "shop/store.py", "what": "members", "offset": offset, "max_chars": 250}
        (result,) = run(live, [("mu_structure", given)])
        assert len(text(result)) <= 250
        seen += [line for line in text(result).splitlines() if line.startswith("shop/")]
        assert result.structured_content is not None
        offset = result.structured_content["next_offset"]
    assert [line.split()[-1] for line in seen] == ["Base", "Store", "order", "page"]


def test_schemas_cost_few_tokens(live: LiveWorkspace) -> None:
    tools = listed(live)
    assert len(json.dumps(tools)) / 4 < 2_500
    assert all(tool["annotations"]["readOnlyHint"] for tool in tools)  # type: ignore[index] # JSON
    assert all(tool["description"] for tool in tools)


def test_resources_and_prompts_are_offered(live: LiveWorkspace) -> None:
    async def ask() -> tuple[str, list[str]]:
        async with Client(make_server(live)) as client:
            read = await client.read_resource("mu://node/order")
            prompts = (await client.list_prompts()).prompts
            return read.contents[0].text, sorted(each.name for each in prompts)

    described, prompts = anyio.run(ask)
    assert "def order(store: Store, key)" in described
    assert prompts == ["architecture_tour", "impact_review", "onboarding"]


def test_an_edit_is_answered_from_a_new_graph(tmp_path: Path) -> None:
    with built_tree(tmp_path, SOURCE):
        pass
    with LiveWorkspace(tmp_path) as live:
        run(live, [("mu_callers", {"node": "order"})])
        path = tmp_path / "shop/store.py"
        path.write_text(path.read_text() + "\n\ndef again():\n    return order(Store(), 2)\n")
        live.lend(wait=60)
        (result,) = run(live, [("mu_callers", {"node": "order"})])
    assert "in again" in text(result)
    assert "(3 rows, exact)" in text(result)


def test_a_first_question_builds_the_graph_with_progress(tmp_path: Path) -> None:
    for name, source in SOURCE.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(source)
    told: list[tuple[float, str | None]] = []

    async def note(progress: float, _total: float | None, message: str | None) -> None:
        told.append((progress, message))

    async def ask() -> CallToolResult:
        with LiveWorkspace(tmp_path) as live:
            async with Client(make_server(live)) as client:
                return await client.call_tool(
                    "mu_callers", {"node": "order"}, progress_callback=note
                )

    assert "(2 rows, exact)" in text(anyio.run(ask))
    assert all(message and message.startswith("building the graph") for _, message in told)
