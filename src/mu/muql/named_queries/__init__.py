"""Named queries: what ships with MU and what a project keeps, and their calls."""
