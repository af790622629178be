"""Verdict, notes and paging of the questions about one node."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from fakes.built import built_tree
from fakes.graphs import SHOP, make_graph, write
from mu.errors import ExitCode, MuError
from mu.model.kinds import EdgeKind, Verdict
from mu.operations.navigation.dependencies import ancestors, callers, dependents, deps, impact
from mu.operations.navigation.dependency_path import path
from mu.operations.queries.query import query
from mu.operations.results import NodeRows
from mu.operations.workspace import Workspace

OPEN = """
a.py
  def save @ 1-5
  def load @ 6-9
  def run @ 10-40
a.py:run -> a.py:load calls 11
? a.py:run call x.save unknown 12
? a.py:run call y.save ambiguous 13
? a.py:run call z.save unknown 14
? a.py:run call z.save unknown 15
? a.py:run call z.save unknown 16
? a.py:run call z.save unknown 17
? a.py:run call z.save unknown 18
"""


CHAIN = 200


@pytest.fixture(scope="module")
def chain(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workspace]:
    folder = tmp_path_factory.mktemp("chain")
    defined = "".join(f"  def f{n} @ {n * 2 + 1}-{n * 2 + 2}\n" for n in range(CHAIN))
    calls = "".join(f"a.py:f{n} -> a.py:f{n - 1} calls {n * 2 + 2}\n" for n in range(1, CHAIN))
    write(make_graph(f"a.py\n{defined}{calls}"), folder)
    with Workspace(folder) as workspace:
        yield workspace


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workspace]:
    folder = tmp_path_factory.mktemp("shop")
    write(make_graph(SHOP), folder)
    with Workspace(folder) as workspace:
        yield workspace


@pytest.fixture(scope="module")
def doubtful(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workspace]:
    folder = tmp_path_factory.mktemp("doubtful")
    write(make_graph(OPEN), folder)
    with Workspace(folder) as workspace:
        yield workspace


def test_an_answer_says_which_node_was_meant(shop: Workspace) -> None:
    result = callers(shop, "login")
    assert result.node.id == "fn:app/auth.py:AuthService.login"
    assert [row[1] for row in result.answer.rows] == ["place", "test_login"]


MIXED = """
a.py
  def run @ 1-2
  def shown(value) @ 3-4
tests/test_a.py
  def test_run @ 1-2
z.py
  def late @ 1-2
  def early @ 3-4
z.py:late -> a.py:run calls 2
z.py:early -> a.py:run calls 4
tests/test_a.py:test_run -> a.py:run calls 2
z.py:early -> z.py:late calls 3
z.py:early -> a.py:shown calls 4 callback
"""


@pytest.fixture(scope="module")
def mixed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workspace]:
    folder = tmp_path_factory.mktemp("mixed")
    write(make_graph(MIXED), folder)
    with Workspace(folder) as workspace:
        yield workspace


@pytest.mark.parametrize("ask", [callers, dependents, impact])
def test_tests_follow_what_is_no_test(ask: Callable[..., NodeRows], mixed: Workspace) -> None:
    result = ask(mixed, "a.py:run")

    assert [row[1] for row in result.answer.rows] == ["late", "early", "test_run"]


@pytest.mark.parametrize(
    ("question", "ask"), [("deps OF early", deps), ("callers OF a.py:run", callers)]
)
def test_show_has_the_order_of_the_command(
    question: str, ask: Callable[..., NodeRows], mixed: Workspace
) -> None:
    listed = ask(mixed, question.partition(" OF ")[2])

    shown = query(mixed, f"SHOW {question} LIMIT 2")

    assert [row[1] for row in shown.answer.rows] == [row[1] for row in listed.answer.rows[:2]]


def test_callers_are_exact_when_no_open_call_could_mean_the_node(doubtful: Workspace) -> None:
    result = callers(doubtful, "load")
    assert result.answer.verdict is Verdict.EXACT
    assert result.answer.notes == ()


def test_callers_are_at_least_those_when_open_calls_have_the_name(doubtful: Workspace) -> None:
    result = callers(doubtful, "save")
    assert result.answer.verdict is Verdict.AT_LEAST
    assert result.answer.notes[-1] == (
        "7 open references could add to this: a.py:12 `x.save` (unknown); "
        "a.py:13 `y.save` (ambiguous); a.py:14 `z.save` (unknown); a.py:15 `z.save` (unknown); "
        "a.py:16 `z.save` (unknown) and 2 more"
    )


def test_references_that_look_the_same_are_shown_once(tmp_path: Path) -> None:
    twice = OPEN + "? a.py:run call z.save unknown 12\n? a.py:run call z.save unknown 12\n"
    write(make_graph(twice), tmp_path)
    with Workspace(tmp_path) as workspace:
        note = callers(workspace, "save").answer.notes[-1]
    assert note.startswith("9 open references could add to this: a.py:12 `x.save` (unknown); ")
    assert note.count("a.py:12 `z.save` (unknown)") == 1
    assert note.endswith(" and 3 more")


def test_a_method_that_nothing_calls_says_what_overrides_it(tmp_path: Path) -> None:
    text = """a.py
  class Base @ 1-3
    def run @ 2-3
  class One @ 5-7
    def run @ 6-7
  class Two @ 9-11
    def run @ 10-11
