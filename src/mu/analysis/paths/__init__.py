"""Paths between two nodes: shortest, surest, several, with the evidence for each edge."""
