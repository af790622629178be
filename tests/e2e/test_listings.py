"""Listings of call sites as the command writes them, in a pipe and on a terminal."""

import json
import re
import shlex
from pathlib import Path

import pytest

from e2e.command import mu, write_tree
from e2e.terminal import Terminal
from fakes.built import with_graph

MANY = 130
TREE = {
    "app/__init__.py": "",
    "app/store.py": "def save(row):\n    return row\n\n\ndef size():\n    return len('a')\n",
    "app/use.py": (
        "from app.store import save, size\n\n\ndef place(row):\n    first = save(row)\n"
        "    return first or save(\n        row\n    )\n\n\n"
        "def restore(source):\n    return source.save(1)\n"
    ),
    "app/many.py": "from app.store import save\n\n\n"
    + "".join(
        f"def caller_number_{n:03}(row):\n    return save(row)  # {'call ' * (n % 7)}\n\n\n"
        for n in range(MANY)
    ),
    "lib/base.py": "class Base:\n    pass\n",
    "app/draft.py": (
        "from lib.base import Base\n\n\nclass Mid(Base):\n    pass\n\n\n"
        "class Draft(Mid):\n    pass\n"
    ),
    "tests/test_use.py": "from app.use import place\n\n\ndef test_it():\n    place(1)\n",
    "tests/test_store.py": "from app.store import save\n\n\ndef test_save():\n    save(1)\n",
}
PLACE = re.compile(r"^(\S+:\d+)  ")


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = write_tree(tmp_path_factory.mktemp("tree"), TREE)
    with_graph(folder)
    return folder


def places(text: str) -> list[str]:
    """The place of each row of a listing; open references, which come last, are left out."""
    rows = text.partition("possible (")[0].splitlines()
    return [found[1] for line in rows if (found := PLACE.match(line))]


def test_a_caller_has_the_line_of_the_call_and_the_number_of_others(built: Path) -> None:
    result = mu("callers", "store.save", "--in", "app/use.py", cwd=built)

    assert result.stdout.splitlines() == [
        "app/use.py:5  first = save(row)  in place  (also 6)",
        "possible (1 reference not resolved; 1 definition is named save):",
        "app/use.py:12  source.save  in restore  (unknown)",
    ]
    assert result.stderr == "node: fn:app/store.py:save\n1 row, at least\n"


def test_possible_lists_the_references_that_could_add_rows_with_their_source(built: Path) -> None:
    result = mu("callers", "store.save", "--possible", "--in", "app/use.py", cwd=built)

    assert result.stdout == "app/use.py:12  return source.save(1)  in restore  (unknown)\n"
    assert "1 row, unknown" in result.stderr


def test_show_references_is_the_listing_of_the_command(built: Path) -> None:
    asked = mu("query", "SHOW references OF store.save", "--limit", "9", cwd=built)
    direct = mu("references", "store.save", "--limit", "9", cwd=built)

    assert asked.stdout == direct.stdout
    assert "return save(row)" in asked.stdout
    assert "at least" in asked.stderr


def test_sites_has_a_row_for_each_and_joins_a_call_that_is_broken(built: Path) -> None:
    result = mu("callers", "store.save", "--sites", "--in", "app/use.py", cwd=built)

    assert result.stdout.splitlines()[:2] == [
        "app/use.py:5  first = save(row)  in place",
        "app/use.py:6  return first or save(row)  in place",
    ]


@pytest.mark.parametrize("command", ["callers", "dependents", "impact"])
def test_pages_of_sites_have_no_gap_and_no_row_twice(built: Path, command: str) -> None:
    arguments = (command, "store.save", "--sites", "--json")
    whole = json.loads(mu(*arguments, cwd=built).stdout)
    rows, offset = [], 0
    while offset is not None:
        options = ("--limit", "17", "--offset", str(offset))
        page = json.loads(mu(*arguments, *options, cwd=built).stdout)
        rows += page["rows"]
        offset = page["next_offset"]

    assert rows == whole["rows"]
    assert len(rows) == whole["total"]


