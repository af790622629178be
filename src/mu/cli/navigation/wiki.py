"""`mu wiki`: the pages of a repository."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, TypedDict, Unpack

import click

from mu.cli.arguments import options
from mu.cli.arguments.operation_call import ask
from mu.cli.display.json_documents import encoded
from mu.cli.display.result_output import same_command, show
from mu.errors import ExitCode, MuError
from mu.operations.navigation import wiki as operations
from mu.operations.results import DEFAULT_LIMIT
from mu.render.text import printable, printable_source

if TYPE_CHECKING:
    from mu.agent import WikiContext

_USUAL_FOLDERS = ("wiki", "docs/wiki", "docs")


class _Listed(options.Paged):
    category: str


class _Searched(options.Paged):
    words: tuple[str, ...]


class _Drifted(options.Paged):
    prefix: str


class _Researched(TypedDict):
    words: tuple[str, ...]
    wiki: Path | None
    model: str | None
    base_url: str | None
    most: int
    as_json: bool


@click.group()
def command() -> None:
    """Search, read and check the pages of the repository."""


@command.command(
    "list",
    params=[
        click.Option(["--category"], default="", help="Only pages of this category."),
        *options.page(),
        *options.FORM,
    ],
)
@click.pass_obj
def list_pages(folder: str | None, /, **given: Unpack[_Listed]) -> None:
    """List documents: title, category, place, and their numbers of links and mentions.

    The category comes from the front matter, else from the file's name or folder: readme,
    changelog, agent, guide, adr, concept, component, reference, meta, other.
    """
    page = {"limit": options.row_limit(given), "offset": given["offset"]}
    result = ask(folder, operations.wiki_list, given["category"], **page)
    show(result, options.form(given))


@command.command(
    "search",
    params=[
        click.Argument(["words"], nargs=-1, required=True),
        *options.page(20),
        *options.FORM,
    ],
)
@click.pass_obj
def search_pages(folder: str | None, /, **given: Unpack[_Searched]) -> None:
    """Find pages and sections by WORDS, ranked as `mu search` ranks.

    \b
    Example:
      mu wiki search how to install
    """
    page = {"limit": options.row_limit(given), "offset": given["offset"]}
    result = ask(folder, operations.wiki_search, " ".join(given["words"]), **page)
    show(result, options.form(given))


@command.command(
    "read",
    params=[
        click.Argument(["page"]),
        *options.page(DEFAULT_LIMIT),
        click.Option(["as_json", "--json"], is_flag=True, help="Print JSON."),
    ],
)
@click.pass_obj
def read_page(folder: str | None, /, *, page: str, limit: int, offset: int, as_json: bool) -> None:
    """Show the text of PAGE, a path or a section's id; what it has to do with others on stderr."""
    result = ask(folder, operations.wiki_read, page, limit=limit, offset=offset)
    if as_json:
        click.echo(encoded(result))
        return
    for line in result.lines:
        click.echo(printable_source(line.text))
    sys.stdout.flush()
    for about in _about(result):
        click.echo(printable(about), err=True)
    if result.next_offset is not None:
        click.echo(printable(f"more: {same_command(result.next_offset)}"), err=True)


@command.command(
    "drift",
    params=[
        click.Argument(["prefix"], required=False, default="", metavar="[PATH]"),
        *options.page(),
        *options.FORM,
    ],
)
@click.pass_obj
def drift(folder: str | None, /, **given: Unpack[_Drifted]) -> None:
    """List broken links and mentions of missing code, in documents whose path begins with PATH.

    Columns: path, line, kind, text, reason; and the commit that broke it, where git's history shows
    it: commit, date, summary.
    """
    page = {"limit": options.row_limit(given), "offset": given["offset"]}
    result = ask(folder, operations.wiki_drift, given["prefix"], **page)
    show(result, options.form(given))


@command.command(
    "research",
    params=[
        click.Argument(["words"], nargs=-1, required=True, metavar="TASK..."),
        click.Option(
            ["--wiki"],
            type=click.Path(path_type=Path),
            metavar="DIR",
            help="The folder of the pages; else wiki, docs/wiki or docs, the first there is.",
        ),
        click.Option(["--model"], help="The model's id."),
        click.Option(["--base-url"], help="URL of a server with the Messages API."),
        click.Option(
            ["--max-iterations", "most"],
            type=click.IntRange(1, 50),
            default=10,
            show_default=True,
            help="Maximum number of requests.",
        ),
        click.Option(["as_json", "--json"], is_flag=True, help="Print JSON."),
    ],
)
@click.pass_obj
def research_pages(folder: str | None, /, **given: Unpack[_Researched]) -> ExitCode:
    """Have a model gather from the pages what TASK needs.

    No graph is needed; where there is one, the model may ask about the code as well. Words without
    quotes are joined. A key is read from ANTHROPIC_API_KEY. What it cost goes to standard error.
    The status is 1 when the model did not come to an end of its own.

    \b
    Example:
      mu wiki research add a retry to the mail queue
    """
    from mu.agent import AgentConfig, WikiContextAgent
    from mu.agent.values import DEFAULT_MODEL

    config = AgentConfig(model=given["model"] or DEFAULT_MODEL, base_url=given["base_url"])
    pages = _pages_folder(Path(folder or "."), given["wiki"])
    with (
        options.workspace_if_any(folder) as workspace,
        WikiContextAgent(pages, config=config, workspace=workspace) as agent,
    ):
        result = agent.research(" ".join(given["words"]), max_iterations=given["most"])
    if given["as_json"]:
        click.echo(encoded(result))
    else:
        click.echo(printable(result.to_text(), keep_lines=True), nl=False)
    sys.stdout.flush()
    for line in _about_research(result):
        click.echo(printable(line), err=True)
    return ExitCode.OK if result.finalized else ExitCode.FAILED


def _pages_folder(start: Path, named: Path | None) -> Path:
    if named is not None:
        return start / named
    found = next((start / name for name in _USUAL_FOLDERS if (start / name).is_dir()), None)
    if found is None:
        raise MuError(
            f"none of the folders {', '.join(_USUAL_FOLDERS)} is here",
            "name the folder of the pages with --wiki",
            ExitCode.USAGE,
        )
    return found


def _about_research(result: "WikiContext") -> Iterator[str]:
    if not result.finalized:
        yield "note: the model did not finalize; this is the best so far"
    if result.error:
        yield f"error: {result.error}"
    cost = "unknown" if result.cost_usd is None else f"${result.cost_usd:.4f}"
    share = result.characters_read / max(1, result.wiki_characters)
    yield (
        f"{result.model}: {result.usage.total:,} tokens, {cost}, {result.iterations} rounds, "
        f"{len(result.pages_read)} pages and {share:.0%} of the wiki read"
    )


def _about(page: operations.WikiPage) -> Iterator[str]:
    category = f" ({page.category})" if page.category else ""
    yield f"page: {page.node.id} {page.title}{category}, {len(page.lines)} of {page.total} lines"
    for name, ids in (
        ("links", page.links),
        ("mentions", page.mentions),
        ("linked from", page.backlinks),
    ):
        if ids:
            yield f"{name}: {', '.join(ids)}"
