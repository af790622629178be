"""Documents: nodes, links, and mentions of code."""
