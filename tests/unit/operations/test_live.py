"""A workspace that follows its folder gives every asker one graph from beginning to end."""

from pathlib import Path

from fakes.built import built_tree, with_graph
from mu.operations.live import LiveWorkspace
from mu.operations.query import query

COUNT = "SELECT count(*) AS n FROM functions"


def test_who_was_lent_a_graph_keeps_it_when_a_new_one_comes(tmp_path: Path) -> None:
    built_tree(tmp_path, {"a.py": "def one():\n    pass\n"}).close()
    with LiveWorkspace(tmp_path) as live:
        before = live.lend_as_it_is()
        assert query(before, COUNT).answer.rows == ((1,),)
        kept = before.graph

        (tmp_path / "b.py").write_text("def two():\n    pass\n")
        (tmp_path / ".mubase").unlink()
        with_graph(tmp_path)
        after = live.lend_as_it_is()

        assert query(after, COUNT).answer.rows == ((2,),)
        assert before.graph is kept
        assert query(before, COUNT).answer.rows == ((1,),)
