from pathlib import Path

import pytest

from fakes.graphs import SHOP, make_graph, write_anew
from mu.errors import MuError
from mu.model.graph import Graph, Measured
from mu.model.kinds import Rule
from mu.model.relation import Relation
from mu.store import (
    SCHEMA_VERSION,
    draft_graph,
    open_graph,
    publish,
    write_draft,
    write_graph,
)


def rows(path: Path, sql: str) -> list[tuple[object, ...]]:
    with open_graph(path) as graph:
        return list(graph.run(Relation(sql), limit=None).rows)


def test_every_row_comes_back_as_it_was_written(tmp_path: Path) -> None:
    graph = make_graph(SHOP)
    path = write_anew(graph, tmp_path / ".mubase")

    def null(key: int) -> int | None:
        return None if key < 0 else key

    nodes = [(*n[:8], null(n.file), null(n.parent), *n[10:]) for n in graph.nodes]
    sites = [(*s[:6], null(s.target), *s[7:]) for s in graph.sites]
    assert rows(path, "FROM node") == nodes
    assert rows(path, "FROM file") == [(*f[:9], list(f.problems)) for f in graph.files]
    assert sorted(rows(path, "FROM edge")) == sorted(tuple(e) for e in graph.edges)
    assert sorted(rows(path, "FROM site"), key=repr) == sorted(sites, key=repr)


def test_rows_keep_the_order_of_the_graph(tmp_path: Path) -> None:
    graph = make_graph(SHOP)
    path = write_anew(graph, tmp_path / ".mubase")

    edges = rows(path, "SELECT source, target, kind, role FROM edge")
    sites = rows(path, "SELECT file, line, text FROM site")
    assert edges == [tuple(edge[:4]) for edge in graph.edges]
    assert sites == [(site.file, site.line, site.text) for site in graph.sites]


def test_any_text_comes_back_as_it_was(tmp_path: Path) -> None:
    texts = [
        "",
        "null",
        "-1",
        "[1]",
        '"',
        "\\n\n\r\t\x01",
        "\x00",
        "\u2028\U0001f600",
        "'{}'",
        "é" * 70_000,
    ]
    first = make_graph("a.py").nodes[0]
    nodes = [first._replace(key=key, docstring=text) for key, text in enumerate(texts)]
    nodes += [first._replace(key=len(texts), decorators=texts)]
    write_graph(Graph((), nodes, (), ()), tmp_path / "g", measured=(), meta={})

    kept = rows(tmp_path / "g", "SELECT docstring, decorators FROM node")
    assert [docstring for docstring, _ in kept[:-1]] == texts
    assert kept[-1][1] == texts


def test_every_table_and_column_has_a_comment(tmp_path: Path) -> None:
    path = write_anew(make_graph(""), tmp_path / ".mubase")
    import duckdb

    with duckdb.connect(str(path), read_only=True) as connection:
        bare = connection.execute(
            "SELECT table_name FROM duckdb_tables() WHERE comment IS NULL UNION ALL "
            "SELECT column_name FROM duckdb_columns() WHERE comment IS NULL AND NOT internal"
        ).fetchall()
    assert bare == []


def test_names_with_long_common_parts_are_compressed_well(tmp_path: Path) -> None:
    import duckdb

    path = write_anew(make_graph(SHOP), tmp_path / ".mubase")
    with duckdb.connect(str(path), read_only=True) as connection:
        found = connection.execute(
            "SELECT DISTINCT column_name FROM pragma_storage_info('node') "
            "WHERE compression = 'ZSTD' ORDER BY ALL"
        ).fetchall()

    assert found == [("id",), ("qualified_name",)]


def test_meta_and_measured_are_kept(tmp_path: Path) -> None:
    path = tmp_path / "g"
    measured = [Measured("python", Rule.SELF, 9, 10)]
    write_graph(make_graph(""), path, measured=measured, meta={"digest": "ab"})

    with open_graph(path) as graph:
        assert dict(graph.meta()) == {"schema": str(SCHEMA_VERSION), "digest": "ab"}
    assert rows(path, "FROM measured") == [("python", "self", 9, 10)]


def test_an_existing_file_is_not_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "g"
    path.write_bytes(b"mine")

    with pytest.raises(MuError, match="exists already"):
        write_graph(make_graph(""), path, measured=(), meta={})
    assert path.read_bytes() == b"mine"


def test_a_graph_that_cannot_be_written_leaves_no_file(tmp_path: Path) -> None:
    graph = make_graph(SHOP)
    nodes = [graph.nodes[0]._replace(lines="no number")]  # type: ignore[arg-type]
    broken = Graph(graph.files, nodes, (), ())

    with pytest.raises(MuError, match="could not be written"):
        write_graph(broken, tmp_path / "g", measured=(), meta={})
    assert list(tmp_path.iterdir()) == []


def test_a_draft_needs_its_graph_no_more_and_leaves_no_file_of_its_own(tmp_path: Path) -> None:
    graph = make_graph(SHOP)
    with draft_graph(graph, tmp_path, measured=(), meta={}) as draft:
        del graph
        write_draft(draft, tmp_path / "g")

    assert rows(tmp_path / "g", "SELECT count(*) FROM classes") == [(4,)]
    assert [path.name for path in tmp_path.iterdir()] == ["g"]


def test_a_folder_that_takes_nothing_is_told_before_the_engine_is_opened(tmp_path: Path) -> None:
    with pytest.raises(MuError, match="could not be written"):
        draft_graph(make_graph(SHOP), tmp_path / "gone", measured=(), meta={})


def test_a_name_with_quotes_is_only_a_name(tmp_path: Path) -> None:
    folder = tmp_path / "key=value [a-z]*"
    folder.mkdir()
    path = folder / 'it\'s; "a" graph'
    write_graph(make_graph(SHOP), path, measured=(), meta={})

    assert rows(path, "SELECT count(*) FROM classes") == [(4,)]


def test_publishing_replaces_the_old_file_and_its_readers_keep_it(tmp_path: Path) -> None:
    final, new = tmp_path / ".mubase", tmp_path / "new"
    write_graph(make_graph("a.py"), final, measured=(), meta={})
    write_graph(make_graph("a.py\nb.py"), new, measured=(), meta={})

    with open_graph(final) as reader:
        publish(new, final)
        assert reader.run(Relation("SELECT path FROM files")).total == 1
        assert len(rows(final, "SELECT path FROM files")) == 2
    assert [path.name for path in tmp_path.iterdir()] == [".mubase"]
