"""Go: its language rules, and the readers of `go.mod` and of directives."""

from mu.languages.go.rules import RULES

__all__ = ["RULES"]
