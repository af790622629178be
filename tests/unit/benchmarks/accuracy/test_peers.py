"""Other tools are held against the same calls, by names that no tool's lines can shift."""

import json
import sys
from pathlib import Path

import pytest
from benchmarks.accuracy.graph import Node
from benchmarks.accuracy.packages import PreparationError
from benchmarks.accuracy.peer_tables import render_peers
from benchmarks.accuracy.peers import (
    CallFigures,
    Failure,
    ImportFigures,
    Peer,
    call_figures,
    compare_imports,
    files,
    graph_imports,
    install,
    load_peers,
    named_calls,
    run,
    write_figures,
)
from benchmarks.accuracy.recall import CallKind, Recall, Row, Status

from fakes.graphs import make_graph, write

TEXT = """\
import functools


class Shop:
    @functools.cache
    def open(self):
        def inner():
            return 1

        return inner


def make():
    return Shop()
"""


def node(key: int, inside: str, name: str) -> Node:
    return Node(key, f"fn:shop.py:{inside}", "function", "", name, -1, "shop.py", 1, 2, False)


def recall(*pairs: tuple[Node, Node]) -> Recall:
    rows = [
        Row(caller, callee, 1, CallKind.FUNCTION, Status.EDGE, "", "", ())
        for caller, callee in pairs
    ]
    return Recall(tuple(rows), {}, {})  # type: ignore[arg-type]  # counts play no part


def test_a_definition_is_told_by_its_name_whichever_line_is_given(tmp_path: Path) -> None:
    (tmp_path / "shop.py").write_text(TEXT)
    rows = [
        ("shop.py", 0, "shop.py", 5),
        ("shop.py", 13, "shop.py", 6),
        ("shop.py", 13, "shop.py", 7),
        ("shop.py", 13, "shop.py", 8),
        ("shop.py", 13, "shop.py", 13),
    ]

    assert named_calls(rows, tmp_path) == {
        (("shop.py", ""), ("shop.py", "Shop.open")),
        (("shop.py", "make"), ("shop.py", "Shop.open")),
        (("shop.py", "make"), ("shop.py", "Shop.open.inner")),
    }


def test_a_constructor_is_found_by_its_class_and_wrong_edges_are_not_seen() -> None:
    make, made = node(0, "make", "make"), node(1, "Shop.__init__", "__init__")
    other, again = node(2, "other", "other"), node(3, "make~2", "make")
    claimed = {
        (("shop.py", "make"), ("shop.py", "Shop")),
        (("shop.py", "other"), ("shop.py", "Shop.__init__")),
        (("shop.py", "unheard"), ("shop.py", "make")),
    }

    found = call_figures(recall((make, made), (again, made), (other, make)), claimed)

    assert found == CallFigures(pairs=2, found=1, claimed=3, ran=1, seen=0)


def test_of_modules_on_one_line_the_innermost_counts(tmp_path: Path) -> None:
    graph = make_graph(
        "shop/a.py\nshop/b.py\nother/c.py\n"
        "shop/a.py -> shop/b.py imports 1 import\n"
        "shop/a.py -> other/c.py imports 2 import\n"
    )

    found = graph_imports(write(graph, tmp_path), {"shop"})

    assert found == {("shop.a", "shop.b")}
    assert compare_imports(found, {("shop.a", "shop.c")}) == ImportFigures(0, 1, 1)


def test_a_tool_that_cannot_be_installed_is_left_out(tmp_path: Path) -> None:
    peer = Peer("gone", f"{tmp_path}/no-such-wheel.whl", "gone.py", "calls")

    assert install(peer, tmp_path) is None


def test_a_tool_that_fails_says_so(tmp_path: Path) -> None:
    folder = tmp_path / "environment" / "bin"
    folder.mkdir(parents=True)
    python = folder / "python"
    python.symlink_to(sys.executable)

    with pytest.raises(PreparationError, match="No such file"):
        run(Peer("gone", "gone", "gone.py", "calls"), python, tmp_path)


def test_what_cannot_be_parsed_is_given_to_no_tool(tmp_path: Path) -> None:
    for name, text in (("good.py", "x = 1\n"), ("bad.py", "x ="), (".hidden.py", "x = 1\n")):
        (tmp_path / name).write_text(text)

    assert files(tmp_path) == ["good.py"]


def test_every_listed_tool_has_its_adapter() -> None:
    folder = Path(sys.modules["benchmarks.accuracy.peers"].__file__ or "").parent / "adapters"

    assert [peer.name for peer in load_peers() if not (folder / peer.adapter).is_file()] == []


def test_tables_keep_what_is_lost_and_what_failed(tmp_path: Path) -> None:
    path = tmp_path / "peers.json"
    better, worse = CallFigures(10, 9, 20, 10, 8), CallFigures(10, 7, 8, 10, 9)
    write_figures({"mu": {"shop": worse, "bank": worse}, "pyan3": {"shop": better}}, path)
    write_figures({"pyan3": {"bank": Failure("crashed")}}, path)
    write_figures({"grimp": {"shop": ImportFigures(8, 1, 1)}}, path)

    text = render_peers(path)

    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in text.splitlines()]
    assert ["shop", "10", "70.0", "90.0"] in rows
    assert ["bank", "10", "70.0", "failed"] in rows
    assert ["shop", "8", "1", "1", "80.0"] in rows
    assert json.loads(path.read_text())["pyan3"]["bank"] == {"failed": "crashed"}
