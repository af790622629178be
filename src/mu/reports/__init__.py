"""Reads what other tools say of code: coverage, profiles, owners. Texts in, values out."""
