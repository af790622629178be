"""Rows that linking finds other than a build did, before an edit and after it alike, stay."""

from dataclasses import replace
from pathlib import Path

import pytest

from mu.kernel.building import build
from mu.kernel.settings import BuildSettings
from mu.kernel.updating.kept_rows import with_known_rows
from mu.model.graph import FileRows, Site
from mu.resolve import FileLinks
from mu.resolve.emit.nodes import NodesOfFile
from mu.store.graph_update import GraphUpdate


@pytest.fixture
def rows(tmp_path: Path) -> FileRows:
    root = tmp_path / "repository"
    root.mkdir()
    (root / "a.py").write_text("def one():\n    two()\n\ndef two():\n    one()\n    other()\n")
    build(root, BuildSettings(facts=tmp_path / "facts", jobs=1))
    with GraphUpdate(root / ".mubase") as graph:
        found = graph.file_rows("a.py")
    assert found is not None
    return found


def test_known_rows_stay_where_linking_finds_others_twice(rows: FileRows) -> None:
    links = _with_fewer(rows, _calls(rows)[0])
    new = _moved(rows, links)
    kept = with_known_rows(new, rows, links=(links, _moved_links(links)), gone=frozenset())
    assert kept is not None
    assert kept.sites == [site._replace(line=site.line + 3) for site in rows.sites]
    assert kept.edges == sorted(edge._replace(line=edge.line + 3) for edge in rows.edges)


def test_rows_that_linking_finds_otherwise_after_an_edit_are_not_settled(rows: FileRows) -> None:
    before, after = _with_fewer(rows, _calls(rows)[0]), _with_fewer(rows)
    links = before, _moved_links(after)
    assert with_known_rows(_moved(rows, after), rows, links=links, gone=frozenset()) is None


def test_rows_of_other_definitions_are_the_new_ones(rows: FileRows) -> None:
    first, last = _calls(rows)[0], _calls(rows)[-1]
    assert first.source != last.source
    before, after = _with_fewer(rows, first), _with_fewer(rows, first, last)
    links = before, _moved_links(after)
    kept = with_known_rows(_moved(rows, after), rows, links=links, gone=frozenset())
    assert kept is not None
    expected = [site._replace(line=site.line + 3) for site in rows.sites if site != last]
    assert kept.sites == expected


def test_rows_of_what_is_gone_do_not_stay(rows: FileRows) -> None:
    site = _calls(rows)[0]
    links = _with_fewer(rows, site)
    new, after = _moved(rows, links), _moved_links(links)
    assert with_known_rows(new, rows, links=(links, after), gone={site.target}) is None


def _calls(rows: FileRows) -> list[Site]:
    return [site for site in rows.sites if site.target >= 0]


def _with_fewer(rows: FileRows, *without: Site) -> FileLinks:
    """The links of the file, but for some sites."""
    sites = [site for site in rows.sites if site not in without]
    return FileLinks(sorted(rows.edges), sites, [], NodesOfFile([], [], []))


def _moved_links(links: FileLinks) -> FileLinks:
    edges = sorted(edge._replace(line=edge.line + 3) for edge in links.edges)
    return links._replace(edges=edges, sites=[s._replace(line=s.line + 3) for s in links.sites])


def _moved(rows: FileRows, links: FileLinks) -> FileRows:
    """The rows of the same file three lines further on, with such links."""
    after = _moved_links(links)
    nodes = [n._replace(start_line=n.start_line + 3, end_line=n.end_line + 3) for n in rows.nodes]
    return replace(rows, nodes=nodes, edges=[*after.edges], sites=[*after.sites])
