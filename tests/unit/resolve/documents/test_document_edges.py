"""What pages mean: sections, links, mentions, and what is left in the ledger."""

from dataclasses import replace

import pytest
from msgspec import structs

from fakes.graphs import make_graph
from mu.model.graph import File, Graph
from mu.model.kinds import Category, EdgeKind, NodeKind, SiteKind
from mu.resolve import add_documents
from mu.syntax import Extractor
from mu.syntax.documents import FORMATS, read_document

CODE = """
shop.py
shop/card.py
  class Base @ 1-5
    def refund() @ 2-3
  class Card < Base @ 6-20
    def pay(sum) @ 8-10
    def name() @ 11-12
  def twice() @ 30-31
shop/list.py
  def twice() @ 1-2
  def lonely() @ 3-4
tests/test_card.py
  def lonely() @ 1-2
shop.py -> shop/card.py:Card imports 1 import
shop/card.py -> ext:decimal.Decimal imports 1 import
"""


def build(pages: dict[str, str]) -> Graph:
    graph = make_graph(CODE)
    extractor, files, documents = Extractor(), list(graph.files), {}
    for path, text in pages.items():
        name = FORMATS["." + path.rpartition(".")[2]]
        page = read_document(text.encode(), name, extractor=extractor)
        assert page is not None
        documents[len(files)] = page
        files.append(
            File(len(files), path, name, Category.SOURCE, "indexed", "", "", 1, page.lines, ())
        )
    return add_documents(replace(graph, files=files), documents)


def edges(graph: Graph, kind: EdgeKind) -> list[tuple[str, str, int, str]]:
    nodes = graph.nodes
    return [
        (nodes[e.source].id, nodes[e.target].id, e.line, e.rule.value)
        for e in graph.edges
        if e.kind == kind and nodes[e.source].kind in (NodeKind.DOCUMENT, NodeKind.SECTION)
    ]


def left(graph: Graph) -> list[tuple[str, str, str | None, int]]:
    return [
        (site.kind.value, site.text, site.reason and site.reason.value, site.candidates)
        for site in graph.sites
        if site.kind in (SiteKind.LINK, SiteKind.MENTION) and site.reason
    ]


def test_a_page_and_its_headings_are_nodes_within_each_other() -> None:
    graph = build(
        {"docs/guides/pay.md": "# Pay\n\nBy card.\n\n## How\n\n## How\n\n# Größe & mehr!\n"}
    )

    found = [
        (n.id, n.name, n.subkind, n.start_line) for n in graph.nodes if n.language == "markdown"
    ]
    assert found == [
        ("doc:docs/guides/pay.md", "Pay", "guide", 1),
        ("sec:docs/guides/pay.md#pay", "Pay", "", 1),
        ("sec:docs/guides/pay.md#how", "How", "", 5),
        ("sec:docs/guides/pay.md#how-1", "How", "", 7),
        ("sec:docs/guides/pay.md#größe--mehr", "Größe & mehr!", "", 9),
    ]
    assert [(one, other) for one, other, _, _ in edges(graph, EdgeKind.CONTAINS)] == [
        ("doc:docs/guides/pay.md", "sec:docs/guides/pay.md#pay"),
        ("doc:docs/guides/pay.md", "sec:docs/guides/pay.md#größe--mehr"),
        ("sec:docs/guides/pay.md#pay", "sec:docs/guides/pay.md#how"),
        ("sec:docs/guides/pay.md#pay", "sec:docs/guides/pay.md#how-1"),
    ]
    assert [node.key for node in graph.nodes] == list(range(len(graph.nodes)))


@pytest.mark.parametrize(
    ("text", "target"),
    [
        ("[x](b.md)", "doc:docs/b.md"),
        ("[x](./b.md#two)", "sec:docs/b.md#two"),
        ("[x](../README.md)", "doc:README.md"),
        ("[x](/README.md)", "doc:README.md"),
        ("[x](..)", "doc:README.md"),
        ("[x](b.md?raw=1)", "doc:docs/b.md"),
        ("[x](%62.md)", "doc:docs/b.md"),
    ],
)
def test_a_link_finds_a_page_or_a_heading_of_it(text: str, target: str) -> None:
    graph = build({"README.md": "Hi.\n", "docs/a.md": text + "\n", "docs/b.md": "# One\n## Two\n"})

    assert edges(graph, EdgeKind.LINKS) == [("doc:docs/a.md", target, 1, "syntax")]
    assert left(graph) == []


@pytest.mark.parametrize("text", ["[x](gone.md)", "[x](b.md#none)", "[x](../../../etc/passwd.md)"])
def test_a_link_whose_target_is_not_there_is_in_the_ledger(text: str) -> None:
    graph = build({"docs/a.md": text + "\n", "docs/b.md": "# One\n"})

    target = text.partition("(")[2].rstrip(")")
    assert left(graph) == [("link", target, "unknown", 0)]


@pytest.mark.parametrize("text", ["[x](https://a.org/b.md)", "![x](x.png)", "[x](mailto:a@b.c)"])
def test_what_leads_out_or_is_no_page_is_no_link(text: str) -> None:
    graph = build({"docs/a.md": text + "\n"})

    assert edges(graph, EdgeKind.LINKS) == left(graph) == []


