"""TypeScript and JavaScript: their language rules, modules, manifests, prototypes and JSX."""

from mu.languages.typescript.rules import RULES

__all__ = ["RULES"]
