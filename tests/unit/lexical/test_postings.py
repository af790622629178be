"""What the index says of each word."""

from fakes.graphs import SHOP, make_graph
from mu.lexical import Field, index_words
from mu.model.graph import Graph, NodeProse, Posted


def by_word(graph: Graph) -> dict[str, Posted]:
    return {row.word: row for row in index_words(graph)}


def said_of(graph: Graph, word: str) -> dict[str, tuple[int, int]]:
    row = by_word(graph)[word]
    return {
        graph.nodes[node].id: (weight, fields)
        for node, weight, fields in zip(row.nodes, row.weights, row.fields, strict=True)
    }


def test_words_are_in_order_and_so_are_their_nodes() -> None:
    rows = index_words(make_graph(SHOP))

    words = [row.word for row in rows]
    assert words == sorted(set(words))
    assert all(row.nodes == sorted(set(row.nodes)) for row in rows)
    assert all(1 <= weight <= 255 for row in rows for weight in row.weights)


def test_a_posting_says_in_which_fields_the_word_stands() -> None:
    found = said_of(make_graph(SHOP), "orders")

    assert found["mod:app/orders.py"][1] == Field.NAME
    assert found["cls:app/orders.py:Orders"][1] == Field.NAME
    assert found["cls:app/db.py:Store"][1] == Field.DOCSTRING


def test_a_name_says_more_than_a_docstring_and_a_short_name_more_than_a_long_one() -> None:
    graph = make_graph(
        "a.py\n  def save() @ 1-2\n  def save_all_the_rows() @ 3-4\n  def b() # save"
    )
    found = {
        node.rpartition(":")[2]: weight for node, (weight, _) in said_of(graph, "save").items()
    }

    assert found["save"] > found["save_all_the_rows"] > found["b"]


def test_the_folders_of_a_module_are_said_by_the_module_alone() -> None:
    graph = make_graph(SHOP)

    assert set(said_of(graph, "app")) == {
        "mod:app/auth.py",
        "mod:app/base.py",
        "mod:app/db.py",
        "mod:app/orders.py",
    }


def test_a_name_of_few_words_is_one_word_too() -> None:
    graph = make_graph("a.py\n  class QuerySet\n  def one_two_three_four()")

    assert "queryset" in by_word(graph)
    assert "onetwothreefour" not in by_word(graph)


def test_comments_and_strings_count_but_not_those_of_tests() -> None:
    graph = make_graph(SHOP)
    keys = {node.id: node.key for node in graph.nodes}
    prose = [
        NodeProse(keys["fn:app/auth.py:AuthService.login"], "throttled here", "LOGIN_LIMIT"),
        NodeProse(keys["fn:tests/test_auth.py:test_login"], "throttled there", ""),
    ]
    graph = Graph(graph.files, graph.nodes, graph.edges, graph.sites, prose=prose)

    login = "fn:app/auth.py:AuthService.login"
    assert {node: said[1] for node, said in said_of(graph, "throttled").items()} == {
        login: Field.COMMENT
    }
    assert said_of(graph, "limit")[login][1] == Field.STRING


def test_a_body_adds_only_the_words_that_a_node_does_not_say_otherwise() -> None:
    text = "a.py\n  def charge() @ 1-2 # a card\n  def card() @ 3-4\n  def swipe() @ 5-6\n"
    calls = "a.py:charge -> a.py:swipe calls 2\na.py:charge -> a.py:card calls 2\n"
    with_calls, without = make_graph(text + calls), make_graph(text)
    node = "fn:a.py:charge"

    assert said_of(with_calls, "swipe")[node][1] == Field.BODY
    assert node not in said_of(without, "swipe")
    assert said_of(with_calls, "card")[node] == said_of(without, "card")[node]
