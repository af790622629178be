"""Python: its language rules, its modules and manifests, and models of its library."""

from mu.languages.python.rules import RULES

__all__ = ["RULES"]
