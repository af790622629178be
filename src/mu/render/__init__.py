"""Answers as text: tables, CSV, JSON, and the one escaper of each."""
