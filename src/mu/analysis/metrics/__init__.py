"""Measures of code: coupling, complexity, cycles, layers, dead code, the ledger in numbers."""
