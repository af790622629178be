"""Graph functions in FROM: their parameters and columns, their calls, and their tables."""
