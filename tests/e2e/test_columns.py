"""`mu columns`: what other tools know of code, asked for with the graph's own columns."""

import json
import marshal
import os
import subprocess
import sys
from pathlib import Path

import pytest

import mu as library
from e2e.command import environment, mu, write_tree
from fakes.built import with_graph
from fakes.git_history import History

SHOP = {
    "shop/orders.py": (
        "class Order:\n    def total(self):\n        if self:\n            return 1\n"
        "        return 2\n\n\ndef place(order: Order):\n    return order.total()\n"
    ),
    "shop/stock.py": "def count():\n    return 3\n",
}


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    folder = write_tree(tmp_path / "tree", SHOP)
    return with_graph(folder)


def rows(folder: Path, text: str) -> list[list[object]]:
    """The rows of a query that is answered."""
    result = mu("query", text, "--json", cwd=folder)
    assert result.returncode == 0, result.stderr
    return list(json.loads(result.stdout)["rows"])


def add(folder: Path, source: str, name: str, text: str) -> subprocess.CompletedProcess[str]:
    """Write a file, and add its columns."""
    (folder / name).write_text(text)
    return mu("columns", "add", source, name, cwd=folder)


def test_a_value_of_a_path_is_that_of_all_its_definitions(shop: Path) -> None:
    result = add(shop, "table", "risk.csv", "path,risk\nshop/orders.py,0.7\ngone.py,1\n")

    assert result.stdout == "added risk\n"
    assert result.stderr == "1 value in 1 file\nnote: 1 not in the graph: gone.py\n"
    asked = "SELECT name, risk FROM functions WHERE risk > 0.5 OR risk IS NULL ORDER BY name"
    assert rows(shop, asked) == [["count", None], ["place", 0.7], ["total", 0.7]]
    assert rows(shop, "SELECT name, risk FROM cls") == [["Order", 0.7]]
    assert rows(shop, "SELECT name FROM modules WHERE risk = 0.7") == [["orders"]]
    assert rows(shop, "SELECT f.name FROM fn f JOIN methods m USING (id) WHERE m.risk = 0.7")
    assert [row[1] for row in rows(shop, "FIND functions WHERE risk > 0.5")] == ["total", "place"]


def test_a_value_of_a_line_is_that_of_the_innermost_definition(shop: Path) -> None:
    add(
        shop, "table", "w.csv", "path,line,Warnings Found\nshop/orders.py,4,2\nshop/orders.py,7,1\n"
    )

    asked = "SELECT id, warnings_found FROM nodes WHERE warnings_found IS NOT NULL ORDER BY id"
    assert rows(shop, asked) == [
        ["fn:shop/orders.py:Order.total", 2],
        ["mod:shop/orders.py", 1],
    ]


def test_a_value_of_an_id_is_that_of_the_node(shop: Path) -> None:
    add(shop, "table", "n.tsv", "id\tnote\nfn:shop/stock.py:count\thello\n")

    assert rows(shop, "SELECT name, note FROM functions WHERE note = 'hello'") == [
        ["count", "hello"]
    ]


def test_a_report_of_another_folder_is_placed_by_what_all_its_paths_have_too_much(
    shop: Path,
) -> None:
    text = "path,risk\n/ci/job/shop/orders.py,1\n/ci/job/shop/stock.py,2\n/usr/lib/stock.py,3\n"
    result = add(shop, "table", "risk.csv", text)

    assert result.stderr.endswith("note: 1 not in the graph: /usr/lib/stock.py\n")
    assert rows(shop, "SELECT name, risk FROM modules ORDER BY risk")[:2] == [
        ["orders", 1],
        ["stock", 2],
    ]


def test_columns_outlive_builds_and_say_when_they_are_stale(shop: Path) -> None:
    add(shop, "table", "risk.csv", "path,risk\nshop/orders.py,0.7\nshop/stock.py,0.1\n")
    (shop / "shop/stock.py").write_text("def count():\n    return 4\n")
    mu("kernel", "build", "--full", cwd=shop)

    result = mu("query", "SELECT name, risk FROM functions ORDER BY name", cwd=shop)
    note = "note: risk may be out of date: 1 file changed since (shop/stock.py)"
    assert note in result.stderr
    assert "count   0.1" in result.stdout
    listed = json.loads(mu("columns", "list", "--json", cwd=shop).stdout)
    assert listed["rows"][0][-1] == "1 file changed since (shop/stock.py)"
    assert "out of date" not in mu("query", "SELECT name FROM functions", cwd=shop).stderr


