import pytest
import tree_sitter as ts

from mu import bundle
from mu.syntax.grammars.grammar import load_grammar
from mu.syntax.grammars.manifest import load_manifests
from mu.syntax.matching.patterns import analyze_pattern, split_patterns

# A pattern, the levels below a node that it looks at, and its first level.
PATTERNS = {
    "(a) @x": (0, "(a)"),
    "[(a) (b)] @x": (0, "[(a) (b)]"),
    "(a (_) @y) @x": (1, "(a (_))"),
    "(a left: (b) @y !right . (c)? @z) @x": (1, "(a left:(b) !right . (c)?)"),
    '(a "or" @y [(b) (c)] @z) @x': (1, '(a "or" [(b) (c)])'),
    "(a (b (c) @y)) @x": (2, "(a (b))"),
    "(a [(b (c) @y) (d)]) @x": (2, "(a [(b) (d)])"),
    "(a (b (c (d) @y) . (e)*)) @x": (3, "(a (b))"),
    '((a (b) @y) @x (#eq? @y "t"))': (1, "(a (b) @y)"),
    '(a (b) @y (#match? @y "[(]")) @x ; (c (d (e)))': (1, "(a (b))"),
}


@pytest.mark.parametrize(("text", "told"), PATTERNS.items())
def test_pattern_is_read_for_its_depth_and_first_level(text: str, told: tuple[int, str]) -> None:
    pattern = analyze_pattern(text)

    assert (pattern.depth, pattern.first_level) == told


@pytest.mark.parametrize(
    ("text", "roots"),
    [("(a (b)) @x", ("a",)), ("[(a) (b)] @x", ("a", "b")), ("((a) @x (#eq? @x y))", ("a",))],
)
def test_pattern_begins_with_kinds_of_nodes(text: str, roots: tuple[str, ...]) -> None:
    assert analyze_pattern(text).roots == roots


@pytest.mark.parametrize(
    ("text", "is_flat"),
    [
        ("(a (b) @y) @x", True),
        ("(a (b (c) @y)) @x", False),
        ('(a (b) @y (#eq? @y "t")) @x', False),
        ("(a (MISSING) @y) @x", False),
    ],
)
def test_flat_pattern_looks_at_kinds_of_children_alone(text: str, is_flat: bool) -> None:
    assert analyze_pattern(text).is_flat is is_flat


@pytest.mark.parametrize(
    ("text", "children"),
    [
        ("(a (b) @x)", ("b",)),
        ("(a [(b) (c)] @x)", ("b", "c")),
        ("(a (_) @x)", None),
        ("(a left: (b) @x)", None),
        ("(a . (b) @x)", None),
        ("(a (b) @x (c))", None),
        ("(a (b (c)) @x)", None),
    ],
)
def test_child_that_may_stand_anywhere_is_told(text: str, children: tuple[str, ...]) -> None:
    assert analyze_pattern(text).only_child == children


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('(a (b) @y (#eq? @y "t")) @x', (b"t",)),
        ('(a [(b) @y (c (d) @y)] (#eq? @y "t")) @x', (b"t",)),
        ('(a (b)? @y (#eq? @y "t")) @x', ()),
        ('(a [(b) @y (c)] (#eq? @y "t")) @x', ()),
        ('(a (b) @y (#not-eq? @y "t")) @x', ()),
        ("(a (b) @y (c) @z (#eq? @y @z)) @x", ()),
    ],
)
def test_words_are_those_without_which_nothing_fits(text: str, words: tuple[bytes, ...]) -> None:
    assert analyze_pattern(text).words == words


@pytest.mark.parametrize(
    ("text", "spelled", "gist"),
    [
        ('(a (b) @y (#eq? @y "t")) @x', (("y", b"t"),), "(a (b) @y)"),
        ('(a (b (c) @y) (#eq? @y "t")) @x', (), "(a (b))"),
        ('(a (b) @y (c (d) @y) (#eq? @y "t")) @x', (), "(a (b) (c))"),
        ('(a (b)? @y (#eq? @y "t")) @x', (), "(a (b)?)"),
        ('[(a (b) @y) (c (b) @y)] @x (#eq? @y "t")', (), "[(a (b)) (c (b))]"),
    ],
)
def test_gist_captures_the_children_that_must_be_spelled_so(
    text: str, spelled: tuple[tuple[str, bytes], ...], gist: str
) -> None:
    pattern = analyze_pattern(text)

    assert (pattern.child_words, pattern.first_level) == (spelled, gist)


@pytest.mark.parametrize(
    ("text", "captures_root_only"),
    [("(a (b)) @x", True), ("(a (b) @x)", False), ("(a (b) @y) @x", False)],
)
def test_pattern_of_the_node_it_begins_with_is_told(text: str, captures_root_only: bool) -> None:
    assert analyze_pattern(text).captures_root_only is captures_root_only


@pytest.mark.parametrize("name", load_manifests())
def test_files_are_split_as_the_compiler_splits_them(name: str) -> None:
    language = load_grammar(name).language
    files = sorted((bundle.queries() / name).glob("*.scm"))

    for path in files:
        text = path.read_text(encoding="utf-8")
        query = ts.Query(language, text)  # each file is right by itself, too
        starts = [query.start_byte_for_pattern(n) for n in range(query.pattern_count)]
        lines = [text.encode().count(b"\n", 0, start) + 1 for start in starts]
        assert [line for line, _ in split_patterns(text)] == lines, path
        for _, pattern in split_patterns(text):
            assert ts.Query(language, pattern).pattern_count == 1, pattern


@pytest.mark.parametrize("text", ["(a", "(a))", ")", "[(a) (b)"])
def test_bracket_without_its_other_end_is_no_pattern(text: str) -> None:
    with pytest.raises(ValueError, match="bracket"):
        split_patterns(text)


WATCHED = {
    '(a (b) @y (#eq? @y "t")) @x': {"y": {b"t"}},
    '(a (b) @y (c) @z (#any-of? @y "t" "u") (#not-eq? @z "v"))': {"y": {b"t", b"u"}, "z": {b"v"}},
    '((a (b) @y) @x (#eq? @x "t"))': {},
    '(a (b) @y (#match? @y "t"))': {},
    "(a (b) @y (b) @z (#eq? @y @z))": {},
}


@pytest.mark.parametrize(("text", "watched"), WATCHED.items())
def test_pattern_watches_what_it_compares_with_words_alone(
    text: str, watched: dict[str, set[bytes]]
) -> None:
    pattern = analyze_pattern(text)

    assert dict(pattern.compared) == watched
    assert bool(pattern.textless) is bool(watched)


def test_pattern_without_its_words_is_as_it_was_written() -> None:
    text = '(a left: _ @y . (b (c)? @z !d)* ["or" (e)] @w (#eq? @z "t")) @x'

    assert analyze_pattern(text).textless == ('(a left:_ @y . (b (c)? @z !d)* ["or" (e)] @w) @x')


def test_kinds_that_a_pattern_looks_below_are_known() -> None:
    pattern = analyze_pattern("(a (b) ((c (d (e))) [(f (g)) (_ (h))]) @x)")

    assert pattern.inner_depths == (("c", 2), ("f", 1), ("_", 1))
