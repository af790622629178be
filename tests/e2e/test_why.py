"""`mu why` on a graph that was really built: the whole text for each way an edge comes to be."""

import json
import re
from pathlib import Path

import pytest

from e2e.command import mu, write_tree
from fakes.built import with_graph
from fakes.graphs import make_graph, write
from mu.model.graph import Measured
from mu.model.kinds import Rule

PROJECT = {
    "shop/__init__.py": "",
    "shop/base.py": """\
class Service:
    def start(self):
        return self.prepare()

    def prepare(self):
        return None

    def stop(self):
        return None
""",
    "shop/store.py": """\
from shop.base import Service

LIMIT = 10


def rate():
    return 0.2


class Store(Service):
    factor = rate()

    def prepare(self):
        self.stop()
        return super().prepare()

    def save(self, row):
        return row if row < LIMIT else None
""",
    "shop/orders.py": """\
from shop.store import Store
from shop.store import rate as percent


def place(row):
    store = Store()
    store.start()
    return store.save(row) * percent()


def restore(backup, row):
    backup.save(row)
    backup.prepare()


def save(row):
    return row


def write(row):
    return save(row)
""",
    "shop/report.py": """\
from shop.orders import place


def total(rows, unknown):
    return sum(map(place, rows)) + unknown.save(rows)
""",
}


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = write_tree(tmp_path_factory.mktemp("shop"), PROJECT)
    with_graph(folder)
    return folder


def why(shop: Path, *arguments: str) -> tuple[str, str]:
    result = mu("why", *arguments, cwd=shop)
    assert result.returncode == 0, result.stderr
    return result.stdout, result.stderr


CASES = {
    "Store.prepare Service.stop": """\
calls  fn:shop/store.py:Store.prepare -> fn:shop/base.py:Service.stop
  shop/store.py:14  self.stop
    | self.stop()
    inherited: a member that a class has from one of its bases
    by way of cls:shop/store.py:Store -> cls:shop/base.py:Service
""",
    "Store.prepare Service.prepare": """\
calls  fn:shop/store.py:Store.prepare -> fn:shop/base.py:Service.prepare
  shop/store.py:15  super().prepare
    | return super().prepare()
    super: the next class after the one around it has it, by `super()`
    by way of cls:shop/store.py:Store -> cls:shop/base.py:Service
overrides  fn:shop/store.py:Store.prepare -> fn:shop/base.py:Service.prepare
  shop/store.py:13
    inherited: a member that a class has from one of its bases
""",
    "Service.start Store.prepare": """\
calls  fn:shop/base.py:Service.start -> fn:shop/store.py:Store.prepare
  shop/base.py:3  self.prepare
    | return self.prepare()
    virtual: a subclass has it in place of the one that is named, and instances are made
    by way of cls:shop/store.py:Store -> cls:shop/base.py:Service
""",
    "orders.place Store.save": """\
calls  fn:shop/orders.py:place -> fn:shop/store.py:Store.save
  shop/orders.py:8  store.save
    | return store.save(row) * percent()
    inferred: inferred from what is assigned or passed to it, or to its receiver
""",
    "orders.place rate": """\
calls  fn:shop/orders.py:place -> fn:shop/store.py:rate
  shop/orders.py:8  percent
    | return store.save(row) * percent()
    import: the name came in through an import
    imported at shop/orders.py:2
    | from shop.store import rate as percent
""",
    "Store.factor rate": """\
uses (held)  var:shop/store.py:Store.factor -> fn:shop/store.py:rate
  its lines are run by the code around it
  shop/store.py:11  rate
    | factor = rate()
    module: the name is bound in the same module
""",
    "report.total orders.place": """\
calls  fn:shop/report.py:total -> fn:shop/orders.py:place
  shop/report.py:5  map
    | return sum(map(place, rows)) + unknown.save(rows)
    callback: it is passed as a callback
uses (value)  fn:shop/report.py:total -> fn:shop/orders.py:place
  shop/report.py:5  place
    | return sum(map(place, rows)) + unknown.save(rows)
    import: the name came in through an import
    imported at shop/report.py:1
    | from shop.orders import place
""",
    "Store Service --limit 1": """\
calls  fn:shop/store.py:Store.prepare -> fn:shop/base.py:Service.prepare
  shop/store.py:15  super().prepare
    | return super().prepare()
    super: the next class after the one around it has it, by `super()`
    by way of cls:shop/store.py:Store -> cls:shop/base.py:Service
""",
    "restore Store.save": """\
no edge  fn:shop/orders.py:restore -> fn:shop/store.py:Store.save
  shop/orders.py:12  backup.save
    | backup.save(row)
    ambiguous: nothing is known of the receiver; 1 method has it
    it could mean fn:shop/store.py:Store.save
  shop/orders.py imports shop/store.py
    | from shop.store import Store
""",
    "restore Store": """\
no edge  fn:shop/orders.py:restore -> cls:shop/store.py:Store
  shop/orders.py:12  backup.save
    | backup.save(row)
    ambiguous: nothing is known of the receiver; 1 method has it
    it could mean a part of cls:shop/store.py:Store
  shop/orders.py:13  backup.prepare
    | backup.prepare()
    ambiguous: nothing is known of the receiver; 2 methods have it
    it could mean a part of cls:shop/store.py:Store
  shop/orders.py imports shop/store.py
    | from shop.store import Store
""",
    "write Store.save": """\
no edge  fn:shop/orders.py:write -> fn:shop/store.py:Store.save
  shop/orders.py:21  save
    | return save(row)
    means fn:shop/orders.py:save: the name is bound in the same module
  shop/orders.py imports shop/store.py
    | from shop.store import Store
""",
    "report.total Store.save": """\
no edge  fn:shop/report.py:total -> fn:shop/store.py:Store.save
  shop/report.py:5  unknown.save
    | return sum(map(place, rows)) + unknown.save(rows)
    ambiguous: nothing is known of the receiver; 1 method has it
    it could mean fn:shop/store.py:Store.save
  shop/report.py does not import shop/store.py
  over other nodes
    fn:shop/report.py:total  calls at shop/report.py:5
    fn:shop/orders.py:place  calls at shop/orders.py:8
    fn:shop/store.py:Store.save
""",
    "rate Store": """\
no edge  fn:shop/store.py:rate -> cls:shop/store.py:Store
  nothing in fn:shop/store.py:rate has the name Store
  the other way round: cls:shop/store.py:Store -> fn:shop/store.py:rate by calls
""",
    "--not place rate": """\
there is an edge  fn:shop/orders.py:place -> fn:shop/store.py:rate
  nothing else in fn:shop/orders.py:place has the name rate
  shop/orders.py imports shop/store.py
    | from shop.store import Store
calls  fn:shop/orders.py:place -> fn:shop/store.py:rate
  shop/orders.py:8  percent
    | return store.save(row) * percent()
    import: the name came in through an import
    imported at shop/orders.py:2
    | from shop.store import rate as percent
""",
}
"""The two nodes: what stands on standard output."""