def test_columns_are_shown_with_the_others(shop: Path) -> None:
    add(shop, "table", "risk.csv", "path,risk\nshop/orders.py,0.7\n")

    assert rows(shop, "DESCRIBE functions")[-1] == ["risk", "DOUBLE", "added from risk.csv"]
    star = json.loads(mu("query", "SELECT * FROM functions", "--json", cwd=shop).stdout)
    assert star["columns"][-1] == "risk"
    typo = mu("query", "SELECT risc FROM functions", cwd=shop)
    assert "did you mean `risk`?" in typo.stderr
    assert "unknown column `risk`" in mu("query", "SELECT risk FROM edges", cwd=shop).stderr


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("SELECT RISK FROM fn WHERE Risk > 0", 2),
        ('SELECT "risk" FROM functions WHERE "functions".risk > 0', 2),
        ("WITH f AS (SELECT * FROM functions) SELECT risk FROM f WHERE risk > 0", 2),
        ("SELECT f.risk FROM callers('Order.total') c JOIN functions f USING (id)", 1),
        ("SELECT name FROM classes c WHERE EXISTS (FROM methods m WHERE m.risk = c.risk)", 1),
        ("SELECT * FROM functions EXCEPT SELECT * FROM methods", 2),
        ("ANALYZE complexity WHERE risk > 0", 2),
        ("SHOW callers OF Order.total WHERE risk > 0", 1),
        ("EXPLAIN SELECT name, risk FROM functions", 3),
        ("SELECT complexity AS risk FROM functions WHERE risk > 0", 3),
        ("WITH functions AS (SELECT 1 AS one) SELECT one FROM functions", 1),
    ],
)
def test_a_column_is_one_wherever_a_query_may_have_one(shop: Path, text: str, count: int) -> None:
    add(shop, "table", "risk.csv", "path,risk\nshop/orders.py,0.7\n")

    assert len(rows(shop, text)) == count


def test_the_python_api_adds_lists_and_removes(shop: Path) -> None:
    (shop / "risk.csv").write_text("path,risk\nshop/orders.py,0.7\n")
    with library.open(shop) as workspace:
        change = workspace.add_columns("table", file=shop / "risk.csv")
        assert (change.added, change.files) == (("risk",), 1)
        assert workspace.query("SELECT name FROM functions WHERE risk > 0").answer.total == 2
        (shop / "risk.csv").write_text("path,risk\nshop/stock.py,0.7\n")
        assert workspace.add_columns("table", file=shop / "risk.csv").replaced == ("risk",)
        assert workspace.query("SELECT name FROM functions WHERE risk > 0").answer.total == 1
        assert workspace.remove_column("risk").removed == ("risk",)
        assert workspace.list_columns().records() == []


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("name,risk\na,1\n", "bad.csv has no column to find nodes by"),
        ("path\nshop/orders.py\n", "bad.csv has no column of values"),
        ("path,risk\nelsewhere.py,1\n", "nothing in bad.csv is about a file of the graph"),
        ("path,complexity\nshop/orders.py,1\n", "the graph has a column complexity already"),
        ("path,kind\nshop/orders.py,1\n", "the graph has a column kind already"),
        ("path,9 lives\nshop/orders.py,1\n", "a column of bad.csv cannot be called `9 lives`"),
        ("path,a b,a-b\nshop/orders.py,1,2\n", "two columns of the file are called a_b"),
        (
            "path,risk\nshop/orders.py,1\n./shop/orders.py,2\n",
            "rows 1 and 2 of bad.csv are both about shop/orders.py",
        ),
    ],
)
def test_a_file_that_cannot_be_used_is_refused_and_nothing_is_lost(
    shop: Path, text: str, what: str
) -> None:
    add(shop, "table", "risk.csv", "path,risk\nshop/orders.py,0.7\n")
    before = (shop / ".mubase-columns").read_bytes()

    result = add(shop, "table", "bad.csv", text)
    assert (result.returncode, result.stdout) == (2, "")
    assert what in result.stderr
    assert (shop / ".mubase-columns").read_bytes() == before


