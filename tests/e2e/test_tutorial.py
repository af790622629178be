"""Every command in the documentation runs; on Flask's source it answers what the page shows.

Flask is not among MU's dependencies. Where its source lies, unpacked, is read from `FLASK_SOURCE`,
else it is looked for in `.bench/flask-3.1.3`; without it the answers are not compared. The
commands run anyway, on Click, which is always there, with names of Click in place of Flask's.
"""

import importlib.util
import os
import re
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pytest

from e2e.command import mu, write_tree
from e2e.examples import Example, first_difference, read_examples
from fakes.built import with_graph
from fakes.git_history import History

ROOT = Path(__file__).resolve().parents[2]
VERSION = "3.1.3"
OWN_SOURCES = {
    ROOT / "docs" / "guides" / "trusting.md",
    ROOT / "docs" / "guides" / "columns.md",
    ROOT / "docs" / "explanation" / "resolution.md",
}
"""Pages whose examples `test_guide` and `test_columns_guide` run."""
PAGES = [ROOT / "README.md", *sorted({*(ROOT / "docs").rglob("*.md")} - OWN_SOURCES)]
ELSEWHERE = ("mu wiki research", "mu daemon", "mu mcp serve")
"""What needs a model or a process: run by `test_wiki_research`, `test_daemon`, `test_mcp_http`."""
EXAMPLES = [
    example
    for page in PAGES
    for example in read_examples(page)
    if not example.command.startswith(ELSEWHERE)
]
ANSWERED = [example for example in EXAMPLES if example.output]

IN_CLICK = {
    "src/app/cart.py to src/app/shop": "src/click/termui.py to src/click/shop",
    "remove app.legacy": "remove src/click/formatting.py",
    "merge app.mail into app.post": "merge src/click/_utils.py into src/click/utils.py",
    "Flask.dispatch_request": "Context.invoke",
    "Flask.create_jinja_environment": "Context.invoke",
    "Flask.url_for": "Context.lookup_default",
    "Flask.ensure_sync": "Context.invoke",
    "TagDict.check": "Group.list_commands",
    "ScriptInfo.load_app": "Group.get_command",
    "make_null_session": "Context.invoke",
    "AuthService.login": "Context.invoke",
    "AuthService": "Parameter",
    "auth login": "core invoke",
    "Scaffold": "Parameter",
    "src/flask/helpers.py": "src/click/utils.py",
    "src/flask/views.py": "src/click/core.py",
    "src/app/auth.py:login": "src/click/utils.py:echo",
    "src/app/auth.py": "src/click/core.py",
    "src/app/views.py": "src/click/core.py",
    "src/app/db.py": "src/click/utils.py",
    "AND kind = 'import'": "AND kind = 'call'",
}
"""What stands in Click where the documentation names something of Flask or of nobody's."""


LISTED = re.compile(
    r"\S+:\d+(:\d+:)? |\S+ \(external\)  |(direct|by registration|by override|cycle).*:$"
)
"""The first line of a listing: a row, or the heading of a group."""


def _label(example: Example) -> str:
    return f"{example.page}:{example.line}: {example.command}"


CONTRACT = """
[[check.contract]]
name = "Click stands alone"
type = "forbidden"
source = ["src/click"]
target = ["flask"]
"""


