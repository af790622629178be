"""TypeScript, JavaScript: its rules of names, and what they read."""

from mu.languages.typescript.rules import RULES

__all__ = ["RULES"]
