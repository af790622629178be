"""The JSON export: its documented shape, its order, and that it holds the whole graph."""

import json
import re
from pathlib import Path

import pytest

from e2e.command import SMALL, mu, write_tree
from fakes.built import with_graph

Rows = list[dict[str, object]]


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = write_tree(tmp_path_factory.mktemp("tree"), SMALL)
    (folder / "data.py").write_bytes(b"\0")
    with_graph(folder)
    return folder


@pytest.fixture(scope="module")
def document(built: Path) -> dict[str, Rows]:
    result = mu("kernel", "export", "--format", "json", cwd=built)
    assert (result.returncode, result.stderr) == (0, "")
    document: dict[str, Rows] = json.loads(result.stdout)
    return document


@pytest.fixture(scope="module")
def documented(root: Path) -> dict[str, list[str]]:
    """The keys that the reference page lists, by heading."""
    text = (root / "docs/reference/export.md").read_text(encoding="utf-8")
    sections = dict(re.findall(r"^## (.+?)\n(.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL))
    return {
        title: [
            key
            for line in body.splitlines()
            if line.startswith("| `")
            for key in re.findall(r"`(\w+)`", line.split("|")[1])
        ]
        for title, body in sections.items()
    }


def test_the_document_has_the_documented_keys(
    document: dict[str, Rows], documented: dict[str, list[str]]
) -> None:
    assert list(document) == documented["The document"]


@pytest.mark.parametrize("table", ["nodes", "edges", "sites", "files"])
def test_rows_have_the_documented_keys(
    document: dict[str, Rows], documented: dict[str, list[str]], table: str
) -> None:
    assert document[table]
    assert all(list(row) == documented[table] for row in document[table])


def test_edges_and_sites_refer_to_nodes_of_the_document(document: dict[str, Rows]) -> None:
    ids = [row["id"] for row in document["nodes"]]
    assert len(ids) == len(set(ids))
    assert {row[end] for row in document["edges"] for end in ("source", "target")} <= set(ids)
    assert {row["source"] for row in document["sites"]} <= set(ids)
    assert {row["target"] for row in document["sites"]} <= {*ids, None}


def test_every_edge_and_every_file_is_there(built: Path, document: dict[str, Rows]) -> None:
    stats = json.loads(mu("kernel", "stats", "--json", cwd=built).stdout)
    assert len(document["edges"]) == sum(row["count"] for row in stats["edges"])
    assert len(document["nodes"]) == sum(row["count"] for row in stats["nodes"])
    first = [row for row in document["sites"] if row["choice"] == 0]
    assert len(first) == sum(row["count"] for row in stats["references"])
    assert [row["path"] for row in document["files"]] == sorted([*SMALL, "data.py"])


def test_an_edge_says_that_its_source_depends_on_its_target(document: dict[str, Rows]) -> None:
    calls = {
        (row["source"], row["target"], row["path"], row["line"])
        for row in document["edges"]
        if row["kind"] == "calls"
    }
    assert ("fn:app/views.py:page", "fn:app/auth.py:login", "app/views.py", 5) in calls
    assert ("fn:app/auth.py:login", "fn:app/auth.py:check", "app/auth.py", 2) in calls


def test_a_file_gets_what_standard_output_would(built: Path, document: dict[str, Rows]) -> None:
    result = mu("kernel", "export", "-o", "graph.json", cwd=built)
    assert (result.returncode, result.stdout) == (0, "")
    assert json.loads((built / "graph.json").read_text(encoding="utf-8")) == document


def test_no_path_of_this_machine_is_in_the_document(built: Path) -> None:
    assert str(built.parent) not in mu("kernel", "export", cwd=built).stdout


def test_a_rebuild_of_the_same_sources_exports_the_same_rows(
    built: Path, document: dict[str, Rows], tmp_path: Path
) -> None:
    copy = write_tree(tmp_path, dict(reversed(SMALL.items())))
    (copy / "data.py").write_bytes(b"\0")
    mu("kernel", "build", ".", "--jobs", "2", cwd=copy)
    again = json.loads(mu("kernel", "export", cwd=copy).stdout)
    for table in ("nodes", "edges", "sites", "files"):
        assert again[table] == document[table]
