"""A judged sample comes from one command, and nobody chooses its rows."""

from dataclasses import replace
from pathlib import Path

import pytest
from benchmarks.sampling import draw
from benchmarks.synthetic import make_graph

from mu.model.kinds import EdgeKind, Reason
from mu.store import write_graph


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    graph = make_graph(420, 1_000)
    sites = [
        site._replace(target=-1, rule=None, reason=Reason.UNKNOWN) if place % 2 else site
        for place, site in enumerate(graph.sites)
    ]
    graph = replace(graph, sites=sites)
    write_graph(graph, tmp_path / ".mubase", measured=(), meta={"digest": "d1"})
    write_graph(graph, tmp_path / "other.mubase", measured=(), meta={"digest": "d2"})
    for file in graph.files[1:]:
        target = tmp_path / file.path
        target.parent.mkdir(exist_ok=True)
        text = "".join(f'line\t"{number}"\n' for number in range(1, 101))
        target.write_text(text, encoding="utf-8")
    return tmp_path


def rows(text: str) -> list[dict[str, str]]:
    header, *lines = (line.split("\t") for line in text.splitlines())
    return [dict(zip(header, line, strict=True)) for line in lines]


@pytest.mark.parametrize("kind", ["calls", "unresolved"])
def test_row_shows_the_place_and_leaves_the_judgement_empty(tree: Path, kind: str) -> None:
    drawn = rows(draw(tree / ".mubase", tree, kind, count=20))

    assert [row["item"] for row in drawn] == [str(number) for number in range(1, 21)]
    for row in drawn:
        path, _, line = row["place"].rpartition(":")
        assert row["source line"] in (f'line "{line}"', "(vanished)")
        assert (row["source line"] == "(vanished)") is (path == "cluster_0/module_0.py")
        assert (row["verdict"], row["reason"]) == ("", "")


def test_unresolved_rows_have_the_ledgers_reason(tree: Path) -> None:
    drawn = rows(draw(tree / ".mubase", tree, "unresolved", count=5))

    assert {row["ledger"] for row in drawn} == {"unknown"}


def test_draw_depends_on_the_digest_and_on_nothing_else(tree: Path) -> None:
    first = draw(tree / ".mubase", tree, "calls", count=20)

    assert draw(tree / ".mubase", tree, "calls", count=20) == first
    assert draw(tree / "other.mubase", tree, "calls", count=20) != first


def test_fewer_rows_than_asked_for_are_all_drawn(tree: Path) -> None:
    calls = [edge for edge in make_graph(420, 1_000).edges if edge.kind is EdgeKind.CALLS]
    assert len(rows(draw(tree / ".mubase", tree, "calls", count=10_000))) == len(calls) > 500


def test_calls_can_be_held_to_rules(tree: Path) -> None:
    held = rows(draw(tree / ".mubase", tree, "calls", count=20, rules=("import",)))
    none = rows(draw(tree / ".mubase", tree, "calls", count=20, rules=("super",)))

    assert (len(held), len(none)) == (20, 0)
    assert held != rows(draw(tree / ".mubase", tree, "calls", count=20))