@pytest.mark.parametrize(
    ("text", "target", "rule"),
    [
        ("`shop.card.Card`", "cls:shop/card.py:Card", "syntax"),
        ("`shop.Card`", "cls:shop/card.py:Card", "import"),
        ("`shop.Card.pay`", "fn:shop/card.py:Card.pay", "import"),
        ("`Card.pay()`", "fn:shop/card.py:Card.pay", "unique-name"),
        ("`Card`", "cls:shop/card.py:Card", "unique-name"),
        ("`Card.refund`", "fn:shop/card.py:Base.refund", "inherited"),
        ("`lonely`", "fn:shop/list.py:lonely", "unique-name"),
        ("`shop/card.py`", "mod:shop/card.py", "syntax"),
        ("`card.py`", "mod:shop/card.py", "unique-name"),
        ("[x](shop/card.py)", "mod:shop/card.py", "syntax"),
        ("```python\nfrom shop import Card\n```", "cls:shop/card.py:Card", "import"),
    ],
)
def test_a_mention_finds_the_code_it_names(text: str, target: str, rule: str) -> None:
    graph = build({"README.md": text + "\n"})

    assert [(e[1], e[3]) for e in edges(graph, EdgeKind.MENTIONS)] == [(target, rule)]
    assert left(graph) == []


@pytest.mark.parametrize("text", ["`decimal.Decimal`", "`decimal.Decimal(1)`"])
def test_what_is_outside_is_known_where_the_code_uses_it(text: str) -> None:
    graph = build({"README.md": text + "\n"})

    assert [edge[1] for edge in edges(graph, EdgeKind.MENTIONS)] == ["ext:decimal.Decimal"]
    assert [row[2] for row in left(graph)] == ["external"]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("`twice`", []),
        ("`twice()`", [("mention", "twice()", "ambiguous", 2)]),
        ("`Card.lost`", [("mention", "Card.lost", "unknown", 0)]),
        ("`a_setting`", [("mention", "a_setting", "unknown", 0)]),
        ("`true`", []),
        ("`x = 1`", []),
        ("```python\nimport elsewhere\n```", []),
    ],
)
def test_only_what_is_clearly_a_name_is_left_in_the_ledger(
    text: str, found: list[tuple[str, str, str, int]]
) -> None:
    graph = build({"README.md": text + "\n"})

    assert edges(graph, EdgeKind.MENTIONS) == []
    assert left(graph) == found


def test_names_are_looked_for_in_what_the_page_is_about() -> None:
    text = ".. currentmodule:: shop.list\n\nTwice\n=====\n\nSee :func:`twice`.\n"
    graph = build({"docs/a.rst": text})

    assert ("sec:docs/a.rst#twice", "fn:shop/list.py:twice", 6, "syntax") in edges(
        graph, EdgeKind.MENTIONS
    )


def test_labels_and_pages_are_found_from_anywhere() -> None:
    graph = build(
        {
            "docs/a.rst": "Aa\n==\n\n:ref:`the-end` :doc:`sub/b` :ref:`nowhere`\n",
            "docs/sub/b.rst": "Bb\n==\n\nSee :doc:`/a`.\n\n.. _the-end:\n\nEnd\n---\n",
        }
    )

    assert [(one, other) for one, other, _, _ in edges(graph, EdgeKind.LINKS)] == [
        ("sec:docs/a.rst#aa", "doc:docs/sub/b.rst"),
        ("sec:docs/a.rst#aa", "sec:docs/sub/b.rst#end"),
        ("sec:docs/sub/b.rst#bb", "doc:docs/a.rst"),
    ]
    assert left(graph) == [("link", "nowhere", "unknown", 0)]


def test_one_edge_stands_for_all_mentions_of_a_section() -> None:
    graph = build({"README.md": "`Card`\n\nand `Card`\n"})

    (edge,) = [edge for edge in graph.edges if edge.kind == EdgeKind.MENTIONS]
    assert (edge.line, edge.sites) == (1, 2)


def test_a_graph_without_pages_stays_as_it_is() -> None:
    graph = make_graph(CODE)

    assert add_documents(graph, {}) is graph


def test_a_page_that_cannot_be_read_costs_itself_alone() -> None:
    graph = make_graph(CODE)
    pages = [read_document(b"# A\n\n`Card.pay` and `pay`\n", "markdown", extractor=Extractor())] * 2
    documents, files = {}, list(graph.files)
    for page in pages:
        assert page is not None
        documents[len(files)] = page
        path = f"{len(files)}.md"
        files.append(
            File(len(files), path, "markdown", Category.SOURCE, "indexed", "", "", 1, 1, ())
        )
    (bad, page), *_ = documents.items()
    documents[bad] = structs.replace(
        page, pointers=tuple(pointer._replace(text=None) for pointer in page.pointers)
    )

    graph = add_documents(replace(graph, files=files), documents)

    assert list(graph.failures) == [bad]
    assert graph.files[bad].problems[0].startswith("1: not linked in full: TypeError in ")
    assert {site.file for site in graph.sites if site.kind == SiteKind.MENTION} == {bad + 1}
