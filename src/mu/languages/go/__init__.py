"""Go: its rules of names, and what they read."""

from mu.languages.go.rules import RULES

__all__ = ["RULES"]
