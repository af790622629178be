"""Java: its language rules, its packages, and the symbols of native methods."""

from mu.languages.java.rules import RULES

__all__ = ["RULES"]