def test_tests_are_left_out(built: Path) -> None:
    everything = mu("callers", "store.save", "--limit", "1000", cwd=built).stdout
    without = mu("callers", "store.save", "--limit", "1000", "--no-tests", cwd=built).stdout

    left_out = set(places(everything)) - set(places(without))
    assert left_out == {"tests/test_store.py:5"}


def test_a_folder_without_files_is_an_error(built: Path) -> None:
    result = mu("callers", "store.save", "--in", "nowhere", cwd=built)

    assert (result.returncode, result.stdout) == (2, "")
    assert result.stderr.startswith("error: no file in the graph lies in 'nowhere'")


@pytest.mark.parametrize(
    ("command", "everywhere", "inside"),
    [
        (("tests", "save"), {"tests/test_store.py:5"}, set[str]()),
        (("search", "save"), {"app/store.py:1", "tests/test_store.py:4"}, {"app/store.py:1"}),
        (("bases", "Draft"), {"app/draft.py:8", "lib/base.py:1"}, {"app/draft.py:8"}),
    ],
)
def test_every_listing_can_be_held_to_a_path(
    built: Path, command: tuple[str, ...], everywhere: set[str], inside: set[str]
) -> None:
    assert set(places(mu(*command, cwd=built).stdout)) == everywhere
    assert set(places(mu(*command, "--in", "app", cwd=built).stdout)) == inside


def test_builtins_are_listed_when_asked(built: Path) -> None:
    assert mu("callees", "size", cwd=built).stdout == ""
    assert mu("callees", "size", "--builtins", cwd=built).stdout == (
        "app/store.py:6  return len('a')  -> builtins.len (external)\n"
    )
    assert mu("callees", "size", "--builtins", "--no-external", cwd=built).stdout == ""


def test_vimgrep_has_the_column_of_the_name(built: Path) -> None:
    options = ("--sites", "--in", "app/use.py", "--format", "vimgrep")
    lines = mu("callers", "store.save", *options, cwd=built).stdout.splitlines()

    assert lines == [
        "app/use.py:5:13: first = save(row)",
        "app/use.py:6:21: return first or save(row)",
    ]
    for line in lines:
        path, number, column, _ = line.split(":", 3)
        text = (built / path).read_text().splitlines()[int(number) - 1]
        assert text[int(column) - 1 :].startswith("save(")


def test_vimgrep_of_rows_without_places_is_an_error(built: Path) -> None:
    result = mu("query", "SELECT count(*) FROM nodes", "--format", "vimgrep", cwd=built)

    assert (result.returncode, result.stdout) == (2, "")
    assert "these rows have no places" in result.stderr


@pytest.mark.parametrize(
    "command",
    [
        "callers store.save",
        "dependents store.save --sites",
        "references store.save",
        "search caller",
        "impact store.save",
        "members app/many.py",
    ],
)
def test_more_leads_through_all_rows_in_pages_of_two_thousand_characters(
    built: Path, command: str
) -> None:
    whole = mu(*shlex.split(command), "--limit", "1000", cwd=built)
    found, pages = [], 0
    following: str | None = f"mu {command}"
    while following is not None:
        result = mu(*shlex.split(following)[1:], cwd=built)
        assert len(result.stdout) <= 2_000
        found += places(result.stdout)
        pages += 1
        lines = result.stderr.splitlines()
        following = next((x.removeprefix("more: ") for x in lines if x.startswith("more: ")), None)

    assert found == places(whole.stdout)
    assert len(found) == len(set(found)) >= MANY
    assert pages > 1


def test_the_number_of_rows_is_told_when_not_all_fit(built: Path) -> None:
    result = mu("callers", "store.save", cwd=built)

    shown = len(places(result.stdout))
    assert f"{shown} of {MANY + 2} rows, at least" in result.stderr.splitlines()
    assert result.stderr.splitlines()[-1] == f"more: mu callers store.save --offset {shown}"


