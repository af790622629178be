import importlib
from pathlib import Path

import pytest

from mu.syntax import Extractor, GrammarError, InvalidQueryError, load_grammar
from unit.syntax.toy import Language

CALLS = """\
(identifier) @expression.name
(call function: (_) @base arguments: (argument_list) @arguments) @expression.call
"""

MISTAKES = {
    "no such role": (
        "bindings",
        "; Names.\n(identifier) @binding.guessed",
        "bindings.scm:2: a pattern needs exactly one role, this one has 0",
    ),
    "no capture": (
        "definitions",
        "(if_statement) @branch\n\n(for_statement)",
        "definitions.scm:3: a pattern needs exactly one role, this one has 0",
    ),
    "two roles": (
        "definitions",
        "(if_statement) @branch @region.conditional",
        "definitions.scm:1: a pattern needs exactly one role, this one has 2",
    ),
    "part missing": (
        "imports",
        "\n\n(import_statement) @import.module",
        "imports.scm:3: `@import.module` needs `@module`",
    ),
    "part of another role": (
        "imports",
        "(import_statement name: (dotted_name) @module @target) @import.module",
        "imports.scm:1: `@target` is not a part of `@import.module`",
    ),
    "no such node kind": (
        "references",
        "(identifier) @reference.value\n(identity) @reference.value",
        "references.scm:2: Invalid node type",
    ),
    "no such field": (
        "expressions",
        "(identifier) @expression.name\n(call callee: (_) @base) @expression.call",
        "expressions.scm:2: Invalid field name",
    ),
    "any node": (
        "references",
        "(identifier) @reference.value\n(_) @reference.value",
        "references.scm:2: a pattern must begin with a node of one kind, or with a choice of such",
    ),
    "bracket left open": (
        "targets",
        "(tuple_pattern) @target.sequence\n(list_pattern @target.sequence",
        "targets.scm:2: Invalid syntax",
    ),
    "impossible structure": (
        "parameters",
        "\n(default_parameter (if_statement) @name) @parameter",
        "parameters.scm:2: Impossible pattern",
    ),
}


@pytest.mark.parametrize(("query", "text", "message"), MISTAKES.values(), ids=MISTAKES)
def test_mistake_in_a_query_names_its_file_and_line(
    language: Language, query: str, text: str, message: str
) -> None:
    language.write_query(query, text)

    with pytest.raises(InvalidQueryError) as raised:
        load_grammar("toy")

    assert raised.value.message.startswith(f"queries/toy/{message}")


def test_query_file_that_is_absent_is_named(language: Language) -> None:
    (language.folder / "queries" / "toy" / "targets.scm").unlink()

    with pytest.raises(InvalidQueryError, match=r"^queries/toy/targets\.scm: cannot be read"):
        load_grammar("toy")


def test_parts_a_role_may_have_are_told_with_a_wrong_one(language: Language) -> None:
    language.write_query("imports", "(import_statement name: (_) @modul) @import.module")

    with pytest.raises(InvalidQueryError) as raised:
        load_grammar("toy")

    assert raised.value.hint == "its parts: alias, module, type_only"


def test_captures_in_comments_strings_and_predicates_are_no_roles(language: Language) -> None:
    language.write_query(
        "references",
        '((identifier) @reference.value ; not @branch\n (#not-eq? @reference.value "@skip"))',
    )

    assert [one.role.name for one in load_grammar("toy").nodes.known] == ["reference.value"]


def test_names_with_an_underscore_serve_predicates(language: Language) -> None:
    language.write_query("expressions", CALLS)
    language.write_query(
        "references", '(call function: (_) @_called (#eq? @_called "mark")) @reference.value'
    )

    assert [one.role.name for one in load_grammar("toy").nodes.known] == [
        "reference.value",
        "expression.name",
        "expression.call",
    ]


def test_first_pattern_that_fits_counts(language: Language) -> None:
    language.write_query(
        "expressions",
        "(call) @expression.literal.first\n"
        "(call function: (_) @base) @expression.call\n"
        "(identifier) @expression.literal.name",
    )
    language.write_query(
        "bindings", "(assignment left: (_) @target right: (_) @value) @binding.value"
    )

    facts = Extractor().extract(b"x[0] = f()\n", "toy")

    assert "first" in [text for _, text, _, _ in facts.expressions]


def test_language_without_patterns_gives_facts_without_rows(language: Language) -> None:
    facts = Extractor().extract(b"def f(): return g()\n", "toy")

    assert (facts.lines, facts.definitions, list(facts.references)) == (1, (), [])


def test_language_of_a_few_patterns_gives_what_they_ask_for(language: Language) -> None:
    language.write_query("expressions", CALLS)

    facts = Extractor().extract(b"def f(): return g(h)\n", "toy")

    names = [facts.expressions[row][1] for _, row, _, _ in facts.references]
    assert facts.definitions == ()
    assert names == ["", "h"]


@pytest.mark.parametrize("module", ["no_such_wheel", "json"])
def test_grammar_that_cannot_be_loaded_is_named(language: Language, module: str) -> None:
    language.write_manifest(grammar=module)

    with pytest.raises(GrammarError, match=rf"^the grammar of toy \({module}\) cannot be loaded"):
        load_grammar("toy")


def test_every_shipped_language_is_ready_to_use(root: Path) -> None:
    folders = [path.name for path in (root / "grammars").iterdir() if path.is_dir()]

    for name in folders:
        grammar = load_grammar(name)
        assert grammar.nodes.names
        importlib.import_module(grammar.manifest.grammar.partition(":")[0])
    assert "python" in folders
