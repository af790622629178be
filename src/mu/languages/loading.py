"""Load the rules of names: a module or package for each language, found by name."""

import importlib
from collections.abc import Iterable

from mu.resolve import LanguageRules
from mu.syntax import lineage, load_manifests

_DEFAULTS = LanguageRules()
"""One object for all languages that have no rules: two programs that are compared share it."""


def load_rules(names: Iterable[str]) -> dict[str, LanguageRules]:
    """The rules of each language, which are those of the one it extends; a language without a
    module or package of its own has the defaults.
    """
    manifests = load_manifests()
    roots = {name: lineage(name, manifests)[-1] for name in sorted(names)}
    loaded = {root: _load(root) for root in dict.fromkeys(roots.values())}
    return {name: loaded[root] for name, root in roots.items()}


def _load(name: str) -> LanguageRules:
    try:
        module = importlib.import_module(f"mu.languages.{name}")
    except ModuleNotFoundError as error:
        if error.name != f"mu.languages.{name}":
            raise
        return _DEFAULTS
    rules: LanguageRules = module.RULES
    return rules
