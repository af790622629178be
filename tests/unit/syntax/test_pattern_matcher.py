"""What the tables know of a node is what tree-sitter's own query says of it, on real code."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest
import tree_sitter as ts
from msgspec.structs import replace

from mu.syntax import load_grammar
from mu.syntax.matching.pattern_matcher import PatternMatcher, PatternQuery
from mu.syntax.matching.shapes import Shape
from mu.syntax.matching.vocabulary import VALUE

MODULES = ["abc", "ast", "contextlib", "dataclasses", "enum", "functools", "typing"]
ODD = """\
from . import a, b as c
from .d import *
import e.f as g, h
with a as b, c() as (d, e): pass
async def f[T: int](x: T, /, *y: int, z=1, **k: str) -> T: yield x
class K(A, metaclass=M): x: int = 1
del a, b.c, (d, e)
try: pass
except* E as x: pass
match a:
    case [x, *y] | {"k": v, **r} | C(z, k=w) as q: pass
    case a.b: pass
if TYPE_CHECKING: import i
__all__.extend(["a"])
x = y = lambda a, *b: (a, b)
type A[T] = list[T]
print >>a, b
exec a in b
x = [i for i, *j in k if i for l in (yield)]
x = (  # why
    1
)
def broken(: = (
"""


ODD_SCRIPT = """\
import a, { b as c } from "d"; import e = require("f")
const g = require("h"), { i } = require(`j`); k("require")
export default class K<T> extends L<T> implements M { static n = 1; #o?: P; get q() { return 1 } }
for (const r of s) { let t = r; function u() { { class V {} } } }
try { w?.x!() } catch ({ y }) { if (z) { var aa = 1 } else { bb ||= cc as DD } }
module.exports = { ee, ff: function () { switch (gg) { case 1: let hh } } }
label: while (1) { continue label }
type II<T> = T extends (infer JJ)[] ? JJ : never
function broken( { let
"""


# What is told from its like by a word alone.
SPELLED = {
    "java": """\
class A { void f() { var a = b(); B c = d(); var e = 1, f; B[] g = {}; final var h = c;
for (var i : j) k(i); for (B l : j) k(l); try (var m = n(); B o = n()) {} } }
""",
    "javascript": """\
const a = require("b"); const c = load("b"); require(`d`); f(require("e"), require(g))
""",
    "rust": """\
#[test] fn a() {} #[inline] fn b() {} #[tokio::test] fn c() {} #[d::e(f)] fn g() {}
fn h() { if let Some(i) = j {} if let K(i) = j {} let Ok(l) = m else { return }; let N(l) = m;
match o { Some(p) => q(p), R(s) => q(s), Ok(t) | U(t) => q(t) } }
""",
    "tsx": """\
const A = memo(() => 1); const B = wrap(() => 2); const C = React.memo(function () {});
const D = Other.memo(() => 3); const E = <F g={h} />; const I = <J.K><l /></J.K>
""",
}


def nodes_of(root: ts.Node) -> Iterator[ts.Node]:
    waiting = [root]
    while waiting:
        node = waiting.pop()
        yield node
        waiting += node.children


def everything_asked(table: PatternMatcher, name: str = "python") -> PatternQuery:
    """All patterns as one query, asked of every node."""
    language = load_grammar(name).language
    return PatternQuery(language, table.known, [one.text for one in table.known])


def used_places(shape: Shape) -> set[int]:
    return {place for place, use in shape.visited if use == VALUE}


def check(table: PatternMatcher, everything: PatternQuery, root: ts.Node) -> int:
    """Compare at each node; how many there were of which something is said."""
    count = 0
    for node in nodes_of(root):
        shape, places = table.match_shape(node)
        truth, nodes = table._shape_of_matches(node, everything.matches(node))
        if table.uniform_shapes[node.kind_id] is None:
            count += truth != Shape(is_uniform=False)
            assert (
                replace(shape, deep_patterns=frozenset(), child_texts={}, deep_cache=None) == truth
            ), node
            assert [one.id for one in places] == [one.id for one in nodes]
            continue
        wanted = {n for n, one in enumerate(node.children) if one.kind_id in shape.value_kinds}
        said = replace(
            truth,
            is_uniform=True,
            is_pure=False,
            value_kinds=shape.value_kinds,
            block_kinds=shape.block_kinds,
            visited=(),
            valued=(),
            arguments=(),
        )
        assert shape == said, node
        assert wanted == used_places(truth)
    return count


@pytest.mark.parametrize("module", MODULES)
def test_every_node_of_a_module_of_python_is_known_as_the_query_knows_it(module: str) -> None:
    path = Path(ast.__file__).parent / f"{module}.py"
    grammar = load_grammar("python")
    root = ts.Parser(grammar.language).parse(path.read_bytes()).root_node

    assert check(grammar.nodes, everything_asked(grammar.nodes), root) > 50


@pytest.mark.parametrize("purpose", ["nodes", "targets", "parameters"])
def test_every_node_of_odd_code_is_known_as_the_query_knows_it(purpose: str) -> None:
    grammar = load_grammar("python")
    table = getattr(grammar, purpose)
    lines = ODD.splitlines(keepends=True)
    parser = ts.Parser(grammar.language)

    for end in range(1, len(lines) + 1):  # cut short, a file has errors in other places
        root = parser.parse("".join(lines[:end]).encode()).root_node
        check(table, everything_asked(table), root)


@pytest.mark.parametrize("purpose", ["nodes", "targets", "parameters"])
def test_every_node_of_odd_typescript_is_known_as_the_query_knows_it(purpose: str) -> None:
    grammar = load_grammar("typescript")
    table = getattr(grammar, purpose)
    parser = ts.Parser(grammar.language)
    lines = ODD_SCRIPT.splitlines(keepends=True)

    for end in range(1, len(lines) + 1):
        root = parser.parse("".join(lines[:end]).encode()).root_node
        check(table, everything_asked(table, "typescript"), root)


@pytest.mark.parametrize("language", SPELLED)
def test_every_node_that_a_word_tells_apart_is_known_as_the_query_knows_it(language: str) -> None:
    grammar = load_grammar(language)
    root = ts.Parser(grammar.language).parse(SPELLED[language].encode()).root_node
    everything = everything_asked(grammar.nodes, language)

    check(grammar.nodes, everything, root)

    assert check(grammar.nodes, everything, root) > 5  # as it is remembered


@pytest.mark.parametrize(
    ("text", "may_match"), [("require('a')", True), ("f('a')", False), ("f(require('a'))", False)]
)
def test_pattern_is_not_asked_where_a_child_is_spelled_otherwise(
    text: str, may_match: bool
) -> None:
    grammar = load_grammar("typescript")
    root = ts.Parser(grammar.language).parse(text.encode()).root_node
    call = root.named_children[0].named_children[0]
    shape = grammar.nodes.shape_of(call, call.children)

    assert shape.deep_patterns
    assert grammar.nodes.may_match(shape, call.children, source=text.encode()) is may_match
