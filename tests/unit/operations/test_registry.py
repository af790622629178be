"""Every operation is fit for every surface."""

import inspect
import re
from collections.abc import Callable
from dataclasses import is_dataclass

import pytest

from mu.cli.application import COMMANDS, application
from mu.operations.registry import OPERATIONS

IN_GROUP = {
    **dict.fromkeys(("build", "status", "stats", "audit", "verify", "languages"), "kernel"),
    **dict.fromkeys(("wiki_list", "wiki_search", "wiki_read", "wiki_drift"), "wiki"),
    "run_workflow": "workflow",
    **dict.fromkeys(("add_columns", "list_columns", "remove_column"), "columns"),
}
"""Operations whose command is one of a group."""

OTHER_NAME = {
    "settings": "config",
    "queries": "query",
    "why_not": "why",
    "find_tests": "tests",
    "cycle_cuts": "cycles",
    "select_tests": "tests",
    "change_impact": "impact",
    "analyze_codebase": "pack",
    "suggest_contracts": "check",
    "what_if": "what-if",
}


@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda operation: operation.__name__)
def test_an_operation_has_a_command(operation: Callable[..., object]) -> None:
    name = OTHER_NAME.get(operation.__name__, operation.__name__)
    if name not in IN_GROUP:
        assert name in COMMANDS
        return
    group = application.get_command(application.make_context("mu", ["kernel"]), IN_GROUP[name])
    assert re.sub("^wiki_|_workflow$|_columns?$", "", name) in group.commands  # type: ignore[union-attr]


@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda operation: operation.__name__)
def test_an_operation_says_what_it_does_and_what_it_gives(
    operation: Callable[..., object],
) -> None:
    assert inspect.getdoc(operation)
    result = inspect.signature(operation).return_annotation
    assert is_dataclass(result) or "tuple" in str(result)
