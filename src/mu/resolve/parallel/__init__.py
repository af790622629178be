"""Linking by several processes: who links which file, and what they tell each other."""