a.py:One.run -> a.py:Base.run overrides 6
a.py:Two.run -> a.py:Base.run overrides 10
"""
    write(make_graph(text), tmp_path)
    with Workspace(tmp_path) as workspace:
        assert callers(workspace, "Base.run").answer.notes[-1] == (
            "calls of it run what overrides it, fn:a.py:One.run and 1 more: "
            "see `mu overrides fn:a.py:Base.run`"
        )
        assert len(callers(workspace, "One.run").answer.notes) == 1


HANDED = """a.py
  def handle @ 1-2
  def connect @ 4-6
  def again @ 8-9
a.py:connect -> a.py:handle uses 5 value
a.py:again -> a.py:handle uses 9 value
"""
PASSED_ON = (
    "it is passed on as a value at a.py:5 and at 1 more, and code outside the repository may call "
    "it: see `mu references fn:a.py:handle`"
)


def test_a_function_that_is_passed_on_and_called_by_nothing_known_is_not_exact(
    tmp_path: Path,
) -> None:
    write(make_graph(HANDED), tmp_path)
    with Workspace(tmp_path) as workspace:
        answer = callers(workspace, "handle").answer
        assert (answer.total, answer.verdict) == (0, Verdict.AT_LEAST)
        assert answer.notes[1:] == (
            "passed on as a value at a.py:5: ",
            "passed on as a value at a.py:9: ",
            "code outside the repository may call it, as it is passed on as a value",
        )
        way = path(workspace, "again", goal="handle").answer
        assert (way.total, way.verdict) == (0, Verdict.UNKNOWN)
        assert PASSED_ON in way.notes


def test_a_function_whose_value_a_known_call_runs_is_exact(tmp_path: Path) -> None:
    write(make_graph(HANDED + "a.py:connect -> a.py:handle calls 5 callback\n"), tmp_path)
    with Workspace(tmp_path) as workspace:
        answer = callers(workspace, "handle").answer
        assert (answer.total, answer.verdict) == (1, Verdict.EXACT)
        assert answer.notes[0].startswith("passed on as a value at a.py:5")


ORDERED = """a.py
  def first @ 1-2
  def asked @ 4-9
b.py
  def user @ 3-4
