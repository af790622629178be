"""Walks along edges: one step, breadth first, the sites of edges, containment, overrides."""
