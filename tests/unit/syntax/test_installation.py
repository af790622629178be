"""The grammars that are installed, and those that cannot be used."""

import sys
from types import ModuleType

import pytest
import tree_sitter as ts

from mu.operations.graph_file.build import languages
from mu.syntax import GrammarError, installed_grammar
from mu.syntax.grammars.installation import load_language


def test_each_language_has_a_grammar_that_runs_here() -> None:
    rows = {row.name: row for row in languages()}

    assert {row.level for row in rows.values()} == {"deep", "documents"}
    for row in rows.values():
        assert row.problem == ""
        is_run_here = ts.MIN_COMPATIBLE_LANGUAGE_VERSION <= row.abi <= ts.LANGUAGE_VERSION
        assert is_run_here if row.grammar else row.level == "documents"
    python = rows["python"]
    assert (python.grammar, python.extensions[0]) == ("tree-sitter-python", ".py")
    assert python.version.startswith("0.25.")


def test_a_grammar_that_is_not_installed_is_told_and_not_raised() -> None:
    found = installed_grammar("cobol", "tree_sitter_cobol")

    assert (found.distribution, found.version, found.abi) == ("tree-sitter-cobol", "", 0)
    assert "the grammar of cobol (tree_sitter_cobol) cannot be loaded" in found.problem


def test_a_grammar_of_another_abi_is_refused_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    module = ModuleType("tree_sitter_ancient")

    def language() -> object:
        raise ValueError("Incompatible Language version 3. Must be between 13 and 15")

    module.__dict__["language"] = language
    monkeypatch.setitem(sys.modules, "tree_sitter_ancient", module)

    with pytest.raises(GrammarError, match=r"ancient.*Incompatible Language version 3"):
        load_language("ancient", "tree_sitter_ancient")
    assert "version 3" in installed_grammar("ancient", "tree_sitter_ancient").problem
