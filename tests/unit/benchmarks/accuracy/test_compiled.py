"""What an adapter prints about a folder, held against the graph of the same folder."""

from pathlib import Path

import pytest
from benchmarks.accuracy.compiled import Graph, Oracle, compare

SOURCE = """\
export class Base {
  open() {}
}
export class Shop extends Base {}
export function run(shop: Shop) {
  shop.open();
  wrong();
}
function wrong() {}
function other() {}
"""
SAID = """\
base\tsrc/shop.ts\t4\tBase\tsrc/shop.ts:1
call\tsrc/shop.ts\t6\topen\there\tsrc/shop.ts:2
call\tsrc/shop.ts\t7\twrong\there\tsrc/shop.ts:10
call\tsrc/use.ts\t2\trun\there\tsrc/shop.ts:5,4
file\tsrc/shop.ts
file\tsrc/use.ts
import\tsrc/use.ts\tsrc/shop.ts
import\tsrc/use.ts\tsrc/gone.ts
"""


@pytest.fixture
def graph(tmp_path: Path) -> Graph:
    (tmp_path / "src").mkdir()
    (tmp_path / "src/shop.ts").write_text(SOURCE)
    (tmp_path / "src/use.ts").write_text("import { run } from './shop';\nrun(null);\n")
    return Graph(tmp_path)


def test_shares_are_of_what_both_name_by_place(
    graph: Graph, capsys: pytest.CaptureFixture[str]
) -> None:
    compare(Oracle.of(SAID), graph, is_telling=False)

    assert capsys.readouterr().out.splitlines() == [
        "calls            right 2 of 3 (66.7 %), found 2 of 3 (66.7 %)",
        "                 and 0 of which nothing is said",
        "inheritance      right 1 of 1 (100.0 %), found 1 of 1 (100.0 %)",
        "imports          right 1 of 1 (100.0 %), found 1 of 2 (50.0 %)",
    ]


def test_what_differs_is_told_with_its_place(
    graph: Graph, capsys: pytest.CaptureFixture[str]
) -> None:
    compare(Oracle.of(SAID), graph, is_telling=True)

    told = capsys.readouterr().out.splitlines()
    assert "not there\tsrc/shop.ts\t7\twrong\tsrc/shop.ts\t9" in told
    assert "not seen\tsrc/shop.ts\t7\twrong\tsrc/shop.ts\t10" in told
    assert "import not seen\tsrc/use.ts\tsrc/gone.ts" in told


def test_nothing_is_said_of_calls_the_compiler_gives_no_function_for(
    graph: Graph, capsys: pytest.CaptureFixture[str]
) -> None:
    compare(
        Oracle.of(SAID.replace("wrong\there\tsrc/shop.ts:10", "wrong\tunknown\t")),
        graph,
        is_telling=False,
    )

    assert "and 1 of which nothing is said" in capsys.readouterr().out
