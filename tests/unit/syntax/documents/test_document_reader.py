"""What is read of pages, in every format."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mu.model.documents import DocumentFacts, PointerKind
from mu.syntax import Extractor
from mu.syntax.documents import FORMATS, read_document

EXTRACTOR = Extractor()


def read(text: str, name: str = "markdown") -> DocumentFacts:
    facts = read_document(text.encode(), name, extractor=EXTRACTOR)
    assert facts is not None
    return facts


def outline(facts: DocumentFacts) -> list[tuple[str, int, int, int, int]]:
    return [(s.title, s.level, s.parent, s.start_line, s.end_line) for s in facts.sections]


def pointers(facts: DocumentFacts) -> list[tuple[str, int, int, str]]:
    return [(p.kind.name, p.section, p.line, p.text) for p in facts.pointers]


MARKDOWN = """\
---
title: The shop
category: Guides
tags: [a, b]
---

Before `Shop`.

# Shop #

What it *is*: see [paying](pay.md#cards "Pay") and [the list][l].

Cards
-----

`Shop.pay()` and <https://example.org>, ![x](x.png).

### Deep

| call | what |
|---|---|
| `pay` | pays |

# End

[l]: ../list.md

```python
from shop.pay import Card
import shop as s
```

```unheard
from shop import nothing
```
"""


def test_markdown_has_sections_links_mentions_and_imports() -> None:
    facts = read(MARKDOWN)

    assert (facts.title, facts.category, facts.lines) == ("The shop", "guides", 35)
    assert outline(facts) == [
        ("Shop", 1, -1, 9, 23),
        ("Cards", 2, 0, 13, 23),
        ("Deep", 3, 1, 18, 23),
        ("End", 1, -1, 24, 35),
    ]
    assert pointers(facts) == [
        ("CODE", -1, 7, "Shop"),
        ("LINK", 0, 11, "pay.md#cards"),
        ("CODE", 1, 16, "Shop.pay()"),
        ("CODE", 2, 22, "pay"),
        ("LINK", 0, 11, "../list.md"),
        ("IMPORT", 3, 29, "shop.pay.Card"),
        ("IMPORT", 3, 30, "shop"),
    ]
    assert facts.sections[1].text.startswith("Shop.pay()")
    assert facts.text.split() == ["Before", "Shop", "."]


RESTRUCTURED = """\
.. currentmodule:: shop

====
Shop
====

.. class:: Card(number)

See :doc:`/guides/pay`, :ref:`cards <cards-label>` and :meth:`~shop.Card.pay`.
Also ``shop/card.py`` and `the list <list.rst>`_.

.. _cards-label:

Cards
-----

.. code-block:: python

    from shop import Card

After.

Deeper
~~~~~~

Other
-----
"""


def test_markdown_keeps_names_whole_and_drops_its_own_marks() -> None:
    facts = read("# The `__init__` of **Shop**\n\nSet `API_KEY` and *call* `pay_all`.\n")

    assert facts.sections[0].title == "The __init__ of Shop"
    assert " ".join(facts.sections[0].text.split()) == "Set API_KEY and call pay_all ."


def test_restructured_text_has_levels_in_the_order_of_its_underlines() -> None:
    facts = read(RESTRUCTURED, "restructuredtext")

    assert outline(facts) == [
        ("Shop", 1, -1, 4, 27),
        ("Cards", 2, 0, 14, 25),
        ("Deeper", 3, 1, 23, 25),
        ("Other", 2, 0, 26, 27),
    ]
    assert facts.sections[1].labels == ("cards-label",)


def test_restructured_text_points_by_roles_directives_and_literals() -> None:
    facts = read(RESTRUCTURED, "restructuredtext")

    assert [(p.kind, p.text, p.scope) for p in facts.pointers] == [
        (PointerKind.NAME, "shop", ""),
        (PointerKind.NAME, "Card", "shop"),
        (PointerKind.PAGE, "/guides/pay", "shop"),
        (PointerKind.LABEL, "cards-label", "shop"),
        (PointerKind.NAME, "shop.Card.pay", "shop"),
        (PointerKind.CODE, "shop/card.py", "shop"),
        (PointerKind.LINK, "list.rst", "shop"),
        (PointerKind.IMPORT, "shop.Card", "shop"),
    ]


def test_asciidoc_has_sections_labels_links_and_code() -> None:
    text = "= Shop\n\n[[pay]]\n== Pay\n\nSee link:list.adoc[list], <<pay>> and `Card.pay`.\n"
    facts = read(text, "asciidoc")

    assert [(s.title, s.level, s.labels) for s in facts.sections] == [
        ("Shop", 1, ()),
        ("Pay", 2, ("pay",)),
    ]
    assert pointers(facts) == [
        ("LINK", 1, 6, "list.adoc"),
        ("LABEL", 1, 6, "pay"),
        ("CODE", 1, 6, "Card.pay"),
    ]


def test_text_without_a_heading_is_no_page() -> None:
    assert read_document(b"click==8\nflask\n", "text", extractor=EXTRACTOR) is None
    assert read("Notes\n=====\n\nHere.\n", "text").title == "Notes"


@pytest.mark.parametrize("name", sorted(set(FORMATS.values())))
@pytest.mark.parametrize(
    "text",
    [
        b"",
        b"\x00\xff\xfe",
        b"# " * 20_000,
        b"> " * 5_000 + b"deep",
        b"[" * 20_000,
        b"= T\n\n" + b"<" * 4_000,
        b"`" * 9_999,
        b"---\n" * 2_000,
        b"=\n" * 2_000,
        b"```python\n" + b"(" * 5_000,
        b".. code-block:: python\n\n    x",
    ],
)
def test_no_page_is_too_odd(name: str, text: bytes) -> None:
    facts = read_document(text, name, extractor=EXTRACTOR)
    assert facts is None or all(s.start_line <= s.end_line for s in facts.sections)


@given(st.text(alphabet="# =-`[]()<>:._ab\n*~|{}", max_size=300))
def test_sections_lie_within_the_one_around_them(text: str) -> None:
    for name in sorted(set(FORMATS.values())):
        facts = read_document(text.encode(), name, extractor=EXTRACTOR)
        for section in facts.sections if facts else ():
            assert section.start_line <= section.end_line
            if section.parent >= 0 and facts:
                outer = facts.sections[section.parent]
                assert outer.level < section.level
                assert outer.start_line < section.start_line
                assert section.end_line <= outer.end_line


@pytest.mark.parametrize(
    ("text", "labels"),
    [
        ("# Pay {#cards}\n", [("cards",)]),
        ("# Pay {: #cards .wide }\n", [("cards",)]),
        ("# Pay {/* #cards */}\n", [("cards",)]),
        ("# Pay\n{: #cards}\n", [("cards",)]),
        ("# Pay\n\nWith [](){: #cards } a card.\n", [("cards",)]),
        (
            '# Pay\n\n<h3 name="cards">Cards</h3>\n\nOr <a id="cash"></a> cash.\n',
            [("cards", "cash")],
        ),
        ("# Pay\n\n(cards)=\n\n## Cards\n", [(), ("cards",)]),
    ],
)
def test_anchors_are_read_in_the_forms_of_documentation_engines(
    text: str, labels: list[tuple[str, ...]]
) -> None:
    assert [section.labels for section in read(text).sections] == labels


@pytest.mark.parametrize("target", ["{{ page.url }}", "{% link a.md %}", "{filename}/a.md"])
def test_what_a_generator_fills_in_is_no_link(target: str) -> None:
    assert pointers(read(f"# Pay\n\n[here](<{target}>) [there](b.md)\n")) == [
        ("LINK", 0, 3, "b.md")
    ]


def test_a_title_between_two_rules_may_be_indented() -> None:
    facts = read(".. _cards:\n\n=======\n Cards\n=======\n", "restructuredtext")
    assert [(section.title, section.labels) for section in facts.sections] == [
        ("Cards", ("cards",))
    ]
