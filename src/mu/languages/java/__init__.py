"""Java: its rules of names, and what they read."""

from mu.languages.java.rules import RULES

__all__ = ["RULES"]