MEASURED = re.compile(r"  \[by this rule \d+% of judged edges are right\]$", re.MULTILINE)


@pytest.mark.parametrize("arguments", CASES)
def test_an_edge_is_told_with_its_rule_and_its_lines(shop: Path, arguments: str) -> None:
    shown, _ = why(shop, *arguments.split())
    assert MEASURED.sub("", shown) == CASES[arguments]


def test_the_measured_share_of_right_edges_stands_behind_the_rule(tmp_path: Path) -> None:
    text = "a.py\n  def one @ 1-2\n  def two @ 3-4\na.py:one -> a.py:two calls 2 module"
    measured = (Measured("python", Rule.MODULE, 49, 50),)
    write(make_graph(text), tmp_path, measured=measured)
    assert (
        "    module: the name is bound in the same module"
        "  [by this rule 98% of judged edges are right]\n" in (why(tmp_path, "one", "two")[0])
    )


@pytest.mark.parametrize(
    ("arguments", "remark"),
    [
        ("orders.place rate", "1 edge, exact"),
        ("Store Service --limit 1", "1 of 4 edges, exact"),
        ("restore Store.save", "0 edges, unknown"),
        ("write Store.save", "0 edges, exact"),
    ],
)
def test_how_far_it_is_to_be_relied_on_is_said_aside(
    shop: Path, arguments: str, remark: str
) -> None:
    assert why(shop, *arguments.split())[1] == f"{remark}\n"


def test_json_holds_the_same(shop: Path) -> None:
    document = json.loads(why(shop, "Service.start", "Store.prepare", "--json")[0])
    fields = ["start", "goal", "verdict", "total_edges", "edges", "absence", "notes"]
    assert list(document) == fields
    assert document["goal"] == {
        "id": "fn:shop/store.py:Store.prepare",
        "kind": "function",
        "name": "prepare",
        "qualified_name": "shop.store.Store.prepare",
        "path": "shop/store.py",
        "line": 13,
    }
    [edge] = document["edges"]
    assert (edge["kind"], edge["rule"]) == ("calls", "virtual")
    [site] = edge["sites"]
    assert site["place"] == {
        "path": "shop/base.py",
        "line": 3,
        "source_line": "return self.prepare()",
    }
    assert site["others"] == []
    assert [step["id"] for step in site["through"]] == [
        "cls:shop/store.py:Store",
        "cls:shop/base.py:Service",
    ]


