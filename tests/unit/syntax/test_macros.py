"""Calls of macros read as calls of functions: which are, and that not a byte moves."""

from typing import cast

import pytest
import tree_sitter as ts

from mu.syntax.grammars.grammar import load_grammar
from mu.syntax.text.macros import parse_macro_calls


def _read(text: str) -> tuple[ts.Node, ts.Node]:
    grammar = load_grammar("rust")
    parser = ts.Parser(grammar.language)
    tree = parser.parse(text.encode())
    return tree.root_node, parse_macro_calls(text.encode(), tree, grammar=grammar, parser=parser)


def _called(text: str) -> list[str]:
    """The names of what is called as a function, in the order of the text."""
    _, root = _read(text)
    query = ts.Query(load_grammar("rust").language, "(call_expression function: (_) @f)")
    nodes = sorted(ts.QueryCursor(query).captures(root).get("f", []), key=lambda n: n.start_byte)
    source = text.encode()
    return [source[node.start_byte : node.end_byte].decode() for node in nodes]


@pytest.mark.parametrize(
    ("body", "called"),
    [
        ("assert!(f(1))", ["assert", "f"]),
        ("vec![f(); g()]", ["vec", "f", "g"]),
        ('log::info!(target: "a", user = %f(), g())', ["log::info", "f", "g"]),
        ("matches!(f(), Some(n) if g(n))", ["matches", "f"]),
        ("a!(b![c!(f())], (d!(g()), 1))", ["a", "b", "c", "f", "d", "g"]),
        ("stringify!(f())", []),
        ("select! { x = f() => g() }", []),
        ('json!({ "a": f() })', []),
        ("a!(f() => g())", []),
        ("a!(f(), b!(g() => 1))", ["a", "f"]),
        ("a!(f() => 1); assert!(g())", ["assert", "g"]),
    ],
)
def test_what_can_be_arguments_is_read_as_such(body: str, called: list[str]) -> None:
    assert _called(f"fn run() {{ {body}; }}") == called


def test_a_macro_that_is_never_handed_an_expression_stays_one() -> None:
    text = "macro_rules! make { ($n:ident($t:ident)) => {} }\nfn run() { make!(f(g)); }"
    assert _called(text) == []


def test_a_macro_among_definitions_stays_one() -> None:
    text = "make!(f(g));\nimpl A { make!(f(g)); }"
    before, after = _read(text)
    assert after == before


def test_what_stood_in_the_text_stands_where_it_did() -> None:
    text = "fn run() {\n    assert!(\n        f(),\n    );\n    after();\n}\n"
    before, after = _read(text)
    assert not after.has_error
    assert (after.start_byte, after.end_byte) == (before.start_byte, before.end_byte)
    assert _called(text) == ["assert", "f", "after"]


def test_what_stands_behind_arguments_that_are_left_out_keeps_its_line() -> None:
    _, root = _read("fn f() {\n    matches!(a(), Some(_)\n        | None\n    );\n    b();\n}\n")

    query = ts.Query(load_grammar("rust").language, "(call_expression function: (_) @f)")
    rows = [node.start_point[0] for node in ts.QueryCursor(query).captures(root)["f"]]
    assert sorted(rows) == [1, 1, 4]


def test_a_text_with_mistakes_elsewhere_is_read_all_the_same() -> None:
    assert _called("fn run() { assert!(f()); }\nfn broken( {\n") == ["assert", "f"]


def _shape(root: ts.Node) -> list[tuple[int, int, int, bool]]:
    found, waiting = [], [root]
    while waiting:
        node = waiting.pop()
        found.append((node.kind_id, node.start_byte, node.end_byte, node.is_missing))
        waiting += node.children
    return found


@pytest.mark.parametrize(
    "text",
    [
        'fn f() { assert!(g(1), "{}", vec![a; 2]); h(); }\nfn k() { l!(m => n); o!(p) }',
        'impl A { fn f(&self) -> B { debug!(c = %self.d(), "e"); matches!(x, Some(_)) } }',
        'fn f() { println!("{a}"); let b = ; write!(c, "d")? }',
    ],
)
def test_what_is_around_macros_is_read_as_in_one_go(text: str) -> None:
    grammar, texts = load_grammar("rust"), []

    class Noting:
        """A parser that notes what it is given."""

        def __init__(self) -> None:
            self._parser = ts.Parser(grammar.language)

        def parse(self, text: bytes, old: ts.Tree | None = None) -> ts.Tree:
            texts.append(text)
            return self._parser.parse(text) if old is None else self._parser.parse(text, old)

    parser = cast(ts.Parser, Noting())
    tree = parser.parse(text.encode())

    root = parse_macro_calls(text.encode(), tree, grammar=grammar, parser=parser)

    trees = [ts.Parser(grammar.language).parse(one) for one in texts]
    assert _shape(root) in [_shape(one.root_node) for one in trees[1:]]