@pytest.mark.parametrize("name", ["risk", 'x" AS y', "complexity", "Risk"])
def test_a_file_of_columns_that_came_with_a_clone_names_nothing_but_new_words(
    shop: Path, name: str
) -> None:
    add(shop, "table", "risk.csv", "path,risk\nshop/orders.py,0.7\n")
    stored = json.loads((shop / ".mubase-columns").read_text())
    stored["additions"][0]["columns"][0]["name"] = name
    (shop / ".mubase-columns").write_text(json.dumps(stored))

    result = mu("query", "SELECT * FROM functions", cwd=shop)
    assert (result.returncode == 0) == (name == "risk")
    assert ("was not made by this version" in result.stderr) == (name != "risk")


def test_a_damaged_file_of_columns_stops_only_those_who_ask_for_one(shop: Path) -> None:
    add(shop, "table", "risk.csv", "path,risk\nshop/orders.py,0.7\n")
    damaged = (shop / ".mubase-columns").read_bytes()[:-20]
    (shop / ".mubase-columns").write_bytes(damaged)

    assert rows(shop, "SELECT count(*) FROM functions") == [[3]]
    for arguments in (["query", "SELECT risk FROM functions"], ["columns", "list"]):
        result = mu(*arguments, cwd=shop)
        assert result.returncode == 1
        assert ".mubase-columns is damaged" in result.stderr
    assert ".mubase-columns is damaged" in mu("doctor", cwd=shop).stdout


KILLED_AT = """
import os, signal, sys
count = int(sys.argv[1])
def watch(frame, event, _):
    global count
    count -= 1
    if count < 0:
        os.kill(os.getpid(), signal.SIGKILL)
    return watch
sys.argv[1:] = ["columns", "add", "table", "new.csv"]
import mu.operations.graph_file.added_columns, mu.cli.graph_file.columns, mu.store.writing
from mu.cli import main
from mu.operations.graph_file import added_columns
write = added_columns.write_columns
def traced(*given):
    sys.settrace(watch)
    try:
        write(*given)
    finally:
        sys.settrace(None)
added_columns.write_columns = traced
main()
"""
"""Adds added_columns, and kills itself after so many lines of what writes them."""


@pytest.mark.slow(reason="a process for each of 22 places")
def test_a_kill_at_any_line_of_writing_leaves_the_old_columns_or_the_new(shop: Path) -> None:
    add(shop, "table", "risk.csv", "path,risk\nshop/orders.py,0.7\n")
    old = (shop / ".mubase-columns").read_bytes()
    (shop / "new.csv").write_text("path,fresh\nshop/orders.py,1\n")
    seen = set()
    for lines in range(0, 3300, 150):
        killed = subprocess.run(
            [sys.executable, "-c", KILLED_AT, str(lines)],
            cwd=shop,
            env=environment(shop),
            capture_output=True,
            check=False,
        )
        names = {row[0] for row in _listed(shop)}
        assert names in ({"risk"}, {"risk", "fresh"})
        seen.add((killed.returncode, len(names)))
        (shop / ".mubase-columns").write_bytes(old)

    assert (-9, 1) in seen
    assert (0, 2) in seen
    add(shop, "table", "risk.csv", "path,risk\nshop/orders.py,0.7\n")
    assert list(shop.glob(".mubase-columns.*")) == []


