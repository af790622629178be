"""Levels of folders, knots of modules, and how far a change spreads."""

from pathlib import Path

from fakes.graphs import make_graph, write
from mu.analysis.metrics.module_structure import LAYERS_COLUMNS, circular, layers, spread
from mu.store import open_graph

# app stands on shop and mail, which depend on each other, and these on data; tools stands alone.
FOLDERS = """
app/main.py
shop/orders.py
shop/stock.py
mail/send.py
data/store.py
tools/format.py
tests/test_main.py
app/main.py -> shop/orders.py imports 1 import
shop/orders.py -> mail/send.py imports 1 import
mail/send.py -> shop/stock.py imports 1 import
shop/stock.py -> data/store.py imports 1 import
tests/test_main.py -> app/main.py imports 1 import
data/store.py -> app/main.py calls 7 callback
"""


def test_folders_have_levels_and_those_in_a_circle_share_one(tmp_path: Path) -> None:
    with open_graph(write(make_graph(FOLDERS), tmp_path)) as graph:
        answer = graph.run(layers(graph))

    assert answer.columns == tuple(name for name, _ in LAYERS_COLUMNS)
    assert answer.rows == (
        ("mail", 2, 1, 1, 1, 1),
        ("shop", 2, 2, 2, 2, 1),
        ("app", 3, 1, 1, 0, None),
        ("data", 1, 1, 0, 1, None),
        ("tools", 1, 1, 0, 0, None),
    )


def test_a_change_spreads_to_all_that_lead_to_it(tmp_path: Path) -> None:
    with open_graph(write(make_graph(FOLDERS), tmp_path)) as graph:
        rows = graph.run(spread(graph)).rows

    # of the five other modules that are no test
    assert [(row[1], row[4], row[5], row[6]) for row in rows] == [
        ("store", 4, 0.8, 0),
        ("stock", 3, 0.6, 1),
        ("send", 2, 0.4, 2),
        ("orders", 1, 0.2, 3),
        ("main", 0, 0.0, 4),
        ("format", 0, 0.0, 0),
    ]


def test_a_knot_is_one_row_with_its_shortest_cycle(tmp_path: Path) -> None:
    text = "a.py\nb.py\nc.py\n" + "".join(
        f"{one}.py -> {other}.py imports {line} import\n"
        for line, (one, other) in enumerate([("a", "b"), ("b", "c"), ("c", "a"), ("b", "a")], 1)
    )
    with open_graph(write(make_graph(text), tmp_path)) as graph:
        rows = graph.run(circular(graph)).rows

    assert rows == ((1, 3, 2, ["mod:a.py", "mod:b.py"], "a.py", 1),)
