"""Nodes found by words: what comes first, what answers what, and why."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from fakes.graphs import SHOP, make_graph, write
from mu.analysis.node_search.word_search import MOST, SEARCH_COLUMNS, find, search
from mu.errors import MuError
from mu.model.kinds import NodeKind
from mu.store import GraphFile, open_graph


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[GraphFile]:
    with open_graph(write(make_graph(SHOP), tmp_path_factory.mktemp("shop"))) as graph:
        yield graph


def made(text: str, folder: Path) -> GraphFile:
    return open_graph(write(make_graph(text), folder))


def found(graph: GraphFile, words: str, kinds: Sequence[NodeKind] = tuple(NodeKind)) -> list[str]:
    return [str(hit.place[0]) for hit in find(graph, words, kinds=kinds)]


def reason(graph: GraphFile, words: str, node: str) -> str:
    return next(hit.why for hit in find(graph, words) if hit.place[0] == node)


def test_the_same_name_comes_first_then_beginnings_then_the_rest(shop: GraphFile) -> None:
    hits = find(shop, "AUTH")

    assert [(hit.place[0], hit.score >= 0.75, hit.score >= 0.6) for hit in hits[:3]] == [
        ("mod:app/auth.py", True, True),
        ("doc:docs/auth.md", True, True),
        ("cls:app/auth.py:AuthService", False, True),
    ]
    assert all(hit.score < 0.6 for hit in hits[3:])


@pytest.mark.parametrize(
    ("words", "node"),
    [
        ("Store.find", "fn:app/db.py:Store.find"),
        ("app.db.Store", "cls:app/db.py:Store"),
        ("make_service", "fn:app/auth.py:make_service"),
        ("makeService", "fn:app/auth.py:make_service"),
        ("make service", "fn:app/auth.py:make_service"),
        ("authservice", "cls:app/auth.py:AuthService"),
        ("sha256", "ext:hashlib.sha256"),
    ],
)
def test_a_name_is_found_however_it_is_written(shop: GraphFile, words: str, node: str) -> None:
    assert found(shop, words)[0] == node


def test_a_question_is_answered_by_what_says_most_about_its_words(shop: GraphFile) -> None:
    assert found(shop, "what keeps the orders?")[0] == "cls:app/db.py:Store"
    assert found(shop, "where is an order cancelled?")[0] == "fn:app/orders.py:Orders.cancel"


def test_what_is_said_of_a_thing_counts_and_what_is_done_to_it_counts_less(tmp_path: Path) -> None:
    others = "".join(f"  def other_{letter}()\n" for letter in "abcdefgh")
    text = f"tools.py\n  def reset_path()\n  def find_path()\n  def weighted_sum()\n{others}"
    with made(text, tmp_path) as graph:
        assert found(graph, "what is the path of a weighted tree?")[0].endswith("weighted_sum")
        assert found(graph, "how is the path weighted?")[0].endswith("_path")


def test_an_abbreviation_means_the_word_and_never_another_that_begins_so(tmp_path: Path) -> None:
    text = """
app/people.py
  def author() @ 1-2
  def set_author() @ 3-4 # Authority of an author.
  def authenticate() @ 5-6
  def check_authorization() @ 7-8