def test_a_table_in_a_pipe_has_two_thousand_characters_and_more(built: Path) -> None:
    text = "SELECT id, path, line FROM functions ORDER BY id"
    result = mu("query", text, cwd=built)

    rows = result.stdout.splitlines()
    assert rows[0].split() == ["id", "path", "line"]
    assert len(result.stdout) <= 2_000
    more = shlex.split(result.stderr.splitlines()[-1].removeprefix("more: mu "))
    assert more == ["query", text, "--offset", str(len(rows) - 1)]
    following = mu(*more, cwd=built).stdout.splitlines()[1]
    assert following.split()[0] > rows[-1].split()[0]


def test_a_select_shows_the_columns_that_it_names(built: Path) -> None:
    text = "SELECT id, path, line, 'x' AS code, 1 AS resolution FROM functions LIMIT 1"

    lines = mu("query", text, cwd=built).stdout.splitlines()

    assert lines[0].split() == ["id", "path", "line", "code", "resolution"]


def test_a_table_of_open_references_keeps_their_note(built: Path) -> None:
    text = "SELECT name FROM callers('store.save') ORDER BY name"

    result = mu("query", text, "--limit", "1", cwd=built)

    assert "1 open reference could add to this: app/use.py:12 `source.save`" in result.stderr


def test_a_statement_is_listed_as_the_command_lists_it(built: Path) -> None:
    command = mu("callers", "store.save", "--limit", "1000", cwd=built).stdout

    assert (
        mu("query", "show\n callers of store.save", "--limit", "1000", cwd=built).stdout == command
    )


def test_a_terminal_has_all_rows_by_file_within_its_width(built: Path) -> None:
    arguments = ("callers", "store.save", "--sites", "--in", "app/use.py")
    with Terminal(*arguments, cwd=built) as terminal:
        assert terminal.status() == 0
        shown = terminal.screen

    assert shown.splitlines() == [
        "app/use.py",
        "  5  first = save(row)  in place",
        "  6  return first or save(row)  in place",
        "possible (1 reference not resolved; 1 definition is named save):",
        "app/use.py:12  source.save  in restore  (unknown)",
        "node: fn:app/store.py:save",
        "2 rows, at least (unresolved references could add more)",
    ]


def test_what_is_longer_than_the_screen_goes_through_a_pager(built: Path) -> None:
    pager = {"PAGER": "head -3"}
    with Terminal("callers", "store.save", cwd=built, more=pager) as terminal:
        assert terminal.status() == 0
        shown = terminal.screen

    assert shown.splitlines() == [
        "app/many.py",
        "  5  return save(row)  #  in caller_number_000",
        "  9  return save(row)  # call  in caller_number_001",
        "node: fn:app/store.py:save",
        f"{MANY + 2} rows, at least (unresolved references could add more)",
    ]


def test_named_queries_and_their_parts_are_told_in_a_line_each(built: Path) -> None:
    listed = mu("query", "--list", "--limit", "100", cwd=built).stdout.splitlines()
    parts = mu("query", "DESCRIBE nodes", cwd=built).stdout.splitlines()

    assert "@external_imports(tests := false)  mu  " in "\n".join(listed)
    assert len(listed) == 37
    assert parts[0].startswith("id  VARCHAR  readable and unique")


def test_explanations_are_wrapped_on_a_terminal(built: Path) -> None:
    with Terminal("query", "DESCRIBE nodes", cwd=built) as terminal:
        terminal.status()
        lines = terminal.screen.splitlines()

    assert lines[:2] == [
        "id  VARCHAR", "  readable and unique, such as `fn:src/app/auth.py:login`",
    ]  # fmt: skip


def test_the_edges_to_cut_stand_below_their_component(tmp_path: Path) -> None:
    write_tree(tmp_path, {"a.py": "import b\n", "b.py": "import a\n"})
    with_graph(tmp_path)

    assert mu("cycles", "--cut", cwd=tmp_path).stdout.splitlines() == [
        "component 1 (of 2): cut 1 edge, the minimum:",
        "a.py:1  import b  -> b.py",
    ]
