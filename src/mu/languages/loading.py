"""Load the rules of a language: from the module or package of its name in this package."""

import importlib
from collections.abc import Iterable

from mu.resolve import LanguageRules
from mu.syntax import lineage, load_manifests

_DEFAULTS = LanguageRules()
"""The rules of all languages without a module: one object, since rules are compared by identity."""


def load_rules(names: Iterable[str]) -> dict[str, LanguageRules]:
    """Return the rules of each language by its name.

    A dialect has the rules of the language that it extends, and a language without a module or
    package of its own has the defaults.
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
