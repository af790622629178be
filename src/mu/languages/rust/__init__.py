"""Rust: its language rules, its crates, and the symbols that it exports."""

from mu.languages.rust.rules import RULES

__all__ = ["RULES"]
