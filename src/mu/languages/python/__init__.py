"""Python: its rules of names, and what they read."""

from mu.languages.python.rules import RULES

__all__ = ["RULES"]
