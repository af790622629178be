"""How well search finds the place that a question is about."""
