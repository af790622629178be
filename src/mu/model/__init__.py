"""Frozen values and ids that every layer shares; no IO and no decisions."""
