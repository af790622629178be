"""Installed grammars, and whether this version of tree-sitter can run them."""

import importlib
from dataclasses import dataclass

import tree_sitter as ts

from mu.errors import MuError
from mu.syntax.grammars.distributions import versions_of


class GrammarError(MuError):
    """A grammar that cannot be loaded here."""


@dataclass(frozen=True, slots=True)
class InstalledGrammar:
    """A grammar: its distribution with its version, and the ABI it was generated for.

    If it cannot be loaded, `abi` is 0 and `problem` says why.
    """

    distribution: str
    version: str
    abi: int
    problem: str = ""


def load_language(name: str, entry_point: str) -> ts.Language:
    """Load the grammar of the language `name` from `entry_point`, `module` or `module:function`.

    Raises GrammarError if it is missing or has an ABI that this tree-sitter does not support.
    """
    try:
        module, _, function = entry_point.partition(":")
        return ts.Language(getattr(importlib.import_module(module), function or "language")())
    except (ImportError, AttributeError, ValueError) as error:
        raise GrammarError(
            f"the grammar of {name} ({entry_point}) cannot be loaded: {error}",
            "reinstall MU, or leave the language out with --language",
        ) from error


def installed_grammar(name: str, entry_point: str) -> InstalledGrammar:
    """Return the installed grammar of the language `name`; never raises for a missing one."""
    distribution = entry_point.partition(":")[0].replace("_", "-")
    version = versions_of((distribution,)).get(distribution, "")
    try:
        return InstalledGrammar(distribution, version, load_language(name, entry_point).abi_version)
    except GrammarError as error:
        return InstalledGrammar(distribution, version, 0, error.message)