@pytest.fixture(scope="module")
def click(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Click's source with its graph: two releases, a branch, and changes not committed."""
    spec = importlib.util.find_spec("click")
    assert spec is not None
    assert spec.origin is not None
    folder = tmp_path_factory.mktemp("documented")
    source = Path(spec.origin).parent
    now = {f"src/click/{path.name}": path.read_text("utf-8") for path in source.glob("*.py")}
    now["tests/test_echo.py"] = "from click import echo\n\n\ndef test_echo():\n    echo(1)\n"
    now["mu.toml"] = CONTRACT
    history = History(folder)
    history.commit("Begin", now)
    history.tag("v1.0")
    history.commit("Change what prints", now | _with_line(now, "message = message or None"))
    for release in ("v1.1", "v1.2"):
        history.tag(release)
    history.switch("change")
    history.commit("Change it again", now | _with_line(now, "message = message or 0"))
    write_tree(folder, now)
    with_graph(folder)
    return folder


def _with_line(files: Mapping[str, str], line: str) -> dict[str, str]:
    """`utils.py` with one line more in the body of `echo`."""
    path = "src/click/utils.py"
    before, opening, after = files[path].partition("\n    if file is None:\n")
    assert opening
    return {path: f"{before}\n    {line}{opening}{after}"}


@pytest.fixture(scope="module")
def flask(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Flask's source with its graph, where there is one."""
    source = Path(os.environ.get("FLASK_SOURCE", ROOT / ".bench" / f"flask-{VERSION}"))
    if not source.is_dir():
        pytest.skip(f"no source of Flask {VERSION}; name its folder in FLASK_SOURCE")
    metadata = (source / "PKG-INFO").read_text(encoding="utf-8")
    assert f"\nVersion: {VERSION}\n" in metadata, f"{source} is another version"
    folder = tmp_path_factory.mktemp("tutorial") / "flask"
    shutil.copytree(source, folder, ignore=shutil.ignore_patterns(".mubase"))
    with_graph(folder)
    return folder


@pytest.mark.parametrize("example", EXAMPLES, ids=_label)
def test_a_documented_command_runs_and_answers(example: Example, click: Path) -> None:
    command = _in_click(example.command)

    with _own_graph_of_a_build(example, click):
        result = mu(*Example("", 0, command).arguments, cwd=click)

    assert result.returncode == 0, result.stderr
    is_nothing_found = result.stderr.startswith("0 rows, ")  # Click has no pages of its own
    assert result.stdout.strip() or is_nothing_found or "-o" in command
    if example.output and "node:" not in example.output[0]:
        [heading, *_] = result.stdout.splitlines()
        shown = _in_click(example.output[0])
        is_alike = LISTED.match(shown) and LISTED.match(heading)
        assert is_alike or first_difference([shown, "..."], [heading]) == "" or _counts(heading)


@pytest.mark.parametrize("example", ANSWERED, ids=_label)
def test_a_documented_answer_is_what_flask_gives(example: Example, flask: Path) -> None:
    with _own_graph_of_a_build(example, flask):
        result = mu(*example.arguments, cwd=flask)

    printed = result.stdout.splitlines() + result.stderr.splitlines()
    assert first_difference(example.output, printed) == "", "\n".join(printed)


@contextmanager
def _own_graph_of_a_build(example: Example, folder: Path) -> Iterator[None]:
    """Let a build be the first one here, as on the pages, and put the whole graph back after it."""
    if not example.command.startswith("mu kernel build"):
        yield
        return
    graph = folder / ".mubase"
    whole = graph.read_bytes()
    graph.unlink()
    yield
    graph.write_bytes(whole)


def test_the_tour_and_the_tutorial_show_answers() -> None:
    pages = [example.page for example in ANSWERED]

    assert pages.count("README.md") >= 4
    assert pages.count("tutorial.md") >= 12
    assert [e.command for e in ANSWERED if not e.command.startswith("mu ")] == []


def test_an_answer_that_differs_is_noticed() -> None:
    shown = ["id  name …", "...", "1 row, exact"]

    assert first_difference(shown, ["id   name  line", "a", "b", "1 row, exact"]) == ""
    assert first_difference(shown, ["id   kind  line", "a", "1 row, exact"]) == "id  name …"
    assert first_difference(shown, ["id   name  line", "a", "2 rows, exact"]) == "1 row, exact"
    assert first_difference(shown, ["id  name", "1 row, exact", "more"]) == "more"


def test_commands_and_answers_are_read_off_a_page(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(
        'Words\n\n```\nmu kernel build\n```\n\n```console\n$ mu query "SELECT 1 \\\n'
        '    AS a"\na\n1\n$ mu status\n```\n'
    )

    found = [(e.line, e.arguments, e.output) for e in read_examples(page)]

    assert found == [
        (3, ["kernel", "build"], ()),
        (7, ["query", "SELECT 1 AS a"], ("a", "1")),
        (7, ["status"], ()),
    ]


def _in_click(text: str) -> str:
    for name, ours in IN_CLICK.items():
        text = text.replace(name, ours)
    return text


def _counts(heading: str) -> bool:
    """Whether it is the closing line of a build, which counts what was found."""
    return heading.startswith(("built .mubase: ", "built .mubase from a cached graph: "))
