"""Dispatch: which of the functions that a call may resolve to can run."""
