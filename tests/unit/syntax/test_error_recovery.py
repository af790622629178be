import pytest

from mu.model.facts import FileFacts
from mu.syntax import Extractor
from mu.syntax.text.error_recovery import blank_block, blank_conflict_markers, blank_matches


def read(text: str, language: str) -> FileFacts:
    return Extractor().extract(text.encode(), language)


def names(text: str, language: str) -> list[str]:
    return [row.name for row in read(text, language).definitions]


def test_a_line_is_blanked_and_nothing_moves() -> None:
    assert blank_block(b"a b\n\tc d\ne", 2) == b"a b\n\t   \ne"


def test_lines_are_blanked_up_to_where_braces_are_closed() -> None:
    assert blank_block(b"f( {\n g()\n}\nh", 1) == b"    \n    \n \nh"


def test_braces_that_are_never_closed_leave_the_text_alone() -> None:
    assert blank_block(b"f {\ng", 1) == b"f {\ng"


def test_markers_of_a_merge_are_blanked() -> None:
    text = b"a\n<<<<<<< ours\nb\n=======\nc\n>>>>>>> theirs\n"

    assert blank_conflict_markers(text) == b"a\n            \nb\n       \nc\n              \n"


def test_a_line_of_equal_signs_is_no_marker() -> None:
    text = b"Title\n=======\n"

    assert blank_conflict_markers(text) == text


def test_what_matches_is_blanked_and_nothing_moves() -> None:
    assert blank_matches(b"export type * from", "type(?= \\*)") == b"export      * from"


def test_the_first_group_alone_is_blanked_where_there_is_one() -> None:
    assert blank_matches(b"import('a').B[]", r"\.B(\[\])") == b"import('a').B  "


@pytest.mark.parametrize("language", ["typescript", "tsx"])
@pytest.mark.parametrize(
    "statement",
    [
        "const A = styled(Button)<{ wide: boolean; on: (a: B<C>) => void }>`x ${(p) => p.wide}`;",
        "const A = styled.div.attrs<P>({ a: 1 })<Q<{ a: 1; b: 2 }>>`x`;",
        "interface A { rows?: import('./rows').Row[][]; }",
        "class A<in out T> {}",
        "interface A {\n  id: string | undefined\n  in2: string\n  in?: string\n  out?: string\n}",
    ],
)
def test_valid_typescript_that_the_grammar_does_not_know_is_no_problem(
    statement: str, language: str
) -> None:
    facts = read(f"{statement}\nexport function after() {{}}\n", language)

    assert [row.name for row in facts.definitions][-1] == "after"
    assert not facts.problems


def test_a_comparison_with_a_template_beside_a_mistake_is_still_a_mistake() -> None:
    assert read("const a = b <c, d> (`e`;\n", "typescript").problems


def test_what_only_the_grammar_does_not_know_is_no_mistake() -> None:
    facts = read("class A {\n  void a(String @Nullable ... names) {}\n}\n", "java")

    (_, method) = facts.definitions
    assert [(row.name, row.kind) for row in method.parameters] == [("names", "*")]
    assert not facts.problems


def test_text_that_parses_is_read_as_it_stands() -> None:
    facts = read("// Takes @Nullable ... of names.\nclass A {\n}\n", "java")

    assert [comments for _, comments, _ in facts.prose] == [" Takes @Nullable ... of names."]


def test_two_signatures_without_marks_between_them_are_read() -> None:
    facts = read(
        "interface Get {\n  <K extends A['b']>(k: K): K\n  <K>(k: K, l: K): K\n}\n"
        "export type * from './types'\nexport function f(): void {}\n",
        "typescript",
    )

    assert [row.name for row in facts.definitions if row.name] == ["Get", "f"]
    assert [row.module for row in facts.imports] == ["./types"]
    assert not facts.problems


def test_a_macro_of_the_name_of_a_type_is_read() -> None:
    facts = read('fn f() { let text = str![[r#"a"#]]; g(text) }', "rust")

    assert not facts.problems


def test_what_is_below_a_broken_head_keeps_its_class_and_its_lines() -> None:
    text = "class A {\n  a() {}\n  b(x, { return; }\n  c() {}\n}\n"

    rows = read(text, "javascript").definitions

    assert [(row.name, row.start_line) for row in rows] == [("A", 1), ("a", 2), ("c", 4)]


def test_the_mistake_is_told_though_it_was_left_out() -> None:
    facts = read("a();\nclass A {\n  b(x, { return; }\n  c() {}\n}\nb();\n", "javascript")

    assert [row.name for row in facts.definitions] == ["A", "c"]
    assert facts.problems


def test_a_mistake_that_costs_no_definition_costs_nothing_else() -> None:
    facts = read("function f() {\n  g(1 2);\n  h();\n}\n", "javascript")

    called = {facts.expressions[facts.expressions[row][2]][1] for _, row, _, _ in facts.references}
    assert {"g", "h"} <= called | {facts.expressions[row][1] for _, row, _, _ in facts.references}


def test_both_sides_of_a_merge_are_read() -> None:
    text = "fn a() {}\n<<<<<<< ours\nfn b() {}\n=======\nfn c() {}\n>>>>>>> theirs\nfn d() {}\n"

    assert names(text, "rust") == ["a", "b", "c", "d"]
