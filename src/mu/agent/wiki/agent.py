"""The agent for a wiki: what a task needs of it, found by words first and then by a model."""

from datetime import UTC, datetime
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Self

from mu import config as settings
from mu.agent.errors import NoKeyError
from mu.agent.model import Model, Reply
from mu.agent.models.anthropic_model import AnthropicModel
from mu.agent.prices import load_prices
from mu.agent.toolbox import framed
from mu.agent.values import MAX_ITERATIONS, AgentConfig, Json, ToolCall, ToolResult
from mu.agent.wiki import research as rounds
from mu.agent.wiki.overview import InitialContext, initial_context
from mu.agent.wiki.pages import Page, WikiFailure, WikiPages
from mu.agent.wiki.research import Research, WikiContext
from mu.agent.wiki.scoring import Hit, search
from mu.agent.wiki.tools import WikiTools
from mu.errors import ExitCode, MuError
from mu.operations.workspace import Workspace
from mu.render.redaction import redact

LONGEST_TASK = 20_000
"""Characters of a task at most."""

_NO_KEY = "set it, or give --base-url; `mu wiki search` finds pages without a model"


class WikiContextAgent:
    """Researches a folder of pages; it needs no graph.

    `client` is what answers; when it is None, Claude as `config` says, made with the first
    research, which raises NoKeyError when there is no key. With a `workspace`, whose graph the
    caller closes, the model may ask about its code. Raises MuError (usage) when `wiki_path` is no
    folder.
    """

    def __init__(
        self,
        wiki_path: Path | str,
        client: Model | None = None,
        *,
        config: AgentConfig | None = None,
        workspace: Workspace | None = None,
    ) -> None:
        self._pages = WikiPages(Path(wiki_path))
        self._tools = WikiTools(self._pages, workspace)
        self._config = config or AgentConfig()
        self._client = client
        self._own: Model | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the connection to the model; a client that was passed in stays."""
        if self._own is not None:
            self._own.close()

    def get_all_pages(self) -> tuple[Page, ...]:
        """Give all pages in order of paths; a file is read again only when it has changed."""
        return tuple(entry.page for entry in self._pages.entries())

    def generate_initial_context(self, task: str) -> InitialContext:
        """Give the best pages for a task in part, and the index: under 20 % of the wiki."""
        return initial_context(self._pages.entries(), task)

    def search_wiki_content(self, query: str, limit: int = 5) -> tuple[Hit, ...]:
        """Find pages by words in any case; nothing in the query is a regular expression.

        Raises MuError (usage) for a limit under 1.
        """
        if limit < 1:
            raise MuError(f"a limit of {limit}", "it is at least 1", ExitCode.USAGE)
        return search(self._pages.entries(), query, limit=limit)

    def read_wiki_page(self, path: str) -> Page | WikiFailure:
        """Give a page by its path from the wiki's folder, or say why there is none to give."""
        return self._pages.find(path)

    def list_pages_by_category(self, category: str) -> tuple[Page, ...]:
        """Give the pages of a category, singular or plural; none for one that is not known."""
        return self._tools.of_category(category)

    def get_tools(self) -> list[dict[str, Json]]:
        """Give the tools as a model sees them: name, description, input_schema."""
        return [
            {"name": tool.name, "description": tool.description, "input_schema": tool.schema}
            for tool in self._tools.specs
        ]

    def execute_tool(self, call: ToolCall) -> ToolResult:
        """Run a tool as the model would; an error is a result as well."""
        return self._tools.run(call).result

    def extract_tool_uses(self, reply: Reply) -> tuple[ToolCall, ...]:
        """Give the calls that a reply of the model asks for, in order."""
        return rounds.extract_tool_uses(reply)

    def build_system_prompt(self) -> str:
        """Give the fixed text: the model's role, and how to use the tools sparingly."""
        prompt = _prompt("wiki_system.md")
        return f"{prompt}\n{_prompt('wiki_code.md')}" if self._tools.has_codebase else prompt

    def build_initial_prompt(self, task: str) -> str:
        """Give the first turn: the task, the best pages, the index, and how to finalize."""
        return self._first_turn(_checked(task), self.generate_initial_context(task))

    def research(self, task: str, max_iterations: int = MAX_ITERATIONS) -> WikiContext:
        """Have the model gather what a task needs, within a number of requests.

        What goes wrong with the model is the result's `error`, beside the best so far. Raises
        MuError (usage) for an empty or overlong task, for less than one iteration and for a folder
        without pages.
        """
        asked = redact(_checked(task))
        if max_iterations < 1:
            raise MuError(f"{max_iterations} iterations", "one at least", ExitCode.USAGE)
        shown = self.generate_initial_context(asked)
        if not self._pages.entries():
            raise MuError(
                f"there are no pages in {self._pages.root.name}",
                "name the folder of the pages with --wiki",
                ExitCode.USAGE,
            )
        prices = load_prices(datetime.now(UTC).date(), user_folder=settings.user_folder())
        research = Research(
            self._answering(),
            self._tools,
            prices=prices,
            system=self.build_system_prompt(),
            shown=shown,
        )
        research.run(self._first_turn(asked, shown), most=max_iterations)
        return research.result(asked)

    def _first_turn(self, task: str, shown: InitialContext) -> str:
        head, _, rest = _prompt("wiki_task.md").partition("{task}")
        between, _, end = rest.partition("{wiki}")
        return f"{head}{task}{between}{framed(shown.text, 'initial_context')}{end}"

    def _answering(self) -> Model:
        if self._client is not None:
            return self._client
        if self._own is None:
            key = settings.api_key()
            if not key and self._config.base_url is None:
                raise NoKeyError(_NO_KEY)
            self._own = AnthropicModel(self._config, key=key)
        return self._own


@cache
def _prompt(name: str) -> str:
    return files("mu.agent").joinpath("prompts", name).read_text(encoding="utf-8").rstrip("\n")


def _checked(task: str) -> str:
    text = task.strip()
    if not text:
        raise MuError("the task is empty", "say what is to be done, in words", ExitCode.USAGE)
    if len(text) > LONGEST_TASK:
        raise MuError(
            f"a task of {len(text):,} characters; at most {LONGEST_TASK:,} are taken",
            code=ExitCode.USAGE,
        )
    return text
