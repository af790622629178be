"""A line of a source is shown only when it is the one that the graph was built from."""

from hashlib import blake2b
from pathlib import Path

from fakes.graphs import make_graph, write
from mu.operations.source_lines import SourceLines
from mu.operations.workspace import Workspace

LINES = "first\nsecond\n"


def workspace_with(folder: Path, path: str, text: str) -> Workspace:
    """A graph that holds one file, under any path, with the digest of `text`."""
    graph = make_graph("a.py\n  def f @ 1-2\n")
    digest = blake2b(text.encode(), digest_size=16).hexdigest()
    [file] = graph.files
    held = file._replace(path=path, digest=digest, bytes=len(text.encode()))
    write(type(graph)([held], graph.nodes, graph.edges, graph.sites), folder)
    return Workspace(folder)


def lines_at(folder: Path, path: str, text: str = LINES) -> list[str | None]:
    with workspace_with(folder, path, text) as workspace:
        lines = SourceLines(workspace)
        return [lines.at(path, number) for number in (0, 1, 2, 9)]


def test_a_line_is_given_without_the_space_around_it(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("  first \r\n\tsecond\n", newline="")
    assert lines_at(tmp_path, "a.py", "  first \r\n\tsecond\n") == [None, "first", "second", None]


def test_a_long_line_is_cut_off(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("x" * 201)
    assert lines_at(tmp_path, "a.py", "x" * 201)[1] == "x" * 200 + "..."


def test_no_line_of_a_file_that_changed_or_is_gone(tmp_path: Path) -> None:
    assert lines_at(tmp_path, "a.py") == [None] * 4
    (tmp_path / ".mubase").unlink()
    (tmp_path / "a.py").write_text("other\nother\n")
    assert lines_at(tmp_path, "a.py") == [None] * 4


def test_a_graph_of_a_stranger_reads_nothing_outside_its_folder(tmp_path: Path) -> None:
    (tmp_path / "secret.py").write_text(LINES)
    (tmp_path / "folder").mkdir()
    (tmp_path / "inside").mkdir()
    (tmp_path / "inside" / "link").symlink_to(tmp_path / "folder")
    (tmp_path / "folder" / "secret.py").write_text(LINES)
    (tmp_path / "inside" / "file.py").symlink_to(tmp_path / "secret.py")
    for path in ("../secret.py", str(tmp_path / "secret.py"), "link/secret.py", "file.py"):
        assert lines_at(tmp_path / "inside", path) == [None] * 4, path
        (tmp_path / "inside" / ".mubase").unlink()
