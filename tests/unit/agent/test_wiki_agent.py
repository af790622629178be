"""Research of a wiki by a scripted model."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from fakes.made_wiki import TOPICS, folder_of, write_wiki
from fakes.messages_server import call, messages_server, reply
from mu.agent import AgentConfig, ToolCall, Usage, WikiContext, WikiContextAgent
from mu.agent.errors import NoKeyError, OverloadedError
from mu.agent.model import Reply, Request, TextDelta
from mu.agent.models.anthropic_model import HOSTED, AnthropicModel
from mu.errors import MuError

Turn = list[tuple[str, dict[str, object]]] | str | Exception


class Scripted:
    """A model that says what it was told to, and keeps what it was sent.

    It counts a token for four characters; what was sent before is in its cache.
    """

    name = "claude-haiku-5-5"
    provider = "scripted"

    def __init__(self, *turns: Turn) -> None:
        self.turns = list(turns)
        self.requests: list[Request] = []
        self.counted = 0

    def send(self, request: Request, *, is_streamed: bool) -> Iterator[TextDelta | Reply]:
        self.requests.append(request)
        turn = self.turns.pop(0)
        if isinstance(turn, Exception):
            raise turn
        said = turn if isinstance(turn, str) else ""
        asked = [] if isinstance(turn, str) else turn
        calls = tuple(ToolCall(f"c{n}", name, dict(given)) for n, (name, given) in enumerate(asked))  # type: ignore[arg-type]  # JSON
        count = (len(request.system) + len(str(request.tools)) + characters(request)) // 4
        usage = Usage(0, 50, count - self.counted, self.counted)
        self.counted = count
        yield Reply(said, calls, "tool_use" if calls else "end_turn", usage, "m")


def characters(request: Request) -> int:
    turns = request.messages
    return sum(len(m.content) + sum(len(r.content) for r in m.tool_results or ()) for m in turns)


def finalize(*pages: str, **more: object) -> tuple[str, dict[str, object]]:
    return "finalize_context", {"summary": "What to know.", "relevantPages": list(pages), **more}


def read(path: str) -> tuple[str, dict[str, object]]:
    return "read_wiki_page", {"path": path}


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_wiki(tmp_path_factory.mktemp("wiki"))


def run(made: Path, *turns: Turn, most: int = 10) -> tuple[WikiContext, Scripted]:
    model = Scripted(*turns)
    return WikiContextAgent(made, model).research("how are retries done", most), model


def last_results(request: Request) -> list[tuple[bool, str]]:
    return [(r.is_error, r.content) for r in request.messages[-1].tool_results or ()]


def test_the_first_turn_has_task_pages_index_and_how_to_end(made: Path) -> None:
    agent = WikiContextAgent(made)
    prompt = agent.build_initial_prompt("retries {wiki} of webhooks")
    shown = agent.generate_initial_context("retries {wiki} of webhooks")
    assert len(shown.pages) == 5
    assert {path.partition("/")[2] for path in shown.pages} == {"retries.md", "webhooks.md"}
    assert "retries {wiki} of webhooks" in prompt
    assert all(f"- {page.path}" in prompt for page in agent.get_all_pages())
    assert "relevantPages" in prompt
    assert "finalize_context" in agent.build_system_prompt()
    assert [tool["name"] for tool in agent.get_tools()] == [
        "read_wiki_page",
        "search_wiki_content",
        "list_pages_by_category",
        "finalize_context",
    ]


TASKS = [f"change how {topic} work together with {TOPICS[n - 3]}" for n, topic in enumerate(TOPICS)]


@pytest.mark.parametrize("task", TASKS[:10])
def test_a_focused_task_reads_little_of_a_large_wiki(made: Path, task: str) -> None:
    topic, other = task.split()[2], task.split()[-1]
    model = Scripted(
        [("search_wiki_content", {"query": f"{topic} {other}"}), read(f"guides/{topic}.md")],
        [read(f"components/{topic}.md"), read(f"concepts/{other}.md")],
        [finalize(f"guides/{topic}.md", f"components/{topic}.md", f"concepts/{other}.md")],
    )
    agent = WikiContextAgent(made, model)
    shown = agent.generate_initial_context(task)
    result = agent.research(task)

    assert shown.wiki_characters > 340_000
    assert shown.characters < 0.2 * shown.wiki_characters
    assert set(shown.pages[:3]) <= {
        f"{kind}/{name}.md"
        for kind in ("concepts", "components", "guides")
        for name in (topic, other)
    }
    assert result.finalized
    assert result.iterations == 3
    assert result.characters_read < 0.5 * result.wiki_characters
    assert len(result.pages_read) == 3
    assert result.usage.total - result.usage.cache_read < 25_000
    assert result.cost_usd is not None
    assert result.cost_usd < 0.003
    assert [ran.name for ran in result.tool_log][-1] == "finalize_context"
    assert model.requests[0].max_tokens == 4_000


def test_two_calls_in_one_turn_make_one_user_message_with_two_results(made: Path) -> None:
    with messages_server(
        reply(
            call("read_wiki_page", {"path": "guides/retries.md"}, id="one"),
            call("search_wiki_content", {"query": "webhooks"}, id="two"),
        ),
        reply(call("finalize_context", finalize("guides/retries.md")[1], id="three")),
    ) as server:
        config = AgentConfig(base_url=server.url)
        model = AnthropicModel(config, key="sk-test-0123456789abcdef", capabilities=HOSTED)
        with closing(model):
            result = WikiContextAgent(made, model).research("retries")
    messages = server.requests[1]["messages"]
    assert [m["role"] for m in messages] == ["user", "assistant", "user"]  # type: ignore[attr-defined]
    ids = [block["tool_use_id"] for block in messages[2]["content"]]  # type: ignore[index]
    assert ids == ["one", "two"]
    assert result.finalized
    assert result.pages_read == ("guides/retries.md",)


def test_a_finalize_that_is_wrong_is_sent_back(made: Path) -> None:
    result, model = run(
        made,
        [("finalize_context", {"summary": "only this"})],
        [finalize("guides/retrys.md")],
        [finalize("guides/retries.md", keyConcepts=["backoff"], relatedFiles=["a.py"])],
    )
    ((failed, first),) = last_results(model.requests[1])
    assert failed
    assert "relevantPages: missing" in first
    ((failed, second),) = last_results(model.requests[2])
    assert failed
    assert "no page guides/retrys.md; near: guides/retries.md" in second
    assert (result.finalized, result.relevant_pages) == (True, ("guides/retries.md",))
    assert result.to_text() == (
        "## Summary\n\nWhat to know.\n\n## Relevant pages\n\n- guides/retries.md\n\n"
        "## Key concepts\n\n- backoff\n\n## Related files\n\n- a.py\n"
    )


def test_a_finalize_may_name_the_context(made: Path) -> None:
    result, model = run(
        made,
        [("finalize_context", {"context": {"summary": "only this"}})],
        [("finalize_context", {"context": finalize("guides/retries.md", keyConcepts=["b"])[1]})],
    )
    ((failed, first),) = last_results(model.requests[1])
    assert failed
    assert "relevantPages: missing" in first
    assert (result.finalized, result.summary) == (True, "What to know.")
    assert (result.relevant_pages, result.key_concepts) == (("guides/retries.md",), ("b",))


def test_at_the_limit_the_best_so_far_comes_back(made: Path) -> None:
    result, model = run(
        made,
        [read("concepts/retries.md")],
        [finalize("concepts/retries.md", "gone.md")],
        [read("guides/retries.md")],
        most=3,
    )
    assert not result.finalized
    assert (result.iterations, result.error) == (3, None)
    assert result.summary == "What to know."
    assert result.relevant_pages == ("concepts/retries.md",)
    assert "last turn" in model.requests[2].messages[-1].content
    assert result.pages_read == ("concepts/retries.md",), "in the last turn nothing is read"
    assert result.to_dict()["finalized"] is False


def test_without_any_draft_the_pages_read_and_shown_are_the_best(made: Path) -> None:
    result, model = run(made, "Let me think.", [read("guides/uploads.md")], "Done.", most=3)
    assert not result.finalized
    assert result.summary == "Done."
    assert result.relevant_pages[0] == "guides/uploads.md"
    assert "guides/retries.md" in result.relevant_pages
    assert "finalize_context" in model.requests[1].messages[-1].content


def test_the_same_call_again_is_not_run_again(made: Path) -> None:
    page = "guides/retries.md"
    result, model = run(made, [read(page)], [read(page)], [finalize(page)])
    ((failed, told),) = last_results(model.requests[2])
    assert failed
    assert "before" in told
    assert [ran.is_error for ran in result.tool_log] == [False, True, False]


def test_reading_ends_at_the_budget_of_tokens(made: Path) -> None:
    everything = [read(page.path) for page in WikiContextAgent(made).get_all_pages()]
    result, model = run(made, everything, [finalize("guides/retries.md")])
    assert result.finalized
    assert len(result.pages_read) < 10
    assert result.characters_read < 0.5 * result.wiki_characters
    assert any("budget" in told for _, told in last_results(model.requests[1]))
    assert result.usage.total - result.usage.cache_read < 25_000


def test_a_model_that_fails_leaves_what_there_is(made: Path) -> None:
    result, _ = run(made, [read("guides/retries.md")], OverloadedError("no room", "later"))
    assert not result.finalized
    assert result.error == "no room; later"
    assert result.relevant_pages[0] == "guides/retries.md"


def test_secrets_do_not_leave(tmp_path: Path) -> None:
    leak = "sk-live-0123456789abcdefghij"
    root = folder_of(tmp_path, {"keys.md": f"# Keys\n\nUse {leak} here.\n" + "word \n\n" * 200})
    model = Scripted([read("keys.md")], [finalize("keys.md")])
    WikiContextAgent(root, model).research(f"which keys, {leak}?")
    assert leak not in repr(model.requests)


def test_what_cannot_be_researched_is_told(
    tmp_path: Path, made: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("ANTHROPIC_API_KEY", raising=False)
    with pytest.raises(NoKeyError):
        WikiContextAgent(made).research("retries")
    with pytest.raises(MuError, match="empty"):
        WikiContextAgent(made, Scripted()).research("  ")
    with pytest.raises(MuError, match="0 iterations"):
        WikiContextAgent(made, Scripted()).research("retries", 0)
    with pytest.raises(MuError, match="no pages"):
        WikiContextAgent(tmp_path, Scripted()).research("retries")
    with pytest.raises(MuError, match="no folder"):
        WikiContextAgent(tmp_path / "gone")


def test_tool_uses_are_taken_from_a_reply(made: Path) -> None:
    wanted = (ToolCall("1", "read_wiki_page", {"path": "a.md"}), ToolCall("2", "x", {}))
    given = Reply("", wanted, "tool_use", Usage(), "m")
    assert WikiContextAgent(made).extract_tool_uses(given) == wanted
    assert WikiContextAgent(made).extract_tool_uses(Reply("a", (), "", Usage(), "m")) == ()