c.py
a.py:asked -> ext:json calls 5
a.py:asked -> a.py:first calls 6
b.py:user -> a.py:asked calls 3
c.py -> a.py:asked imports 1
"""


def test_the_repository_comes_before_what_is_outside_and_imports_before_calls(
    tmp_path: Path,
) -> None:
    write(make_graph(ORDERED), tmp_path)
    with Workspace(tmp_path) as workspace:
        assert [row[1] for row in deps(workspace, "asked").answer.rows] == ["first", "json"]
        assert [row[1] for row in dependents(workspace, "asked").answer.rows] == ["c", "user"]


def test_an_empty_answer_says_what_it_means(shop: Workspace) -> None:
    nothing = callers(shop, "test_login").answer
    assert nothing.notes == (
        "nothing outside fn:tests/test_auth.py:test_login depends on it by calls",
    )
    nothing = deps(shop, "Store.save", kinds=[EdgeKind.USES]).answer
    assert nothing.notes == ("fn:app/db.py:Store.save depends on nothing outside itself by uses",)


def test_impact_tells_tests_apart(shop: Workspace) -> None:
    answer = impact(shop, "Store.find").answer
    is_test = answer.columns.index("is_test")
    assert [(row[1], row[is_test]) for row in answer.rows] == [
        ("login", False),
        ("place", False),
        ("test_login", True),
    ]


def test_a_walk_that_its_depth_cut_is_at_least_that(shop: Workspace) -> None:
    cut = ancestors(shop, "test_login", depth=1).answer
    assert cut.notes[0] == "stopped at depth 1: there is more beyond"
    assert cut.verdict is Verdict.AT_LEAST


def test_a_walk_that_ended_at_its_depth_by_itself_was_not_cut(chain: Workspace) -> None:
    for depth in (CHAIN - 1, CHAIN, None):
        answer = impact(chain, "f0", depth=depth).answer
        assert (answer.total, answer.verdict) == (CHAIN - 1, Verdict.EXACT)
        counted = "1 direct, 198 transitive; 0 of them in tests; in 1 file"
        assert answer.notes == (counted,)


def test_one_step_of_what_depends_on_a_node_is_all_that_is_asked_for(chain: Workspace) -> None:
    answer = callers(chain, "f0").answer
    assert (answer.total, answer.verdict) == (1, Verdict.EXACT)
    assert callers(chain, "f0", depth=2).answer.verdict is Verdict.AT_LEAST
    assert impact(chain, "f0", depth=1).answer.verdict is Verdict.AT_LEAST


def test_a_walk_has_no_bound_of_its_own(chain: Workspace) -> None:
    for _ in range(2):  # asked of the engine, then of the arrays
        assert impact(chain, "f0").answer.total == CHAIN - 1
        assert ancestors(chain, f"f{CHAIN - 1}").answer.total == CHAIN - 1


def test_rows_left_out_are_counted_and_can_be_had(shop: Workspace) -> None:
    first = dependents(shop, "AuthService", limit=2)
    assert (first.answer.total, first.answer.truncated, first.next_offset) == (3, True, 2)
    rest = dependents(shop, "AuthService", limit=2, offset=2)
    assert (rest.answer.total, rest.answer.truncated, rest.next_offset) == (3, False, None)
    whole = dependents(shop, "AuthService").answer.rows
    assert first.answer.rows + rest.answer.rows == whole


@pytest.mark.parametrize("page", [{"limit": 0}, {"limit": 1_000_001}, {"offset": -1}])
def test_a_page_out_of_range_is_a_usage_error(shop: Workspace, page: dict[str, int]) -> None:
    with pytest.raises(MuError) as caught:
        callers(shop, "login", **page)
    assert caught.value.code is ExitCode.USAGE


def test_the_surest_users_of_an_impact_come_first_on_all_pages(tmp_path: Path) -> None:
    files = {
        "a.py": (
            "class Store:\n    def save(self):\n        pass\n\n\nclass File(Store):\n"
            "    def save(self):\n        pass\n\n\ndef put(store: Store):\n    store.save()\n"
        ),
        "z.py": "from a import File\n\ndef one():\n    File().save()\n\ndef two():\n    one()\n",
    }
    with built_tree(tmp_path, files) as workspace:
        whole = impact(workspace, "File.save", kinds=(EdgeKind.CALLS,)).answer
        pages = [
            impact(workspace, "File.save", kinds=(EdgeKind.CALLS,), limit=1, offset=at).answer
            for at in range(3)
        ]

    at = whole.columns.index("resolution")
    assert [(row[1], row[at]) for row in whole.rows] == [
        ("one", "direct"),
        ("put", "dispatch"),
        ("two", "direct"),
    ]
    assert [page.rows for page in pages] == [(row,) for row in whole.rows]
    assert [page.total for page in pages] == [3, 3, 3]
