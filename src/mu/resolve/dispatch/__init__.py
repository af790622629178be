"""Dispatch: which of the functions that a call may mean can run."""
