"""Words that are weighed with the facts of a file are those that the nodes of its graph say."""

from dataclasses import replace
from pathlib import Path

import pytest
from tests.corpora.judging.pipeline import link_sources, read_sources, write_files

from mu.kernel.extraction.file_extraction import with_words, with_words_of_sections
from mu.lexical import index_words
from mu.model.graph import File, Graph
from mu.model.kinds import Category
from mu.resolve import add_documents
from mu.syntax import Extractor
from mu.syntax.documents import read_document

PYTHON = '''
"""Takes what is owed."""

# before the till opens

class CardTill:
    """Charges a card; a till takes coins, too."""

    limit = 3  # of the coins

    def charge_all(self, card: "Card", sum_of_coins=0) -> "Receipt":
        # a card that was charged before is charged again
        raise ValueError("no card for the till")

    def a(self): ...

def test_till():
    """A test of a till."""
    # with coins
    CardTill().charge_all("a card of paper")
'''
GO = """
package till

// Till takes coins.
type Till struct{ coins int }

// Charge takes a card.
func (t *Till) Charge(card string) error { return fail("no card for the till") }
"""
RUST = """
/// Takes coins.
struct Till { coins: u8 }

// what a till can do
impl Till {
    // a card
    fn charge(&self, card: &str) { panic!("no card for the till") }
}
"""


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("src/shop/till.py", PYTHON),
        ("tests/test_till.py", PYTHON),
        ("till/till.go", GO),
        ("till/till_test.go", GO),
        ("src/till.rs", RUST),
    ],
)
def test_words_are_the_same_weighed_with_facts_and_read_from_nodes(
    path: str, text: str, tmp_path: Path
) -> None:
    write_files({path: text}, tmp_path)
    sources = read_sources(tmp_path)
    weighed = {key: with_words(facts) for key, facts in sources.facts.items()}

    graph = link_sources(replace(sources, facts=weighed))

    assert graph.words
    assert any(row.word == "till" for row in index_words(graph))
    assert index_words(graph) == index_words(link_sources(sources))


def test_what_adds_to_a_type_takes_no_word_of_it_away(tmp_path: Path) -> None:
    write_files({"src/till.rs": RUST}, tmp_path)
    graph = link_sources(read_sources(tmp_path))
    till = next(node.key for node in graph.nodes if node.id == "cls:src/till.rs:Till")
    module = next(node.key for node in graph.nodes if node.id == "mod:src/till.rs")

    nodes = {row.word: row.nodes for row in index_words(graph)}

    assert till in nodes["coins"]
    assert nodes["what"] == [module]


def test_words_of_sections_are_the_same_weighed_with_facts_and_read_from_nodes() -> None:
    text = f"# Tills\n\nBefore.\n\n## A till of coins\n\n{'What coins do to a till. ' * 30}\n"
    page = read_document(text.encode(), "markdown", extractor=Extractor())
    assert page is not None
    what = Category.SOURCE, "indexed", "", "", 1, page.lines, ()
    files = [File(0, "docs/till.md", "markdown", *what)]

    plain = add_documents(Graph(files, (), (), ()), {0: page})
    weighed = add_documents(Graph(files, (), (), ()), {0: with_words_of_sections(page)})

    assert weighed.words
    assert not weighed.prose
    assert weighed.nodes == plain.nodes
    assert index_words(weighed) == index_words(plain)
