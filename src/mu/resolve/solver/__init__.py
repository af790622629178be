"""Recursive queries: the solver, the interface of what it evaluates, and sets that grow."""
