"""Grammars: what a language is, where its grammar is installed, and what it is made of."""
