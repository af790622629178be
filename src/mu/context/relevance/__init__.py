"""Rank definitions and files for a question."""
