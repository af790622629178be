"""Recursive queries: the solver, the evaluator's interface, points-to sets of parameters."""
