"""Results as text and as the tables of a notebook: whole, bounded, and escaped."""

from dataclasses import dataclass
from html.parser import HTMLParser

from mu.model.kinds import Verdict
from mu.model.relation import Answer
from mu.operations.results import Rows
from mu.render.sections import MOST_ROWS, html_of, text_of
from mu.render.shown import Shown


@dataclass(frozen=True)
class Part:
    name: str
    count: int


@dataclass(frozen=True)
class Whole(Shown):
    name: str
    parts: tuple[Part, ...] = ()
    notes: tuple[str, ...] = ()
    missing: str | None = None
    text: str = ""


def test_fields_and_tuples_of_values_are_tables() -> None:
    result = Whole("shop", (Part("cart", 2), Part("till", 10)), ("new", "small"))

    assert str(result) == (
        "name   shop\nnotes  new, small\n\nparts:\nname  count\ncart      2\ntill     10"
    )


def test_an_answer_has_its_count_its_verdict_and_its_notes() -> None:
    rows = Rows(Answer(("n",), ((1,), (2,)), 5, verdict=Verdict.AT_LEAST, notes=("one is open",)))

    assert str(rows) == "n\n1\n2\n(2 of 5 rows, at least)\nnote: one is open"
    assert repr(rows) == str(rows)


def test_an_answer_of_nodes_is_a_listing() -> None:
    answer = Answer(("id", "path", "line", "kind"), (("fn:a.py:f", "a.py", 3, "function"),), 1)

    assert "a.py:3" in str(Rows(answer)).splitlines()[0]


def test_an_empty_answer_says_so() -> None:
    rows = Rows(Answer(("n",), (), 0))

    assert str(rows) == "(0 rows, exact)"
    assert "no rows" in rows._repr_html_()


def test_a_long_answer_is_cut_and_counted() -> None:
    rows = Rows(Answer(("n",), tuple((n,) for n in range(200)), 200))

    assert len(str(rows).splitlines()) == MOST_ROWS + 2
    assert str(rows).endswith(f"({MOST_ROWS} of 200 rows, exact)")
    assert rows._repr_html_().count("<tr>") == MOST_ROWS + 1


def test_rows_are_mappings() -> None:
    assert Rows(Answer(("a", "b"), ((1, "x"),), 1)).records() == [{"a": 1, "b": "x"}]


def test_no_text_of_a_repository_is_markup_or_acts() -> None:
    hostile = "<script>alert(1)</script>\"'&\x1b[2J\u202e"
    whole = Whole(hostile, (Part(hostile, 1),), (hostile,), text=f"{hostile}\n")
    rows = Rows(Answer((hostile,), ((hostile,),), 1, notes=(hostile,)))

    for shown in (html_of(whole), html_of(rows)):
        assert _tags(shown) <= {"div", "p", "b", "pre", "table", "thead", "tbody", "tr", "th", "td"}
        assert "\x1b" not in shown
    for shown in (text_of(whole), text_of(rows)):
        assert "\x1b" not in shown
        assert "\u202e" not in shown


def test_secrets_are_redacted() -> None:
    key = "sk-ant-api03-" + "aB3" * 30
    rows = Rows(Answer(("line",), ((f'KEY = "{key}"',),), 1))

    assert key not in str(rows)
    assert key not in rows._repr_html_()


def _tags(text: str) -> set[str]:
    found: set[str] = set()

    class Reader(HTMLParser):
        def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
            found.add(tag)

    Reader().feed(text)
    return found
