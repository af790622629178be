"""Query patterns: their roles, and the cached shape that says how the walk treats a node."""
