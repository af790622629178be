import gc
import tracemalloc

import pytest

from mu.model.facts import ScopeKind
from mu.syntax import Extractor, encode_facts
from mu.syntax.extractor import MOST_PROBLEMS
from unit.syntax.reading import Reading


@pytest.mark.parametrize(
    ("source", "line"),
    [
        ("x = (\n", 1),
        ("x = 1\ny = = 2\n", 2),
        ("def f(:\n  pass\nx = 1\n", 1),
        ("x = 1\n\n\n)\n", 4),
        ("x = 'open\n", 1),
    ],
)
def test_syntax_error_is_a_problem_with_its_line(source: str, line: int) -> None:
    assert line in {row.line for row in Reading(source).facts.problems}


def test_text_without_errors_has_no_problems() -> None:
    assert Reading("x = 1\n").facts.problems == ()


def test_broken_file_still_gives_what_is_whole() -> None:
    reading = Reading(
        """
        def before(): return a()
        x = = 1
        def after(): return b()
        """
    )

    assert [row.name for row in reading.facts.definitions] == ["before", "after"]
    assert {"2 call a() in before", "4 call b() in after"} <= set(reading.references())


def test_subscript_without_a_place_is_one_like_any_other() -> None:
    facts = Extractor().extract(b"list[].write();\n", "typescript")

    assert {"list", "write"} <= {name for _, name, _, _ in facts.expressions}


def test_problems_are_bounded() -> None:
    assert len(Reading("x = = 1\n" * 200).facts.problems) <= MOST_PROBLEMS


@pytest.mark.parametrize(
    ("text", "lines"), [(b"", 0), (b"\n", 1), (b"x", 1), (b"x\n", 1), (b"x\n\ny", 3)]
)
def test_lines_are_counted_with_the_last_one(text: bytes, lines: int) -> None:
    assert Extractor().extract(text, "python").lines == lines


def test_scopes_nest_as_the_text_does() -> None:
    reading = Reading(
        """
        class K:
            def m(self):
                return [lambda: i for i in self]
        x = [0 for _ in y]
        """
    )

    scopes = reading.facts.scopes
    assert [reading.scope(number) for number in range(len(scopes))] == [
        "",
        "K",
        "K.m",
        "K.m.<block>",
        "K.m.<block>.<lambda>",
        "<block>",
    ]
    assert [row.kind for row in scopes] == [
        ScopeKind.MODULE,
        ScopeKind.CLASS,
        ScopeKind.FUNCTION,
        ScopeKind.BLOCK,
        ScopeKind.FUNCTION,
        ScopeKind.BLOCK,
    ]


def test_same_bytes_give_same_facts_whatever_came_before() -> None:
    text = b"class K(A):\n  def m(self): return self.x or {b, c}\n"
    used = Extractor()
    used.extract(b"class K:\n  x = 1\n", "python")

    assert encode_facts(used.extract(text, "python")) == encode_facts(
        Extractor().extract(text, "python")
    )


@pytest.mark.parametrize(
    "text", [b"\xff\xfe", b"x = '\xff'\n", b"d\xc3f f(): \x00\n", b"\xed\xa0\x80 = 1"]
)
def test_bytes_that_are_no_text_give_facts(text: bytes) -> None:
    facts = Extractor().extract(text, "python")

    assert encode_facts(facts)


@pytest.mark.parametrize(
    ("language", "text"),
    [
        (
            "python",
            b"import os\nclass K:\n    def m(self):\n        return [os.sep for _ in self]\n",
        ),
        ("typescript", b"export default class K { m = (x: T) => { let y = x.z(); return y } }\n"),
        ("go", b"package p\nfunc f(x any) { if y, ok := x.(T); ok { y.g() } }\n"),
    ],
)
def test_extraction_leaves_nothing_to_the_garbage_collector(language: str, text: bytes) -> None:
    """Workers run without it, so what refers to itself would stay as long as they do."""
    extractor = Extractor()
    extractor.extract(text, language)  # what is made once for a language
    gc.collect()
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        for _ in range(3):
            extractor.extract(text, language)
        assert gc.collect() == 0
    finally:
        if was_enabled:
            gc.enable()


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("python", "if a" + " or isinstance(x, A)" * 600 + ":\n    x.f()\n"),
        ("typescript", "if (a" + " || x instanceof A" * 600 + ") x.f();\n"),
    ],
)
def test_test_of_any_length_is_read(language: str, text: str) -> None:
    facts = Extractor().extract(text.encode(), language)
    assert [problem.message for problem in facts.problems] == [
        "expressions nested deeper than 60 are left out"
    ]


def test_long_chain_keeps_no_text_of_each_step() -> None:
    tracemalloc.start()
    Extractor().extract(b"a" + b".b()" * 5_000 + b"\n", "python")
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert most < 20_000_000  # 200 MB with the texts
