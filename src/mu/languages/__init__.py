"""What names mean in each language: one module for each, found by name, none importing another."""

import importlib
from collections.abc import Iterable

from mu.resolve import LanguageRules


def load_rules(names: Iterable[str]) -> dict[str, LanguageRules]:
    """The rules of each language; a language without a module of its own has the defaults."""
    return {name: _load(name) for name in sorted(names)}


def _load(name: str) -> LanguageRules:
    try:
        module = importlib.import_module(f"mu.languages.{name}")
    except ModuleNotFoundError as error:
        if error.name != f"mu.languages.{name}":
            raise
        return LanguageRules()
    rules: LanguageRules = module.RULES
    return rules
