"""The agent for a wiki, on folders of pages and a scripted model."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from fakes.made_wiki import TOPICS, write_wiki
from fakes.messages_server import call, messages_server, reply
from mu.agent import AgentConfig, ToolCall, Usage, WikiContext, WikiContextAgent
from mu.agent.anthropic_model import HOSTED, AnthropicModel
from mu.agent.errors import NoKeyError, OverloadedError
from mu.agent.model import Reply, Request, TextDelta
from mu.agent.wiki import Page, WikiFailure
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


def folder_of(tmp_path: Path, pages: dict[str, str]) -> Path:
    for path, content in pages.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(content, encoding="utf-8")
    return tmp_path


SMALL = {
    "concepts/login.md": "---\ntitle: Login\nowner: ann\n---\nHow somebody enters.\n",
    "guides/entering.md": "# Entering\n\nlogin login login login login\n",
    "notes.txt": "No heading, and (*) signs.\n",
    ".hidden/secret.md": "# Hidden\n",
    "_drafts/draft.md": "# Draft\n",
    "things.md": "---\ncategory: Guides\n---\n# Things\n\nOf all sorts.\n",
}


@pytest.fixture
def small(tmp_path: Path) -> WikiContextAgent:
    return WikiContextAgent(folder_of(tmp_path, SMALL))


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_wiki(tmp_path_factory.mktemp("wiki"))


def run(made: Path, *turns: Turn, most: int = 10) -> tuple[WikiContext, Scripted]:
    model = Scripted(*turns)
    return WikiContextAgent(made, model).research("how are retries done", most), model


def last_results(request: Request) -> list[tuple[bool, str]]:
    return [(r.is_error, r.content) for r in request.messages[-1].tool_results or ()]


def test_pages_have_title_category_and_metadata(small: WikiContextAgent) -> None:
    rows = [(page.path, page.title, page.category) for page in small.get_all_pages()]
    assert rows == [
        ("concepts/login.md", "Login", "concept"),
        ("guides/entering.md", "Entering", "guide"),
        ("notes.txt", "notes", "other"),
        ("things.md", "Things", "guide"),
    ]
    page = small.read_wiki_page("concepts/login.md")
    assert isinstance(page, Page)
    assert page.metadata == {"title": "Login", "owner": "ann"}
    assert page.content == SMALL["concepts/login.md"]


def test_pages_are_kept_until_a_file_changes(tmp_path: Path) -> None:
    agent = WikiContextAgent(folder_of(tmp_path, SMALL))
    first, again = agent.get_all_pages(), agent.get_all_pages()
    assert all(one is other for one, other in zip(first, again, strict=True))

    (tmp_path / "things.md").write_text("# Other things\n")
    (tmp_path / "notes.txt").unlink()
    changed = {page.path: page for page in agent.get_all_pages()}
    assert changed["things.md"].title == "Other things"
    assert "notes.txt" not in changed
    assert changed["concepts/login.md"] is first[0]


def test_categories_are_found_in_singular_and_plural(small: WikiContextAgent) -> None:
    for name in ("guide", "guides", "GUIDES"):
        paths = [page.path for page in small.list_pages_by_category(name)]
        assert paths == ["guides/entering.md", "things.md"]
    assert small.list_pages_by_category("nothing") == ()


def test_a_title_hit_beats_five_hits_in_the_text(small: WikiContextAgent) -> None:
    shown = small.generate_initial_context("the login")
    assert shown.characters < 0.2 * shown.wiki_characters

    from mu.agent.wiki.pages import WikiPages
    from mu.agent.wiki.scoring import rank

    entries = WikiPages(small._pages.root).entries()
    assert [entry.page.path for _, entry in rank(entries, "the login")] == [
        "concepts/login.md",
        "guides/entering.md",
    ]
    assert rank(entries, "LOGINS")[0][1].page.path == "concepts/login.md"
    assert rank(entries, "how of all") == [], "words under four letters count nothing"


def test_rare_words_count_more_and_long_pages_do_not_win(tmp_path: Path) -> None:
    from mu.agent.wiki.pages import WikiPages
    from mu.agent.wiki.scoring import rank

    pages = {f"{n}.md": f"# P{n}\n\ncommon common words here\n" for n in range(8)}
    pages["rare.md"] = "# P\n\nquasar\n"
    pages["short.md"] = "# P\n\nnebula and nothing else\n"
    pages["long.md"] = "# P\n\nnebula nebula " + "filling text " * 2_000
    entries = WikiPages(folder_of(tmp_path, pages)).entries()

    assert rank(entries, "common quasar")[0][1].page.path == "rare.md"
    assert [entry.page.path for _, entry in rank(entries, "nebula")] == ["short.md", "long.md"]


def test_search_ignores_case_and_ranks_by_matches(small: WikiContextAgent) -> None:
    hits = small.search_wiki_content("LOGIN")
    assert [(hit.path, hit.matches) for hit in hits] == [
        ("guides/entering.md", 5),
        ("concepts/login.md", 2),
    ]
    assert hits[0].excerpts == ("login login login login login",)
    assert [hit.path for hit in small.search_wiki_content("login", limit=1)] == [
        "guides/entering.md"
    ]


@pytest.mark.parametrize("query", ["[", "(?P<", "a{99999}", "^", "\\", ".*", "  "])
def test_signs_of_regular_expressions_are_only_signs(small: WikiContextAgent, query: str) -> None:
    assert small.search_wiki_content(query) == ()
    result = small.execute_tool(ToolCall("1", "search_wiki_content", {"query": query}))
    assert result.is_error
    assert [hit.path for hit in small.search_wiki_content("(*)")] == ["notes.txt"]


def test_paths_that_lead_out_are_refused(tmp_path: Path) -> None:
    outside = folder_of(tmp_path / "outside", {"secret.md": "# Secret\n"})
    root = folder_of(tmp_path / "wiki", SMALL)
    (root / "link.md").symlink_to(outside / "secret.md")
    (root / "away").symlink_to(outside)
    agent = WikiContextAgent(root)

    for path, told in {
        "../outside/secret.md": "outside",
        "concepts/../../outside/secret.md": "outside",
        str(outside / "secret.md"): "outside",
        "link.md": "is a link",
        "away/secret.md": "is a link",
        ".hidden/secret.md": "there is no page",
        "concepts/logon.md": "there is no page",
        "": "there is no page",
        "a\0b": "there is no page",
        "x" * 5_000: "there is no page",
    }.items():
        failure = agent.read_wiki_page(path)
        assert isinstance(failure, WikiFailure), path
        assert told in failure.error
        result = agent.execute_tool(ToolCall("1", "read_wiki_page", {"path": path}))
        assert result.is_error
        assert told in json.loads(result.content)["error"]
    near = agent.read_wiki_page("concepts/logon.md")
    assert isinstance(near, WikiFailure)
    assert near.near == ("concepts/login.md",)


@pytest.mark.parametrize(
    ("name", "arguments", "told"),
    [
        ("rm", {}, "there is no tool rm"),
        ("read_wiki_page", {}, "path"),
        ("read_wiki_page", {"path": 3}, "Expected `str`"),
        ("search_wiki_content", {"query": "login", "limit": 0}, ">= 1"),
        ("finalize_context", {}, "summary, relevantPages: missing"),
        ("finalize_context", {"summary": " ", "relevantPages": ["things.md"]}, "is empty"),
        ("finalize_context", {"summary": "x", "relevantPages": ["gone.md"]}, "no page gone.md"),
    ],
)
def test_wrong_calls_are_error_values(
    small: WikiContextAgent, name: str, arguments: dict[str, object], told: str
) -> None:
    result = small.execute_tool(ToolCall("1", name, arguments))  # type: ignore[arg-type]  # JSON
    assert result.is_error
    assert told in result.content


@pytest.mark.parametrize("count", [1, 3, 40, 1500])
@pytest.mark.parametrize("size", [30, 400, 6_000])
def test_the_initial_context_is_under_a_fifth_at_any_size(
    tmp_path: Path, count: int, size: int
) -> None:
    if count * size > 1_000_000:
        size = 600
    paragraph = "Some words about caching and more.\n\n"
    pages = {
        f"folder{n % 7}/a-page-with-a-name-{n}.md": f"# Caching {n}\n\n"
        + paragraph * (size // len(paragraph))
        for n in range(count)
    }
    shown = WikiContextAgent(folder_of(tmp_path, pages)).generate_initial_context("caching")
    assert len(shown.text) == shown.characters < 0.2 * shown.wiki_characters
    assert len(shown.pages) <= 5
    if count == 1500:
        assert shown.index == "folders"
        assert len(shown.pages) == 5


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
