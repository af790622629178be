"""Rust: its rules of names, and what they read."""

from mu.languages.rust.rules import RULES

__all__ = ["RULES"]