def test_a_disk_that_takes_no_more_leaves_the_old_columns(shop: Path) -> None:
    add(shop, "table", "risk.csv", "path,risk\nshop/orders.py,0.7\n")
    old = (shop / ".mubase-columns").read_bytes()
    (shop / "new.csv").write_text(f"path,fresh\nshop/orders.py,{'x' * 3000}\n")
    limited = (
        "import resource, sys; resource.setrlimit(resource.RLIMIT_FSIZE, (2000, 2000));"
        "from mu.cli import main; sys.exit(main())"
    )
    result = subprocess.run(
        [sys.executable, "-c", limited, "columns", "add", "table", "new.csv"],
        cwd=shop,
        env=environment(shop),
        capture_output=True,
        text=True,
        check=False,
    )

    assert result.returncode == 1
    assert ".mubase-columns could not be written: file too large" in result.stderr
    assert (shop / ".mubase-columns").read_bytes() == old
    assert list(shop.glob(".mubase-columns.*")) == []


def _listed(folder: Path) -> list[list[str]]:
    return list(json.loads(mu("columns", "list", "--json", cwd=folder).stdout)["rows"])


COBERTURA = """<coverage><sources><source>{root}</source></sources><packages><package><classes>
<class filename="shop/orders.py"><lines><line number="1" hits="1"/><line number="2" hits="1"/>
<line number="3" hits="2"/><line number="4" hits="2"/><line number="5" hits="0"/>
<line number="8" hits="1"/><line number="9" hits="0"/></lines></class>
</classes></package></packages></coverage>
"""


def test_coverage_is_the_share_of_the_lines_of_a_function_that_ran(shop: Path) -> None:
    text = COBERTURA.format(root=shop)
    assert add(shop, "coverage", "coverage.xml", text).stdout == "added coverage\n"

    asked = "SELECT name, coverage FROM functions WHERE coverage < 0.9 ORDER BY complexity DESC"
    assert rows(shop, asked) == [["total", 0.6667], ["place", 0.0]]
    assert rows(shop, "SELECT coverage FROM classes") == [[0.75]]
    assert rows(shop, "SELECT name, coverage FROM modules ORDER BY name") == [
        ["orders", 0.7143],
        ["stock", None],
    ]
    broken = add(shop, "coverage", "broken.xml", text[:-60])
    assert (broken.returncode, broken.stdout) == (2, "")
    assert "broken.xml is not well-formed XML" in broken.stderr
    assert rows(shop, asked)
    assert mu("columns", "add", "coverage", cwd=shop).returncode == 2


def test_owners_are_those_of_the_last_pattern_and_change_with_the_file(shop: Path) -> None:
    (shop / ".github").mkdir()
    (shop / ".github/CODEOWNERS").write_text("* @all\n/shop/orders.py @ann bob@example.org # us\n")

    assert mu("columns", "add", "owners", cwd=shop).stdout == "added owners\n"
    asked = "SELECT name, owners FROM functions WHERE list_contains(owners, '@ann')"
    assert [row[1] for row in rows(shop, asked)] == [["@ann", "bob@example.org"]] * 2
    assert rows(shop, "SELECT owners FROM modules WHERE name = 'stock'") == [[["@all"]]]
    (shop / ".github/CODEOWNERS").write_text("* @none\n")
    stale = mu("query", asked, cwd=shop)
    assert "owners may be out of date: CODEOWNERS changed since" in stale.stderr


def test_churn_and_authors_come_from_the_commits_of_a_file(tmp_path: Path) -> None:
    folder = tmp_path / "tree"
    history = History(folder)
    first, *_ = SHOP
    text = SHOP[first]
    history.commit("Begin", {"orders.py": text, "shop/stock.py": SHOP["shop/stock.py"]})
    history.commit("Move", {first: text, "shop/stock.py": SHOP["shop/stock.py"]})
    history.commit("Change", {first: text + "\n", "shop/stock.py": SHOP["shop/stock.py"]})
    history.check_out()
    with_graph(folder)

    assert mu("columns", "add", "churn", cwd=folder).stderr == "2 values in 2 files\n"
    mu("columns", "add", "authors", cwd=folder)
    asked = "SELECT name, churn, authors FROM modules ORDER BY churn DESC"
    assert rows(folder, asked) == [["orders", 3, ["Ann"]], ["stock", 1, ["Ann"]]]