def test_a_line_of_a_file_that_changed_is_not_shown(shop: Path, tmp_path: Path) -> None:
    write_tree(tmp_path, {**PROJECT, "shop/orders.py": "\n" + PROJECT["shop/orders.py"]})
    (tmp_path / ".mubase").write_bytes((shop / ".mubase").read_bytes())
    shown, _ = why(tmp_path, "orders.place", "rate")
    assert shown.count("| (the file has changed since the build)") == 2
    assert "percent()" not in shown


def test_no_text_of_a_source_acts_on_the_terminal(tmp_path: Path) -> None:
    text = "def a():\n    return b('\x1b[31m')\n\n\ndef b(text):\n    return text\n"
    write_tree(tmp_path, {"app.py": text})
    with_graph(tmp_path)
    for form in ([], ["--json"]):
        shown, _ = why(tmp_path, "app.a", "app.b", *form)
        assert "[31m" in shown
        assert "\x1b" not in shown


@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        ("nowhere Store", 4, "error: no node is called 'nowhere'"),
        ("Store nowhere", 4, "error: no node is called 'nowhere'"),
        ("place prepare", 4, "error: 'prepare' is ambiguous (2 matches)"),
        ("Store shop.store.Store", 2, "are the same node, cls:shop/store.py:Store"),
        ("Store", 2, "error: missing argument 'TO'"),
        ("Store Service --limit 0", 2, "error: invalid value for '--limit'"),
    ],
)
def test_what_cannot_be_asked_is_one_clear_message(
    shop: Path, arguments: str, status: int, message: str
) -> None:
    for more in ([], ["--not"]):
        result = mu("why", *more, *arguments.split(), cwd=shop)
        assert (result.returncode, result.stdout) == (status, "")
        assert message in result.stderr.splitlines()[0]


def test_without_a_graph_it_says_how_to_make_one(tmp_path: Path) -> None:
    result = mu("why", "a", "b", cwd=tmp_path)
    assert result.returncode == 3
    assert "mu kernel build" in result.stderr


def test_callers_are_at_least_those_when_it_is_called_on_an_untyped_receiver(shop: Path) -> None:
    document = json.loads(mu("callers", "Store.save", "--json", cwd=shop).stdout)
    assert [row[0] for row in document["rows"]] == ["fn:shop/orders.py:place"]
    assert document["verdict"] == "at least"
    assert document["possible"] == {
        "total": 2,
        "sites": [
            {
                "source": f"fn:{path}:{name}",
                "path": path,
                "line": line,
                "text": f"{receiver}.save",
                "reason": "ambiguous",
                "candidates": 1,
                "definitions": 2,
            }
            for path, name, line, receiver in (
                ("shop/orders.py", "restore", 12, "backup"),
                ("shop/report.py", "total", 5, "unknown"),
            )
        ],
    }
    shown = mu("callers", "Store.save", "--format", "table", cwd=shop)
    assert shown.stderr.splitlines()[1:] == [
        "1 row, at least",
        "note: 2 open references could add to this: shop/orders.py:12 `backup.save` (ambiguous); "
        "shop/report.py:5 `unknown.save` (ambiguous)",
    ]


def test_a_call_that_an_override_receives_is_no_open_reference(shop: Path) -> None:
    document = json.loads(mu("callers", "Store.prepare", "--json", cwd=shop).stdout)
    assert [row[0] for row in document["rows"]] == ["fn:shop/base.py:Service.start"]
    assert [site["text"] for site in document["possible"]["sites"]] == ["backup.prepare"]


READERS = """\
def known():
    return Cart().total


def loose(cart):
    return cart.total
"""


def test_read_of_a_property_on_something_unknown_is_told(tmp_path: Path) -> None:
    text = "class Cart:\n    @property\n    def total(self):\n        return 1\n\n\n"
    write_tree(tmp_path, {"a.py": text + READERS})
    with_graph(tmp_path)
    assert why(tmp_path, "a.loose", "Cart.total") == (
        """\
no edge  fn:a.py:loose -> fn:a.py:Cart.total
  a.py:12  cart.total
    | return cart.total
    ambiguous: nothing is known of the receiver; 1 definition has it
    it could mean fn:a.py:Cart.total
""",
        "0 edges, unknown\n",
    )
    assert mu("callers", "Cart.total", "--format", "table", cwd=tmp_path).stderr.splitlines()[
        1:
    ] == [
        "1 row, at least",
        "note: 1 open reference could add to this: a.py:12 `cart.total` (ambiguous)",
    ]


def test_callers_of_a_property_are_all_where_all_reads_are_known(tmp_path: Path) -> None:
    text = "class Cart:\n    @property\n    def total(self):\n        return 1\n\n\n"
    known, _, _ = READERS.partition("\n\n\n")
    write_tree(tmp_path, {"a.py": f"{text}{known}\n"})
    with_graph(tmp_path)

    assert mu("callers", "Cart.total", cwd=tmp_path).stderr.splitlines()[1:] == ["1 row, exact"]
