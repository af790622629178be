"""`mu wiki`, as its commands write it."""

import json
from pathlib import Path

import pytest

from e2e.command import mu, write_tree
from fakes.built import with_graph

TREE = {
    "app.py": "def pay():\n    return 1\n",
    "docs/pay.md": "# Paying\n\nBy `pay()`, once `settle_all()`; [more](more.md).\n",
    "docs/more.md": "# More\n\nText\twith a tab.\n",
}


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = write_tree(tmp_path_factory.mktemp("tree"), TREE)
    with_graph(folder)
    return folder


def test_pages_are_listed_as_rows(built: Path) -> None:
    result = mu("wiki", "list", "--format", "csv", cwd=built)
    assert result.stdout.splitlines()[1:] == [
        "doc:docs/more.md,More,other,docs/more.md,3,0,0",
        "doc:docs/pay.md,Paying,other,docs/pay.md,3,1,1",
    ]


def test_words_need_no_quotes(built: Path) -> None:
    result = mu("wiki", "search", "about", "paying", cwd=built)
    assert "docs/pay.md:1  section #paying  " in result.stdout


def test_a_page_goes_to_output_and_the_rest_beside_it(built: Path) -> None:
    result = mu("wiki", "read", "docs/pay.md", cwd=built)
    assert result.stdout == TREE["docs/pay.md"]
    assert result.stderr.splitlines() == [
        "page: doc:docs/pay.md Paying (other), 3 of 3 lines",
        "links: doc:docs/more.md",
        "mentions: fn:app.py:pay",
    ]
    assert "linked from: docs/pay.md" in mu("wiki", "read", "docs/more.md", cwd=built).stderr


def test_a_page_as_json(built: Path) -> None:
    document = json.loads(mu("wiki", "read", "docs/more.md", "--json", cwd=built).stdout)
    assert document["lines"][2] == {"number": 3, "text": "Text\twith a tab."}
    assert document["backlinks"] == ["docs/pay.md"]


def test_drift_names_the_place(built: Path) -> None:
    result = mu("wiki", "drift", "--format", "csv", cwd=built)
    assert result.stdout.splitlines()[1:] == ["docs/pay.md,3,mention,settle_all(),unknown,,,"]


@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        (("read", "app.py"), 4, "mod:app.py is no page"),
        (("read", "docs/lost.md"), 4, "no node is called 'docs/lost.md'"),
        (("search",), 2, "missing argument"),
        (("list", "--limit", "0"), 2, "--limit"),
        (("nothing",), 2, "nothing"),
    ],
)
def test_wrong_usage_is_told(
    built: Path, arguments: tuple[str, ...], status: int, message: str
) -> None:
    result = mu("wiki", *arguments, cwd=built)
    assert (result.returncode, result.stdout) == (status, "")
    assert message in result.stderr