def test_without_what_they_come_from_owners_and_churn_are_refused(shop: Path) -> None:
    for source, what in (("owners", "no CODEOWNERS here"), ("churn", "no git repository")):
        result = mu("columns", "add", source, cwd=shop)
        assert result.returncode == 2
        assert what in result.stderr


def test_a_profile_has_the_times_of_functions(shop: Path) -> None:
    frames = [{"name": "place", "file": "shop/orders.py", "line": 9}, {"name": "total"}]
    profile = {"type": "sampled", "unit": "seconds", "samples": [[0], [0, 1]], "weights": [1, 2]}
    text = json.dumps({"shared": {"frames": frames}, "profiles": [profile]})

    assert add(shop, "profile", "p.json", text).returncode == 0
    asked = "SELECT name, profile_self_seconds, profile_seconds FROM fn WHERE profile_seconds > 0"
    assert rows(shop, asked) == [["place", 1.0, 3.0]]


def test_hotspots_are_ranked_by_churn_and_coverage_where_they_were_added(shop: Path) -> None:
    by_flow = json.loads(mu("query", "ANALYZE hotspots", "--json", cwd=shop).stdout)
    assert "churn" not in by_flow["columns"]
    add(shop, "table", "churn.csv", "path,churn\nshop/orders.py,10\n")

    asked = "ANALYZE hotspots"
    assert [[row[1], *row[5:]] for row in rows(shop, asked)] == [
        ["total", 2, 4, 10, 20.0],
        ["place", 1, 2, 10, 10.0],
        ["count", 1, 2, None, 0.0],
    ]
    add(shop, "coverage", "coverage.xml", COBERTURA.format(root=shop))
    assert [[row[1], *row[7:]] for row in rows(shop, "ANALYZE hotspots LIMIT 2")] == [
        ["total", 10, 0.6667, 21.481],
        ["place", 10, 0.0, 20.0],
    ]
    named = mu("query", "@hotspots(least := 2)", cwd=shop)
    assert named.stdout.count("total") == 1
    assert "note: ranked by complexity and churn and coverage" in named.stderr


def test_a_report_takes_the_place_of_an_earlier_one_of_its_format(shop: Path) -> None:
    frames = [{"name": "place", "file": "shop/orders.py", "line": 9}]
    profile = {"type": "sampled", "unit": "seconds", "samples": [[0]], "weights": [1]}
    calls = {("shop/orders.py", 8, "place"): (1, 1, 0.5, 0.5, {})}
    (shop / "p.prof").write_bytes(marshal.dumps(calls))

    assert mu("columns", "add", "profile", "p.prof", cwd=shop).stdout == (
        "added profile_calls, profile_seconds, profile_self_seconds\n"
    )
    text = json.dumps({"shared": {"frames": frames}, "profiles": [profile]})
    assert add(shop, "profile", "p.json", text).stdout == (
        "replaced profile_seconds, profile_self_seconds\nremoved profile_calls\n"
    )


def test_a_report_that_is_older_than_a_source_says_so(shop: Path) -> None:
    (shop / "coverage.xml").write_text(COBERTURA.format(root=shop))
    os.utime(shop / "coverage.xml", (0, 0))

    result = mu("columns", "add", "coverage", "coverage.xml", cwd=shop)
    note = "note: 1 file was changed after coverage.xml was written: shop/orders.py"
    assert note in result.stderr


RULE = """
[[check.rule]]
name = "complex and untested"
query = "SELECT id, path, start_line FROM functions WHERE coverage < 0.7 AND complexity > 1"
message = "test it"
"""


def test_a_rule_reads_the_columns_also_where_only_what_is_new_counts(tmp_path: Path) -> None:
    folder = tmp_path / "tree"
    history = History(folder)
    history.commit("Begin", {**SHOP, "mu.toml": RULE})
    history.check_out()
    with_graph(folder)
    add(folder, "coverage", "coverage.xml", COBERTURA.format(root=folder))

    assert "test it: fn:shop/orders.py:Order.total" in mu("check", cwd=folder).stdout
    since = mu("check", "--diff", "HEAD", cwd=folder)
    assert (since.returncode, since.stderr) == (0, "")