"""
    with made(text, tmp_path) as graph:
        assert found(graph, "auth") == [
            "fn:app/people.py:authenticate",
            "fn:app/people.py:check_authorization",
        ]
        assert found(graph, "author") == [
            "fn:app/people.py:author",
            "fn:app/people.py:set_author",
        ]


def test_a_name_begins_with_words_and_not_with_letters(tmp_path: Path) -> None:
    with made(
        "a.py\n  def logs()\n  def log_in()\n  def login()\n  def logIn()", tmp_path
    ) as graph:
        begins = [hit.place[0] for hit in find(graph, "log") if "begins" in hit.why]
        assert begins == ["fn:a.py:logIn", "fn:a.py:log_in"]


def test_a_word_said_around_a_node_counts_for_a_part(shop: GraphFile) -> None:
    nodes = found(shop, "orders save")

    assert nodes[0] == "fn:app/db.py:Store.save"
    assert reason(shop, "store save", "fn:app/db.py:Store.save") == "store: around it; save: name"


def test_tests_come_below_what_they_test(shop: GraphFile) -> None:
    nodes = found(shop, "login")

    assert nodes[0] == "fn:app/auth.py:AuthService.login"
    assert nodes.index("fn:tests/test_auth.py:test_login") > 0
    assert find(shop, "auth")[-1].place[0] == "mod:tests/test_auth.py"


def test_words_spelled_alike_are_found_where_nothing_else_is(shop: GraphFile) -> None:
    assert found(shop, "logni")[0] == "fn:app/auth.py:AuthService.login"
    assert "logni: name (spelled login)" in reason(
        shop, "logni", "fn:app/auth.py:AuthService.login"
    )
    assert found(shop, "zzzzzz") == []


def test_why_says_where_each_word_stands_and_in_which_form(shop: GraphFile) -> None:
    assert reason(shop, "keep order", "cls:app/db.py:Store") == (
        "keep: docstring (keeps); order: docstring (orders)"
    )


def test_only_the_kinds_asked_for_are_found(shop: GraphFile) -> None:
    assert found(shop, "auth", kinds=[NodeKind.CLASS]) == ["cls:app/auth.py:AuthService"]


@pytest.mark.parametrize("words", ["%", "_%_", "'", "[a-z]+(", "\\", "a.b.", ".*", "$1 {}"])
def test_words_are_text_and_no_pattern(shop: GraphFile, words: str) -> None:
    assert "fn:app/orders.py:Orders.cancel" not in found(shop, words)


@pytest.mark.parametrize("words", ["", "  "])
def test_no_word_is_refused(shop: GraphFile, words: str) -> None:
    with pytest.raises(MuError, match="there is no word to search for"):
        find(shop, words)


def test_of_a_long_sentence_the_rarest_words_count(tmp_path: Path) -> None:
    common = [f"common{letter}" for letter in "abcdefghijklmnopqrst"]
    text = "a.py\n  def rarity()\n" + "".join(
        f"  def {word}_{n}()\n" for word in common for n in range(3)
    )
    with made(text, tmp_path) as graph:
        sentence = f"{' '.join(common)} and a rarity {' '.join(f'unheard{n}' for n in range(20))}"
        assert found(graph, sentence)[0] == "fn:a.py:rarity"


def test_a_long_sentence_of_unknown_words_finds_nothing(shop: GraphFile) -> None:
    assert found(shop, " ".join(f"{letter}x" for letter in "abcdefghijklmnopqrst")) == []


@pytest.mark.parametrize("folder", ["fixtures", "examples", "testdata", "compat"])
def test_what_stands_aside_comes_after_what_says_less(tmp_path: Path, folder: str) -> None:
    text = f"""
{folder}/broken.py
  def open_socket_twice() @ 1-2 # Open a socket, open a socket.
net/link.py
  def open_link() @ 1-2 # Get a socket to open.
others.py
{"".join(f"  def other_{letter}()" + chr(10) for letter in "abcdefghijkl")}
"""
    with made(text, tmp_path) as graph:
        first, second, *_ = found(graph, "when I open a socket it fails")
        assert (first, second) == (
            "fn:net/link.py:open_link",
            f"fn:{folder}/broken.py:open_socket_twice",
        )


def test_the_relation_has_the_hits_in_their_order(shop: GraphFile) -> None:
    answer = shop.run(search(shop, "auth"))

    assert answer.columns == SEARCH_COLUMNS
    assert [row[0] for row in answer.rows] == found(shop, "auth")


def test_no_more_are_ranked_than_anybody_reads(tmp_path: Path) -> None:
    text = "a.py\n" + "\n".join(f"  def save_{n}()" for n in range(MOST + 50))
    with made(text, tmp_path) as graph:
        assert len(find(graph, "save")) == MOST
